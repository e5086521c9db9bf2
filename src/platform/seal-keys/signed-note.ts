import { createHash } from 'node:crypto';

/** A note and a line with its signature (C2SP signed-note); witnesses add lines of their own. */
export interface SignedNote {
  /** Ends with a newline. */
  readonly text: string;
  readonly line: string;
}

/** The signature type of Ed25519. */
const ED25519 = Buffer.of(0x01);
const NEWLINE = Buffer.of(0x0a);

/** `— name base64(key hash ‖ signature)`. */
export function signatureLine(name: string, publicKey: Buffer, signature: Buffer): string {
  return `— ${name} ${Buffer.concat([keyHash(name, publicKey), signature]).toString('base64')}\n`;
}

/** The key as witnesses are given it: `name+hash+base64`. */
export function verifierKey(name: string, publicKey: Buffer): string {
  const key = Buffer.concat([ED25519, publicKey]).toString('base64');
  return `${name}+${keyHash(name, publicKey).toString('hex')}+${key}`;
}

/** The first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key): tells keys of one name apart. */
function keyHash(name: string, publicKey: Buffer): Buffer {
  return createHash('sha256').update(name).update(NEWLINE).update(ED25519).update(publicKey).digest().subarray(0, 4);
}

/** The text of a log's head (C2SP tlog-checkpoint). */
export function checkpointText(origin: string, size: number, root: Buffer): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** The note as it is served. */
export function noteOf({ text, line }: SignedNote): string {
  return `${text}\n${line}`;
}
