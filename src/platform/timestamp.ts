/**
 * Timestamps of RFC 3161, as far as they are asked for, kept and read here: the few fields stand in DER of fixed shape, for
 * which a library of ASN.1 would be larger than this program's own plumbing. Who relies on a timestamp checks its
 * certificates with openssl.
 */

/** Why an answer is no timestamp of what was asked for. */
export class TimestampError extends Error {}

const [BOOLEAN, INTEGER, OCTETS, NULL, OID, SEQUENCE, TAGGED] = [0x01, 0x02, 0x04, 0x05, 0x06, 0x30, 0xa0];
const SHA256 = der(OID, Buffer.from('608648016503040201', 'hex'));
/** id-ct-TSTInfo. */
const TIMESTAMP_INFO = '2a864886f70d0109100104';
/** PKIStatus: granted, granted with modifications. */
const MOST_GRANTED = 1;

/** The request (application/timestamp-query) for a SHA-256, with the certificate in the answer. */
export function timestampRequest(hash: Buffer, nonce: Buffer): Buffer {
  const imprint = der(SEQUENCE, der(SEQUENCE, SHA256, der(NULL)), der(OCTETS, hash));
  return der(SEQUENCE, der(INTEGER, Buffer.of(1)), imprint, nonceOf(nonce), der(BOOLEAN, Buffer.of(0xff)));
}

/** The token of an answer (application/timestamp-reply) to that request. @throws TimestampError */
export function timestampToken(answer: Buffer, hash: Buffer, nonce: Buffer): Buffer {
  const [status, token] = inside(only(answer));
  const code = inside(status)[0]?.content.readUInt8(0) ?? 255;
  if (code > MOST_GRANTED || token === undefined)
    throw new TimestampError(`the authority rejected the request (${code})`);
  const fields = infoOf(token.bytes);
  if (!imprintOf(fields).equals(hash)) throw new TimestampError('the timestamp is of something else');
  const sent = nonceOf(nonce);
  if (!fields.some(({ bytes }) => bytes.equals(sent)))
    throw new TimestampError('the timestamp answers another request');
  return token.bytes;
}

/** What a token says: of which SHA-256, and when it was there. Its signature is not checked. @throws TimestampError */
export function readTimestamp(token: Buffer): { readonly hash: Buffer; readonly time: string } {
  const fields = infoOf(token);
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:\.\d+)?Z$/.exec(fields[4]?.content.toString('latin1') ?? '') ?? [];
  if (year === undefined) throw new TimestampError('the timestamp has no time');
  return { hash: imprintOf(fields), time: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` };
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly bytes: Buffer;
}

/** The fields of TSTInfo: version, policy, imprint, serial number, time, … */
function infoOf(token: Buffer): Element[] {
  const [, wrapped] = inside(only(token));
  const [signed] = inside(wrapped);
  const content = inside(inside(signed)[2]);
  if (content[0]?.content.toString('hex') !== TIMESTAMP_INFO || content[1]?.tag !== TAGGED)
    throw new TimestampError('the answer holds no timestamp');
  const [octets] = inside(content[1]);
  return inside(only(octets?.content ?? Buffer.alloc(0)));
}

function imprintOf(fields: readonly Element[]): Buffer {
  const [algorithm, hash] = inside(fields[2]);
  if (!inside(algorithm)[0]?.bytes.equals(SHA256)) throw new TimestampError('the timestamp is of no SHA-256');
  return hash?.content ?? Buffer.alloc(0);
}

function nonceOf(nonce: Buffer): Buffer {
  // A first byte from 0x01 to 0x7f: neither negative nor with a zero that DER leaves out.
  return der(INTEGER, Buffer.concat([Buffer.of((nonce[0]! & 0x3f) | 0x40), nonce.subarray(1)]));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length > 127) throw new RangeError('longer than any field of a request');
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}

function only(bytes: Buffer): Element {
  const [element] = elementsOf(bytes);
  if (element === undefined) throw new TimestampError('the answer is no DER');
  return element;
}

function inside(element: Element | undefined): Element[] {
  return element === undefined ? [] : elementsOf(element.content);
}

function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = lengthAt(bytes, at + 1);
    if (head === undefined || head.start + head.length > bytes.length) throw new TimestampError('the answer is no DER');
    const end = head.start + head.length;
    elements.push({ tag: bytes[at]!, content: bytes.subarray(head.start, end), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return elements;
}

function lengthAt(bytes: Buffer, at: number): { readonly start: number; readonly length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0x80 || first > 0x84) return undefined;
  if (first < 0x80) return { start: at + 1, length: first };
  const size = first - 0x80;
  return at + 1 + size > bytes.length ? undefined : { start: at + 1 + size, length: bytes.readUIntBE(at + 1, size) };
}
