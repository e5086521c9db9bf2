import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Files of more rows than are written in one statement: what was written before something is found is undone.

const PORTION = 20_000;
const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

async function newBatch(): Promise<number> {
  const body = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  return (await platform.admin.post('movements', '/batch', body)).body.id;
}

async function importCsv(batchId: number, rows: readonly string[]) {
  const form = new FormData();
  form.set('file', new Blob([[HEADER, ...rows].join('\n')]), 'rows.csv');
  return (await platform.admin.post('movements', `/batch/${batchId}/import?force=true`, form)).body;
}

const pair = (document: number, entry: number) => `${document};${entry};5;D;1.1.1;2.1.1;1,00;x;`;
const half = (entry: string, side: 'D' | 'C', amount: number) => `A;${entry};6;${side};1.1.2;;${amount};y;`;
const pairs = (count: number) => Array.from({ length: count }, (_, at) => pair(at % 3, at));

/** Documents of the batch with their lines, sums, and whether each entry counts its lines from 1. */
async function written(batchId: number): Promise<object[]> {
  const { rows } = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(
      `SELECT entry.number AS document, sum(entry.lines)::integer AS lines, sum(entry.debits)::integer AS debits,
              bool_and(entry.counted) AS counted
         FROM (SELECT document.number, count(*) AS lines, sum(amount) FILTER (WHERE side = 'D') AS debits,
                      min(sequence) = 1 AND max(sequence) = count(*) AND count(DISTINCT sequence) = count(*) AS counted
                 FROM document
                 JOIN entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id
                WHERE document.batch_id = $1 GROUP BY document.number, entry_line.entry_number) AS entry
        GROUP BY entry.number ORDER BY entry.number`,
      [batchId],
    ),
  );
  return rows;
}

const DOCUMENTS = ['0', '1', '2'].map((document) => ({ document, lines: 14_000, debits: 7_000, counted: true }));

test('an entry of more rows than a statement takes, as its lines and as pairs', async () => {
  const long = Array.from({ length: PORTION + 2_000 }, (_, at) => half('1', at % 2 === 0 ? 'D' : 'C', 2));
  const batch = await newBatch();
  expect(await importCsv(batch, [pair(0, 1), ...long, pair(0, 2)])).toMatchObject({ success: true });
  expect(await written(batch)).toEqual([
    { document: '0', lines: 4, debits: 2, counted: true },
    { document: 'A', lines: 22_000, debits: 22_000, counted: true },
  ]);
  const paired = Array.from({ length: PORTION + 2_000 }, () => pair(7, 7));
  const other = await newBatch();
  expect(await importCsv(other, [...paired, half('1', 'D', 1), half('1', 'C', 1)])).toMatchObject({ success: true });
  expect(await written(other)).toEqual([
    { document: '7', lines: 44_000, debits: 22_000, counted: true },
    { document: 'A', lines: 2, debits: 1, counted: true },
  ]);
});

test('an entry that comes again after others were written makes the file be read again', async () => {
  const batch = await newBatch();
  const rows = [half('1', 'D', 3), half('1', 'C', 3), ...pairs(PORTION + 1_000), half('1', 'D', 5), half('1', 'C', 5)];
  expect(await importCsv(batch, rows)).toMatchObject({ success: true, totalRows: PORTION + 1_004 });
  expect(await written(batch)).toEqual([...DOCUMENTS, { document: 'A', lines: 4, debits: 8, counted: true }]);
});

test('a fault in the last row leaves nothing of the rows before', async () => {
  const batch = await newBatch();
  const answer = await importCsv(batch, [...pairs(PORTION + 1_000), '1;z;5;D;9.9;2.1.1;1;x;']);
  expect(answer).toMatchObject({ success: false, errorRows: 1, errors: [expect.stringContaining('row 21002: conta')] });
  expect(await written(batch)).toEqual([]);
  expect((await platform.admin.get('movements', `/alldocument/${batch}`)).body).toEqual([]);
});

test('entry numbers that their documents have are all told', async () => {
  const batch = await newBatch();
  expect(await importCsv(batch, [pair(0, 0), pair(20_998 % 3, 20_998)])).toMatchObject({ success: true });
  const { errors } = await importCsv(batch, pairs(PORTION + 1_000));
  expect(errors).toEqual([
    expect.stringContaining('row 2: lancamento'),
    expect.stringContaining('row 21000: lancamento'),
  ]);
});
