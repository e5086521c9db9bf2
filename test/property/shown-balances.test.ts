import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf, type Movement, type RollUpLine, rollUpBalances } from '../../src/accounting/balance.ts';
import { type Centavos, centavosFromDecimal, decimalOf } from '../../src/accounting/money.ts';
import { centavos } from '../support/amounts.ts';
import { type Bank, closureSettings, createBank, PLAIN_CHART } from '../support/banks.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { print } from '../support/report-books.ts';

// One random tenant, its balances computed in plain code, compared with every endpoint that shows a balance, in every
// state that a month goes through.

/** Seeds of books that were once shown differently. */
const KEPT_SEEDS: readonly number[] = [];
const SEED = Number(process.env.BOOKS_SEED ?? Date.now() % 2 ** 31);
const MONTHS = ['2026-01', '2026-02'] as const;
const LAST_DAY = { '2026-01': 31, '2026-02': 28 } as const;
const LEAVES = PLAIN_CHART.filter((account) => account.type === 'A').map((account) => account.code);
/** Moves in January only and ends it with nothing: February does not list it. */
const EMPTIED = '1.2';
const RESULT_LEAVES = LEAVES.filter((code) => /^[78]/.test(code));

type Month = (typeof MONTHS)[number];

interface Line {
  readonly code: string;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
  readonly day: string;
  readonly closing: boolean;
}

interface Books {
  readonly bank: Bank;
  readonly openings: ReadonlyMap<string, Centavos>;
  readonly lines: readonly Line[];
}

/** What a state of the months means for what is shown. */
interface State {
  readonly name: string;
  readonly closed: readonly Month[];
  /** February's result accounts have been cleared. */
  readonly cleared: boolean;
  readonly purged: boolean;
}

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
});
afterAll(() => platform?.stop());

test.each([SEED, ...KEPT_SEEDS])(
  'every endpoint shows the same balances in every state (BOOKS_SEED=%i)',
  async (seed) => {
    const books = await randomBooks(seed);
    const { bank } = books;
    const shown = (name: string, closed: readonly Month[], more: Partial<State> = {}) =>
      expectEverywhere(books, { name, closed, cleared: false, purged: false, ...more });
    await shown('open', []);
    await closeMonth(platform.admin, bank, '01/2026');
    await shown('first month consolidated', ['2026-01']);
    await closeMonth(platform.admin, bank, '02/2026');
    await shown('closed', MONTHS, { cleared: true });
    await openMonth(platform.admin, bank, '02/2026');
    await shown('reopened', ['2026-01']);
    await closeMonth(platform.admin, bank, '02/2026');
    await shown('closed again', MONTHS, { cleared: true });
    await archiveMonth(platform.admin, bank, '02/2026');
    await shown('purged', MONTHS, { cleared: true, purged: true });
    await unarchiveMonth(platform.admin, bank, '01/2026');
    await shown('restored', MONTHS, { cleared: true });
  },
  60_000,
);

async function expectEverywhere(books: Books, state: State): Promise<void> {
  const model = modelOf(books, state);
  await expectBalanceInquiry(books, state, model);
  await expectLedger(books, state, model);
  await expectLegacy(books, state, model);
  await expectPlanBalances(books, state, model);
  await expectReports(books, state, model);
  await expectQuota(books, state, model);
  await expectCompliance(books, state, model);
}

