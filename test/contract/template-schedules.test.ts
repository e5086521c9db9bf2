import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalances } from '../support/balances.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = Promise<HttpAnswer<any>>;
const md = (method: string, path: string, body?: unknown): Answer =>
  platform.admin.call('masterdata', method, path, body);

const bankWith = async (...opened: string[]): Promise<Bank> => {
  const bank = await createBank(platform.admin);
  for (const month of opened) await openMonth(platform.admin, bank, month);
  return bank;
};

const pair = (bank: Bank, more: object) => [
  { sequence: 1, debcre: 'D', contaId: bank.accounts.get('8.2'), contrapartida: bank.accounts.get('2.1.1'), ...more },
];
const RENT = { valueType: 'FIXO', valor: 100 };
const monthly = { periodicity: 'MENSAL', schedule: { dayRule: 'ULTIMO_DIA_UTIL', firstMonth: '01/2026' } };

const save = (bank: Bank, code: string, more: object, method = 'POST'): Answer =>
  md(method, `/release/${bank.company}/${bank.branch}`, {
    code,
    description: `Modelo ${code}`,
    lines: pair(bank, RENT),
    ...more,
  });

interface Use {
  readonly id: number;
  readonly code: string;
  readonly month: number;
  readonly day: number;
  readonly status: string;
  readonly origin: string;
  readonly documentId: number | null;
}

const pendingOf = (bank: Bank, month: number) =>
  bodyOf(md('GET', `/releasedata/pending/${bank.company}/${bank.branch}/2026/${month}`));
const placesOf = (uses: readonly Use[]) => uses.map(({ code, day, origin }) => `${code} ${day} ${origin}`);
const fill = ({ company, branch }: Bank, use: Use, more: object): Answer => {
  const { id, code, month, day } = use;
  return md('PUT', `/releasedata/${id}`, { company, branch, code, year: 2026, month, day, ...more });
};
const usesOf = ({ company, branch }: Bank): Promise<Use[]> => bodyOf(md('GET', `/releasedata/${company}/${branch}`));

test('a schedule makes its pending uses when months open, and once only', async () => {
  const bank = await bankWith('01/2026');
  await bodyOf(save(bank, 'ALUGUEL', monthly));
  await bodyOf(
    save(bank, 'DIA10', { schedule: { dayRule: 'DIA', dayOfMonth: 10, firstMonth: '01/2026', lastMonth: '02/2026' } }),
  );
  await bodyOf(
    save(bank, 'TRIM', {
      periodicity: 'TRIMESTRAL',
      schedule: { dayRule: 'PRIMEIRO_DIA_UTIL', firstMonth: '02/2026' },
    }),
  );
  await bodyOf(save(bank, 'PARADO', { schedule: { ...monthly.schedule, active: false } }));
  await bodyOf(save(bank, 'INATIVO', { ...monthly, active: false }));
  // Of the month that was open already.
  expect(placesOf(await pendingOf(bank, 1))).toEqual(['DIA10 9 AGENDADO', 'ALUGUEL 30 AGENDADO']);
  await openMonth(platform.admin, bank, '02/2026');
  expect(placesOf(await pendingOf(bank, 2))).toEqual(['TRIM 2 AGENDADO', 'DIA10 10 AGENDADO', 'ALUGUEL 27 AGENDADO']);
  await openMonth(platform.admin, bank, '03/2026');
  expect(placesOf(await pendingOf(bank, 3))).toEqual(['ALUGUEL 31 AGENDADO']);

  // One that was removed does not come back with a change of the template, nor with the month opened again.
  const [dropped] = await pendingOf(bank, 1);
  await bodyOf(md('DELETE', `/releasedata/${dropped.id}`));
  await bodyOf(save(bank, 'DIA10', { schedule: { dayRule: 'DIA', dayOfMonth: 12, firstMonth: '01/2026' } }, 'PUT'));
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '01/2026');
  expect(placesOf(await pendingOf(bank, 1))).toEqual(['ALUGUEL 30 AGENDADO']);
  // The changed schedule has reached March, which is open, and left February as it was.
  expect(placesOf(await pendingOf(bank, 2))).toContain('DIA10 10 AGENDADO');
  expect(placesOf(await pendingOf(bank, 3))).toEqual(['DIA10 12 AGENDADO', 'ALUGUEL 31 AGENDADO']);
});

