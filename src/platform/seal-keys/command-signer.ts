import { spawn } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { SealKeyError } from './seal-key-error.ts';
import type { SealAlgorithm, Signer } from './signer.ts';

const COMMAND_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024;
const SIGNATURE_BYTES = 64;

/**
 * Signs with a command, for keys in a key service:
 * `COMMAND public-key ES256|EdDSA` writes the public key in PEM,
 * `COMMAND sign ES256|EdDSA` reads the bytes to sign and writes the signature in base64.
 * No shell sees the words.
 */
export function signWithCommand(words: readonly string[]): Signer {
  return {
    publicKey: async (algorithm) => publicKeyIn(await run(words, ['public-key', algorithm])),
    sign: async (algorithm, bytes) => signatureIn(await run(words, ['sign', algorithm], bytes), algorithm),
  };
}

function publicKeyIn(output: string): KeyObject {
  try {
    return createPublicKey(output);
  } catch {
    throw new SealKeyError('SEAL_SIGN_COMMAND: public-key wrote no public key in PEM');
  }
}

/** Of r and s, or of their DER encoding, which most key services answer. */
function signatureIn(output: string, algorithm: SealAlgorithm): Buffer {
  const text = output.trim();
  const bytes = /^[A-Za-z\d+/]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const signature = bytes.length === SIGNATURE_BYTES || algorithm !== 'ES256' ? bytes : pairIn(bytes);
  if (signature?.length === SIGNATURE_BYTES) return signature;
  throw new SealKeyError('SEAL_SIGN_COMMAND: sign wrote no signature in base64');
}

/** r and s of SEQUENCE { INTEGER r, INTEGER s }, 32 bytes each; undefined if it is not that. */
function pairIn(der: Buffer): Buffer | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const numbers: Buffer[] = [];
  for (let at = 2; at < der.length; at += 2 + der[at + 1]!) {
    const length = der[at + 1];
    if (der[at] !== 0x02 || length === undefined || at + 2 + length > der.length) return undefined;
    const digits = der.subarray(at + 2, at + 2 + length);
    const number = digits[0] === 0 ? digits.subarray(1) : digits;
    if (number.length > SIGNATURE_BYTES / 2) return undefined;
    numbers.push(Buffer.concat([Buffer.alloc(SIGNATURE_BYTES / 2 - number.length), number]));
  }
  return numbers.length === 2 ? Buffer.concat(numbers) : undefined;
}

/** What the command wrote; given up after its time, also where something that it started holds its output open. */
function run([command = '', ...words]: readonly string[], more: readonly string[], input?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...words, ...more], { stdio: ['pipe', 'pipe', 'ignore'], shell: false });
    const giveUp = (why: string) => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      reject(new SealKeyError(`SEAL_SIGN_COMMAND: ${more.join(' ')} ${why}`));
    };
    const limit = setTimeout(() => giveUp(`did not answer within ${COMMAND_MS / 1000} seconds`), COMMAND_MS);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length > MAX_OUTPUT_BYTES) giveUp('wrote too much');
    });
    // A command that does not read what it is given breaks the pipe; its answer decides.
    child.stdin.on('error', () => {});
    child.on('error', (error: NodeJS.ErrnoException) => giveUp(`could not be started (${error.code})`));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else giveUp(`ended with ${code}`);
    });
    child.on('close', () => clearTimeout(limit));
    child.stdin.end(input);
  });
}
