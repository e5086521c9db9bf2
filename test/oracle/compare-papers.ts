import { expect } from 'vitest';
import { printedAmount } from '../support/amounts.ts';
import type { Client } from '../support/platform.ts';
import { print } from '../support/report-books.ts';
import {
  type AccountFigures,
  accountFigures,
  add,
  CLOSING_MONTHS,
  type Figures,
  inBookOrder,
  LEAVES,
  lastDayOf,
  type PaperBooks,
  type PaperLine,
  type Span,
  signed,
} from './plain-papers.ts';

/** Where papers are asked for, and the books that they are of. The branch * is the institution. */
export interface PaperOwner {
  readonly client: Client;
  readonly company: string;
  readonly branch: string;
  readonly books: PaperBooks;
}

/** Compares every paper of the months, which are one year, row by row; words aside, which belong to the golden files. */
export async function expectPapers(owner: PaperOwner, months: readonly string[]): Promise<void> {
  for (const month of months) {
    const isTurning = TURNING_MONTHS.includes(Number(month.slice(5)));
    for (const closes of isClosing(month) ? [true, false] : [true]) {
      const span = { from: `${month}-01`, to: lastDayOf(month), closes, eliminates: isInstitution(owner) };
      await expectTrialBalance(owner, span);
      if (!isTurning) continue;
      await expectGeneralBalance(owner, span);
      await expectBalanceSheet(owner, span);
      await expectStatement(owner, span);
    }
    if (isTurning) await expectDailyTrialBalance(owner, month);
  }
  await expectIncomeStatement(owner, months);
  const year = { dataInicio: `${months[0]}-01`, dataFim: lastDayOf(months.at(-1)!) };
  await expectLedger(owner, year);
  await expectJournal(owner, year);
  await expectPostingListing(owner, year);
}

/** The first and the last of both semesters, and one between: what the others show follows from the trial balance. */
const TURNING_MONTHS = [1, 3, 6, 7, 12];

function isClosing(month: string): boolean {
  return CLOSING_MONTHS.includes(Number(month.slice(5)));
}

function isInstitution({ branch }: PaperOwner): boolean {
  return branch === '*';
}

async function tableOf(
  { client, company, branch }: PaperOwner,
  path: string,
  request: Record<string, unknown>,
): Promise<{ heads: string[]; rows: string[][] }> {
  const place = { empresa: company, filial: branch, visualizationEnum: 'CSV' };
  const [heads = [], ...rows] = (await print(client, path, { ...place, ...request })).cells;
  return { heads, rows };
}

const monthOf = ({ from, closes }: Pick<Span, 'from' | 'closes'>) => ({
  ano: Number(from.slice(0, 4)),
  mes: Number(from.slice(5, 7)),
  considerClosing: closes,
});

/** 12345n → '123,45' */
function csv(cents: bigint): string {
  return printedAmount(cents).replaceAll('.', '');
}

function isShown({ figures: { opening, debit, credit, closingDebit, closingCredit } }: AccountFigures): boolean {
  return [opening, debit, credit, closingDebit, closingCredit].some((each) => each !== 0n);
}

function totalOf(accounts: readonly AccountFigures[], figure: (figures: Figures) => bigint): bigint {
  return add(accounts.filter(({ takesEntries }) => takesEntries).map(({ figures }) => figure(figures)));
}

/** Columns of the monthly trial balance by their heads. */
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

async function expectTrialBalance(owner: PaperOwner, span: Span): Promise<void> {
  const { heads, rows } = await tableOf(owner, 'monthlyTrialBalance', monthOf(span));
  const names = heads.slice(3);
  expect(names).toEqual(Object.keys(COLUMNS));
  const accounts = accountFigures(owner.books, span);
  const total = (name: string, isOfSide = (_amount: bigint) => true) =>
    totalOf(accounts, (figures) => (isOfSide(COLUMNS[name]!(figures)) ? COLUMNS[name]!(figures) : 0n));
  const side = (isOfSide: (amount: bigint) => boolean) =>
    names.map((name) => (SIDED.includes(name) ? csv(total(name, isOfSide)) : ''));
  const ofJournal: Readonly<Record<string, string>> = {
    Débitos: csv(total('Débitos') + total('Débitos do encerramento')),
    Créditos: csv(total('Créditos') + total('Créditos do encerramento')),
  };
  expect(rows.map(([code, , , ...figures]) => [code, ...figures])).toEqual([
    ...accounts
      .filter(isShown)
      .map(({ code, figures }) => [code, ...names.map((name) => csv(COLUMNS[name]!(figures)))]),
    ['', ...side((amount) => amount > 0n)],
    ['', ...side((amount) => amount < 0n)],
    ['', ...names.map((name) => csv(total(name)))],
    ...(span.closes && isClosing(span.from.slice(0, 7)) ? [['', ...names.map((name) => ofJournal[name] ?? '')]] : []),
  ]);
  expect([total('Saldo anterior'), total('Saldo atual'), total('Encerramento')]).toEqual([0n, 0n, 0n]);
}

