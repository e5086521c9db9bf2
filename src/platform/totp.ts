import { createHmac, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) as every authenticator app makes them: SHA-1, six digits, thirty seconds. */
const STEP_S = 30;
const DIGITS = 6;
/** Clocks differ: the step before and the one after are taken too. */
const STEPS_AROUND = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The time step whose code it is, among the present one and its neighbours. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const present = Math.floor(now.getTime() / 1000 / STEP_S);
  const given = Buffer.from(code);
  for (let step = present - STEPS_AROUND; step <= present + STEPS_AROUND; step++) {
    const right = Buffer.from(codeOfStep(secret, step));
    if (given.length === right.length && timingSafeEqual(given, right)) return step;
  }
  return undefined;
}

export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.at(-1)! & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** As apps take it by hand (RFC 4648). */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** What apps read from a QR code. */
export function otpauthUri(secret: Buffer, username: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const values = { secret: base32(secret), issuer, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_S) };
  return `otpauth://totp/${label}?${new URLSearchParams(values)}`;
}