/** The books in plain code: movements of every account by month, and up to and on every day. */
function modelOf({ bank, openings, lines }: Books, { cleared }: State) {
  const id = (code: string) => bank.accounts.get(code)!;
  const accounts = [...bank.accounts.keys()].map((code) => ({
    id: id(code),
    ancestors: [...bank.accounts.keys()].filter((above) => code.startsWith(`${above}.`)).map(id),
  }));
  const all = cleared ? [...lines, ...closingLines(openings, lines)] : lines;
  /** From the first day to the last, on what stood before the first. */
  const between = (from: string, to: string): Map<string, Movement> => {
    const asFold = (chosen: readonly Line[]): RollUpLine[] =>
      chosen.map((line) => ({ ...line, accountId: id(line.code) }));
    const before = rollUpBalances(
      asFold(all.filter((line) => line.day < from)),
      accounts,
      new Map([...openings].map(([code, value]) => [id(code), value])),
    );
    const starts = new Map(LEAVES.map((code) => [id(code), balanceOf(before.get(id(code))!)]));
    const during = rollUpBalances(asFold(all.filter((line) => line.day >= from && line.day <= to)), accounts, starts);
    return new Map([...bank.accounts].map(([code, accountId]) => [code, during.get(accountId)!]));
  };
  const hasLines = (code: string, from: string, to: string) =>
    all.some((line) => (line.code === code || line.code.startsWith(`${code}.`)) && line.day >= from && line.day <= to);
  const month = (each: Month) => between(`${each}-01`, `${each}-31`);
  return {
    month,
    day: (day: string) => between(day, day),
    /** Accounts that listings of the month show. */
    listed: (each: Month) =>
      [...month(each)]
        .filter(([code, { opening }]) => opening !== 0n || hasLines(code, `${each}-01`, `${each}-31`))
        .map(([code]) => code),
    /** Lines of the account, or of the leaves below it. */
    linesOf: (code: string, each: Month) =>
      all.filter((line) => (line.code === code || line.code.startsWith(`${code}.`)) && line.day.startsWith(each)),
  };
}
type Model = ReturnType<typeof modelOf>;

/** February clears every result account against 3.3, and 3.3 against 3.2. */
function closingLines(openings: ReadonlyMap<string, Centavos>, lines: readonly Line[]): Line[] {
  const result: Line[] = [];
  const add = (code: string, net: Centavos) => {
    const amount = net < 0n ? -net : net;
    if (net !== 0n) result.push({ code, side: net < 0n ? 'C' : 'D', amount, day: '2026-02-28', closing: true });
  };
  const netOf = (code: string) =>
    lines
      .filter((line) => line.code === code)
      .reduce((sum, { side, amount }) => (side === 'D' ? sum + amount : sum - amount), openings.get(code) ?? 0n);
  // What stood on the result account before goes with the rest.
  let total = netOf('3.3');
  for (const code of RESULT_LEAVES) {
    add(code, -netOf(code));
    add('3.3', netOf(code));
    total += netOf(code);
  }
  add('3.3', -total);
  add('3.2', total);
  return result;
}

async function expectBalanceInquiry({ bank }: Books, { name }: State, model: Model): Promise<void> {
  const months = MONTHS.map(model.month);
  for (const [code, contaId] of bank.accounts) {
    const body = await asked('queries', '/balanceInquiryDetails', {
      ...placeOf(bank),
      contaId,
      anomesini: '01/2026',
      anomesfim: '02/2026',
    });
    expect(body.map(inquired), `${name}: balanceInquiryDetails ${code}`).toEqual(
      months.map((movements) => withBalance(movements.get(code)!)),
    );
    const alone = await asked('queries', '/balanceInquiryDetails', {
      ...placeOf(bank),
      contaId,
      anomesini: '02/2026',
      anomesfim: '02/2026',
    });
    expect(alone, `${name}: balanceInquiryDetails ${code}, the last month alone`).toEqual([body[1]]);
  }
}

const inquired = (item: Record<string, number>) => ({
  opening: cents(item.openingBalance),
  debit: cents(item.movdeb),
  credit: cents(item.movcred),
  closing: cents(item.movenc),
  balance: cents(item.accumulatedBalance),
});

