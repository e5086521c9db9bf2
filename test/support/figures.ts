import { appendFileSync } from 'node:fs';

/** What a part of `npm run trust` measured. */
export interface TrustFigure {
  readonly part: string;
  readonly figure: string;
}

/** Prints a figure, and hands it to `npm run trust` where it runs the test. */
export function recordFigure(part: string, figure: string): void {
  console.log(`${part}: ${figure}`);
  const file = process.env.TRUST_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ part, figure } satisfies TrustFigure)}\n`);
}