const ASSET_SIDE = ['1', '2', '3'];

/** Opening, debits, credits and balance, closing entries within debits and credits. */
function mergedCells({ opening, debit, credit, closingDebit, closingCredit, balance }: Figures): string[] {
  return [opening, debit + closingDebit, credit + closingCredit, balance].map(csv);
}

function mergedTotal(accounts: readonly AccountFigures[]): string[] {
  const total = (figure: (figures: Figures) => bigint) => totalOf(accounts, figure);
  return [
    total(({ opening }) => opening),
    total(({ debit, closingDebit }) => debit + closingDebit),
    total(({ credit, closingCredit }) => credit + closingCredit),
    total(({ balance }) => balance),
  ].map(csv);
}

async function expectGeneralBalance(owner: PaperOwner, span: Span): Promise<void> {
  const { rows } = await tableOf(owner, 'cosifGeneralBalance', monthOf(span));
  const accounts = accountFigures(owner.books, span);
  const isAsset = ({ code }: AccountFigures) => ASSET_SIDE.includes(code[0]!);
  const [assets, others] = [accounts.filter(isAsset), accounts.filter((account) => !isAsset(account))];
  const sideOf = (title: string, ofSide: readonly AccountFigures[]) => [
    [title],
    ...ofSide.filter(isShown).map(({ code, level, figures }) => [String(level), code, ...mergedCells(figures)]),
    ['', '', ...mergedTotal(ofSide)],
  ];
  expect(
    rows.map(([level = '', code = '', _name, ...figures]) =>
      figures.length === 0 ? [level] : [level, code, ...figures],
    ),
  ).toEqual([...sideOf('ATIVO', assets), ...sideOf('PASSIVO', others)]);
  expect(totalOf(assets, ({ balance }) => balance)).toBe(-totalOf(others, ({ balance }) => balance));
}

/** Both columns in the published sign; the second is of the December before, which the books begin with. */
async function expectBalanceSheet(owner: PaperOwner, span: Span): Promise<void> {
  const { rows } = await tableOf(owner, 'patrimonialBalance', monthOf(span));
  const before = { from: span.from.replace(/-\d\d-\d\d$/, '-01-01'), eliminates: span.eliminates, closes: true };
  const current = accountFigures(owner.books, span).map(({ figures, ...account }) => ({
    ...account,
    balance: figures.balance,
  }));
  const previous = accountFigures({ ...owner.books, lines: [] }, { ...before, to: before.from }).map(
    ({ figures, ...account }) => ({
      ...account,
      balance: figures.balance,
    }),
  );
  const pairs = sheetPairs(current, previous);
  const ofGroups = (groups: readonly string[]) => pairs.filter(({ code }) => groups.includes(code[0]!));
  const accountRows = (...groups: readonly string[]) =>
    ofGroups(groups)
      .filter(({ pair }) => pair.some((each) => each !== 0n))
      .map(({ code, pair }) => [code, ...pair.map(csv)]);
  const sum = (...groups: readonly string[]) =>
    [0, 1].map((at) => add(ofGroups(groups).map(({ pair, takesEntries }) => (takesEntries ? pair[at]! : 0n))));
  const result = sum('7', '8');
  expect(rows.map(([code, , ...figures]) => [code, ...figures])).toEqual([
    ['ATIVO'],
    ...accountRows('1', '2'),
    ['', ...sum('1', '2').map(csv)],
    ['PASSIVO E PATRIMÔNIO LÍQUIDO'],
    ...accountRows('4'),
    ['', ...sum('4').map(csv)],
    ...accountRows('6'),
    ...(result.some((each) => each !== 0n) ? [['', ...result.map(csv)]] : []),
    ['', ...sum('6', '7', '8').map(csv)],
    ['', ...sum('4', '6', '7', '8').map(csv)],
  ]);
  expect(sum('1', '2')).toEqual(sum('4', '6', '7', '8'));
}

type SheetAccount = Omit<AccountFigures, 'figures'> & { readonly balance: bigint };

/** Accounts of either column; what is not eliminated may stand on another side in each. */
function sheetPairs(current: readonly SheetAccount[], previous: readonly SheetAccount[]) {
  const keyOf = ({ code, takesEntries }: SheetAccount) => `${code} ${takesEntries}`;
  const balances = (accounts: readonly SheetAccount[]) => new Map(accounts.map((each) => [keyOf(each), each.balance]));
  const [now, before] = [balances(current), balances(previous)];
  const missing = previous.filter((account) => !now.has(keyOf(account)));
  const all = missing.reduce((accounts: readonly SheetAccount[], account) => {
    const last = accounts.findLastIndex(({ code }) => code === account.code || code.startsWith(`${account.code}.`));
    return accounts.toSpliced(last + 1, 0, account);
  }, current);
  return all.map((account) => {
    const sign = ASSET_SIDE.includes(account.code[0]!) ? 1n : -1n;
    const pair = [now, before].map((balances) => sign * (balances.get(keyOf(account)) ?? 0n));
    return { code: account.code, takesEntries: account.takesEntries, pair };
  });
}

