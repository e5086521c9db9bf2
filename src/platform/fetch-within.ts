import { request } from 'undici';

/** What another server answered; the text is read whole. */
export interface FetchedText {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/**
 * Gets an address and gives up after so many milliseconds or bytes. Follows no redirects: one would let the other server
 * send the platform to any address.
 */
export async function fetchWithin(
  address: string,
  limits: { readonly milliseconds: number; readonly bytes: number },
): Promise<FetchedText> {
  const { statusCode, headers, body } = await request(address, {
    signal: AbortSignal.timeout(limits.milliseconds),
    headers: { accept: 'application/json', 'user-agent': 'partidas' },
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.bytes) throw new Error(`answered more than ${limits.bytes} bytes`);
    chunks.push(chunk);
  }
  return {
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}
