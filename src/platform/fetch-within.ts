import { request } from 'undici';

/** What another server answered; the text is read whole. */
export interface FetchedText {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Most milliseconds and bytes of an answer. */
interface Limits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/**
 * Gets an address and gives up after so many milliseconds or bytes. Follows no redirects: one would let the other server
 * send the platform to any address.
 */
export async function fetchWithin(address: string, limits: Limits): Promise<FetchedText> {
  const { bytes, ...rest } = await sendWithin(address, limits, {
    method: 'GET',
    headers: { accept: 'application/json' },
  });
  return { ...rest, text: bytes.toString('utf8') };
}

/** The same of any request and its answer. */
export async function sendWithin(
  address: string,
  limits: Limits,
  sent: {
    readonly method: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Buffer;
  },
): Promise<{ readonly status: number; readonly contentType: string; readonly bytes: Buffer }> {
  const { statusCode, headers, body } = await request(address, {
    ...sent,
    headers: { ...sent.headers, 'user-agent': 'partidas' },
    signal: AbortSignal.timeout(limits.milliseconds),
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.bytes) throw new Error(`answered more than ${limits.bytes} bytes`);
    chunks.push(chunk);
  }
  return { status: statusCode, contentType: String(headers['content-type'] ?? ''), bytes: Buffer.concat(chunks) };
}
