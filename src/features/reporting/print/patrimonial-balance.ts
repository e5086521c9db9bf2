import { balanceOf, type Movement } from '../../../accounting/balance.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { addMonths, type Month, monthNumberOf } from '../../../accounting/period.ts';
import { type StatementSection, sectionsOf } from '../../../accounting/statement-section.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import { readMonth } from '../../closing/balances/read-balances.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { accountsInRange, readOpenedMonth } from './account-balances.ts';
import { selectFundYearEnd } from './fund.read.sql.ts';
import { quotaRows, withFund, withFundCode } from './fund-layout.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { headValues, monthInWords, readReportingEntity } from './report-head.ts';
import type { PatrimonialRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { DIFFERENCE, differenceWarning, inPortions } from './table-rows.ts';

/**
 * The balance sheet: assets, then liabilities and equity, where a result that is not closed yet is a line of equity.
 * Figures carry the sign of their side, and both sides add up to the same. Memorandum accounts have no place in it.
 */
export async function patrimonialBalance(source: ReportSource, request: PatrimonialRequest): Promise<ReportContent> {
  const { values, without, warnings, statement } = await statementOf(source, request, (account) => account);
  return { values, without, warnings, rows: inPortions(statement.rows) };
}

/** The same for a fund, with value and number of its quotas. */
export async function patrimonialCvmBalance(source: ReportSource, request: PatrimonialRequest): Promise<ReportContent> {
  const { entity, values, without, warnings, statement } = await statementOf(source, request, withFundCode);
  const quotas = await quotaRows(source, request.month);
  const section: TableRow = { kind: 'section', cells: { text: 'Cotas' } };
  return {
    values: await withFund(source, entity, values),
    without,
    warnings,
    rows: inPortions([...statement.rows, ...(quotas.length === 0 ? [] : [section, ...quotas])]),
  };
}

async function statementOf(
  source: ReportSource,
  request: PatrimonialRequest,
  shown: (account: AccountRow) => AccountRow,
) {
  const entity = await readReportingEntity(source, request.month);
  const { accounts: movements } = await readOpenedMonth(source, request.month, 'mes');
  const current = balancesOf(movements, request.considerClosing);
  const yearEnd = (await selectFundYearEnd(source.sql, source.tenant)) ?? entity.options.fiscalYearEndMonth;
  const compared = comparedMonth(request, yearEnd);
  const previous =
    compared === undefined
      ? undefined
      : await balancesAt(source, compared, entity.options.baseMonth, request.considerClosing);
  const chart = await readPrintedAccounts(source, entity);
  const accounts = await accountsInRange(source.sql, entity.options.chartId, chart, request);
  const comparative = previous ? `Comparado com ${monthInWords(compared!).toLowerCase()}` : '';
  const statement = new Statement(chart, accounts, current, previous, request, shown).written();
  const [now, then = 0n] = statement.difference;
  return {
    entity,
    values: { ...headValues(entity, monthInWords(request.month), source.now), comparative },
    without: previous ? [] : ['previous'],
    warnings: differenceWarning('ativo e passivo com patrimônio líquido', [
      { when: monthInWords(request.month).toLowerCase(), amount: now },
      ...(compared === undefined ? [] : [{ when: monthInWords(compared).toLowerCase(), amount: then }]),
    ]),
    statement,
  };
}

type Balances = ReadonlyMap<number, Centavos>;

function balancesOf(movements: ReadonlyMap<number, Movement>, considerClosing: boolean): Balances {
  return new Map(
    [...movements].map(([id, movement]) => [id, balanceOf(considerClosing ? movement : { ...movement, closing: 0n })]),
  );
}

function comparedMonth({ comparative, month }: PatrimonialRequest, fiscalYearEnd: number): Month | undefined {
  if (comparative === 'NONE') return undefined;
  const before = addMonths(month, -1);
  if (comparative === 'PREVIOUS_MONTH') return before;
  return addMonths(before, -((monthNumberOf(before) - fiscalYearEnd + 12) % 12));
}

/** Balances at the end of a month; those before the base month are the base balances, earlier ones are unknown. */
async function balancesAt(
  { sql, tenant }: ReportSource,
  month: Month,
  baseMonth: Month,
  considerClosing: boolean,
): Promise<Balances | undefined> {
  if (month >= baseMonth) return balancesOf((await readMonth(sql, tenant, month)).accounts, considerClosing);
  if (addMonths(month, 1) !== baseMonth) return undefined;
  const { accounts } = await readMonth(sql, tenant, baseMonth);
  return new Map([...accounts].map(([id, { opening }]) => [id, opening]));
}

/** Both columns of one line, in the sign of its side. */
type Figures = readonly [current: Centavos, previous: Centavos | undefined];

class Statement {
  private readonly accounts: readonly AccountRow[];
  private readonly current: Balances;
  private readonly previous: Balances | undefined;
  private readonly request: PatrimonialRequest;
  private readonly shown: (account: AccountRow) => AccountRow;
  private readonly partOf: (account: AccountRow) => StatementSection;

  constructor(
    chart: readonly AccountRow[],
    accounts: readonly AccountRow[],
    current: Balances,
    previous: Balances | undefined,
    request: PatrimonialRequest,
    shown: (account: AccountRow) => AccountRow,
  ) {
    this.accounts = accounts;
    this.current = current;
    this.previous = previous;
    this.request = request;
    this.shown = shown;
    this.partOf = sectionsOf(chart);
  }

  written(): { rows: TableRow[]; difference: Figures } {
    const assets = this.total(['ASSET'], 1n);
    const liabilities = this.total(['LIABILITY'], -1n);
    const equity = this.total(['EQUITY'], -1n);
    const result = this.total(['REVENUE', 'EXPENSE'], -1n);
    const netEquity = added(equity, result);
    const otherSide = added(liabilities, netEquity);
    const difference = this.isWhole ? added(assets, negated(otherSide)) : NO_DIFFERENCE;
    return {
      difference,
      rows: [
        { kind: 'section', cells: { text: 'ATIVO' }, bookmark: 'Ativo' },
        ...this.lines('ASSET', 1n),
        line('total', 'Total do ativo', assets),
        { kind: 'section', cells: { text: 'PASSIVO E PATRIMÔNIO LÍQUIDO' }, bookmark: 'Passivo e patrimônio líquido' },
        ...this.lines('LIABILITY', -1n),
        line('subtotal', 'Total do passivo', liabilities),
        ...this.lines('EQUITY', -1n),
        ...(isNothing(result) ? [] : [line('detail', 'Resultado do período', result)]),
        line('subtotal', 'Total do patrimônio líquido', netEquity),
        line('total', 'Total do passivo e patrimônio líquido', otherSide),
        ...(isNothing(difference) ? [] : [line('total', DIFFERENCE, difference)]),
      ],
    };
  }

  /** Only a sheet of all accounts has two equal sides. */
  private get isWhole(): boolean {
    return this.request.accountFrom === undefined && this.request.accountTo === undefined;
  }

  private lines(part: StatementSection, sign: bigint): TableRow[] {
    const { level = Number.POSITIVE_INFINITY, showZeroBalances } = this.request;
    return this.accounts
      .filter((each) => this.partOf(each) === part && each.level <= level)
      .map((account) => ({ account, figures: this.figuresOf(account, sign) }))
      .filter(({ figures }) => showZeroBalances || figures.some((figure) => figure !== undefined && figure !== 0n))
      .map(({ account, figures }) => {
        const { code, description } = this.shown(account);
        const isTop = account.level === 1 && account.type === 'S';
        const row = line(isTop ? 'subtotal' : 'detail', description, figures);
        return { ...row, level: account.level, cells: { ...row.cells, account: code } };
      });
  }

  private total(parts: readonly StatementSection[], sign: bigint): Figures {
    return this.accounts
      .filter((each) => each.type === 'A' && parts.includes(this.partOf(each)))
      .map((account) => this.figuresOf(account, sign))
      .reduce<Figures>(added, [0n, this.previous && 0n]);
  }

  private figuresOf({ id }: AccountRow, sign: bigint): Figures {
    return [sign * (this.current.get(id) ?? 0n), this.previous && sign * (this.previous.get(id) ?? 0n)];
  }
}

function added(a: Figures, b: Figures): Figures {
  return [a[0] + b[0], a[1] === undefined || b[1] === undefined ? undefined : a[1] + b[1]];
}

function negated([current, previous]: Figures): Figures {
  return [-current, previous === undefined ? undefined : -previous];
}

const NO_DIFFERENCE: Figures = [0n, undefined];

function isNothing([current, previous = 0n]: Figures): boolean {
  return current === 0n && previous === 0n;
}

function line(kind: TableRow['kind'], name: string, [current, previous]: Figures): TableRow {
  return {
    kind,
    cells: {
      name,
      current: decimalOf(current),
      ...(previous === undefined ? {} : { previous: decimalOf(previous) }),
    },
  };
}