test("the branch's own calendar says which days are business days", async () => {
  const bank = await bankWith('01/2026');
  const holiday = { date: '2026-01-30', businessDay: false, holidayName: 'Feriado municipal' };
  await bodyOf(md('POST', `/calendar/${bank.company}/${bank.branch}`, holiday));
  await bodyOf(save(bank, 'ALUGUEL', monthly));
  expect(placesOf(await pendingOf(bank, 1))).toEqual(['ALUGUEL 29 AGENDADO']);
});

test('what is missing is filled in and posted, once', async () => {
  const bank = await bankWith('01/2026');
  const percentages = [
    { sequence: 2, debcre: 'D', contaId: bank.accounts.get('8.1'), valueType: 'PERCENTUAL', percentual: 100 },
    { sequence: 3, debcre: 'C', contaId: bank.accounts.get('2.1.1'), valueType: 'PERCENTUAL', percentual: 33.33 },
    { sequence: 4, debcre: 'C', contaId: bank.accounts.get('2.1.2'), valueType: 'PERCENTUAL', percentual: 66.67 },
  ];
  const informed = { ...pair(bank, { valueType: 'INFORMADO' })[0], sequence: 5 };
  await bodyOf(save(bank, 'FOLHA', { ...monthly, lines: [...pair(bank, RENT), ...percentages, informed] }));
  const [use] = await pendingOf(bank, 1);
  expect(use).toMatchObject({ code: 'FOLHA', day: 30, status: 'PENDENTE', origin: 'AGENDADO', missing: [5] });
  expect(use.lines.map((line: { valor: number | null }) => line.valor)).toEqual([100, null, null, null, null]);
  expect((await fill(bank, use, { status: 'LANCADO' })).body.code).toBe('MISSING_VALUE');

  const valores = [{ sequence: 5, valor: 0.05, historico: 'Ajuste' }];
  expect((await fill(bank, use, { valores })).body).toMatchObject({ status: 'PENDENTE', documentId: null });
  expect(await pendingOf(bank, 1)).toMatchObject([{ missing: [], valores: [{ sequence: 5, valor: 0.05 }] }]);
  const posted = await fill(bank, use, { valores, status: 'LANCADO', lote: 'MENSAL' });
  expect(posted).toMatchObject({ status: 200, body: { status: 'LANCADO', lote: 'MENSAL', origin: 'AGENDADO' } });
  expect(await pendingOf(bank, 1)).toEqual([]);
  expect((await fill(bank, use, { valores, status: 'LANCADO' })).body.code).toBe('IN_USE');
  await expectBalances(
    platform.admin,
    bank,
    '01/2026',
    `
    account  debit   credit  balance
    8.1      0,05    0,00    0,05 D
    8.2      100,05  0,00    100,05 D
    2.1.1    0,00    100,07  100,07 C
    2.1.2    0,00    0,03    0,03 C
  `,
  );
});

