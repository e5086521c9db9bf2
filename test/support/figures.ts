import { appendFileSync } from 'node:fs';

/** What a part of `npm run trust` measured. */
export interface TrustFigure {
  /** Of `TRUST_PARTS`. */
  readonly part: string;
  /** What was done to the program, as the table names it. */
  readonly what: string;
  readonly figure: string;
  /** What was broken on purpose, and how it was seen; the test itself fails where it was not. */
  readonly control?: string;
}

/** Prints a figure, and hands it to `npm run trust` where it runs the test. */
export function recordFigure(each: TrustFigure): void {
  console.log(`${each.what}: ${each.figure}${each.control ? ` (control: ${each.control})` : ''}`);
  const file = process.env.TRUST_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(each)}\n`);
}