async function expectLedger({ bank }: Books, { name, purged }: State, model: Model): Promise<void> {
  for (const code of ['1.1.1', '3.2', '7.1', '1', '7']) {
    for (const month of MONTHS) {
      const [year, number] = month.split('-').map(Number);
      const question = { ...placeOf(bank), contaId: bank.accounts.get(code), year, month: number };
      if (purged) {
        const refused = await platform.admin.post('queries', '/generalLedgerQuery', question);
        expect([refused.status, refused.body.code]).toEqual([400, 'MONTH_PURGED']);
        continue;
      }
      const body = await asked('queries', '/generalLedgerQuery', question);
      const shown = body.map(
        (line: Record<string, string>) => `${line.cdContabil} ${line.day} ${line.debCre} ${line.value}`,
      );
      const expected = model
        .linesOf(code, month)
        .map((line) => `${line.code} ${line.day.slice(8)} ${line.side} ${decimalOf(line.amount)}`);
      expect(shown.sort(), `${name}: generalLedgerQuery ${code} ${month}`).toEqual(expected.sort());
    }
  }
}

async function expectLegacy({ bank }: Books, { name }: State, model: Model): Promise<void> {
  const path = `/api/v1/legacy-integration/consulta-contabil?${tenantOf(bank)}&dataInicio=2026-01-01&dataFim=2026-02-28`;
  const monthly = await allPages('queries', path, 7);
  const expectedMonths = MONTHS.flatMap((month) => {
    const movements = model.month(month);
    return model.listed(month).map((code) => [month, code, withBalance(movements.get(code)!)]);
  });
  expect(monthly.map(legacyOf), `${name}: legacy months`).toEqual(expectedMonths);
  const daily = await allPages('queries', `${path}&tipoSaldo=D`, 250);
  const expectedDays = MONTHS.flatMap((month) => {
    const codes = model.listed(month);
    return daysOf(month).flatMap((day) => {
      const movements = model.day(day);
      return codes.map((code) => [day, code, withBalance(movements.get(code)!)]);
    });
  });
  expect(daily.map(legacyOf), `${name}: legacy days`).toEqual(expectedDays);
  const csv = await platform.admin.call('queries', 'GET', `${path}&tipoSaldo=1`, undefined, { accept: 'text/csv' });
  const rows = csv.text.trim().split('\r\n').slice(1);
  expect(
    rows.map((row) => {
      const [, , year, month, day, code, , , opening, debit, credit, closing, balance] = row.split(';');
      const [o, d, c, e, b] = [opening, debit, credit, closing, balance].map(centavos);
      const amounts = { opening: o, debit: d, credit: c, closing: e, balance: b };
      return [`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`, code, amounts];
    }),
    `${name}: legacy days as CSV`,
  ).toEqual(expectedDays);
}

function legacyOf(item: Record<string, number | string>) {
  const month = `${item.ano}-${String(item.mes).padStart(2, '0')}`;
  const amounts = {
    opening: cents(item.saldo_anterior),
    debit: cents(item.valor_debito),
    credit: cents(item.valor_credito),
    closing: cents(item.valor_encerramento),
    balance: cents(item.saldo_atual),
  };
  expect(item.natureza).toBe(amounts.balance < 0n ? 'C' : 'D');
  return [item.dia === undefined ? month : `${month}-${String(item.dia).padStart(2, '0')}`, item.codigo_conta, amounts];
}

async function expectPlanBalances({ bank }: Books, { name }: State, model: Model): Promise<void> {
  for (const month of MONTHS) {
    const path = `/api/v1/saldos/plano-saldo?${tenantOf(bank)}&ano=2026&mes=${Number(month.slice(5))}`;
    const movements = model.month(month);
    expect((await allPages('reports', path, 5)).map(plannedOf), `${name}: plano-saldo ${month}`).toEqual(
      model.listed(month).map((code) => [code, withBalance(movements.get(code)!)]),
    );
    for (const day of [1, 14, LAST_DAY[month]]) {
      const ofDay = `${path.replace('plano-saldo', 'plano-saldo-dia')}&dia=${day}`;
      const expected = model.day(`${month}-${String(day).padStart(2, '0')}`);
      expect((await allPages('reports', ofDay, 5)).map(plannedOf), `${name}: plano-saldo-dia ${month} ${day}`).toEqual(
        model.listed(month).map((code) => [code, withBalance(expected.get(code)!)]),
      );
    }
  }
  const equity = await allPages('reports', `/api/v1/saldos/plsaldos?${tenantOf(bank)}`, 1);
  const sums = [...MONTHS, '2026-02' as const].map((month) => {
    const movements = model.month(month);
    return [balanceOf(movements.get('3')!), balanceOf(movements.get('7')!) + balanceOf(movements.get('8')!)];
  });
  // March is open and empty: it carries February.
  expect(
    equity.map((item) => [cents(item.patrimonioLiquido), cents(item.resultado)]),
    `${name}: plsaldos`,
  ).toEqual(sums);
}

