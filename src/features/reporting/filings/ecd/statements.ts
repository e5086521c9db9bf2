import type { Centavos } from '../../../../accounting/money.ts';
import { addMonths, type Day, firstDay, lastDay, type Month, monthOfDay } from '../../../../accounting/period.ts';
import { BusinessError, type Problem } from '../../../../accounting/problem.ts';
import type { EquityChanges } from '../../../../accounting/statements/equity-changes.ts';
import type {
  FinancialStatement,
  FinancialStatementRow,
} from '../../../../accounting/statements/financial-statement.ts';
import type { StatementKind } from '../../../../accounting/statements/statement-definition.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { readResultMoved } from '../../../closing/balances/read-balances.ts';
import { type StatementAccountRow, selectStatementAccounts } from '../../../master-data/chart/chart.read.sql.ts';
import type { StatementRow } from '../../../master-data/statements/statements.read.sql.ts';
import { chooseDefinition } from '../../statements/choose-definition.ts';
import { balancesAt } from '../../statements/read-balance-sheet.ts';
import { readEquityChanges } from '../../statements/read-equity-changes.ts';
import { placeOnLines } from '../../statements/read-financial-statement.ts';
import type { EcdBooks } from './ecd-books.ts';
import type { Origin } from './ecd-file.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { dayInFile, type EcdLine, fileAmount, fileDay, type LineMaker, sided, sideOf } from './ecd-line.ts';
import { profileOrigin } from './head.ts';

/** Registers J005 to J215, and what I052 says of accounts. */
export interface EcdStatements {
  readonly lines: readonly EcdLine[];
  /** COD_AGL by account. */
  readonly lineCodes: ReadonlyMap<number, ReadonlySet<string>>;
}

const NO_STATEMENTS: EcdStatements = { lines: [], lineCodes: new Map() };

interface Span {
  readonly from: Month;
  readonly to: Month;
}

interface Making {
  readonly sql: Transaction;
  readonly books: EcdBooks;
  readonly make: LineMaker;
  readonly findings: EcdFindings;
  readonly accounts: readonly StatementAccountRow[];
  readonly used: ReadonlySet<number>;
  readonly lineCodes: Map<number, Set<string>>;
}

/** The statements of the company's profile, made by what prints them; amounts between branches are not eliminated. */
export async function readStatements(
  sql: Transaction,
  books: EcdBooks,
  make: LineMaker,
  findings: EcdFindings,
): Promise<EcdStatements> {
  const spans = spansOf(books);
  if (spans.length === 0) return NO_STATEMENTS;
  const definitions = await chooseDefinitions(sql, books, spans.at(-1)!.to, findings);
  if (definitions === undefined) return NO_STATEMENTS;
  const accounts = await selectStatementAccounts(sql, books.institution.chartId);
  const used = new Set<number>(books.used.map(({ id }) => id));
  const making: Making = { sql, books, make, findings, accounts, used, lineCodes: new Map() };
  const lines: EcdLine[] = [];
  for (const span of spans) {
    lines.push(make.line('J005', [...daysOf(span, books).map(fileDay), '1', '']));
    lines.push(...(await balanceSheet(making, definitions.sheet, span)));
    lines.push(...(await incomeStatement(making, definitions.income, span)));
    lines.push(...(await equityStatement(making, span)));
  }
  return { lines, lineCodes: making.lineCodes };
}

/** The fiscal year that ends in the file, or its half-years; not from before the books begin. */
function spansOf({ request, months, fiscalYearEnd, institution }: EcdBooks): Span[] {
  const end = monthOfDay(fiscalYearEnd);
  const ends = request.semestral ? [addMonths(end, -6), end, addMonths(end, 6)] : [end];
  const length = request.semestral ? 6 : 12;
  return ends
    .filter((to) => months.includes(to))
    .map((to) => ({ from: [addMonths(to, 1 - length), institution.baseMonth].toSorted().at(-1)!, to }));
}

