import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CleanupOptions, cleanUp } from '../../src/features/operations/cleanup/cleanup.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
const movements = (path: string, client: Client = platform.admin) => client.get('movements', path);
const importPath = (id: number) => `/imports/${bank.company}/${bank.branch}/${id}`;

interface Line {
  readonly id: number;
  readonly documento: string;
  readonly historico: string;
}

async function importCsv(content: string | Uint8Array<ArrayBuffer>, query = '') {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const { id: batch } = await bodyOf(platform.admin.post('movements', '/batch', place));
  const form = new FormData();
  form.set('file', new Blob([content]), 'folha "março".csv');
  const { importId } = await bodyOf(platform.admin.post('movements', `/batch/${batch}/import${query}`, form));
  return { batch: batch as number, importId: importId as number };
}

/** The lines of a batch, document by document. */
async function linesOf(batch: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { id, documento } of (await movements(`/alldocument/${batch}`)).body) {
    for (const line of (await movements(`/allentry/${id}`)).body) lines.push({ ...line, documento });
  }
  return lines;
}

async function rowsOf(lines: readonly Line[]): Promise<number[]> {
  const rows: number[] = [];
  for (const { id } of lines) rows.push((await bodyOf(movements(`/entry/${id}/importedRow`))).row);
  return rows;
}

test('a line opens the row of its CSV: pairs, compound entries, rows that stand apart, empty rows', async () => {
  const csv = [
    HEADER,
    '10;1;5;D;1.1.1;2.1.1;1.234,56;par',
    ';;;;;;;',
    '10;2;6;D;8.1;;100,00;composto',
    '10;2;6;C;1.1.2;;150,50;composto',
    '11;1;7;c;112;111;3;"par; com ""aspas"""',
    '10;2;6;D;8.2;;50.5;composto',
  ].join('\r\n');
  const { batch, importId } = await importCsv(csv);
  const lines = await linesOf(batch);
  expect(lines.map(({ historico }) => historico).sort()).toHaveLength(7);
  expect(await rowsOf(lines)).toEqual([2, 2, 4, 5, 7, 6, 6]);
  const answer = await movements(`/entry/${lines.at(-1)!.id}/importedRow`);
  expect(answer.body).toMatchObject({
    row: 6,
    columns: HEADER.split(';'),
    cells: ['11', '1', '7', 'c', '112', '111', '3', 'par; com "aspas"'],
    text: null,
    import: { id: importId, kind: 'CSV', status: 'DONE' },
  });
  const page = await movements(`${importPath(importId)}/rows?from=4&size=2`);
  expect(page.body.rows.map(({ row }: { row: number }) => row)).toEqual([4, 5]);
});

test('a line opens the row of its IPL and JSON file', async () => {
  const place = `2${bank.company.padEnd(5)}${bank.branch.padEnd(5)}000900`;
  const entry = (number: number, cents: number) =>
    `${place}${'1'.padEnd(10)}20260105${String(number).padStart(6, '0')}D${'1.1.1'.padEnd(20)}${'2.1.1'.padEnd(20)}` +
    `${String(cents).padStart(17, '0')}${' '.repeat(57)}`;
  const path = `/importMoviment/${bank.company}/${bank.branch}/a.txt`;
  const file = [entry(1, 100), entry(2, 200)].join('\n');
  const ipl = await bodyOf(platform.admin.call('movements', 'POST', path, file, { 'content-type': 'text/plain' }));
  const lines = await linesOf(ipl.id);
  expect(await rowsOf(lines)).toEqual([1, 1, 2, 2]);
  expect((await movements(`/entry/${lines[3]!.id}/importedRow`)).body).toMatchObject({ text: entry(2, 200) });

  // Without a number of its own an entry goes on after the highest, and the document's number comes behind its lines.
  const line = { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1.5 };
  const documentos = [
    { lancamentos: [{ ...line, lancamento: '7' }, line], documento: '8' },
    { documento: '9', lancamentos: [line] },
  ];
  const body = { empresa: bank.company, filial: bank.branch, lote: '901', ano: 2026, mes: 1, documentos };
  const json = await bodyOf(platform.admin.post('movements', '/importMovimentJson', body));
  const written = await linesOf(json.id);
  expect(await rowsOf(written)).toEqual([1, 1, 2, 2, 3, 3]);
  expect((await movements(`/entry/${written[2]!.id}/importedRow`)).body).toMatchObject({ text: JSON.stringify(line) });
});

