import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { testOnOneServer } from '../support/one-server.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({ IMPORT_MAX_ROWS: '5000' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await createHistories(platform.admin, ['1', '00010', '00020', '00021']);
});
afterAll(() => platform?.stop());

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';

async function newBatch() {
  const body = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  return (await platform.admin.post('movements', '/batch', body)).body.id as number;
}

async function importCsv(
  batchId: number,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
  query = '',
) {
  const form = new FormData();
  form.set('file', new Blob([content]), 'entries.csv');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return platform.admin.post('movements', `/batch/${batchId}/import${query}`, form);
}

const linesOf = async (batchId: number) => (await platform.admin.get('movements', `/entrysummary/${batchId}`)).body;

describe('what an import says of itself', () => {
  const lines = [{ debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '3.1', valor: 7.5 }];
  const jsonOf = (lote: string, lancamentos: readonly unknown[]) => ({
    ...{ empresa: bank.company, filial: bank.branch, lote, ano: 2026, mes: 1 },
    documentos: [{ documento: '1', lancamentos }],
  });
  const imports = (query = '') => platform.admin.get('movements', `/imports/${bank.company}/${bank.branch}${query}`);
  const importOf = (id: number) => imports(`/${id}`);

  test('its id and the sums of its lines, dry or not', async () => {
    const batchId = await newBatch();
    const csv = `${HEADER}\n71;1;5;D;1.1.1;2.1.1;3,25;x;`;
    const tried = await importCsv(batchId, csv, {}, '?dryRun=true');
    expect(tried.body).toMatchObject({ success: true, debits: 3.25, credits: 3.25, problems: [] });
    const done = await importCsv(batchId, csv);
    expect(done.body).toMatchObject({ success: true, debits: 3.25, credits: 3.25 });
    expect((await importOf(done.body.importId)).body).toMatchObject({
      status: 'DONE',
      batchId,
      debits: 3.25,
      problems: [],
    });
    expect((await importOf(tried.body.importId)).body).toMatchObject({ dryRun: true, lines: null });
  });

  test('each fault with row, column, code, text and the cell as it is written', async () => {
    const batchId = await newBatch();
    const rows = [
      '72;1;5;D;9.9.9;2.1.1;1;x;',
      '72;2;5;D;1.1.1;2.1.1;1,2345;x;',
      '72;3;40;D;1.1.1;2.1.1;1;x;',
      '72;4;5;D;1.1.1;;1;x;',
    ];
    const { body } = await importCsv(batchId, [HEADER, ...rows].join('\n'));
    expect(body).toMatchObject({ success: false, debits: null, credits: null });
    expect(body.problems).toMatchObject([
      { row: 2, column: 'conta', code: 'ACCOUNT_NOT_IN_CHART', value: '9.9.9' },
      { row: 3, column: 'valor', code: 'INVALID_FIELD', value: '1,2345' },
      { row: 4, column: 'dia', code: 'INVALID_FIELD', value: '40' },
      { row: 5, column: 'valor', code: 'UNBALANCED_ENTRY', value: null },
    ]);
    expect(body.errors[0]).toBe(`row 2: conta: ${body.problems[0].message}`);
    const kept = await importOf(body.importId);
    expect(kept.body).toMatchObject({ status: 'REFUSED', batchId, problems: body.problems });
  });

  test('an IPL file that is only tried makes no batch', async () => {
    const path = `/importMoviment/${bank.company}/${bank.branch}/teste.txt`;
    const call = (account: string, query: string) =>
      platform.admin.call('movements', 'POST', path + query, iplLine(account), { 'content-type': 'text/plain' });
    const wrong = await call('9.9.9', '?dryRun=true');
    expect(wrong).toMatchObject({
      status: 200,
      body: { success: false, problems: [{ row: 1, column: '43–62', code: 'ACCOUNT_NOT_IN_CHART', value: '9.9.9' }] },
    });
    const right = await call('1.1.1', '?dryRun=true');
    expect(right).toMatchObject({ status: 200, body: { success: true, totalRows: 1, debits: 100, credits: 100 } });
    const done = await call('1.1.1', '');
    expect(done).toMatchObject({ status: 201, body: { lote: '9901', debits: 100, credits: 100, rows: 1 } });
    expect((await importOf(done.body.importId)).body).toMatchObject({ kind: 'IPL', batchId: done.body.id, lines: 2 });
    expect((await importOf(right.body.importId)).body).toMatchObject({ dryRun: true, batchId: null });
  });

  test('a JSON file that is only tried makes no batch', async () => {
    const post = (body: unknown, query: string) =>
      platform.admin.post('movements', `/importMovimentJson${query}`, body);
    const wrong = await post(jsonOf('9902', [{ ...lines[0], conta: '9.9.9' }]), '?dryRun=true');
    const [column, value] = ['documentos.0.lancamentos.0.conta', '9.9.9'];
    expect(wrong).toMatchObject({ status: 200, body: { success: false, problems: [{ row: 1, column, value }] } });
    expect(await post(jsonOf('9902', lines), '?dryRun=true')).toMatchObject({ status: 200, body: { success: true } });
    expect(await post(jsonOf('9902', lines), '')).toMatchObject({
      status: 201,
      body: { lote: '9902', debits: 7.5, credits: 7.5, rows: 1 },
    });
  });

  test('the list is of one month where one is named; another branch has none of it', async () => {
    const all = (await imports()).body;
    expect((await imports('?month=2026-01')).body).toEqual(all);
    const only = async (query: string) => (await imports(query)).body.map((each: { dryRun: boolean }) => each.dryRun);
    expect(new Set(await only('?dryRun=false'))).toEqual(new Set([false]));
    expect(new Set(await only('?dryRun=true&month=2026-01'))).toEqual(new Set([true]));
    const none = await imports('?month=2025-12');
    expect([none.body, none.headers.get('x-total-count')]).toEqual([[], '0']);
    expect(await imports('?month=01/2026')).toMatchObject({ status: 400, body: { errors: [{ field: 'month' }] } });
    const other = await createBank(platform.admin);
    const elsewhere = `/imports/${other.company}/${other.branch}/${all[0].id}`;
    expect((await platform.admin.get('movements', elsewhere)).status).toBe(404);
    expect((await importOf(999_999)).status).toBe(404);
  });
});

