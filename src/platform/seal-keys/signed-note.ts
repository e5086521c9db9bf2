import { createHash } from 'node:crypto';

/** The signature type of Ed25519. */
const ED25519 = Buffer.of(0x01);
const NEWLINE = Buffer.of(0x0a);

/** The text, which ends with a newline, and its signature (C2SP signed-note); witnesses add lines of their own. */
export function signedNote(text: string, name: string, publicKey: Buffer, signature: Buffer): string {
  const line = Buffer.concat([keyHash(name, publicKey), signature]).toString('base64');
  return `${text}\n— ${name} ${line}\n`;
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

/** What the log of a branch is called: no spaces and no plus, as the names of keys want it. */
export function originOf(logName: string, { company, branch }: { company: string; branch: string }): string {
  return [logName, encodeURIComponent(company), encodeURIComponent(branch)].join('/');
}

/** The text of a log's head (C2SP tlog-checkpoint). */
export function checkpointText(origin: string, size: number, root: Buffer): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}