const plannedOf = (item: Record<string, number | string>) => [
  item.cdContabil,
  {
    opening: cents(item.saldoAnterior),
    debit: cents(item.debito),
    credit: cents(item.credito),
    closing: cents(item.encerramento),
    balance: cents(item.saldoAtual),
  },
];

async function expectReports({ bank }: Books, { name, purged }: State, model: Model): Promise<void> {
  const place = { ...placeOf(bank), visualizationEnum: 'CSV', showZeroBalances: true };
  const rowsOf = async (path: string, body: object) =>
    (await print(platform.admin, path, { ...place, ...body })).cells.slice(1);
  const isAccount = (code: string | undefined) => bank.accounts.has(code ?? '');
  for (const month of MONTHS) {
    const period = { ano: 2026, mes: Number(month.slice(5)) };
    const movements = model.month(month);
    const what = (report: string, code = '') => `${name}: ${report} ${month} ${code}`;
    const monthly = (await rowsOf('monthlyTrialBalance', period)).filter(([code]) => isAccount(code));
    expect(monthly.length, what('monthlyTrialBalance')).toBe(bank.accounts.size);
    for (const [code = '', , , ...amounts] of monthly) {
      const movement = movements.get(code)!;
      const { opening, debit, credit, closingDebit, closingCredit, closing } = movement;
      expect(amounts.map(centavos), what('monthlyTrialBalance', code)).toEqual([
        ...[opening, debit, credit, closingDebit, closingCredit, closing],
        balanceOf(movement),
      ]);
    }
    const general = (await rowsOf('cosifGeneralBalance', period)).filter(([, code]) => isAccount(code));
    expect(general.length, what('cosifGeneralBalance')).toBe(bank.accounts.size);
    for (const [, code = '', , opening, , , balance] of general) {
      const expected = withBalance(movements.get(code)!);
      expect([centavos(opening), centavos(balance)], what('cosifGeneralBalance', code)).toEqual([
        expected.opening,
        expected.balance,
      ]);
    }
    const patrimonial = (await rowsOf('patrimonialBalance', period)).filter(([code]) => isAccount(code));
    expect(patrimonial.length, what('patrimonialBalance')).toBeGreaterThan(5);
    for (const [code = '', , balance] of patrimonial) {
      const sign = code.startsWith('1') ? 1n : -1n;
      expect(centavos(balance), what('patrimonialBalance', code)).toBe(sign * balanceOf(movements.get(code)!));
    }
    let day = '';
    const days = { dataInicio: `${month}-01`, dataFim: `${month}-${LAST_DAY[month]}` };
    for (const [code = '', , , opening, , , balance] of await rowsOf('dailyTrialBalance', days)) {
      const heading = /^Dia (\d\d)\/(\d\d)\/(\d{4})$/.exec(code);
      if (heading) day = `${heading[3]}-${heading[2]}-${heading[1]}`;
      if (!isAccount(code)) continue;
      const expected = withBalance(model.day(day).get(code)!);
      expect([centavos(opening), centavos(balance)], what(`dailyTrialBalance ${day}`, code)).toEqual([
        expected.opening,
        expected.balance,
      ]);
    }
    expect(day, what('dailyTrialBalance')).not.toBe('');
  }
  // A book needs its lines: over archived months it is rejected (domain: archiving).
  const span = { dataInicio: '2026-01-01', dataFim: '2026-02-28', contas: LEAVES };
  if (purged) {
    expect((await platform.admin.post('reports', '/reports/relatorioRazao', { ...place, ...span })).status).toBe(400);
    return;
  }
  const february = model.month('2026-02');
  let code = '';
  for (const cells of await rowsOf('relatorioRazao', span)) {
    if (cells.length < 3) code = cells[0]!.split(' ')[0]!;
    if (cells[5] === 'Total da conta') {
      expect(centavos(cells[8]), `${name}: relatorioRazao ${code}`).toBe(balanceOf(february.get(code)!));
    }
  }
  expect(code, `${name}: relatorioRazao`).not.toBe('');
}