/** An entry line of 100,00 of batch 9901. */
function iplLine(account: string): string {
  const place = `2${bank.company.padEnd(5)}${bank.branch.padEnd(5)}009901`;
  const entry = `${'1'.padEnd(10)}20260105000001D${account.padEnd(20)}${'2.1.1'.padEnd(20)}`;
  return `${place}${entry}00000000000010000${' '.repeat(57)}`;
}

describe('CSV', () => {
  test('rows become documents and entries; pairs are expanded, balanced rows are the lines', async () => {
    const batchId = await newBatch();
    const csv = [
      HEADER,
      '10;1;5;D;1.1.1;2.1.1;1.234,56;Compra;00010',
      '10;2;6;D;8.1;;100,00;Salários;',
      '10;2;6;D;8.2;;50.5;Aluguel;',
      '10;2;6;C;1.1.2;;150,50;Pagamento;',
      '11;1;7;c;112;111;3;Depósito;',
    ].join('\r\n');
    const answer = await importCsv(batchId, csv);
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, totalRows: 5, successRows: 5, errorRows: 0, errors: [] },
    });
    expect(await linesOf(batchId)).toMatchObject({
      totalEntries: 7,
      logicalEntryCount: 3,
      totalDebit: 1388.06,
      balanced: true,
    });
    const again = await importCsv(await newBatch(), csv);
    expect(again).toMatchObject({ status: 400, body: { code: 'FILE_IMPORTED_BEFORE' } });
    expect((await importCsv(await newBatch(), csv, { force: 'true' })).body.success).toBe(true);
    const records = (await platform.admin.get('movements', `/imports/${bank.company}/${bank.branch}`)).body;
    expect(records[0]).toMatchObject({
      kind: 'CSV',
      fileName: 'entries.csv',
      status: 'DONE',
      rowsRead: 5,
      requestedBy: 'admin',
    });
  });

  test('columns in any order, comma or tab, Windows-1252, byte order mark', async () => {
    const batchId = await newBatch();
    const columns = 'valor,conta,contrapartida,debcre,dia,documento,lancamento,historico';
    const windows = Buffer.from(`${columns}\n"1,50",1.1.1,1.1.2,D,1,1,1,Transfer\xeancia`, 'latin1');
    expect((await importCsv(batchId, new Uint8Array(windows))).body).toMatchObject({ success: true, totalRows: 1 });
    const tab = `\uFEFF${HEADER.replaceAll(';', '\t')}\n${'1;2;1;D;1.1.1;1.1.2;2;ção;'.replaceAll(';', '\t')}`;
    expect((await importCsv(batchId, tab)).body).toMatchObject({ success: true, totalRows: 1 });
    const document = (await platform.admin.get('movements', `/alldocument/${batchId}`)).body[0];
    const histories = (await platform.admin.get('movements', `/allentry/${document.id}`)).body.map(
      (line: { historico: string }) => line.historico,
    );
    expect(histories).toEqual(['Transferência', 'Transferência', 'ção', 'ção']);
  });

  test('lines of an entry may be apart in the file', async () => {
    const batchId = await newBatch();
    const rows = ['1;1;5;D;1.1.1;;3;a;', '1;2;5;D;1.1.1;2.1.1;7;b;', '1;1;5;C;2.1.1;;1;c;', '1;1;5;C;2.1.2;;2;d;'];
    expect((await importCsv(batchId, [HEADER, ...rows].join('\n'))).body.errors).toEqual([]);
    const document = (await platform.admin.get('movements', `/alldocument/${batchId}`)).body[0];
    const lines = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
    expect(lines.map((line: { historico: string }) => line.historico)).toEqual(['a', 'c', 'd', 'b', 'b']);
  });

  testOnOneServer('the coordinator has no lines')('the planner knows the lines of a large file at once', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => `${at % 3};${at};5;D;1.1.1;2.1.1;1;x;`);
    expect((await importCsv(await newBatch(), [HEADER, ...rows].join('\n'))).body).toMatchObject({ success: true });
    const known = await withOwnerConnection(platform.ownerUrl, (client) =>
      client.query(`SELECT reltuples FROM pg_class WHERE oid = 'entry_line'::regclass`),
    );
    expect(known.rows[0].reltuples).toBeGreaterThanOrEqual(2_000);
  });

  test('a dry run does everything but save', async () => {
    const batchId = await newBatch();
    const csv = `${HEADER}\n1;1;5;D;1.1.1;2.1.1;1;x;`;
    expect((await importCsv(batchId, csv, { dryRun: 'true' })).body).toMatchObject({ success: true, totalRows: 1 });
    expect(await linesOf(batchId)).toMatchObject({ totalEntries: 0 });
    expect((await importCsv(batchId, csv)).body.success).toBe(true);
  });

  test.each([
    ['an unknown account', '1;1;5;D;9.9;2.1.1;1;x;', 'row 3: conta'],
    ['a synthetic account', '1;1;5;D;1.1;2.1.1;1;x;', 'row 3: conta'],
    ['day 32', '1;1;32;D;1.1.1;2.1.1;1;x;', 'row 3: dia'],
    ['a wrong side', '1;1;5;X;1.1.1;2.1.1;1;x;', 'row 3: debcre'],
    ['three decimals', '1;1;5;D;1.1.1;2.1.1;1,001;x;', 'row 3: valor'],
    ['a value of zero', '1;1;5;D;1.1.1;2.1.1;0,00;x;', 'row 3: valor'],
    ['a missing document', ';1;5;D;1.1.1;2.1.1;1;x;', 'row 3: documento'],
    ['an unbalanced entry', '1;1;5;D;1.1.1;;1;x;', 'row 3: valor'],
    ['an entry number too long', '1;12345678901;5;D;1.1.1;2.1.1;1;x;', 'row 3: lancamento'],
    ['the same account twice', '1;1;5;D;1.1.1;1.1.1;1;x;', 'row 3: contrapartida'],
    ['a control character', '1;1;5;D;1.1.1;2.1.1;1;a\u0001b;', 'row 3: historico'],
  ])('%s rejects the whole file with row and column', async (_name, row, message) => {
    const batchId = await newBatch();
    const answer = await importCsv(batchId, [HEADER, '1;9;5;D;1.1.1;2.1.1;1;certo;', row].join('\n'));
    expect(answer).toMatchObject({ status: 200, body: { success: false, totalRows: 2, successRows: 1, errorRows: 1 } });
    expect(answer.body.errors[0]).toContain(message);
    expect(await linesOf(batchId)).toMatchObject({ totalEntries: 0 });
    expect((await platform.admin.get('movements', `/alldocument/${batchId}`)).body).toEqual([]);
  });

  test.each([
    ['a missing column', 'documento;lancamento;dia;debcre;conta\n1;1;1;D;1.1.1', 'row 1: valor'],
    ['an unknown column', `${HEADER};outra\n1;1;5;D;1.1.1;2.1.1;1;x;;y`, 'row 1: outra'],
    ['a header alone', HEADER, 'row 1: file'],
    [
      'too many rows',
      [HEADER, ...Array.from({ length: 5_001 }, (_, at) => `1;${at + 1};5;D;1.1.1;2.1.1;1;x;`)].join('\n'),
      'row 5002: file',
    ],
  ])('%s is reported', async (_name, csv, message) => {
    const answer = await importCsv(await newBatch(), csv);
    expect(answer.body.success).toBe(false);
    expect(answer.body.errors[0]).toContain(message);
  });

  test('at most 1,000 messages, and a count', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `1;${at + 1};5;D;nada;2.1.1;1;x;`);
    const answer = await importCsv(await newBatch(), [HEADER, ...rows].join('\n'));
    expect(answer.body).toMatchObject({ success: false, totalRows: 1_500, errorRows: 1_500 });
    expect(answer.body.errors).toHaveLength(1_000);
    expect(answer.body.message).toContain('1500');
  });

  test('an empty file, a binary file, no file and a number taken', async () => {
    const batchId = await newBatch();
    expect((await importCsv(batchId, '')).body).toMatchObject({ success: false });
    expect(await importCsv(batchId, new Uint8Array([0, 1, 2, 0]))).toMatchObject({
      status: 400,
      body: { code: 'FILE_UNREADABLE' },
    });
    expect((await platform.admin.post('movements', `/batch/${batchId}/import`, new FormData())).status).toBe(400);
    expect((await platform.admin.post('movements', `/batch/${batchId}/import`, { file: 'x' })).status).toBe(415);
    const csv = `${HEADER}\n1;1;5;D;1.1.1;2.1.1;1;x;`;
    await importCsv(batchId, csv, { force: 'true' });
    expect((await importCsv(batchId, csv, { force: 'true' })).body.errors[0]).toContain('row 2: lancamento');
  });

  test('messages are in one language, amounts as it writes them, one reason a fault', async () => {
    const rows = [
      '1;1;5;D;1.1.1;;640.001,55;a;',
      '1;1;5;C;2.1.1;;1;b;',
      '2;1;5;D;nada;;7;a;',
      '2;1;5;C;2.1.1;;8;b;',
      ';;;;;;;;',
    ];
    const form = new FormData();
    form.set('file', new Blob([[HEADER, ...rows].join('\n')]), 'entries.csv');
    const path = `/batch/${await newBatch()}/import`;
    const inPortuguese = await platform.admin.post('movements', path, form, { 'accept-language': 'pt-BR,pt;q=0.9' });
    expect(inPortuguese.body).toMatchObject({
      totalRows: 4,
      errors: [
        'linha 2: valor: O lançamento 1 não fecha: débitos 640.001,55, créditos 1,00',
        'linha 4: conta: A conta nada não existe no plano de contas da filial',
      ],
      message: '2 erro(s); nada foi gravado',
    });
    const inEnglish = await platform.admin.post('movements', path, form);
    expect(inEnglish.body).toMatchObject({
      errors: [
        'row 2: valor: Entry 1 does not balance: debits 640,001.55, credits 1.00',
        'row 4: conta: Account nada does not exist in the chart of the branch',
      ],
      message: '2 error(s); nothing was saved',
    });
  });

  test.each([
    ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00], 'planilha do Excel'],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1], 'planilha do Excel'],
    ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d], 'PDF'],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d], 'imagem'],
    ['gzip', [0x1f, 0x8b, 0x08], 'compactado'],
    ['UTF-16', [0xff, 0xfe, 0x64, 0x00], 'UTF-16'],
    ['bytes', [0x61, 0x00, 0x62], 'salve como CSV e envie o CSV'],
  ])('%s sent as CSV is rejected, and what to send is said', async (_name, bytes, told) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'entries.xlsx');
    const path = `/batch/${await newBatch()}/import`;
    const answer = await platform.admin.post('movements', path, form, { 'accept-language': 'pt' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'FILE_UNREADABLE' } });
    expect(answer.body.detail).toContain(told);
  });

  test('a client that goes away in the middle leaves nothing', async () => {
    const batchId = await newBatch();
    const { hostname, port } = new URL(platform.address('movements'));
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /batch/${batchId}/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${platform.admin.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n${HEADER}\n1;1;5;D;1.1.1;2.1.1;1;x;\n`,
        );
        setTimeout(() => socket.destroy(), 200);
      });
      socket.on('close', () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await linesOf(batchId)).toMatchObject({ totalEntries: 0 });
  });
});

describe('IPL', () => {
  const ACCOUNTS = [
    ['1.1.2.30.01.10-001', 'D'],
    ['6.1.1.70.30.00-001', 'C'],
    ['1.3.1.15.30.00-001', 'D'],
    ['8.1.7.54.00.00-001', 'D'],
  ] as const;
  let fund: Bank;
  let sample: string;
  beforeAll(async () => {
    fund = await createBank(platform.admin, { company: '0001', branch: '0001', accounts: [] });
    for (const [cdAccounting, nature] of ACCOUNTS) {
      const account = {
        chartCode: fund.chartCode,
        cdAccounting,
        description: cdAccounting,
        accountType: 'A',
        nature,
        accountClass: '01',
      };
      await platform.admin.post('masterdata', '/chartOfAccounts?confirmed=true', account);
    }
    await openMonth(platform.admin, fund, '01/2026');
    sample = await readFile(new URL('../fixtures/ipl/sample_ipl.txt', import.meta.url), 'latin1');
  });
  const send = (content: string | Uint8Array<ArrayBuffer>, name = 'mov.txt', query = '', more = {}) =>
    platform.admin.call('movements', 'POST', `/importMoviment/0001/0001/${name}${query}`, content as string, {
      'content-type': 'text/plain',
      ...more,
    });

  test('a file becomes a batch with its documents', async () => {
    const key = { 'idempotency-key': 'ipl' };
    const answer = await send(sample, 'mov.txt', '', key);
    expect(await send(sample, 'mov.txt', '', key)).toMatchObject({ status: 201, body: answer.body });
    expect(answer).toMatchObject({
      status: 201,
      body: { lote: '12', ano: 2026, mes: 1, descricao: 'MOVIMENTO DIARIO JAN/2026' },
    });
    const [document] = (await platform.admin.get('movements', `/alldocument/${answer.body.id}`)).body;
    expect(document).toMatchObject({
      documento: '0000000001',
      diaref: '05',
      texto: 'APORTE DE COTISTAS',
      cdpadronizado: '00010',
    });
    const lines = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
    expect(lines).toHaveLength(5);
    expect(lines[2].historico).toBe('COMPRA DE COTAS DE FUNDO RF NOTA 998877 CORRETORA XYZ');
    expect(await send(sample)).toMatchObject({ status: 400, body: { code: 'FILE_IMPORTED_BEFORE' } });
  });

  /** The sample as another batch, one line changed. */
  const line = (at: number, change: (text: string) => string) =>
    sample
      .split('\r\n')
      .map((each) => (each === '' ? each : `${each.slice(0, 11)}000099${each.slice(17)}`))
      .map((each, index) => (index === at ? change(each) : each))
      .join('\r\n');
  test.each([
    ['155 characters', () => line(2, (text) => text.slice(0, -1)), 'line 3, columns 1–155'],
    ['157 characters', () => line(2, (text) => `${text} `), 'line 3, columns 1–157'],
    [
      'letters in the entry number',
      () => line(2, (text) => `${text.slice(0, 35)}ABCDEF${text.slice(41)}`),
      'line 3, columns 36–41',
    ],
    [
      'blanks in the entry number',
      () => line(2, (text) => `${text.slice(0, 35)}     1${text.slice(41)}`),
      'line 3, columns 36–41',
    ],
    [
      'letters in the amount',
      () => line(2, (text) => `${text.slice(0, 82)}0000000000000ABCD${text.slice(99)}`),
      'line 3, columns 83–99',
    ],
    [
      'letters in the batch',
      () => line(2, (text) => `${text.slice(0, 11)}00009X${text.slice(17)}`),
      'line 3, columns 12–17',
    ],
    ['letters in the year', () => line(0, (text) => `${text.slice(0, 17)}2e3 ${text.slice(21)}`), 'file'],
    [
      'letters in the date',
      () => line(2, (text) => `${text.slice(0, 27)}2026010X${text.slice(35)}`),
      'line 3, columns 28–35',
    ],
    [
      'letters in the trailer',
      () => line(7, (text) => `${text.slice(0, 17)}0000000X${text.slice(25)}`),
      'line 8, columns 18–25',
    ],
    ['one line without end', () => 'x'.repeat(200_000), 'file'],
    ['an unknown record type', () => line(2, (text) => `7${text.slice(1)}`), 'line 3, columns 1–1'],
    ['another branch', () => line(0, (text) => `${text.slice(0, 6)}0009 ${text.slice(11)}`), 'line 1, columns 7–11'],
    [
      'a trailer that does not add up',
      () => line(7, (text) => `${text.slice(0, 41)}9${text.slice(42)}`),
      'line 8, columns 26–42',
    ],
    [
      'a byte that is neither UTF-8 nor ISO-8859-1',
      () =>
        new Uint8Array(
          Buffer.from(
            line(2, (text) => `${text.slice(0, 150)}\u0085\u00e9${text.slice(152)}`),
            'latin1',
          ),
        ),
      'line 3, columns 151–151',
    ],
    [
      'an unknown account',
      () => line(2, (text) => text.replace('1.1.2.30.01.10-001', '1.1.2.30.01.10-009')),
      'line 3, columns 43–62',
    ],
  ])('%s is rejected with line and columns', async (_name, content, field) => {
    const answer = await send(content());
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
    const batches = (await platform.admin.get('movements', '/allbatch/0001/0001')).body;
    expect(batches.map((batch: { lote: string }) => batch.lote)).not.toContain('99');
  });

  test('is checked against control totals, undone with its batch, and comes in again', async () => {
    const other = sample.replace(/^(.{11})000012/gm, '$1000044');
    expect(await send(other, 'outro.txt', '?controlRows=1&controlDebits=0.01')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'line 1, controlRows' }, { field: 'line 1, controlDebits' }] },
    });
    for (const _ of [1, 2]) {
      const { status, body } = await send(other, 'outro.txt');
      expect([status, body.lote]).toEqual([201, '44']);
      const [record] = (await platform.admin.get('movements', '/imports/0001/0001')).body;
      expect(record).toMatchObject({ kind: 'IPL', batchId: body.id, lines: 5, month: '2026-01' });
      expect((await platform.admin.call('movements', 'DELETE', `/imports/${record.id}`)).status).toBe(200);
      expect((await platform.admin.get('movements', `/batch/${body.id}`)).status).toBe(404);
    }
  });

  test('a short line says how long it is, in the language of the reader', async () => {
    const short = line(2, (text) => text.slice(0, 120));
    const inPortuguese = await send(short, 'mov.txt', '', { 'accept-language': 'pt-BR' });
    expect(inPortuguese.body.errors[0]).toEqual({
      field: 'linha 3, colunas 1–120',
      message: 'Valor inválido: a linha tem 120 caracteres; são 156',
    });
    expect((await send(short)).body.errors[0].message).toContain('the line has 120 characters; it must have 156');
  });

  test('another media type and an empty file', async () => {
    expect(
      (
        await platform.admin.call('movements', 'POST', '/importMoviment/0001/0001/x', '{}', {
          'content-type': 'application/json',
        })
      ).status,
    ).toBe(415);
    expect((await send('')).status).toBe(400);
  });
});

describe('JSON', () => {
  const body = (lancamentos: unknown[], more: object = {}) => ({
    empresa: bank.company,
    filial: bank.branch,
    lote: `J${Math.random().toString(36).slice(2, 8)}`,
    ano: 2026,
    mes: 1,
    descricao: 'json',
    documentos: [{ documento: '1', diaref: '05', texto: 'doc', cdpadronizado: '1', lancamentos }],
    ...more,
  });
  test('a batch with documents and compound entries', async () => {
    const answer = await platform.admin.post(
      'movements',
      '/importMovimentJson',
      body([
        { lancamento: '1', debcre: 'D', day: '05', conta: '1.1.1', valor: 10.5, historico: 'a' },
        { lancamento: '1', debcre: 'C', day: '05', contaId: bank.accounts.get('2.1.1'), valor: 10.5 },
        { debcre: 'D', day: '06', conta: '1.1.2', contrapartida: '1.1.1', valor: 1 },
      ]),
    );
    expect(answer).toMatchObject({ status: 201, body: { ano: 2026, mes: 1, descricao: 'json' } });
    expect(await linesOf(answer.body.id)).toMatchObject({ totalEntries: 4, logicalEntryCount: 2, balanced: true });
  });
  const sent = (text: string) =>
    platform.admin.post('movements', '/importMovimentJson', text, { 'content-type': 'application/json' });
  const line = { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1 };

  test('fields in any order: the branch and the number of a document may come last', async () => {
    const { empresa, filial, lote, ano, mes, documentos } = body([]) as ReturnType<typeof body> & { lote: string };
    const answer = await sent(
      JSON.stringify({
        documentos: [{ lancamentos: [line, { ...line, lancamento: '7' }, line], documento: 'Z' }, ...documentos],
        ...{ mes, ano, lote, filial, empresa },
      }),
    );
    expect(answer.status).toBe(201);
    const documents = (await platform.admin.get('movements', `/alldocument/${answer.body.id}`)).body;
    const { id } = documents.find((each: { documento: string }) => each.documento === 'Z');
    const lines = (await platform.admin.get('movements', `/allentry/${id}`)).body;
    expect(lines.map((each: { lancamento: string }) => each.lancamento)).toEqual(['7', '7', '8', '8', '9', '9']);
  });

  test('a document that is twice is named', async () => {
    const twice = body([line]);
    const answer = await platform.admin.post('movements', '/importMovimentJson', {
      ...twice,
      documentos: [...twice.documentos, { documento: '2', lancamentos: [line] }, twice.documentos[0]],
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'DOCUMENT_TWICE', errors: [{ field: 'documentos.2.documento' }] },
    });
    expect(answer.body.detail).toContain('Document 1 ');
  });

  test.each([
    ['a key twice', '"lote":"1"', '"lote":"1","lote":"2"', 'INVALID_BODY'],
    ['a key of a line twice', '"valor":1', '"valor":1,"valor":2', 'INVALID_BODY'],
    ['a number that no double holds', '"valor":1', '"valor":9007199254740993', 'INVALID_BODY'],
    ['an exponent beyond all bounds', '"valor":1', '"valor":1e400', 'INVALID_BODY'],
    ['a number without end', '"valor":1', `"valor":1.${'0'.repeat(100_000)}1`, 'INVALID_BODY'],
    ['the key __proto__', '"valor":1', '"valor":1,"__proto__":{}', 'INVALID_BODY'],
    ['an array in a hundred arrays', '"valor":1', `"valor":${'['.repeat(100)}${']'.repeat(100)}`, 'INVALID_BODY'],
    ['a text of 2 MB', '"valor":1', `"historico":"${'x'.repeat(2_000_000)}"`, 'INVALID_BODY'],
    ['more behind its end', '"documentos":', '"documentos":[]} {"documentos":', 'INVALID_BODY'],
    ['no end', '"valor":1}]}]}', '"valor":1}]}', 'INVALID_BODY'],
    ['a field that nobody knows', '"mes":1', '"mes":1,"outro":1', 'UNKNOWN_FIELD'],
    ['no year', '"ano":2026,', '', 'INVALID_FIELD'],
    ['documents that are no list', '"documentos":[', '"documentos":1,"x":[', 'INVALID_FIELD'],
    ['no documents', /"documentos":.*/, '"documentos":[]}', 'INVALID_FIELD'],
    ['a document that is none', '"documentos":[', '"documentos":[1,', 'INVALID_FIELD'],
    ['a document without number', '"documento":"1"', '"texto2":"1"', 'INVALID_FIELD'],
    ['entries that are no list', /"lancamentos":.*/, '"lancamentos":{"a":1}}]}', 'INVALID_FIELD'],
    ['an unknown company', /"empresa":"[^"]*"/, '"empresa":"NADA"', 'NOT_FOUND'],
  ])('%s is rejected', async (_name, found, put, code) => {
    const text = JSON.stringify({ ...body([line]), lote: '1', documentos: [{ documento: '1', lancamentos: [line] }] });
    const changed = text.replace(found, put);
    expect(changed).not.toBe(text);
    const answer = await sent(changed);
    expect(answer.body.code).toBe(code);
    expect([400, 404]).toContain(answer.status);
  });

  test('bytes that are no UTF-8, and no body at all', async () => {
    const bytes = Buffer.from(JSON.stringify(body([line])).replace('json', '\u00e9'), 'latin1');
    const answer = await platform.admin.call('movements', 'POST', '/importMovimentJson', new Uint8Array(bytes), {
      'content-type': 'application/json',
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } });
    expect((await sent('')).status).toBe(400);
    expect((await platform.admin.call('movements', 'POST', '/importMovimentJson')).status).toBe(400);
  });

  test.each([
    [
      'an unknown field',
      { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1, outro: 1 },
      'documentos.0.lancamentos.0.outro',
    ],
    [
      'an unknown account',
      { debcre: 'D', day: '05', conta: 'x', contrapartida: '2.1.1', valor: 1 },
      'documentos.0.lancamentos.0.conta',
    ],
    [
      'a value as text',
      { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: '1' },
      'documentos.0.lancamentos.0.valor',
    ],
    ['an array for a line', [], 'documentos.0.lancamentos.0'],
    [
      // The chart has 1.1.1, and no account of this id.
      'an id that is not the chart’s, though its digits are an account’s code',
      { debcre: 'D', day: '05', contaId: 111, contrapartida: '2.1.1', valor: 1 },
      'documentos.0.lancamentos.0.conta',
    ],
    [
      'a word with digits',
      { debcre: 'D', day: '05', conta: 'Caixa 111', contrapartida: '2.1.1', valor: 1 },
      'documentos.0.lancamentos.0.conta',
    ],
    [
      'an id as text',
      { debcre: 'D', day: '05', contaId: '1', contrapartida: '2.1.1', valor: 1 },
      'documentos.0.lancamentos.0.contaId',
    ],
    [
      'half of a character',
      { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1, historico: 'a\ud800' },
      'documentos.0.lancamentos.0.historico',
    ],
    ['an unbalanced line', { debcre: 'D', day: '05', conta: '1.1.1', valor: 1 }, 'documentos.0.lancamentos.0.valor'],
  ])('%s is rejected with its path', async (_name, line, field) => {
    const answer = await platform.admin.post('movements', '/importMovimentJson', body([line]));
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
  });
});

test('bulk creation makes balanced entries, for administrators and outside of production', async () => {
  const request = {
    company: bank.company,
    branch: bank.branch,
    quantidadeLotes: 3,
    quantidadeLancamentos: 20,
    valorMinimo: 1,
    valorMaximo: 2,
    usaTodoMes: true,
  };
  const answer = await platform.admin.post('movements', '/admin/create-entries', request);
  expect(answer).toMatchObject({ status: 200, body: { batchesCreated: 3, entriesCreated: 20 } });
  expect((await platform.admin.get('movements', `/batchsummary/${bank.company}/${bank.branch}`)).body.difference).toBe(
    0,
  );
  expect((await platform.admin.post('movements', '/admin/create-entries', { ...request, valorMinimo: 3 })).status).toBe(
    400,
  );
});