function daysOf({ from, to }: Span, { request }: EcdBooks): [Day, Day] {
  // A fiscal year may begin before the file.
  const first = from < monthOfDay(request.from) ? firstDay(from) : dayInFile(request, firstDay(from));
  return [first, dayInFile(request, lastDay(to))];
}

async function chooseDefinitions(
  sql: Transaction,
  { profile, institution }: EcdBooks,
  month: Month,
  findings: EcdFindings,
): Promise<{ readonly sheet: StatementRow; readonly income: StatementRow } | undefined> {
  const choose = (kind: StatementKind, id: number | null) =>
    chooseDefinition(sql, institution.chartId, kind, { month, definition: id ?? undefined });
  try {
    return {
      sheet: await choose('BP', profile.balanceSheetId),
      income: await choose('DRE', profile.incomeStatementId),
    };
  } catch (error) {
    for (const problem of problemsOf(error)) {
      findings.add(
        faulty('J005', `Faltam as demonstrações do fim do exercício: ${problem.code}`, undefined, STATEMENTS),
      );
    }
    return undefined;
  }
}

const STATEMENTS: Origin = { resource: 'statement', path: '/statements' };

/** Register J100: at the end of the span, and before it. */
async function balanceSheet(making: Making, definition: StatementRow, { from, to }: Span): Promise<EcdLine[]> {
  const { sql, books, accounts } = making;
  const source = { sql, tenant: books.institution };
  const at = async (month: Month) => (await balancesAt(source, month, books.institution.baseMonth, true)) ?? new Map();
  const columns = [await at(to), await at(addMonths(from, -1))];
  const placed = await placeOnLines(sql, { type: 'BP', definition, day: lastDay(to), accounts, columns });
  findFaults('J100', making, definition, placed.statement);
  return keptRows(making, placed).map(({ line, group, amounts }) => {
    const { code, indicator, level, parentCode, description, note } = line!;
    const [final, initial] = amounts.map((amount) => (group === 'A' ? amount : -amount)) as [Centavos, Centavos];
    return making.make.line(
      'J100',
      [code, indicator, level, parentCode, group, description, ...sided(initial), ...sided(final), note],
      originOf(definition),
    );
  });
}

/** Register J150: what moved in the span, and in the one of the same length right before it. */
async function incomeStatement(making: Making, definition: StatementRow, { from, to }: Span): Promise<EcdLine[]> {
  const { sql, books, accounts } = making;
  const moved = (first: Month, last: Month) => readResultMoved(sql, books.institution, first, last);
  const length = books.request.semestral ? 6 : 12;
  const before: Span = { from: addMonths(to, 1 - 2 * length), to: addMonths(to, -length) };
  const isKnown = before.to >= books.institution.baseMonth;
  const columns = [await moved(from, to), ...(isKnown ? [await moved(before.from, before.to)] : [])];
  const placed = await placeOnLines(sql, { type: 'DRE', definition, day: lastDay(to), accounts, columns });
  findFaults('J150', making, definition, placed.statement);
  return keptRows(making, placed).map(({ line, group, amounts: [final, earlier] }, at) => {
    const { code, indicator, level, parentCode, description, note } = line!;
    const initial = earlier === undefined ? ['', ''] : sided(-earlier);
    return making.make.line(
      'J150',
      [at + 1, code, indicator, level, parentCode, description, ...initial, ...sided(-final!), group, note],
      originOf(definition),
    );
  });
}