test('of two callers who post the same use one does', async () => {
  const bank = await bankWith('01/2026');
  await bodyOf(save(bank, 'ALUGUEL', monthly));
  const [use] = await pendingOf(bank, 1);
  const answers = await Promise.all([1, 2, 3].map(() => fill(bank, use, { status: 'LANCADO' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

test('an accrual is reversed on the first day of the next month, when that opens', async () => {
  const bank = await bankWith('01/2026');
  const { body: template } = await save(bank, 'PROVISAO', { ...monthly, automaticReversal: true });
  expect(template).toMatchObject({ automaticReversal: true, schedule: { lastMonth: null, dayOfMonth: null } });
  const [use] = await pendingOf(bank, 1);
  const posted = await bodyOf(fill(bank, use, { status: 'LANCADO' }));
  const [waiting] = await pendingOf(bank, 2);
  expect(waiting).toMatchObject({ day: 1, origin: 'ESTORNO', reversedUseId: use.id, lines: [], missing: [] });
  expect((await fill(bank, waiting, { status: 'LANCADO' })).body.code).toBe('MONTH_NOT_OPEN');
  expect((await fill(bank, waiting, { valores: [{ sequence: 1, valor: 1 }] })).body.errors[0].field).toBe('valores');

  await openMonth(platform.admin, bank, '02/2026');
  expect(placesOf(await pendingOf(bank, 2))).toEqual(['PROVISAO 27 AGENDADO']);
  const reversal = (await usesOf(bank)).find(({ origin }) => origin === 'ESTORNO')!;
  expect(reversal).toMatchObject({ status: 'LANCADO', month: 2, day: 1 });
  const [line] = await bodyOf(md('GET', `/allentry/${posted.documentId}`));
  const reversalOf = () => platform.admin.get('movements', `/entry/${line.id}/reversal`);
  expect((await reversalOf()).body.reversedBy).toMatchObject({ documentId: reversal.documentId, lancamento: '1' });
  await expectBalances(
    platform.admin,
    bank,
    '02/2026',
    `
    account  opening   debit   credit  balance
    8.2      100,00 D  0,00    100,00  0,00
    2.1.1    100,00 C  100,00  0,00    0,00
  `,
  );
  const again = { day: '2026-02-02', motivo: 'Lançado em duplicidade' };
  expect((await platform.admin.post('movements', `/entry/${line.id}/reversal`, again)).body.code).toBe(
    'REVERSED_BEFORE',
  );

  // Reopening neither month makes another.
  await closeMonth(platform.admin, bank, '01/2026');
  await closeMonth(platform.admin, bank, '02/2026');
  await openMonth(platform.admin, bank, '02/2026');
  expect((await usesOf(bank)).filter(({ origin }) => origin === 'ESTORNO')).toHaveLength(1);
});

const postedUse = (bank: Bank, code: string): Promise<Use> =>
  bodyOf(
    md('POST', '/releasedata/', {
      company: bank.company,
      branch: bank.branch,
      code,
      year: 2026,
      month: 1,
      day: 20,
      status: 'LANCADO',
    }),
  );

test('where the next month is open, the reversal is posted at once', async () => {
  const bank = await bankWith('01/2026', '02/2026');
  const lines = [pair(bank, RENT)[0], { ...pair(bank, RENT)[0], sequence: 2, valor: 7 }];
  await bodyOf(save(bank, 'DOIS', { lines, automaticReversal: true }));
  await postedUse(bank, 'DOIS');
  expect(await pendingOf(bank, 2)).toEqual([]);
  await expectBalances(
    platform.admin,
    bank,
    '02/2026',
    `
    account  opening   debit   credit  balance
    8.2      107,00 D  0,00    107,00  0,00
    2.1.1    107,00 C  107,00  0,00    0,00
  `,
  );
});

test('a reversal that the books refuse waits; one whose entry is gone is removed by hand', async () => {
  const bank = await bankWith('01/2026', '02/2026');
  await bodyOf(save(bank, 'PROV', { automaticReversal: true }));
  const day = `/calendar/${bank.company}/${bank.branch}`;
  await bodyOf(md('POST', day, { date: '2026-02-01', status: 'F' }));
  const first = await postedUse(bank, 'PROV');
  const [waiting] = await pendingOf(bank, 2);
  expect((await fill(bank, waiting, { status: 'LANCADO' })).body.code).toBe('DAY_CLOSED');
  expect(await fill(bank, waiting, { status: 'LANCADO', day: 2 })).toMatchObject({ status: 200, body: { day: 2 } });
  expect(first.documentId).not.toBeNull();

  const second = await postedUse(bank, 'PROV');
  const [line] = await bodyOf(md('GET', `/allentry/${second.documentId}`));
  await bodyOf(platform.admin.call('movements', 'DELETE', `/entry/${line.id}`));
  const [orphan] = await pendingOf(bank, 2);
  expect((await fill(bank, orphan, { status: 'LANCADO', day: 2 })).body.code).toBe('NOTHING_TO_REVERSE');
  await bodyOf(md('DELETE', `/releasedata/${orphan.id}`));
  expect(await pendingOf(bank, 2)).toEqual([]);
});

test.each([
  ['a day rule of no list', { schedule: { dayRule: 'SEXTA', firstMonth: '01/2026' } }, 'schedule.dayRule'],
  ['no day', { schedule: { dayRule: 'DIA', firstMonth: '01/2026' } }, 'schedule.dayOfMonth'],
  ['day 32', { schedule: { dayRule: 'DIA', dayOfMonth: 32, firstMonth: '01/2026' } }, 'schedule.dayOfMonth'],
  ['a day beside a business day', { schedule: { ...monthly.schedule, dayOfMonth: 3 } }, 'schedule.dayOfMonth'],
  ['no first month', { schedule: { dayRule: 'ULTIMO_DIA_UTIL' } }, 'schedule.firstMonth'],
  ['month 13', { schedule: { ...monthly.schedule, lastMonth: '13/2026' } }, 'schedule.lastMonth'],
  ['an end before the beginning', { schedule: { ...monthly.schedule, lastMonth: '12/2025' } }, 'schedule.lastMonth'],
  ['a periodicity of no list', { ...monthly, periodicity: 'LUA CHEIA' }, 'periodicity'],
  ['an unknown field', { schedule: { ...monthly.schedule, cron: '* * *' } }, 'schedule.cron'],
  ['a reversal that is no flag', { automaticReversal: 'sim' }, 'automaticReversal'],
])('refuses %s', async (_what, wrong, field) => {
  const bank = await refusing();
  const answer = await save(bank, 'X', wrong);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  expect(await pendingOf(bank, 1)).toEqual([]);
});

let refusingBank: Promise<Bank> | undefined;
const refusing = () => (refusingBank ??= bankWith('01/2026'));

test('a use of another tenant, another code, another id', async () => {
  const bank = await bankWith('01/2026');
  await bodyOf(save(bank, 'ALUGUEL', monthly));
  await bodyOf(save(bank, 'OUTRO', {}));
  const [use] = await pendingOf(bank, 1);
  expect((await fill(bank, { ...use, code: 'OUTRO' }, {})).body).toMatchObject({
    code: 'INVALID_FIELD',
    errors: [{ field: 'code' }],
  });
  expect((await fill(bank, use, { id: use.id + 1 })).body.code).toBe('ID_MISMATCH');
  expect((await fill({ ...bank, branch: '0002' }, use, {})).body.code).toBe('ID_MISMATCH');
  expect((await fill(bank, { ...use, id: 999_999 }, {})).status).toBe(404);
  expect((await fill(bank, use, { day: 31, month: 2 })).body.code).toBe('DAY_NOT_IN_MONTH');
  const other = await bankWith('01/2026');
  const user = await createUser(platform.admin, { username: 'vizinho', permissions: [{ company: other.company }] });
  const stranger = await platform.as(user.username, user.password);
  const path = `/releasedata/pending/${bank.company}/${bank.branch}/2026/1`;
  expect((await stranger.get('masterdata', path)).status).toBe(403);
  const { company, branch } = bank;
  const body = { company, branch, code: 'ALUGUEL', year: 2026, month: 1, day: 30, status: 'LANCADO' };
  expect((await stranger.call('masterdata', 'PUT', `/releasedata/${use.id}`, body)).status).toBe(404);
  expect((await md('GET', `/releasedata/pending/${bank.company}/${bank.branch}/2026/13`)).status).toBe(400);
  expect(await pendingOf(bank, 1)).toHaveLength(1);
});