/** The rows of a statement that are not all zero, by the code of their line, or by their name where they have none. */
async function statementOf(owner: PaperOwner, request: Record<string, unknown>): Promise<Map<string, string[]>> {
  const { rows } = await tableOf(owner, 'demonstracao', { comparativo: 'NONE', ...request });
  const amounts = rows.filter((row) => row.length > 1).map(([code, name, ...cells]) => [code || name!, cells] as const);
  return new Map(amounts.filter(([, cells]) => cells.some((cell) => cell !== '0,00')));
}

/** Amounts by line, a column each period, as `statementOf` has them. */
function statementLines(lines: Readonly<Record<string, readonly bigint[]>>): Map<string, string[]> {
  const moved = Object.entries(lines).filter(([, amounts]) => amounts.some((each) => each !== 0n));
  return new Map(moved.map(([line, amounts]) => [line, amounts.map(csv)]));
}

/** The balance sheet by its definition: a line for each account of the second level. */
async function expectStatement(owner: PaperOwner, span: Span): Promise<void> {
  const found = await statementOf(owner, { tipo: 'BP', periodo: 'MES', ...monthOf(span) });
  const balances = accountFigures(owner.books, span).map(({ code, level, figures }) => ({
    code,
    level,
    amount: ASSET_SIDE.includes(code[0]!) ? figures.balance : -figures.balance,
  }));
  const group = (...codes: readonly string[]) =>
    add(balances.filter(({ code }) => codes.includes(code)).map(({ amount }) => amount));
  const lines = balances
    .filter(({ code, level }) => level === 2 && /^[1246]/.test(code))
    .map(({ code, amount }) => [`${/^[12]/.test(code) ? 'A' : 'P'}${code}`, [amount]]);
  expect(found).toEqual(
    statementLines({
      ...Object.fromEntries(lines),
      'Total do ativo': [group('1', '2')],
      PE: [group('4')],
      PL: [group('6', '7', '8')],
      'Resultado do período': [group('7', '8')],
      'Total do passivo e patrimônio líquido': [group('4', '6', '7', '8')],
    }),
  );
}

/** By its definition, the year's months, its halves and the whole of it side by side: what moved without closing. */
async function expectIncomeStatement(owner: PaperOwner, months: readonly string[]): Promise<void> {
  const last = monthOf({ from: `${months.at(-1)!}-01`, closes: true });
  const months12 = months.map((month) => [`${month}-01`, lastDayOf(month)] as const);
  const halves = [0, 6].map((at) => [months12[at]![0], months12[at + 5]![1]] as const);
  const whole = [[months12[0]![0], months12[11]![1]] as const];
  for (const [periodo, periods] of Object.entries({ MES: months12, SEMESTRE: halves, ANO: whole })) {
    const found = await statementOf(owner, { tipo: 'DRE', periodo, periodos: periods.length, ...last });
    const moved = periods.toReversed().map(([from, to]) => {
      const figures = accountFigures(owner.books, { from, to, closes: false, eliminates: isInstitution(owner) });
      return (code: string) => {
        const { debit, credit } = figures.find((each) => each.code === code)!.figures;
        return credit - debit;
      };
    });
    const line = (...codes: readonly string[]) => moved.map((amountOf) => add(codes.map(amountOf)));
    expect(found).toEqual(
      statementLines({
        'R7.1': line('7.1'),
        'R7.9': line('7.9'),
        RR: line('7'),
        'D8.1': line('8.1'),
        'D8.9': line('8.9'),
        RD: line('8'),
        R: line('7', '8'),
      }),
    );
  }
}

/** The first days of the month and its last, on which a closing is. */
async function expectDailyTrialBalance(owner: PaperOwner, month: string): Promise<void> {
  for (const [from, to] of [
    [`${month}-01`, `${month}-03`],
    [lastDayOf(month), lastDayOf(month)],
  ] as const) {
    const days = ['01', '02', '03'].map((number) => `${month}-${number}`).filter((day) => day >= from && day <= to);
    const { rows } = await tableOf(owner, 'dailyTrialBalance', { dataInicio: from, dataFim: to });
    const expected = (days.length === 0 ? [to] : days).flatMap((day) => {
      const accounts = accountFigures(owner.books, {
        from: day,
        to: day,
        closes: true,
        eliminates: isInstitution(owner),
      });
      return [
        [`Dia ${brazilian(day)}`],
        ...accounts.filter(isShown).map(({ code, figures }) => [code, ...mergedCells(figures)]),
        ['', ...mergedTotal(accounts)],
      ];
    });
    expect(rows.map(([code, , , ...figures]) => [code, ...figures])).toEqual(expected);
  }
}

