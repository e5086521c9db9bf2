import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printedAmount } from '../support/amounts.ts';
import { setOpenings } from '../support/balances.ts';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { type BookEntry, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { day as dayOf } from '../support/period.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { print } from '../support/report-books.ts';
import { volumeOf } from '../support/volumes.ts';
import {
  add,
  CHART,
  CLOSING_MONTHS,
  type Figures,
  figuresOf,
  inBookOrder,
  isWithin,
  LEAVES,
  lastDayOf,
  type PaperBooks,
  type PaperLine,
  signed,
  withClosings,
} from './plain-papers.ts';

// Random books of a bank with three branches over two semesters, both closed. Every figure of every paper, as CSV over HTTP,
// is the one that plain-papers adds up from the lines alone.

/** Seeds of books that once differed. */
const KEPT_SEEDS: readonly number[] = [];
const FIRST_SEED = Number(process.env.PAPERS_SEED ?? Date.now() % 2 ** 31);
const SEEDS = [...Array.from({ length: volumeOf('PAPERS_RUNS') }, (_, at) => FIRST_SEED + at), ...KEPT_SEEDS];

const MONTHS = Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}`);
const BRANCHES = ['0001', '0002', '0003'];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test.each(SEEDS)(
  'papers of a bank of three branches over two semesters (PAPERS_SEED=%i)',
  async (seed) => {
    const drawn = BRANCHES.map((_, at) => drawBooks(seed, at));
    const banks = await createBanks(drawn);
    await Promise.all(banks.map((bank, at) => postAndClose(bank, drawn[at]!)));
    for (const [at, bank] of banks.entries()) await expectPapers(bank, withClosings(drawn[at]!, MONTHS));
  },
  120_000,
);

// What is drawn

const MEMORANDUM = LEAVES.filter((code) => isWithin(code, '3') || isWithin(code, '9'));
const ORDINARY = LEAVES.filter((code) => !MEMORANDUM.includes(code));
const ENTRIES = 60;

/** Books of one branch before any closing: pairs, and entries of several lines, within one of the two systems of accounts. */
function drawBooks(seed: number, branch: number): PaperBooks {
  const cents = fc.oneof(fc.bigInt(1n, 999n), fc.bigInt(1n, 9_999_999_999n));
  const entry = fc
    .record({
      leaves: fc.oneof(
        { weight: 5, arbitrary: fc.constant(ORDINARY) },
        { weight: 1, arbitrary: fc.constant(MEMORANDUM) },
      ),
      month: fc.constantFrom(...MONTHS),
      day: fc.integer({ min: 1, max: 31 }),
      document: fc.integer({ min: 1, max: 12 }),
      places: fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 2 }),
      amounts: fc.array(cents, { minLength: 1, maxLength: 4 }),
      isDebit: fc.boolean(),
      more: fc.array(fc.nat(999), { minLength: 4, maxLength: 4 }),
    })
    .map(({ leaves, month, day, document, places, amounts, isDebit, more }) => {
      const at = (place: number) => leaves[place % leaves.length]!;
      const single = at(places[0]!);
      const others = amounts.map((amount, n) => ({ account: at(n === 0 ? places[1]! : more[n]!), amount }));
      const lines = others.filter(({ account }) => account !== single);
      const [side, other] = isDebit ? (['D', 'C'] as const) : (['C', 'D'] as const);
      return {
        day: `${month}-${String(Math.min(day, Number(lastDayOf(month).slice(8)))).padStart(2, '0')}`,
        document: String(document),
        lines: [
          { account: single, side, cents: add(lines.map(({ amount }) => amount)) },
          ...lines.map(({ account, amount }) => ({ account, side: other, cents: amount })),
        ],
      };
    })
    .filter(({ lines }) => lines.length > 1);
  const entries = fc.sample(entry, { numRuns: ENTRIES, seed: seed * 3 + branch });
  const opening = fc.array(fc.bigInt(-9_999_999n, 9_999_999n), { minLength: LEAVES.length, maxLength: LEAVES.length });
  const [amounts] = fc.sample(opening, { numRuns: 1, seed: seed * 3 + branch });
  const numbers = new Map<string, number>();
  return {
    openings: openingsOf(amounts!),
    lines: entries.flatMap(({ day, document, lines }) => {
      const place = `${day.slice(0, 7)} ${document}`;
      const entry = (numbers.get(place) ?? 0) + 1;
      numbers.set(place, entry);
      return lines.map((line) => ({ ...line, day, batch: '1', document, entry, isClosing: false }));
    }),
  };
}

/** Each system of accounts begins balanced: its first account takes the rest. */
function openingsOf(amounts: readonly bigint[]): Map<string, bigint> {
  const drawn = new Map(LEAVES.map((code, at) => [code, at % 3 === 0 ? 0n : amounts[at]!]));
  for (const leaves of [ORDINARY, MEMORANDUM]) {
    drawn.set(leaves[0]!, -add(leaves.slice(1).map((code) => drawn.get(code)!)));
  }
  return drawn;
}

// What is posted

const CLASSES: Readonly<Record<string, Pick<AccountFixture, 'nature' | 'accountClass'>>> = {
  1: { nature: 'D', accountClass: '01' },
  2: { nature: 'D', accountClass: '01' },
  3: { nature: 'D', accountClass: '05' },
  4: { nature: 'C', accountClass: '02' },
  6: { nature: 'C', accountClass: '03' },
  7: { nature: 'C', accountClass: '04' },
  8: { nature: 'D', accountClass: '04' },
  9: { nature: 'C', accountClass: '05' },
};

async function createBanks(drawn: readonly PaperBooks[]): Promise<Bank[]> {
  const accounts = CHART.map(({ code, takesEntries }): AccountFixture => {
    const type = takesEntries ? 'A' : 'S';
    return { code, description: `Conta ${code}`, type, ...CLASSES[code[0]!]! };
  });
  const banks: Bank[] = [];
  for (const [at, branch] of BRANCHES.entries()) {
    const [first] = banks;
    const shared = first && { company: first.company, chartCode: first.chartCode, accounts: [], existing: true };
    const bank = await createBank(platform.admin, { branch, accounts, ...shared });
    const account = (code: string) => bank.accounts.get(code)!;
    const closing = await platform.admin.post('masterdata', '/closuresettings', {
      company: bank.company,
      branch,
      closingMonths: CLOSING_MONTHS,
      revenueGroups: ['7'],
      expenseGroups: ['8'],
      creditResultAccountId: account('7.9'),
      debitResultAccountId: account('8.9'),
      profitAccountId: account('6.2'),
      lossAccountId: account('6.3'),
    });
    expect(closing.status, closing.text).toBe(201);
    const openings = [...drawn[at]!.openings].filter(([, cents]) => cents !== 0n);
    const table = openings.map(
      ([code, cents]) => `${code}  ${printedAmount(cents < 0n ? -cents : cents)} ${cents < 0n ? 'C' : 'D'}`,
    );
    await setOpenings(platform.admin, bank, table.join('\n'));
    banks.push(bank);
  }
  return banks;
}

async function postAndClose(bank: Bank, books: PaperBooks): Promise<void> {
  for (const month of MONTHS) {
    await openMonth(platform.admin, bank, slash(month));
    await post(platform.admin, bank, entriesOf(books.lines.filter(({ day }) => day.startsWith(month))));
    await closeMonth(platform.admin, bank, slash(month));
  }
}

/** Entries in the order in which they were numbered. */
function entriesOf(lines: readonly PaperLine[]): BookEntry[] {
  const entries = Map.groupBy(lines, ({ document, entry }) => `${document} ${entry}`);
  return [...entries.values()].map((ofEntry) => ({
    day: dayOf(ofEntry[0]!.day),
    batch: ofEntry[0]!.batch,
    document: ofEntry[0]!.document,
    lines: ofEntry.map(({ side, account, cents }) => ({
      side,
      account,
      amount: cents,
      offset: undefined,
      narration: 'x',
    })),
  }));
}

function slash(month: string): string {
  return `${month.slice(5)}/${month.slice(0, 4)}`;
}

// What is compared

async function expectPapers(bank: Bank, books: PaperBooks): Promise<void> {
  for (const month of MONTHS) {
    for (const considerClosing of isClosingMonth(month) ? [true, false] : [true]) {
      await expectTrialBalance(bank, books, month, considerClosing);
      await expectGeneralBalance(bank, books, month, considerClosing);
      await expectBalanceSheet(bank, books, month, considerClosing);
    }
    await expectDailyTrialBalance(bank, books, month);
  }
  await expectLedger(bank, books);
  await expectJournal(bank, books);
  await expectPostingListing(bank, books);
}

/** The heads of the columns, then the rows. */
async function tableOf(bank: Bank, path: string, request: Record<string, unknown>): Promise<string[][]> {
  const place = { empresa: bank.company, filial: bank.branch, visualizationEnum: 'CSV' };
  return (await print(platform.admin, path, { ...place, ...request })).cells;
}

async function rowsOf(bank: Bank, path: string, request: Record<string, unknown>): Promise<string[][]> {
  return (await tableOf(bank, path, request)).slice(1);
}

function monthRequest(month: string, considerClosing: boolean) {
  return { ano: Number(month.slice(0, 4)), mes: Number(month.slice(5)), considerClosing };
}

function isClosingMonth(month: string): boolean {
  return CLOSING_MONTHS.includes(Number(month.slice(5)));
}

/** 12345n → '123,45' */
function csv(cents: bigint): string {
  return printedAmount(cents).replaceAll('.', '');
}

interface AccountFigures {
  readonly code: string;
  readonly takesEntries: boolean;
  readonly figures: Figures;
}

function accountsIn(books: PaperBooks, from: string, to: string, closes: boolean): AccountFigures[] {
  return CHART.map((account) => ({ ...account, figures: figuresOf(books, account.code, from, to, closes) }));
}

function isShown({ figures }: AccountFigures): boolean {
  const { opening, debit, credit, closingDebit, closingCredit } = figures;
  return [opening, debit, credit, ...(GROSS.is ? [closingDebit, closingCredit] : [closingDebit - closingCredit])].some(
    (each) => each !== 0n,
  );
}

function totalOf(accounts: readonly AccountFigures[], figure: (figures: Figures) => bigint): bigint {
  return add(accounts.filter(({ takesEntries }) => takesEntries).map(({ figures }) => figure(figures)));
}

/** Columns of the monthly trial balance by their heads; `closing` is the net of the two before it. */
const COLUMNS: Readonly<Record<string, (figures: Figures) => bigint>> = {
  'Saldo anterior': ({ opening }) => opening,
  Débitos: ({ debit }) => debit,
  Créditos: ({ credit }) => credit,
  'Débitos do encerramento': ({ closingDebit }) => closingDebit,
  'Créditos do encerramento': ({ closingCredit }) => closingCredit,
  Encerramento: ({ closingDebit, closingCredit }) => closingDebit - closingCredit,
  'Saldo atual': ({ balance }) => balance,
};
/** Where the balances of one side have a sum of their own. */
const SIDED = ['Saldo anterior', 'Saldo atual'];

async function expectTrialBalance(bank: Bank, books: PaperBooks, month: string, closes: boolean): Promise<void> {
  const [heads, ...found] = await tableOf(bank, 'monthlyTrialBalance', monthRequest(month, closes));
  const names = heads!.slice(3);
  const isGross = names.includes('Débitos do encerramento');
  const accounts = accountsIn(books, `${month}-01`, lastDayOf(month), closes);
  const total = (name: string, isOfSide = (_amount: bigint) => true) =>
    totalOf(accounts, (figures) => (isOfSide(COLUMNS[name]!(figures)) ? COLUMNS[name]!(figures) : 0n));
  const isSided = (name: string) => SIDED.includes(name) || (!isGross && name === 'Encerramento');
  const side = (isOfSide: (amount: bigint) => boolean) =>
    names.map((name) => (isSided(name) ? csv(total(name, isOfSide)) : ''));
  const [debit, credit] = [
    total('Débitos') + total('Débitos do encerramento'),
    total('Créditos') + total('Créditos do encerramento'),
  ];
  const ofJournal = names.map((name) => (name === 'Débitos' ? csv(debit) : name === 'Créditos' ? csv(credit) : ''));
  expect(found.map(([code, , , ...figures]) => [code, ...figures])).toEqual([
    ...accounts
      .filter(isShown)
      .map(({ code, figures }) => [code, ...names.map((name) => csv(COLUMNS[name]!(figures)))]),
    ['', ...side((amount) => amount > 0n)],
    ['', ...side((amount) => amount < 0n)],
    ['', ...names.map((name) => csv(total(name)))],
    ...(isGross && closes && isClosingMonth(month) ? [['', ...ofJournal]] : []),
  ]);
  expect([total('Saldo anterior'), total('Saldo atual'), total('Encerramento')]).toEqual([0n, 0n, 0n]);
  GROSS.is = isGross;
}
const GROSS = { is: false };

const ASSET_SIDE = ['1', '2', '3'];

async function expectGeneralBalance(bank: Bank, books: PaperBooks, month: string, closes: boolean): Promise<void> {
  const found = await rowsOf(bank, 'cosifGeneralBalance', monthRequest(month, closes));
  const accounts = accountsIn(books, `${month}-01`, lastDayOf(month), closes);
  const isAsset = ({ code }: AccountFigures) => ASSET_SIDE.includes(code[0]!);
  const merged = (figures: Figures) => {
    const net = figures.closingDebit - figures.closingCredit;
    const [debit, credit] = GROSS.is
      ? [figures.closingDebit, figures.closingCredit]
      : [net > 0n ? net : 0n, net < 0n ? -net : 0n];
    return { ...figures, debit: figures.debit + debit, credit: figures.credit + credit };
  };
  const sideOf = (title: string, ofSide: readonly AccountFigures[]) => {
    const rows = ofSide.map((account) => ({ ...account, figures: merged(account.figures) }));
    const cells = ({ opening, debit, credit, balance }: Figures) => [opening, debit, credit, balance].map(csv);
    const figures = (['opening', 'debit', 'credit', 'balance'] as const).map((name) =>
      csv(totalOf(rows, (each) => each[name])),
    );
    return [
      [title],
      ...rows
        .filter(isShown)
        .map(({ code, figures }) => [String(code.split('.').length), code, `Conta ${code}`, ...cells(figures)]),
      ['', '', `TOTAL GERAL DO ${title}`, ...figures],
    ];
  };
  const [assets, others] = [accounts.filter(isAsset), accounts.filter((account) => !isAsset(account))];
  expect(found).toEqual([...sideOf('ATIVO', assets), ...sideOf('PASSIVO', others)]);
  expect(totalOf(assets, ({ balance }) => balance)).toBe(-totalOf(others, ({ balance }) => balance));
}

/** Both columns, in the published sign; the second is of the December before. */
type SheetPair = readonly [current: bigint, previous: bigint];

async function expectBalanceSheet(bank: Bank, books: PaperBooks, month: string, closes: boolean): Promise<void> {
  const found = await rowsOf(bank, 'patrimonialBalance', monthRequest(month, closes));
  const pairOf = (code: string): SheetPair => {
    const sign = ASSET_SIDE.includes(code[0]!) ? 1n : -1n;
    const { balance } = figuresOf(books, code, `${month}-01`, lastDayOf(month), closes);
    const before = figuresOf(books, code, '2026-01-01', '2026-01-01').opening;
    return [sign * balance, sign * before];
  };
  const rows = (...groups: readonly string[]) =>
    CHART.filter(({ code }) => groups.includes(code[0]!))
      .map(({ code }) => ({ code, pair: pairOf(code) }))
      .filter(({ pair }) => pair.some((each) => each !== 0n))
      .map(({ code, pair }) => [code, `Conta ${code}`, ...pair.map(csv)]);
  const sum = (...groups: readonly string[]) => {
    const pairs = groups.map(pairOf);
    return [add(pairs.map(([current]) => current)), add(pairs.map(([, previous]) => previous))];
  };
  const [assets, liabilities, result] = [sum('1', '2'), sum('4'), sum('7', '8')];
  const both = sum('4', '6', '7', '8');
  expect(found).toEqual([
    ['ATIVO'],
    ...rows('1', '2'),
    ['', 'Total do ativo', ...assets.map(csv)],
    ['PASSIVO E PATRIMÔNIO LÍQUIDO'],
    ...rows('4'),
    ['', 'Total do passivo', ...liabilities.map(csv)],
    ...rows('6'),
    ...(result.some((each) => each !== 0n) ? [['', 'Resultado do período', ...result.map(csv)]] : []),
    ['', 'Total do patrimônio líquido', ...sum('6', '7', '8').map(csv)],
    ['', 'Total do passivo e patrimônio líquido', ...both.map(csv)],
  ]);
  expect(assets).toEqual(both);
}

/** The first days of the month: a closing is of its last. */
async function expectDailyTrialBalance(bank: Bank, books: PaperBooks, month: string): Promise<void> {
  const days = ['01', '02', '03'].map((number) => `${month}-${number}`);
  const found = await rowsOf(bank, 'dailyTrialBalance', { dataInicio: days[0], dataFim: days.at(-1) });
  const cells = ({ opening, debit, credit, balance }: Figures) => [opening, debit, credit, balance].map(csv);
  const expected = days.flatMap((day) => {
    const accounts = accountsIn(books, day, day, true);
    const total = (['opening', 'debit', 'credit', 'balance'] as const).map((name) =>
      csv(totalOf(accounts, (each) => each[name])),
    );
    return [
      [`Dia ${brazilian(day)}`],
      ...accounts.filter(isShown).map(({ code, figures }) => [code, `Conta ${code}`, ...cells(figures)]),
      ['', `Total do dia ${brazilian(day)}`, ...total],
    ];
  });
  expect(found.map(([code, , ...rest]) => (rest.length === 0 ? [code] : [code, ...rest]))).toEqual(expected);
}

function brazilian(day: string): string {
  return day.split('-').toReversed().join('/');
}

const YEAR = { dataInicio: '2026-01-01', dataFim: '2026-12-31' };
const sideCells = ({ side, cents }: PaperLine) => (side === 'D' ? [csv(cents), ''] : ['', csv(cents)]);
const totalCells = (lines: readonly PaperLine[]) =>
  (['D', 'C'] as const).map((side) => csv(add(lines.filter((line) => line.side === side).map(({ cents }) => cents))));

async function expectLedger(bank: Bank, books: PaperBooks): Promise<void> {
  const found = await rowsOf(bank, 'relatorioRazao', YEAR);
  const ordered = inBookOrder(books.lines);
  const expected = LEAVES.flatMap((code) => {
    const lines = ordered.filter(({ account }) => account === code);
    const opening = books.openings.get(code) ?? 0n;
    if (lines.length === 0 && opening === 0n) return [];
    let balance = opening;
    const rows = lines.map((line) => {
      balance += signed(line);
      return [brazilian(line.day), line.batch, line.document, String(line.entry), ...sideCells(line), csv(balance)];
    });
    return [
      [code],
      ['', '', '', '', '', '', csv(opening)],
      ...rows,
      ['', '', '', '', ...totalCells(lines), csv(balance)],
    ];
  });
  expect(
    found.map(([first, batch, document, entry, , , ...figures]) =>
      figures.length === 0 ? [first!.split(' ')[0]] : [first, batch, document, entry, ...figures],
    ),
  ).toEqual([...expected, ['', '', '', '', ...totalCells(books.lines), '']]);
}

const MONTH_NAMES = 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(
  ' ',
);

async function expectJournal(bank: Bank, books: PaperBooks): Promise<void> {
  const found = await rowsOf(bank, 'relatorioDiarioGeral', YEAR);
  const ordered = inBookOrder(books.lines);
  const expected = [...Map.groupBy(ordered, ({ day }) => day.slice(0, 7))].flatMap(([month, ofMonth]) => [
    ...[...Map.groupBy(ofMonth, ({ day }) => day)].flatMap(([day, lines]) => [
      [`Dia ${brazilian(day)}`],
      ...lines.map((line) => [
        brazilian(day),
        `${line.batch}/${line.document}/${line.entry}`,
        line.account,
        `Conta ${line.account}`,
        line.isClosing ? 'Apuração do resultado do período' : 'x',
        ...sideCells(line),
      ]),
      ['', '', '', '', `Total do dia ${brazilian(day)}`, ...totalCells(lines)],
    ]),
    [
      '',
      '',
      '',
      '',
      `Total de ${MONTH_NAMES[Number(month.slice(5)) - 1]} de ${month.slice(0, 4)}`,
      ...totalCells(ofMonth),
    ],
  ]);
  expect(found).toEqual([...expected, ['', '', '', '', 'Total geral', ...totalCells(ordered)]]);
}

async function expectPostingListing(bank: Bank, books: PaperBooks): Promise<void> {
  const ordered = inBookOrder(books.lines);
  const orders = {
    DATE: ordered,
    BATCH: ordered.toSorted((a, b) => Number(a.isClosing) - Number(b.isClosing)),
    ACCOUNT: ordered.toSorted((a, b) => LEAVES.indexOf(a.account) - LEAVES.indexOf(b.account)),
  };
  for (const [orderBy, lines] of Object.entries(orders)) {
    const found = await rowsOf(bank, 'lancamentos', { ...YEAR, orderBy });
    expect(
      found.map(([day, batch, document, entry, account, , , , ...sides]) => [
        day,
        batch,
        document,
        entry,
        account,
        ...sides,
      ]),
    ).toEqual([
      ...lines.map((line) => [
        brazilian(line.day),
        line.batch,
        line.document,
        String(line.entry),
        line.account,
        ...sideCells(line),
      ]),
      ['', '', '', '', '', ...totalCells(lines)],
    ]);
  }
}