test('the file comes back byte for byte, however large, in the encoding that it had', async () => {
  const rows = Array.from(
    { length: 9_000 },
    (_, at) => `${1 + (at % 7)};${at};5;D;1.1.1;2.1.1;${at + 1};${'é'.repeat(90)}${at * 7919}`,
  );
  const content = new Uint8Array(Buffer.from([HEADER, ...rows].join('\n'), 'latin1'));
  const { batch, importId } = await importCsv(content);
  const answer = await fetch(`${platform.address('movements')}${importPath(importId)}/file`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''folha");
  const digest = createHash('sha256').update(content).digest('base64');
  expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
  const [first] = (await movements(`/alldocument/${batch}`)).body;
  const [, , line] = (await movements(`/allentry/${first.id}`)).body;
  expect((await movements(`/entry/${line.id}/importedRow`)).body).toMatchObject({
    row: 9,
    cells: { 7: line.historico },
  });
});

test('what was not imported, only tried, rejected or cleaned up has no row', async () => {
  const { batch, importId } = await importCsv(`${HEADER}\n1;1;5;D;1.1.1;2.1.1;0,77;x`);
  const [line] = await linesOf(batch);
  const own = { documentId: (await movements(`/alldocument/${batch}`)).body[0].id, debcre: 'D', day: '05', valor: 1 };
  const accounts = { contaId: bank.accounts.get('1.1.1'), contrapartida: bank.accounts.get('3.1') };
  const posted = await bodyOf(platform.admin.post('movements', '/entry', { ...own, ...accounts }));
  expect(await movements(`/entry/${posted.id}/importedRow`)).toMatchObject({
    status: 404,
    body: { code: 'ENTRY_NOT_IMPORTED' },
  });
  const tried = await importCsv(`${HEADER}\n1;1;5;D;1.1.1;2.1.1;0,78;x`, '?dryRun=true');
  const rejected = await importCsv(`${HEADER}\n1;1;5;D;9.9.9;2.1.1;0,78;x`);
  const gone = { status: 404, body: { code: 'IMPORT_FILE_GONE' } };
  expect(await movements(`${importPath(tried.importId)}/file`)).toMatchObject(gone);
  expect(await movements(`${importPath(rejected.importId)}/rows`)).toMatchObject(gone);

  const young = await importCsv(`${HEADER}\n1;1;5;D;1.1.1;2.1.1;0,79;x`);
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(`UPDATE import_file SET kept_at = now() - interval '3651 days' WHERE import_id = ${importId}`),
  );
  const { database, config, metrics } = platform.program.app;
  const log = { warn: () => {} } as unknown as CleanupOptions['log'];
  const { retention } = config;
  await cleanUp({ database, authentication: undefined, retention, now: () => new Date(), log, metrics });
  expect(await movements(`/entry/${line!.id}/importedRow`)).toMatchObject(gone);
  expect((await movements(`${importPath(young.importId)}/file`)).status).toBe(200);
  const pieces = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(`SELECT count(*)::int AS n FROM import_file_piece WHERE import_id = ${importId}`),
  );
  expect(pieces.rows[0].n).toBe(0);
});

test('another branch has none of it', async () => {
  const { batch, importId } = await importCsv(`${HEADER}\n1;1;5;D;1.1.1;2.1.1;0,80;x`);
  const [line] = await linesOf(batch);
  const elsewhere = await createBank(platform.admin);
  const eva = await createUser(platform.admin, { username: 'eva', permissions: [{ company: elsewhere.company }] });
  const stranger = await platform.as(eva.username, eva.password);
  expect((await movements(`/entry/${line!.id}/importedRow`, stranger)).status).toBe(404);
  expect((await movements(`${importPath(importId)}/file`, stranger)).status).toBe(403);
  const other = `/imports/${elsewhere.company}/${elsewhere.branch}/${importId}`;
  for (const path of ['', '/rows', '/file']) expect((await movements(other + path, stranger)).status).toBe(404);
});
