import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavosFromDecimal, sumOf } from '../../src/accounting/money.ts';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// From a balance to its lines, and from a line to its whole entry.

/** Lines of one day: more than one part of the CSV holds, so that it is continued within the day. */
const CROWDED_ENTRIES = 2_600;

interface Posted {
  readonly lote: string;
  readonly documento: string;
  readonly lancamento: string;
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
  readonly valor: string;
  readonly historico: string;
}

let platform: Platform;
let bank: Bank;
const posted: Posted[] = [];

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  const few = (month: string, lote: string): Posted[] => [
    entry(month, lote, '1', '1', '05', '1.1.1', '7.1', '10.00', 'Juros de mora'),
    entry(month, lote, '1', '2', '05', '1.1.2', '7.1', '20.50', '=HYPERLINK("http://mal")'),
    entry(month, lote, '2', '1', '09', '1.1.1', '1.1.2', '30.00', '@soma; "aspas"'),
    entry(month, lote, '2', '2', '28', '8.1', '1.1.1', '99999.99', '-folha'),
    entry(month, lote, '3', '7', '20', '2.1.1', '1.1.2', '45.67', 'EMPRÉSTIMO à Órfã'),
  ];
  const crowd = Array.from({ length: CROWDED_ENTRIES }, (_, at) =>
    entry('02', '9', '1', String(at + 1), '14', '1.2', '2.1.1', `${at + 1}.01`, `Linha ${at + 1}`),
  );
  for (const rows of [few('01', '1'), few('02', '2'), crowd]) await importRows(rows);
}, 60_000);
afterAll(() => platform?.stop());

test.each<[string, (each: Posted, side: 'D' | 'C') => boolean]>([
  ['', () => true],
  ['dataInicio=2026-01-06&dataFim=2026-02-05', ({ day }) => day >= '2026-01-06' && day <= '2026-02-05'],
  ['contaId=1.1.1', (each, side) => account(each, side) === '1.1.1'],
  ['contrapartidaId=1.1.2', (each, side) => account(each, side === 'D' ? 'C' : 'D') === '1.1.2'],
  [
    'contaId=1.1.1&contrapartidaId=7.1',
    ({ debit, credit }, side) => side === 'D' && debit === '1.1.1' && credit === '7.1',
  ],
  ['valorMinimo=20.50&valorMaximo=30', ({ valor }) => Number(valor) >= 20.5 && Number(valor) <= 30],
  ['texto=JUROS', ({ historico }) => historico.toLowerCase().includes('juros')],
  ['texto=%25', ({ historico }) => historico.includes('%')],
  ['texto=emprestimo%20A%20orfa', ({ historico }) => historico.startsWith('EMPRÉSTIMO')],
  ['texto=%C3%93RF%C3%83', ({ historico }) => historico.startsWith('EMPRÉSTIMO')],
  ['valor=30', ({ valor }) => valor === '30.00'],
  ['contaId=1.1', (each, side) => account(each, side).startsWith('1.1')],
  ['contaId=1', (each, side) => account(each, side).startsWith('1')],
  [
    'contaId=8&contrapartidaId=1',
    ({ debit, credit }, side) => side === 'D' && debit === '8.1' && credit.startsWith('1'),
  ],
  ['documento=2&lancamento=2', ({ documento, lancamento }) => documento === '2' && lancamento === '2'],
  ['direcao=DESC', () => true],
  [
    'direcao=DESC&contaId=2&dataFim=2026-02-14',
    ({ day, ...each }, side) => account({ day, ...each }, side).startsWith('2') && day <= '2026-02-14',
  ],
  ['lote=2', ({ lote }) => lote === '2'],
  ['lote=2&documento=2', ({ lote, documento }) => lote === '2' && documento === '2'],
])('filter %s: pages and CSV give what plain code gives', async (filter, keeps) => {
  const expected = posted
    .flatMap((each) => (['D', 'C'] as const).filter((side) => keeps(each, side)).map((side) => lineOf(each, side)))
    .sort();
  const asked = new URLSearchParams(filter);
  for (const name of ['contaId', 'contrapartidaId']) {
    if (asked.has(name)) asked.set(name, String(bank.accounts.get(asked.get(name)!)));
  }
  if (!asked.has('dataInicio')) asked.set('dataInicio', '2026-01-01');
  if (!asked.has('dataFim')) asked.set('dataFim', '2026-12-31');
  const path = `/entries/${bank.company}/${bank.branch}?${asked}`;

  const shown: string[] = [];
  const ids = new Set<number>();
  const isBackwards = asked.get('direcao') === 'DESC';
  let [before, after] = [isBackwards ? '9' : '', ''];
  for (;;) {
    const next = after === '' ? '' : `&depoisDe=${after}`;
    const { status, body, text } = await platform.admin.get('queries', `${path}&tamanho=1000${next}`);
    expect(status, text).toBe(200);
    for (const line of body.content) {
      expect(isBackwards ? line.data <= before : line.data >= before).toBe(true);
      before = line.data;
      ids.add(line.id);
      shown.push(
        [
          line.data,
          line.lote,
          line.documento,
          line.lancamento,
          line.conta,
          line.contrapartida,
          line.debcre,
          line.valor.toFixed(2),
          line.historico,
        ].join('|'),
      );
    }
    if (body.proximo === null) break;
    after = body.proximo;
  }
  expect(ids.size).toBe(shown.length);
  expect(shown.sort()).toEqual(expected);

  const { totais } = (await platform.admin.get('queries', `${path}&tamanho=1&totais=true`)).body;
  const sum = (side: string) => sumOf(expected.filter((each) => each.includes(`|${side}|`)).map(amountOf));
  const exact = (value: number) => centavosFromDecimal(value.toFixed(2));
  expect([totais.linhas, exact(totais.debito), exact(totais.credito)]).toEqual([expected.length, sum('D'), sum('C')]);

  const csv = await platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const [head, ...rows] = csv.text.trimEnd().split('\r\n');
  // fetch takes the byte order mark away.
  expect(head).toBe('data;lote;documento;lancamento;conta;contrapartida;debcre;valor;cdhistorico;historico');
  const cells = rows.map((row) => {
    const [day, lote, documento, lancamento, conta, contra, side, valor, , ...historico] = row.split(';');
    return [
      day,
      lote,
      documento,
      lancamento,
      conta,
      contra,
      side,
      valor!.replace(',', '.'),
      unquoted(historico.join(';')),
    ].join('|');
  });
  expect(cells.sort()).toEqual(expected);
});