function brazilian(day: string): string {
  return day.split('-').toReversed().join('/');
}

type Year = Readonly<Record<'dataInicio' | 'dataFim', string>>;

const sideCells = ({ side, cents }: PaperLine) => (side === 'D' ? [csv(cents), ''] : ['', csv(cents)]);

function turnover(lines: readonly PaperLine[]): string[] {
  return (['D', 'C'] as const).map((side) =>
    csv(add(lines.filter((line) => line.side === side).map(({ cents }) => cents))),
  );
}

/** The cells of these columns, those of titles alone as they are; a column that the paper has not is empty. */
function pick({ heads, rows }: { heads: string[]; rows: string[][] }, ...names: readonly string[]): string[][] {
  const places = names.map((name) => heads.indexOf(name));
  return rows.map((row) => (row.length === 1 ? row : places.map((place) => row[place] ?? '')));
}

const branchCell = (owner: PaperOwner, { branch }: PaperLine) => (isInstitution(owner) ? branch : '');

async function expectLedger(owner: PaperOwner, year: Year): Promise<void> {
  const table = await tableOf(owner, 'relatorioRazao', year);
  const ordered = inBookOrder(owner.books.lines);
  const expected = LEAVES.flatMap((code) => {
    const lines = ordered.filter(({ account }) => account === code);
    const opening = owner.books.openings.get(code) ?? 0n;
    if (lines.length === 0 && opening === 0n) return [];
    let balance = opening;
    const rows = lines.map((line) => {
      balance += signed(line);
      const place = [brazilian(line.day), branchCell(owner, line), line.batch, line.document, String(line.entry)];
      return [...place, ...sideCells(line), csv(balance)];
    });
    const nowhere = ['', '', '', '', ''];
    return [[code], [...nowhere, '', '', csv(opening)], ...rows, [...nowhere, ...turnover(lines), csv(balance)]];
  });
  const found = pick(table, 'Data', 'Filial', 'Lote', 'Documento', 'Lançamento', 'Débito', 'Crédito', 'Saldo');
  expect(found.map((row) => (row.length === 1 ? [row[0]!.split(' ')[0]] : row))).toEqual([
    ...expected,
    ['', '', '', '', '', ...turnover(ordered), ''],
  ]);
}

async function expectJournal(owner: PaperOwner, year: Year): Promise<void> {
  const table = await tableOf(owner, 'relatorioDiarioGeral', year);
  const ordered = inBookOrder(owner.books.lines);
  const totalRow = (lines: readonly PaperLine[]) => ['', '', '', '', ...turnover(lines)];
  const expected = [...Map.groupBy(ordered, ({ day }) => day.slice(0, 7)).values()].flatMap((ofMonth) => [
    ...[...Map.groupBy(ofMonth, ({ day }) => day)].flatMap(([day, lines]) => [
      [`Dia ${brazilian(day)}`],
      ...lines.map((line) => [
        brazilian(day),
        branchCell(owner, line),
        `${line.batch}/${line.document}/${line.entry}`,
        line.account,
        ...sideCells(line),
      ]),
      totalRow(lines),
    ]),
    totalRow(ofMonth),
  ]);
  const found = pick(table, 'Data', 'Filial', 'Lote/Doc./Lanç.', 'Conta', 'Débito', 'Crédito');
  expect(found).toEqual([...expected, totalRow(ordered)]);
}

async function expectPostingListing(owner: PaperOwner, year: Year): Promise<void> {
  const ordered = inBookOrder(owner.books.lines);
  const orders = {
    DATE: ordered,
    BATCH: ordered.toSorted((a, b) => a.branch.localeCompare(b.branch) || Number(a.isClosing) - Number(b.isClosing)),
    ACCOUNT: ordered.toSorted((a, b) => LEAVES.indexOf(a.account) - LEAVES.indexOf(b.account)),
  };
  for (const [orderBy, lines] of Object.entries(orders)) {
    const table = await tableOf(owner, 'lancamentos', { ...year, orderBy });
    const found = pick(table, 'Data', 'Filial', 'Lote', 'Doc.', 'Lanç.', 'Conta', 'Débito', 'Crédito');
    expect(found).toEqual([
      ...lines.map((line) => [
        brazilian(line.day),
        branchCell(owner, line),
        line.batch,
        line.document,
        String(line.entry),
        line.account,
        ...sideCells(line),
      ]),
      ['', '', '', '', '', '', ...turnover(lines)],
    ]);
  }
}