/** Registers J210 and J215: what changed the equity, where the profile names a statement of it. */
async function equityStatement(making: Making, { from, to }: Span): Promise<EcdLine[]> {
  const { sql, books, make, findings } = making;
  const { equityStatementId } = books.profile;
  if (equityStatementId === null) return [];
  const found = await readEquity(sql, books, equityStatementId, { from, to }).catch((error: unknown) => {
    for (const problem of problemsOf(error)) {
      const message = `A demonstração das mutações do patrimônio não pôde ser feita: ${problem.code}`;
      findings.add(faulty('J210', message, undefined, profileOrigin(books)));
    }
  });
  if (found === undefined) return [];
  const { definition, changes, placement } = found;
  const kind = definition.kind === 'DLPA' ? '0' : '1';
  const origin = originOf(definition);
  return changes.columns.flatMap(({ code, description, opening, closing }, at) => {
    const ofLine = (placement.get(code) ?? []).filter(({ id }) => making.used.has(id));
    if (ofLine.length === 0) return [];
    for (const { id } of ofLine) noteLine(making, id, code);
    const facts = changes.changes.filter(({ amounts }) => amounts[at] !== 0n);
    return [
      make.line('J210', [kind, code, description, ...sided(-opening), ...sided(-closing), ''], origin),
      ...facts.map((fact) => {
        const amount = -fact.amounts[at]!;
        return make.line('J215', [fact.code, fact.description, fileAmount(amount), sideOf(amount)], origin);
      }),
    ];
  });
}

async function readEquity(sql: Transaction, { institution, accounts }: EcdBooks, id: number, { to }: Span) {
  const { definition, statements, placement } = await readEquityChanges(
    { sql, tenant: institution },
    {
      ...{ type: 'DMPL', definition: id, month: to, length: 'YEAR', periods: 1, comparative: 'NONE' },
      ...{ considerClosing: true, showZeroBalances: false },
    },
  );
  return { definition, changes: statements[0] as EquityChanges, placement: placement.byLine, accounts };
}

/** Lines whose accounts are in the file, and the totals above them; level 1 always. Their accounts are noted for I052. */
function keptRows(
  making: Making,
  { statement, made }: Awaited<ReturnType<typeof placeOnLines>>,
): readonly FinancialStatementRow[] {
  const kept = new Set<string>();
  const parents = new Map(made.lines.map(({ code, parentCode }) => [code, parentCode]));
  for (const [code, accounts] of made.placement.byLine) {
    const used = accounts.filter(({ id }) => making.used.has(id));
    for (const { id } of used) noteLine(making, id, code);
    for (let each: string | null | undefined = used.length > 0 ? code : null; each; each = parents.get(each))
      kept.add(each);
  }
  return statement.rows.filter(({ line }) => line !== null && (line.level === 1 || kept.has(line.code)));
}

function noteLine({ lineCodes }: Making, account: number, code: string): void {
  const codes = lineCodes.get(account) ?? new Set();
  lineCodes.set(account, codes.add(code));
}

/** What a statement shows besides its lines has no place in the file. */
function findFaults(
  register: string,
  { findings }: Making,
  definition: StatementRow,
  { rows, unplaced, onTwoLines, differences }: FinancialStatement<StatementAccountRow>,
): void {
  const origin = originOf(definition);
  for (const { code } of unplaced) findings.add(faulty(register, 'A conta não está em nenhuma linha.', code, origin));
  for (const { account } of onTwoLines)
    findings.add(faulty(register, 'A conta está em duas linhas.', account.code, origin));
  if (rows.some(({ source, amounts }) => source === 'OPEN_RESULT' && amounts.some((amount) => amount !== 0n)))
    findings.add(faulty(register, 'O resultado não está encerrado; o balanço não fecha sem ele.', undefined, CLOSING));
  if (differences.some((difference) => difference !== 0n))
    findings.add(faulty(register, 'O ativo e o passivo não são iguais.', undefined, origin));
}

const CLOSING: Origin = { resource: 'closure_settings', path: '/closuresettings' };

function originOf({ id, code }: StatementRow): Origin {
  return { resource: 'statement', id, code, path: `/statements/${id}/lines` };
}

function faulty(register: string, message: string, value: string | undefined, origin: Origin) {
  return { rule: 'PARTIDAS_DEMONSTRACAO', severity: 'AVISO', register, value, message, origin } as const;
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof BusinessError) return error.problems;
  throw error;
}