test('lines of all branches of the institution, each with its branch, and as CSV', async () => {
  const other = await createBank(platform.admin, {
    ...{ company: bank.company, branch: '0002', chartCode: bank.chartCode, accounts: [], existing: true },
  });
  await openMonth(platform.admin, other, '01/2026');
  await post(platform.admin, other, book`06/01 1.1.1 D 7,77 7.1 "Só da filial"`);
  const path = `/entries/${bank.company}/*?dataInicio=2026-01-06&dataFim=2026-01-09&contaId=${bank.accounts.get('1.1.1')}`;
  const { status, body } = await platform.admin.get('queries', `${path}&totais=true`);
  expect(status).toBe(200);
  expect(body.content.map((line: Record<string, unknown>) => [line.filial, line.data, line.valor])).toEqual([
    ['0002', '2026-01-06', 7.77],
    ['0001', '2026-01-09', 30],
  ]);
  expect(body.totais).toEqual({ linhas: 2, debito: 37.77, credito: 0 });
  const csv = await platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' });
  expect(csv.text).toMatch(/^\uFEFF?filial;data;lote;.*\r\n0002;2026-01-06;.*\r\n0001;2026-01-09;.*\r\n$/);
  // One branch does not open the sum of all.
  const { username, password } = await createUser(platform.admin, {
    username: 'so-uma',
    permissions: [{ company: bank.company, branch: '0002' }],
  });
  const clerk = await platform.as(username, password);
  expect((await clerk.get('queries', path)).body).toMatchObject({ status: 403, code: 'TENANT_DENIED' });
  expect((await clerk.get('queries', path.replace('*', '0002'))).status).toBe(200);
});

test('the code of a narration finds its lines', async () => {
  await createHistories(platform.admin, ['H77']);
  const place = { ...(await firstPlace()), debcre: 'D', day: '02', contrapartida: bank.accounts.get('7.1') };
  const body = { ...place, contaId: bank.accounts.get('1.1.1'), valor: 3.21, cdhistorico: 'H77' };
  expect((await platform.admin.post('movements', '/entry', body)).status).toBe(201);
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&cdhistorico=H77`;
  const { content } = (await platform.admin.get('queries', path)).body;
  expect(content.map((line: Record<string, unknown>) => [line.conta, line.cdhistorico])).toEqual([
    ['1.1.1', 'H77'],
    ['7.1', 'H77'],
  ]);
});

test.each([
  ['direcao=up', 'direcao'],
  ['valor=1&valorMinimo=1', 'valor'],
  ['valor=-1', 'valor'],
  ['valor=1.234', 'valor'],
  ['totais=sim', 'totais'],
  ['lancamento=', 'lancamento'],
  ['cdhistorico=%00', 'cdhistorico'],
  ['texto=', 'texto'],
  ['depoisDe=x', 'depoisDe'],
])('%s is refused, and the field named', async (query, field) => {
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&${query}`;
  const { status, body } = await platform.admin.get('queries', path);
  expect(status).toBe(400);
  expect(body.errors.map((each: { field: string }) => each.field)).toEqual([field]);
});

