import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate, firstDay, lastDay, monthNumberOf, slashOf } from '../../../accounting/period.ts';
import type { FinancialStatement, FinancialStatementRow } from '../../../accounting/statements/financial-statement.ts';
import type { Period } from '../../../accounting/statements/statement-period.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readFinancialStatement, type StatementOfPeriods } from '../statements/read-financial-statement.ts';
import { institutionNotes } from './institution-notes.ts';
import { dateInWords, monthHead, monthInWords } from './report-head.ts';
import type { FinancialStatementRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows, DIFFERENCE, differenceWarning } from './table-rows.ts';

/** Most periods side by side, a comparative among them: as many columns as the wide template has. */
const MAX_COLUMNS = 13;

/** A balance sheet or an income statement by the lines of its definition, a column for each period. */
export async function financialStatement(
  source: ReportSource,
  request: FinancialStatementRequest,
): Promise<ReportContent> {
  const { statement, ...shown } = await readFinancialStatement(source, request);
  const isSheet = request.type === 'BP';
  return {
    ...periodsHead(shown, source.now, isSheet),
    warnings: [
      ...differenceWarning(
        'ativo e passivo com patrimônio líquido',
        statement.differences.map((amount, at) => ({ when: columnTitle(shown.periods[at]!, isSheet), amount })),
      ),
      ...placementWarnings(statement),
      ...(isSheet ? [] : broughtWarning(shown)),
      ...institutionNotes(shown),
    ],
    rows: chunkRows(isSheet ? sheetRows(statement, request) : resultRows(statement, request)),
  };
}

/** Title, dated columns and places to sign of a statement of one period or several. */
export function periodsHead(
  shown: StatementOfPeriods,
  now: Date,
  isOfDays: boolean,
): Pick<ReportContent, 'values' | 'signatures' | 'without'> {
  const { periods, definition, isCompared } = shown;
  const head = monthHead(shown, now);
  const [latest] = periods as [Period];
  // Periods side by side are one span of time; a comparative is none of it.
  const { from } = isCompared ? latest : periods.at(-1)!;
  const when = isOfDays ? `em ${dateInWords(lastDay(latest.to))}` : `de ${periodInWords({ from, to: latest.to })}`;
  const titles = Object.fromEntries(periods.map((period, at) => [`p${at + 1}`, columnTitle(period, isOfDays)]));
  const keys = Array.from({ length: MAX_COLUMNS }, (_, at) => `p${at + 1}`);
  return {
    ...head,
    values: { ...head.values, ...titles, name: definition.name, title: `${definition.name} ${when}` },
    without: keys.slice(periods.length),
  };
}

/** 'janeiro de 2026', '1º de janeiro a 31 de dezembro de 2026' */
function periodInWords({ from, to }: Period): string {
  if (from === to) return monthInWords(to).toLowerCase();
  const [first, last] = [dateInWords(firstDay(from)), dateInWords(lastDay(to))];
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${isOneYear ? first.slice(0, -' de 2026'.length) : first} a ${last}`;
}

/** '31/12/2026' of balances; '12/2026', '01 a 12/2026' of what moved. */
export function columnTitle({ from, to }: Period, isOfDays: boolean): string {
  if (isOfDays) return brazilianDate(lastDay(to));
  if (from === to) return slashOf(to);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${isOneYear ? String(monthNumberOf(from)).padStart(2, '0') : slashOf(from)} a ${slashOf(to)}`;
}

type Shown = Pick<FinancialStatementRequest, 'showZeroBalances' | 'level'>;

function isShown({ level, amounts }: FinancialStatementRow, request: Shown): boolean {
  if (level === 1) return true;
  return level <= (request.level ?? Number.POSITIVE_INFINITY) && (request.showZeroBalances || isMoved(amounts));
}

function isMoved(amounts: readonly Centavos[]): boolean {
  return amounts.some((amount) => amount !== 0n);
}