/** The quota is computed from the last closed balance: equity and open result, credit positive. */
async function expectQuota({ bank }: Books, { name, closed }: State, model: Model): Promise<void> {
  const answer = await platform.admin.get('movements', `/taxquotacalculation/${bank.company}/${bank.branch}`);
  const last = closed.at(-1);
  expect(answer.status, `${name}: quota ${answer.text}`).toBe(last === undefined ? 400 : 302);
  if (last === undefined) return;
  const movements = model.month(last);
  const equity = ['3', '7', '8'].reduce((sum, code) => sum - balanceOf(movements.get(code)!), 0n);
  expect(answer.body[2], `${name}: quota`).toBe(decimalOf(equity));
}

async function expectCompliance({ bank }: Books, { name, closed }: State, model: Model): Promise<void> {
  const sign = (code: string) => (/^[18]/.test(code) && !code.startsWith('8') ? 1n : -1n);
  for (const month of closed) {
    const movements = model.month(month);
    const of = (code: string) => movements.get(code)!;
    const value = async (script: string) => {
      const { body, text } = await platform.admin.post('compliance', '/api/compliance/test', {
        script: `RETORNA ${script}`,
        refmonth: month,
        branchid: bank.branchId,
      });
      expect(body?.status, `${name}: ${script} ${text}`).toBe('PASSED');
      return centavosFromDecimal(Number(body.value).toFixed(2));
    };
    const published = (code: string, amount: Centavos) => sign(code) * amount;
    for (const code of bank.accounts.keys()) {
      expect(await value(`SALDO_CONTA("${code}")`), `${name}: SALDO_CONTA ${code} ${month}`).toBe(
        published(code, balanceOf(of(code))),
      );
    }
    for (const code of ['1.1', '7.1', '3.2']) {
      const { opening, debit, credit } = of(code);
      expect(await value(`SALDO_ANTES_ENCERRAMENTO("${code}")`), name).toBe(published(code, opening + debit - credit));
      expect(await value(`VARIACAO_SALDO("${code}")`), name).toBe(published(code, balanceOf(of(code)) - opening));
      expect(await value(`MOVIMENTO_DEBITO("${code}")`), name).toBe(debit);
      expect(await value(`MOVIMENTO_CREDITO("${code}")`), name).toBe(credit);
      const day = model.day(`${month}-14`).get(code)!;
      expect(await value(`SALDO_DIA("${code}", 14)`), name).toBe(published(code, balanceOf(day)));
    }
    const assets = published('1', balanceOf(of('1')));
    expect(await value('SOMA_SALDO_CONTAS("1*", "1.1")'), name).toBe(assets);
  }
}