/** A document of January that can be posted to. */
async function firstPlace(): Promise<{ documentId: number }> {
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&tamanho=1`;
  return { documentId: (await platform.admin.get('queries', path)).body.content[0].documentId };
}

test('what people typed is no formula in the CSV, and numbers are never guarded', async () => {
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31`;
  const { text } = await platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' });
  expect(text).toContain(`;"'=HYPERLINK(""http://mal"")"`);
  expect(text).toContain(`;"'@soma; ""aspas"""`);
  expect(text).toContain(`;99999,99;;'-folha`);
});

test('from a balance to its lines, and from one of them to its whole entry', async () => {
  const place = { empresa: bank.company, filial: bank.branch, contaId: bank.accounts.get('1.1.1') };
  const inquiry = { ...place, anomesini: '01/2026', anomesfim: '01/2026' };
  const [month] = (await platform.admin.post('queries', '/balanceInquiryDetails', inquiry)).body;
  const of = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31`;
  const { content } = (await platform.admin.get('queries', `${of}&contaId=${place.contaId}`)).body;
  const sum = (side: string) =>
    content
      .filter((line: { debcre: string }) => line.debcre === side)
      .reduce((total: bigint, line: { valor: number }) => total + centavosFromDecimal(line.valor.toFixed(2))!, 0n);
  expect([sum('D'), sum('C')]).toEqual(
    [month.movdeb, month.movcred].map((each) => centavosFromDecimal(each.toFixed(2))),
  );
  const [line] = content;
  const document = await platform.admin.get('queries', `${of}&lote=${line.lote}&documento=${line.documento}`);
  const entry = document.body.content.filter((each: { lancamento: string }) => each.lancamento === line.lancamento);
  expect(entry.map((each: { debcre: string; conta: string }) => `${each.debcre} ${each.conta}`).sort()).toEqual([
    'C 7.1',
    'D 1.1.1',
  ]);
});

function entry(
  month: string,
  lote: string,
  documento: string,
  lancamento: string,
  day: string,
  debit: string,
  credit: string,
  valor: string,
  historico: string,
): Posted {
  return { lote, documento, lancamento, day: `2026-${month}-${day}`, debit, credit, valor, historico };
}

/** Of a line of `lineOf`. */
function amountOf(line: string): bigint {
  return centavosFromDecimal(line.split('|')[7]!)!;
}

function account(each: Posted, side: 'D' | 'C'): string {
  return side === 'D' ? each.debit : each.credit;
}

function lineOf(each: Posted, side: 'D' | 'C'): string {
  const [own, counter] = side === 'D' ? [each.debit, each.credit] : [each.credit, each.debit];
  return [each.day, each.lote, each.documento, each.lancamento, own, counter, side, each.valor, each.historico].join(
    '|',
  );
}

/** The cell as it was typed: without quotes and without the guard. */
function unquoted(cell: string): string {
  const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  return plain.replace(/^'(?=[=+\-@])/, '');
}

async function importRows(rows: readonly Posted[]): Promise<void> {
  const { lote, day } = rows[0]!;
  const place = { lote, empresa: bank.company, filial: bank.branch, ano: 2026, mes: Number(day.slice(5, 7)) };
  const batch = await platform.admin.post('movements', '/batch', place);
  expect(batch.status, batch.text).toBe(201);
  const csv = [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico',
    ...rows.map((each) =>
      [
        each.documento,
        each.lancamento,
        each.day.slice(8),
        'D',
        each.debit,
        each.credit,
        each.valor,
        `"${each.historico.replaceAll('"', '""')}"`,
      ].join(';'),
    ),
  ].join('\n');
  const form = new FormData();
  form.set('file', new Blob([csv]), 'rows.csv');
  expect(
    (await platform.admin.post('movements', `/batch/${batch.body.id}/import?force=true`, form)).body.errors,
  ).toEqual([]);
  posted.push(...rows);
}
