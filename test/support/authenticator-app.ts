import { codeOfStep } from '../../src/platform/totp.ts';

/** What an app shows for the secret at a moment; `later` steps of thirty seconds after it. */
export function shownCode(secret: string, at: Date, later = 0): string {
  const bits = [...secret].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((each) => Number.parseInt(each, 2)));
  return codeOfStep(key, Math.floor(at.getTime() / 30_000) + later);
}
