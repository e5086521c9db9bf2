import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { calculate, closeDay, configureFund, createFund, earn, type Fund, move, reopenDay } from '../support/funds.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Movements of quotas whose amounts are posted by entry templates, and quotas of months that are opened again more than once.

let platform: Platform;
const client = () => platform.admin;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

/** Cash comes from holders, what holders and the tax office are owed leaves the equity. */
const TEMPLATES = {
  subscriptionTemplate: { code: 'APLICACAO', debit: '1.1.1', credit: '3.1' },
  redemptionTemplate: { code: 'RESGATE', debit: '3.1', credit: '2.1.1' },
  comeCotasTemplate: { code: 'COMECOTAS', debit: '3.1', credit: '2.1.2' },
  amortizationTemplate: { code: 'AMORTIZACAO', debit: '3.1', credit: '2.1.1' },
} as const;

async function template({ company, branch, accounts }: Fund, code: string, lines: object[], more: object = {}) {
  const path = `/release/${company}/${branch}`;
  const named = lines.map((line, at) => {
    const { debit, credit, ...rest } = line as { debit: string; credit: string };
    return {
      ...{ sequence: at + 1, debcre: 'D', contaId: accounts.get(debit), contrapartida: accounts.get(credit) },
      ...{ valueType: 'INFORMADO', ...rest },
    };
  });
  await bodyOf(client().post('masterdata', path, { company, branch, code, description: code, lines: named, ...more }));
}

/** An equity of 1,000.00 and 100 quotas before the base month; each kind has its template. */
async function createPostingFund(baseYearMonth: string, settings: object = {}): Promise<Fund> {
  const fund = await createFund(client(), { baseYearMonth });
  for (const { code, debit, credit } of Object.values(TEMPLATES)) await template(fund, code, [{ debit, credit }]);
  const named = Object.fromEntries(Object.entries(TEMPLATES).map(([field, { code }]) => [field, code]));
  await configureFund(client(), fund, { numberOfQuotas: 100, ...named, ...settings });
  return fund;
}

/** The branch's lines as 'day account side amount', without the offset accounts' signs. */
async function linesOf({ company, branch }: Fund): Promise<string[]> {
  const query = 'dataInicio=2026-01-01&dataFim=2026-12-31&tamanho=1000';
  const { content } = await bodyOf(client().get('queries', `/entries/${company}/${branch}?${query}`));
  return content.map((line: Record<string, string>) => `${line.data} ${line.conta} ${line.debcre} ${line.valor}`);
}