/** Openings that sum to zero with much equity, so that a quota can be had, and entries on both months. */
async function randomBooks(seed: number): Promise<Books> {
  const amount = fc.bigInt(1n, 99_999_999n);
  const leaf = fc.constantFrom(...LEAVES.filter((code) => code !== EMPTIED));
  const entry = fc
    .record({
      debit: leaf,
      credit: leaf,
      amount,
      month: fc.constantFrom(...MONTHS),
      day: fc.integer({ min: 1, max: 28 }),
    })
    .filter(({ debit, credit }) => debit !== credit);
  const [[given, drawn]] = fc.sample(
    fc.tuple(fc.dictionary(leaf, amount, { maxKeys: 5 }), fc.array(entry, { minLength: 25, maxLength: 40 })),
    { numRuns: 1, seed },
  ) as [[Record<string, Centavos>, { debit: string; credit: string; amount: Centavos; month: Month; day: number }[]]];
  const emptied = { amount: 12_345n, month: '2026-01' as const, day: 9 };
  const entries = [
    ...drawn,
    { ...emptied, debit: EMPTIED, credit: '2.1.1' },
    { ...emptied, debit: '2.1.1', credit: EMPTIED },
  ];
  const openings = new Map(Object.entries(given)).set('3.1', -999_999_999_999n).set('1.1.2', 0n);
  openings.set('1.1.2', -[...openings.values()].reduce((sum, value) => sum + value, 0n));
  const bank = await createBank(platform.admin);
  await settings(bank, openings);
  for (const month of ['01/2026', '02/2026', '03/2026']) await openMonth(platform.admin, bank, month);
  for (const month of MONTHS) {
    const rows = entries.filter((each) => each.month === month);
    const batch = await asked('movements', '/batch', { ...placeOf(bank), ano: 2026, mes: Number(month.slice(5)) });
    const csv = [
      'documento;lancamento;dia;debcre;conta;contrapartida;valor',
      ...rows.map((each, at) => `1;${at + 1};${each.day};D;${each.debit};${each.credit};${decimalOf(each.amount)}`),
    ].join('\n');
    const form = new FormData();
    form.set('file', new Blob([csv]), 'rows.csv');
    const { errors } = await asked('movements', `/batch/${batch.id}/import`, form);
    expect(errors).toEqual([]);
  }
  const lines = entries.flatMap(({ debit, credit, amount, month, day }): Line[] => {
    const on = { amount, day: `${month}-${String(day).padStart(2, '0')}`, closing: false };
    return [
      { ...on, code: debit, side: 'D' },
      { ...on, code: credit, side: 'C' },
    ];
  });
  return { bank, openings, lines };
}

async function settings(bank: Bank, openings: ReadonlyMap<string, Centavos>): Promise<void> {
  const { company, branch, accounts } = bank;
  const balances = [...openings]
    .filter(([, value]) => value !== 0n)
    .map(([cdAccounting, value]) => ({
      cdAccounting,
      balance: Number(decimalOf(value < 0n ? -value : value)),
      dc: value < 0n ? 'C' : 'D',
    }));
  const saved = await platform.admin.call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, balances);
  expect(saved.status, saved.text).toBe(200);
  await asked('masterdata', '/closuresettings', closureSettings({ company, branch, accounts }, [2]));
  const quota = {
    company,
    branch,
    netEquityAccountId: accounts.get('3'),
    numberOfQuotas: 300,
    includeOpenResult: true,
  };
  await asked('masterdata', '/quotacalculation/', quota);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
async function asked(service: 'queries' | 'movements' | 'masterdata', path: string, body: unknown): Promise<any> {
  const answer = await platform.admin.post(service, path, body);
  if (answer.status !== 200 && answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** All rows of a paged listing, page by page. */
async function allPages(service: 'queries' | 'reports', path: string, size: number) {
  const rows: Record<string, number | string>[] = [];
  for (let page = 0; ; page++) {
    const { status, body, text } = await platform.admin.get(service, `${path}&pagina=${page}&tamanho=${size}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    rows.push(...body.conteudo.content);
    if (page + 1 >= body.conteudo.totalPages) {
      expect(rows).toHaveLength(body.conteudo.totalElements);
      return rows;
    }
  }
}

const placeOf = ({ company, branch }: Bank) => ({ empresa: company, filial: branch });
const tenantOf = ({ company, branch }: Bank) => `empresa=${company}&filial=${branch}`;
const cents = (value: number | string | undefined) => centavosFromDecimal(Number(value ?? 0).toFixed(2))!;
/** What every door shows: closing entries by their net. */
const withBalance = (movement: Movement) => {
  const { opening, debit, credit, closing } = movement;
  return { opening, debit, credit, closing, balance: balanceOf(movement) };
};

function daysOf(month: Month): string[] {
  return Array.from({ length: LAST_DAY[month] }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}