/** Each side under its heading, totals before their parts, and the total of the side at its end. */
function sheetRows({ rows, differences }: FinancialStatement<StatementAccountRow>, request: Shown): TableRow[] {
  const starts = rows.flatMap(({ level }, at) => (level === 1 ? [at] : []));
  const printed = starts.flatMap((start, at): TableRow[] => {
    const side = rows[start]!;
    const text = side.line!.description;
    return [
      { kind: 'section', cells: { text }, bookmark: text },
      ...rows
        .slice(start + 1, starts[at + 1])
        .filter((row) => isShown(row, request))
        .map((row) => lineRow(row, isTotal(row) ? 'subtotal' : 'detail')),
      amountRow('total', `Total do ${text.toLowerCase()}`, side.amounts),
    ];
  });
  return isMoved(differences) ? [...printed, amountRow('total', DIFFERENCE, differences)] : printed;
}

/** Totals after their parts, as a result is read; each but the last under a heading of its own. */
function resultRows({ rows }: FinancialStatement<StatementAccountRow>, request: Shown): TableRow[] {
  const shown = rows.filter((row) => isShown(row, request));
  const printed: TableRow[] = [];
  const open: FinancialStatementRow[] = [];
  const closeTo = (level: number) => {
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const total = open.pop()!;
      printed.push(lineRow(total, total.level === 1 ? 'total' : 'subtotal'));
    }
  };
  for (const row of shown) {
    closeTo(row.level);
    if (!isTotal(row) || !hasShownParts(shown, row)) printed.push(lineRow(row, isTotal(row) ? 'subtotal' : 'detail'));
    else {
      if (row.level > 1) printed.push({ kind: 'group', level: row.level - 1, cells: { text: row.line!.description } });
      open.push(row);
    }
  }
  closeTo(0);
  return printed;
}

function isTotal({ line }: FinancialStatementRow): boolean {
  return line?.indicator === 'T';
}

function hasShownParts(rows: readonly FinancialStatementRow[], total: FinancialStatementRow): boolean {
  return (rows[rows.indexOf(total) + 1]?.level ?? 0) > total.level;
}

const NAMES = { OPEN_RESULT: 'Resultado do período', UNPLACED: 'Contas sem linha' } as const;

function lineRow({ source, line, level, amounts }: FinancialStatementRow, kind: TableRow['kind']): TableRow {
  const row = amountRow(kind, source === 'LINE' ? line!.description : NAMES[source], amounts);
  return { ...row, level: Math.max(1, level - 1), cells: { ...row.cells, line: line?.code ?? '' } };
}

export function amountRow(kind: TableRow['kind'], name: string, amounts: readonly Centavos[]): TableRow {
  const cells = Object.fromEntries(amounts.map((amount, at) => [`p${at + 1}`, decimalOf(amount)]));
  return { kind, cells: { name, ...cells } };
}

/** Accounts that the definition leaves out, or counts for two lines. */
function placementWarnings({ unplaced, onTwoLines }: FinancialStatement<StatementAccountRow>): string[] {
  const twice = onTwoLines.map(({ account, lines }) => `${account.code} (${lines.join(', ')})`);
  return [
    ...(unplaced.length === 0
      ? []
      : [`ATENÇÃO: contas com valor em nenhuma linha da demonstração: ${firstOf(unplaced.map(({ code }) => code))}`]),
    ...(twice.length === 0 ? [] : [`ATENÇÃO: contas em mais de uma linha, somadas só na primeira: ${firstOf(twice)}`]),
  ];
}

/** Accounts that a warning names. */
const MAX_NAMED = 20;

function firstOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` e mais ${more}` : ''}`;
}

/** A period that begins before the books has what the base balances brought. */
function broughtWarning({ periods, baseMonth }: StatementOfPeriods): string[] {
  if (periods.every(({ from }) => from >= baseMonth)) return [];
  return [`ATENÇÃO: os livros começam em ${slashOf(baseMonth)}; o resultado anterior entra pelos saldos iniciais`];
}
