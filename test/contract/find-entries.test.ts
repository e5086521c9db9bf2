import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavosFromDecimal } from '../../src/accounting/money.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

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
  let [before, after] = ['', ''];
  for (;;) {
    const next = after === '' ? '' : `&depoisDe=${after}`;
    const { status, body, text } = await platform.admin.get('queries', `${path}&tamanho=1000${next}`);
    expect(status, text).toBe(200);
    for (const line of body.content) {
      expect(line.data >= before).toBe(true);
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
