import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { asId, type BranchId, type ChartId, type CompanyId } from '../../src/accounting/ids.ts';
import { firstDay, lastDay, monthOf, monthRange } from '../../src/accounting/period.ts';
import { copyLines } from '../../src/features/reporting/filings/ecd/ecd-entries.read.sql.ts';
import type { EcdBook } from '../../src/features/reporting/filings/ecd/ecd-file.ts';
import { writeEcd } from '../../src/features/reporting/filings/ecd/write-ecd.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Transaction } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';

// Run as a process of its own: write-ecd.ts G|B|bare|idle URL COMPANY-ID BRANCH-ID FILE. Prints what it took as JSON.

export interface WrittenInBench {
  readonly seconds: number;
  readonly lines: number;
  /** Of the journal alone: lines of entries. */
  readonly rows: number;
  readonly bytes: number;
  /** Largest resident memory in bytes. */
  readonly memory: number;
}

const YEAR = 2026;
const [MONTHS, WORK_MEM] = [monthRange(monthOf(YEAR, 1)!, monthOf(YEAR, 12)!), SQL`SET LOCAL work_mem = '64MB'`];

const [what, url, company, branch, path] = process.argv.slice(2);
const companyId = asId<CompanyId>(Number(company));
const database = openDatabase(url!, { max: 1, name: 'partidas-bench' }).doing('import');
const began = performance.now();
const written = await database.snapshot(SYSTEM_SCOPE, (sql) => (what === 'bare' ? copyBare(sql) : write(sql)));
const result: WrittenInBench = {
  seconds: (performance.now() - began) / 1000,
  ...written,
  memory: process.resourceUsage().maxRSS * 1024,
};
await database.close();
console.log(JSON.stringify(result));

async function write(sql: Transaction) {
  if (what === 'idle') return { lines: 0, rows: 0, bytes: 0 };
  const file = await open(path!, 'w');
  const { lines, bytes, linesOf } = await writeEcd(
    sql,
    {
      ...{ companyId, company: '0001', book: what as EcdBook },
      ...{ from: firstDay(MONTHS[0]!), to: lastDay(MONTHS.at(-1)!) },
    },
    { write: async (portion) => void (await file.write(portion)) },
  );
  await file.close();
  return { lines, bytes, rows: linesOf.I250 ?? 0 };
}

/** The rows of the entries as the server sends them, into a file as they are. */
async function copyBare(sql: Transaction) {
  const file = await open(path!, 'w');
  const hash = createHash('sha256');
  let [rows, bytes, length] = [0, 0, 0];
  const portion = Buffer.allocUnsafeSlow(1 << 20);
  const pass = async () => {
    hash.update(portion.subarray(0, length));
    await file.write(portion.subarray(0, length));
    length = 0;
  };
  await sql.run(WORK_MEM);
  const months = MONTHS.map((month) => ({ month, branchId: asId<BranchId>(Number(branch)), archived: false }));
  const books = {
    companyId,
    chartId: asId<ChartId>(0),
    branchIds: [months[0]!.branchId],
    from: MONTHS[0]!,
    to: MONTHS.at(-1)!,
    byBranch: false,
  };
  for (const month of months) {
    await copyLines(
      sql,
      books,
      month,
      (row, start, end) => {
        row.copy(portion, length, start, end);
        length += end - start;
        bytes += end - start;
        rows++;
      },
      () => (length < 1 << 18 ? undefined : pass()),
    );
  }
  await pass();
  await file.close();
  return { lines: rows, rows, bytes };
}
