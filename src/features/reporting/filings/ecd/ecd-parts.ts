import type { Transaction } from '../../../../platform/database/sql.ts';
import { chartLines, chooseReferenceChart, costCentreLines, narrationLines } from './chart.ts';
import { selectClosedResults } from './ecd-balances.read.sql.ts';
import type { EcdBooks } from './ecd-books.ts';
import type { CountedLines } from './ecd-entries.read.sql.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { type EcdLine, LineMaker } from './ecd-line.ts';
import { bookLines, headLines } from './head.ts';
import { resultLines } from './results.ts';
import { closingTerm, signatoryLines, signingOptions } from './signatories.ts';
import { readStatements } from './statements.ts';

/** The lines of the file that are gathered, in its order; without those that say how many there are. */
export interface EcdParts {
  readonly make: LineMaker;
  readonly head: readonly EcdLine[];
  readonly book: (lines: number) => readonly EcdLine[];
  readonly chart: readonly EcdLine[];
  readonly results: readonly EcdLine[];
  readonly statements: readonly EcdLine[];
  readonly closing: (lines: number) => EcdLine;
  readonly signatories: readonly EcdLine[];
}

export async function makeParts(
  sql: Transaction,
  books: EcdBooks,
  counted: CountedLines,
  findings: EcdFindings,
): Promise<EcdParts> {
  const make = new LineMaker(findings);
  const referenceChart = await chooseReferenceChart(sql, books, findings);
  const statements = await readStatements(sql, books, make, findings);
  return {
    make,
    head: headLines(books, make, referenceChart),
    book: (lines) => bookLines(books, make, lines),
    chart: [
      ...chartLines(books, make, referenceChart, statements.lineCodes),
      ...narrationLines(counted.narrations, make),
      ...costCentreLines(books, make),
    ],
    results: resultLines(books, make, await selectClosedResults(sql, books.rows)),
    statements: statements.lines,
    closing: (lines) => closingTerm(books, make, lines),
    signatories: await signatoryLines(books, make, await signingOptions(sql, books)),
  };
}