const list = async (fund: Fund, query = '') =>
  bodyOf(client().get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31${query}`));
const statuses = async (fund: Fund) =>
  (await list(fund)).map(({ referenceDate, status }: Record<string, string>) => [referenceDate, status]);
const confirm = (fund: Fund, date: string) => bodyOf(calculate(client(), fund, { date, confirmed: true }));
const change = (id: number, body: object) => client().call('masterdata', 'PUT', `/quotaMovement/${id}`, body);
const remove = (id: number) => client().call('masterdata', 'DELETE', `/quotaMovement/${id}`);
const movementsOf = ({ company, branch }: Fund) =>
  bodyOf(client().get('masterdata', `/quotaMovement/${company}/${branch}?from=2020-01-01&to=2030-12-31`));

test('each kind is posted by its template: the amount, on the day of the quota, debit and credit', async () => {
  const fund = await createPostingFund('05/2026', { redemptionDays: 1 });
  await bodyOf(move(client(), fund, { date: '2026-05-04', kind: 'SUBSCRIPTION', amount: 500 }));
  // Asked for on Monday the 4th, at the quota of the 5th.
  await bodyOf(move(client(), fund, { requestDate: '2026-05-04', kind: 'REDEMPTION', amount: 120.5 }));
  await bodyOf(move(client(), fund, { date: '2026-05-05', kind: 'COME_COTAS', amount: 7.25 }));
  await bodyOf(move(client(), fund, { date: '2026-05-05', kind: 'AMORTIZATION', amount: 30 }));
  // Without money there is nothing to post.
  await bodyOf(move(client(), fund, { date: '2026-05-05', kind: 'ADJUSTMENT', quotas: 0.5 }));
  expect((await linesOf(fund)).toSorted()).toEqual([
    '2026-05-04 1.1.1 D 500',
    '2026-05-04 3.1 C 500',
    '2026-05-05 2.1.1 C 120.5',
    '2026-05-05 2.1.1 C 30',
    '2026-05-05 2.1.2 C 7.25',
    '2026-05-05 3.1 D 120.5',
    '2026-05-05 3.1 D 30',
    '2026-05-05 3.1 D 7.25',
  ]);
  expect(await confirm(fund, '2026-05-04')).toMatchObject([
    { netEquity: 1500, numberOfQuotas: '150.00000000', quotaValue: '10.00000000', subscriptions: 500 },
  ]);
  await closeDay(client(), fund);
  await earn(client(), fund, '05/05', '15,00');
  // 1,515.00 for 150 quotas are 10.10: 120.50 and 7.25 are 11.93069306 and 0.71782178 quotas, an adjustment of 0.5 adds to them.
  const [quota] = await confirm(fund, '2026-05-05');
  expect(quota).toMatchObject({ netEquity: 1357.25, redemptions: 157.75, numberOfQuotas: '137.85148516' });
  expect(quota.quotaValue).toBe('9.84574085');
});

test('a file posts what it adds, and nothing where a row is wrong', async () => {
  const fund = await createPostingFund('05/2026');
  const send = (rows: string) => {
    const form = new FormData();
    form.set('file', new Blob([`data;tipo;valor\n${rows}`]), 'cotas.csv');
    return client().post('masterdata', `/quotaMovement/${fund.company}/${fund.branch}/import`, form);
  };
  const wrong = await send('04/05/2026;SUBSCRIPTION;100,00\n05/05/2026;COME_COTAS;1,00\n06/05/2026;COME_COTAS;1,00\n');
  expect(wrong.body.problems).toMatchObject([{ row: 4, code: 'COME_COTAS_TWICE' }]);
  expect(await linesOf(fund)).toEqual([]);
  expect((await send('04/05/2026;SUBSCRIPTION;100,00\n05/05/2026;COME_COTAS;1,00\n')).body.success).toBe(true);
  expect(await linesOf(fund)).toHaveLength(4);
});

test('a movement that is changed or removed takes its entries along, and not on a closed day or in a closed month', async () => {
  const fund = await createPostingFund('01/2026');
  const { body } = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500 });
  const later = await change(body.id, { ...body, date: '2026-01-05', amount: 400 });
  expect(later.body).toMatchObject({ date: '2026-01-05', amount: 400 });
  expect(await linesOf(fund)).toEqual(['2026-01-05 1.1.1 D 400', '2026-01-05 3.1 C 400']);
  const turned = await change(body.id, { ...body, kind: 'REDEMPTION', amount: 400 });
  expect(turned.status).toBe(200);
  expect(await linesOf(fund)).toEqual(['2026-01-02 3.1 D 400', '2026-01-02 2.1.1 C 400']);
  await bodyOf(change(body.id, body));
  await closeDay(client(), fund);
  // Friday the 2nd is closed: neither changed, nor moved to an open day, nor removed.
  const refused = [
    await change(body.id, { ...body, amount: 1 }),
    await change(body.id, { ...body, date: '2026-01-05' }),
    await remove(body.id),
  ];
  expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(Array(3).fill([400, 'DAY_CLOSED']));
  await closeMonth(client(), fund, '01/2026');
  await openMonth(client(), fund, '02/2026');
  expect((await remove(body.id)).body.code).toMatch(/^(?:DAY_CLOSED|MONTH_CONSOLIDATED)$/);
  const late = await move(client(), fund, { date: '2026-01-30', kind: 'SUBSCRIPTION', amount: 1 });
  expect(late.body.code).toMatch(/^(?:DAY_CLOSED|MONTH_CONSOLIDATED)$/);
  expect(await linesOf(fund)).toEqual(['2026-01-02 1.1.1 D 500', '2026-01-02 3.1 C 500']);
  expect(await movementsOf(fund)).toHaveLength(2);
});

test('what stands on a movement keeps it: a later redemption of its quotas', async () => {
  const fund = await createPostingFund('01/2026');
  const { body } = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500, quotas: 50 });
  await bodyOf(move(client(), fund, { date: '2026-01-05', kind: 'REDEMPTION', amount: 1200, quotas: 120 }));
  const before = await linesOf(fund);
  expect((await remove(body.id)).body).toMatchObject({ status: 400, code: 'REDEMPTION_ABOVE_BALANCE' });
  expect((await change(body.id, { ...body, quotas: 19.5 })).body.code).toBe('REDEMPTION_ABOVE_BALANCE');
  expect(await linesOf(fund)).toEqual(before);
});

test('entries that somebody removed by hand make the quota stale, and the movement is removed without them', async () => {
  const fund = await createPostingFund('01/2026');
  const { body } = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500 });
  await confirm(fund, '2026-01-02');
  const query = 'dataInicio=2026-01-01&dataFim=2026-12-31';
  const { content } = await bodyOf(client().get('queries', `/entries/${fund.company}/${fund.branch}?${query}`));
  await bodyOf(client().call('masterdata', 'DELETE', `/document/${content[0].documentId}`));
  expect(await statuses(fund)).toEqual([['2026-01-02', 'STALE']]);
  expect((await remove(body.id)).status).toBe(200);
  const [quota] = await bodyOf(
    client().post('masterdata', `${fund.quotas}/reprocess`, {
      from: '2026-01-02',
      to: '2026-01-02',
      reason: 'Sem aporte',
    }),
  );
  expect(quota).toMatchObject({ netEquity: 1000, numberOfQuotas: '100.00000000', quotaValue: '10.00000000' });
});

test('a template that would change the equity by another amount, or take it back, posts nothing', async () => {
  const fund = await createPostingFund('01/2026');
  const [cash, capital] = ['1.1.1', '3.1'];
  const unfit: readonly (readonly [string, object[], object, string])[] = [
    ['INVERTIDO', [{ debit: capital, credit: cash }], {}, 'QUOTA_TEMPLATE_UNFIT'],
    ['FIXO', [{ debit: cash, credit: capital, valueType: 'FIXO', valor: 5 }], {}, 'QUOTA_TEMPLATE_UNFIT'],
    ['METADE', [{ debit: cash, credit: capital, valueType: 'PERCENTUAL', percentual: 50 }], {}, 'QUOTA_TEMPLATE_UNFIT'],
    [
      'DOBRO',
      [
        { debit: cash, credit: capital },
        { debit: '1.1.2', credit: capital },
      ],
      {},
      'QUOTA_TEMPLATE_UNFIT',
    ],
    ['DEBANCO', [{ debit: cash, credit: '2.1.1' }], {}, 'QUOTA_TEMPLATE_UNFIT'],
    ['VOLTA', [{ debit: cash, credit: capital }], { automaticReversal: true }, 'QUOTA_TEMPLATE_REVERSES'],
  ];
  for (const [code, lines, more, expected] of unfit) {
    await template(fund, code, lines, more);
    await configureFund(client(), fund, { numberOfQuotas: 100, subscriptionTemplate: code });
    const answer = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500 });
    expect([code, answer.status, answer.body.code]).toEqual([code, 400, expected]);
  }
  await template(fund, 'VENCIDO', [{ debit: '1.1.2', credit: capital }]);
  const path = `/chartOfAccounts/${fund.accounts.get('1.1.2')}`;
  const account = await bodyOf(client().get('masterdata', path));
  await bodyOf(client().call('masterdata', 'PUT', path, { ...account, endDate: '2026-01-01' }));
  await configureFund(client(), fund, { numberOfQuotas: 100, subscriptionTemplate: 'VENCIDO' });
  const expired = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500 });
  expect(expired.body).toMatchObject({ status: 400, code: 'ACCOUNT_OUT_OF_VALIDITY', errors: [] });
  expect(await linesOf(fund)).toEqual([]);
  expect(await movementsOf(fund)).toHaveLength(1);
  await bodyOf(client().call('masterdata', 'PUT', path, { ...account, endDate: null }));
  // Shares of the amount, and memorandum accounts beside them, leave the equity right.
  await template(fund, 'PARTES', [
    { debit: cash, credit: capital, valueType: 'PERCENTUAL', percentual: 33.33 },
    { debit: '1.1.2', credit: capital, valueType: 'PERCENTUAL', percentual: 66.67 },
    { debit: '1.2', credit: '2.1.1', valueType: 'PERCENTUAL', percentual: 100 },
  ]);
  await configureFund(client(), fund, { numberOfQuotas: 100, subscriptionTemplate: 'PARTES' });
  const shared = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500.01 });
  expect(shared.status).toBe(201);
  expect(await calculate(client(), fund, { date: '2026-01-02' })).toMatchObject({
    body: [{ netEquity: 1500.01, quotaValue: '10.00000000' }],
  });
});

test('the configuration names only templates that the branch has', async () => {
  const fund = await createPostingFund('01/2026');
  const { company, branch, accounts } = fund;
  const body = { company, branch, netEquityAccountId: accounts.get('3'), numberOfQuotas: 100 };
  for (const field of Object.keys(TEMPLATES)) {
    const answer = await client().post('masterdata', '/quotacalculation/', { ...body, [field]: 'NADA' });
    expect([field, answer.status, answer.body.errors?.[0]?.field]).toEqual([field, 400, field]);
  }
});

test('an amount above the limit of a batch is not posted by its template, and the movement is not stored', async () => {
  const fund = await createFund(client(), { options: { fourEyes: { batchLimit: '100.00' } } });
  await template(fund, 'APLICACAO', [{ debit: '1.1.1', credit: '3.1' }]);
  await configureFund(client(), fund, { numberOfQuotas: 100, subscriptionTemplate: 'APLICACAO' });
  const above = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 100.01 });
  expect(above.body).toMatchObject({ status: 400, code: 'BATCH_ABOVE_LIMIT' });
  expect([await linesOf(fund), (await movementsOf(fund)).length]).toEqual([[], 1]);
  expect((await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 100 })).status).toBe(201);
});

test('the come-cotas of May and of November come once each', async () => {
  const fund = await createPostingFund('05/2026');
  const take = (date: string, more: object = { amount: 5 }) =>
    move(client(), fund, { date, kind: 'COME_COTAS', ...more });
  expect((await take('2026-05-29')).status).toBe(201);
  for (const month of ['06', '07', '08', '09', '10', '11']) {
    await closeMonth(client(), fund, `${String(Number(month) - 1).padStart(2, '0')}/2026`);
    await openMonth(client(), fund, `${month}/2026`);
  }
  expect((await take('2026-10-30')).body.code).toMatch(/^(?:MONTH_CONSOLIDATED|DAY_CLOSED)$/);
  const { body } = await take('2026-11-27');
  const twice = [await take('2026-11-30'), await take('2026-11-27', { quotas: 1 }), await take('2026-11-03')];
  expect(twice.map(({ status, body: { code } }) => [status, code])).toEqual(Array(3).fill([400, 'COME_COTAS_TWICE']));
  // Neither may another movement become one, nor is a come-cotas in its own way.
  const other = await bodyOf(move(client(), fund, { date: '2026-11-30', kind: 'REDEMPTION', amount: 5 }));
  expect((await change(other.id, { ...other, kind: 'COME_COTAS' })).body).toMatchObject({ code: 'COME_COTAS_TWICE' });
  expect((await change(body.id, { ...body, amount: 6 })).status).toBe(200);
  expect((await remove(body.id)).status).toBe(200);
  expect((await take('2026-11-30')).status).toBe(201);
  expect((await movementsOf(fund)).filter(({ kind }: { kind: string }) => kind === 'COME_COTAS')).toHaveLength(2);
});

test('a redemption of a fund with D+n waits for the quota of its own day and gets no other', async () => {
  const fund = await createPostingFund('01/2026', { redemptionDays: 3 });
  const { body } = await move(client(), fund, { requestDate: '2026-01-02', kind: 'REDEMPTION', amount: 202 });
  expect(body).toMatchObject({ requestDate: '2026-01-02', date: '2026-01-07', quotas: null });
  const read = async () => (await client().get('masterdata', `/quotaMovement/${body.id}`)).body.quotas;
  for (const [day, amount] of [
    ['02', '1,00'],
    ['05', '2,00'],
    ['06', '3,00'],
  ]) {
    await earn(client(), fund, `${day}/01`, amount!);
    expect((await confirm(fund, `2026-01-${day}`))[0]).toMatchObject({
      redemptions: 0,
      numberOfQuotas: '100.00000000',
    });
    expect(await read()).toBeNull();
    await closeDay(client(), fund);
  }
  await earn(client(), fund, '07/01', '4,00');
  // 1,010.00 for 100 quotas before it: 202.00 are 20 quotas of 10.10, and not of the 10.01 of the day that it was asked for.
  expect(await confirm(fund, '2026-01-07')).toMatchObject([
    { netEquity: 808, redemptions: 202, numberOfQuotas: '80.00000000', quotaValue: '10.10000000' },
  ]);
  expect(await read()).toBe(-20);
});

test('a month that is opened again twice: stale, reprocessed, stale again, and every old quota is kept', async () => {
  const fund = await createPostingFund('01/2026');
  for (const date of ['2026-01-02', '2026-01-05']) {
    await confirm(fund, date);
    await closeDay(client(), fund);
  }
  await closeMonth(client(), fund, '01/2026');
  const opening = `/monthOpening/${fund.company}/${fund.branch}`;
  const reopen = (more: object) => client().post('movements', opening, { newyearmonth: '01/2026', ...more });
  const correct = async (amount: string, reason: string) => {
    const asked = await reopen({ reason });
    expect(asked.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
    expect((await statuses(fund)).map(([, status]: string[]) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    await bodyOf(reopen(REOPENING));
    expect((await statuses(fund)).map(([, status]: string[]) => status)).toEqual(['STALE', 'STALE']);
    await reopenDay(client(), fund, '2026-01-05');
    await earn(client(), fund, '05/01', amount);
    await closeDay(client(), fund);
    await closeMonth(client(), fund, '01/2026');
    // Only what the correction changed stays stale.
    expect(await statuses(fund)).toEqual([
      ['2026-01-02', 'CONFIRMED'],
      ['2026-01-05', 'STALE'],
    ]);
    await bodyOf(
      client().post('masterdata', `${fund.quotas}/reprocess`, { from: '2026-01-01', to: '2026-01-31', reason }),
    );
    expect((await statuses(fund)).map(([, status]: string[]) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
  };
  await correct('10,00', 'Juros esquecidos');
  await correct('5,00', 'Juros a menor');
  expect(await list(fund, '&replaced=true')).toMatchObject([
    { referenceDate: '2026-01-02', quotaValue: '10.00000000', status: 'CONFIRMED' },
    { referenceDate: '2026-01-05', quotaValue: '10.15000000', status: 'CONFIRMED' },
    { quotaValue: '10.10000000', status: 'REPLACED', replacementReason: 'Juros a menor' },
    { quotaValue: '10.00000000', status: 'REPLACED', replacementReason: 'Juros esquecidos' },
  ]);
  // Opened and closed without a change the quotas agree as they are.
  await bodyOf(reopen(REOPENING));
  await closeMonth(client(), fund, '01/2026');
  expect((await statuses(fund)).map(([, status]: string[]) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
});

test('the template of a fund of another branch is not used', async () => {
  const fund = await createPostingFund('01/2026');
  const other = await createBank(client(), {
    ...{ company: fund.company, existing: true, branch: '0002', accounts: [], chartCode: fund.chartCode },
  });
  const body = { company: other.company, branch: '0002', netEquityAccountId: fund.accounts.get('3') };
  const named = { ...body, numberOfQuotas: 1, subscriptionTemplate: 'APLICACAO' };
  expect((await client().post('masterdata', '/quotacalculation/', named)).status).toBe(400);
});
