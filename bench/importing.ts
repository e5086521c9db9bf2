import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { type Branch, books, newBatch, newBranch, openMonth } from './support/books.ts';
import { type Figure, type Measured, megabytes, perSecond, secondsOf } from './support/figure.ts';
import { floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const ROWS = 1_000_000;
const ROWS_A_DOCUMENT = 1_000;
const MAX_MEGABYTES = 400;

/**
 * A file of a million rows by HTTP against what the engine needs for the same lines: \copy into a table with the columns
 * alone and one sum that proves debits and credits equal, and COPY into one with the same indexes.
 */
export const importing: Figure = async (installation) => {
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  const batchId = await newBatch(installation, branch, 1);
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-rows-'));
  try {
    const csv = join(folder, 'rows.csv');
    const copy = join(folder, 'rows.copy');
    await writeRows(installation, branch, csv, copy);
    const floorSeconds = await copyAndCheck(installation, copy);
    const bareSeconds = await copyBare(installation, copy);
    installation.peakMemory();
    const ourSeconds = await secondsOf(() => importCsv(installation, batchId, csv));
    const memory = installation.peakMemory();
    const rate = perSecond(ROWS / ourSeconds);
    const measured: Measured[] = [];
    if (floorSeconds !== undefined) {
      measured.push({
        name: `CSV import of ${ROWS.toLocaleString('en')} rows`,
        against: '\\copy of the same rows into a bare table, and one sum over it',
        detail: `${rate} against ${perSecond(ROWS / floorSeconds)}`,
        value: floorSeconds / ourSeconds,
        unit: 'ratio',
        atLeast: 0.35,
      });
    }
    measured.push({
      name: '… the same import',
      against: 'COPY of the same rows into a bare table with the same indexes',
      detail: `${rate} against ${perSecond(ROWS / bareSeconds)}`,
      value: bareSeconds / ourSeconds,
      unit: 'ratio',
      atLeast: 0.6,
    });
    if (memory !== undefined) {
      measured.push({
        name: '… memory of the program meanwhile',
        against: 'its limit',
        detail: 'largest resident size',
        value: megabytes(memory),
        unit: 'MB',
        atMost: MAX_MEGABYTES,
      });
    }
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Entries of two rows: as the layout has them, and as COPY into entry_line takes them. */
async function writeRows(installation: Installation, branch: Branch, csvPath: string, copyPath: string): Promise<void> {
  const { leaves, companyId } = await books(installation);
  const [csv, copy] = await Promise.all([open(csvPath, 'w'), open(copyPath, 'w')]);
  try {
    await csv.write('documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\r\n');
    let csvText = '';
    let copyText = '';
    for (let row = 0; row < ROWS; row++) {
      const entry = Math.floor(row / 2);
      const document = 1 + Math.floor(row / ROWS_A_DOCUMENT);
      const day = String(1 + (entry % 28)).padStart(2, '0');
      const side = row % 2 === 0 ? 'D' : 'C';
      const account = leaves[(entry * 2 + (row % 2)) % leaves.length]!;
      const counter = leaves[(entry * 2 + 1 - (row % 2)) % leaves.length]!;
      const cents = String(100 + (entry % 90_000));
      const [whole, fraction] = [cents.slice(0, -2), cents.slice(-2)];
      const narration = `Liquidação da operação ${entry}`;
      csvText += `${document};${entry + 1};${day};${side};${account.code};${counter.code};${whole},${fraction};${narration};\r\n`;
      copyText += `${companyId}\t${branch.branchId}\t${document}\t2026-01-01\t2026-01-${day}\t${entry + 1}\t${1 + (row % 2)}\t${
        account.id
      }\t${counter.id}\t${side}\t${whole}.${fraction}\t${narration}\t\\N\n`;
      if (csvText.length < 1_000_000) continue;
      await Promise.all([csv.write(csvText), copy.write(copyText)]);
      csvText = '';
      copyText = '';
    }
    await Promise.all([csv.write(csvText), copy.write(copyText)]);
  } finally {
    await Promise.all([csv.close(), copy.close()]);
  }
}

/** The columns that the file for COPY has. */
const COLUMNS = [
  ...['company_id', 'branch_id', 'document_id', 'month', 'day', 'entry_number', 'sequence', 'account_id'],
  ...['offset_account_id', 'side', 'amount', 'narration', 'narration_code'],
].join(', ');

/** Seconds of \copy into a table without indexes and of the sum; undefined where there is no psql. */
async function copyAndCheck(installation: Installation, path: string): Promise<number | undefined> {
  const floor = floorOn(installation);
  if (floor === undefined) return undefined;
  const { owner } = installation;
  await owner.query('CREATE TABLE bare_line (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY)');
  await owner.query('CHECKPOINT');
  const copySeconds = await floor.copySeconds(`bare_line (${COLUMNS})`, path);
  const checkSeconds = await secondsOf(async () => {
    const { rows } = await owner.query(
      `SELECT sum(CASE side WHEN 'D' THEN amount ELSE -amount END) = 0 AS right FROM bare_line`,
    );
    if (!rows[0].right) throw new Error('the rows do not balance');
  });
  await owner.query('DROP TABLE bare_line');
  return copySeconds + checkSeconds;
}

/** Seconds of one COPY with its commit. */
async function copyBare(installation: Installation, path: string): Promise<number> {
  const { owner } = installation;
  await owner.query('CREATE TABLE bare_line (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES)');
  await owner.query('CHECKPOINT');
  const seconds = await secondsOf(() =>
    pipeline(
      createReadStream(path, { highWaterMark: 1 << 18 }),
      owner.query(copyFrom(`COPY bare_line (${COLUMNS}) FROM STDIN`)),
    ),
  );
  await owner.query('DROP TABLE bare_line');
  await owner.query('CHECKPOINT');
  return seconds;
}

async function importCsv(installation: Installation, batchId: number, path: string): Promise<void> {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'rows.csv');
  const result = await installation.call<{ success: boolean; totalRows: number; errors: string[] }>(
    'movements',
    'POST',
    `/batch/${batchId}/import`,
    form,
  );
  if (!result.success || result.totalRows !== ROWS) throw new Error(JSON.stringify(result).slice(0, 500));
}
