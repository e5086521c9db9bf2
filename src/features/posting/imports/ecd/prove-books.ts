import { balanceOf } from '../../../../accounting/balance.ts';
import type { AccountId } from '../../../../accounting/ids.ts';
import { decimalOf } from '../../../../accounting/money.ts';
import { lastDay, type Month, monthOfDay } from '../../../../accounting/period.ts';
import { placeAccounts } from '../../../../accounting/statements/place-accounts.ts';
import { type AccountAmounts, computeMonth, selectBaseline } from '../../../closing/balances/balances.read.sql.ts';
import { readResultMoved } from '../../../closing/balances/read-balances.ts';
import { selectAccountsOfChart } from '../../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../../master-data/chart/masks-of-chart.ts';
import { selectStatementLines, selectStatementsOfChart } from '../../../master-data/statements/statements.read.sql.ts';
import type { FileBalance, FileStatementLine } from './ecd-contents.ts';
import type { EcdProof } from './ecd-import.ts';
import type { EcdChart, EcdSession } from './ecd-session.ts';
import { STATEMENT_CODE } from './import-master-data.ts';
import { monthsOf } from './import-opening.ts';

const NOTHING: FileBalance = { opening: 0n, debits: 0n, credits: 0n, final: 0n };

/**
 * What the books say now against what the file says of itself: each account and month as the close of the month will
 * compute it, results before closing, and the lines of the statements.
 */
export async function proveBooks(session: EcdSession, chart: EcdChart): Promise<EcdProof> {
  return new Proof(session, chart).run();
}

class Proof {
  private readonly session: EcdSession;
  private readonly chart: EcdChart;
  private readonly codes: ReadonlyMap<AccountId, string>;
  private readonly compared = new Set<string>();
  private differences = 0;
  /** Final balances of the last month. */
  private finals: ReadonlyMap<AccountId, bigint> = new Map();

  constructor(session: EcdSession, chart: EcdChart) {
    this.session = session;
    this.chart = chart;
    this.codes = new Map([...chart.accounts].map(([code, { id }]) => [id, code]));
  }

  async run(): Promise<EcdProof> {
    const { session } = this;
    const months = monthsOf(session);
    const { accounts } = session.contents;
    const posting = (await selectAccountsOfChart(session.sql, this.chart.id)).filter(({ type }) => type === 'A');
    const ids = new Map(posting.map(({ id, code }) => [id, code]));
    for (const month of months) {
      const amounts = await this.amountsOf(month);
      this.proveMonth(month, amounts, ids);
      this.proveResult(month, amounts, accounts);
      this.finals = new Map([...amounts].map(([id, movement]) => [id, balanceOf(movement)]));
      session.tell({ step: 'PROVA', lines: session.created.lines });
    }
    if (months.length > 0) await this.proveStatements(months);
    return { accounts: this.compared.size, months: months.length, differences: this.differences };
  }

  private async amountsOf(month: Month): Promise<ReadonlyMap<AccountId, AccountAmounts>> {
    const { sql, tenant } = this.session;
    const baseline = (await selectBaseline(sql, tenant, month))!;
    return new Map((await computeMonth(sql, tenant, baseline, month)).map((each) => [each.accountId, each]));
  }

  private proveMonth(
    month: Month,
    amounts: ReadonlyMap<AccountId, AccountAmounts>,
    posting: ReadonlyMap<AccountId, string>,
  ): void {
    const given = this.session.contents.balances.get(month)!;
    for (const [code, balance] of given) {
      this.compared.add(code);
      this.compare(code, month, balance, amounts.get(this.chart.accounts.get(code)!.id));
    }
    for (const [id, amount] of amounts) {
      const own = posting.get(id);
      const code = this.codes.get(id) ?? own;
      if (own !== undefined && !given.has(code!)) this.compare(code!, month, NOTHING, amount);
    }
  }

  private compare(code: string, month: Month, file: FileBalance, books: AccountAmounts | undefined): void {
    const found: FileBalance =
      books === undefined
        ? NOTHING
        : {
            opening: books.opening,
            debits: books.debit + books.closingDebit,
            credits: books.credit + books.closingCredit,
            final: balanceOf(books),
          };
    for (const field of ['opening', 'debits', 'credits', 'final'] as const)
      if (file[field] !== found[field])
        this.differs('I155', FIELDS[field], `${code}, ${month}`, file[field], found[field]);
  }

  /** Of a file whose closing entries are marked. */
  private proveResult(
    month: Month,
    amounts: ReadonlyMap<AccountId, AccountAmounts>,
    accounts: EcdSession['contents']['accounts'],
  ): void {
    const { results, closingMonths } = this.session.contents;
    const given = results.get(lastDay(month));
    if (given === undefined || !closingMonths.has(Number(month.replace('-', '')))) return;
    for (const [code, sum] of given) {
      const account = this.chart.accounts.get(code);
      if (account === undefined || accounts.get(code)?.accountClass !== '04') continue;
      const movement = amounts.get(account.id);
      const before = movement === undefined ? 0n : balanceOf({ ...movement, closing: 0n });
      if (before !== sum) this.differs('I355', 'VL_CTA', `${code}, ${month}`, sum, before);
    }
  }

  private async proveStatements(months: readonly Month[]): Promise<void> {
    const { sql, tenant, contents, findings } = this.session;
    const last = contents.statements.at(-1);
    if (last?.to === undefined || last.from === undefined || lastDay(months.at(-1)!) !== last.to) return;
    const { counts } = findings.result();
    // A statement that is not the sum of its accounts in the file itself cannot be that of the books.
    if (counts.REGRA_VALIDA_BALANCO_SALDO_FIN === undefined)
      await this.proveLines('BP', 'J100', last.balanceSheet, this.finals);
    if (counts.REGRA_VALIDA_SALDO_COM_DRE === undefined && monthOfDay(last.from) >= months[0]!) {
      const moved = await readResultMoved(sql, tenant, monthOfDay(last.from), monthOfDay(last.to));
      await this.proveLines('DRE', 'J150', last.income, moved as ReadonlyMap<AccountId, bigint>);
    }
  }

  /** The lines of a statement that an ECD made; of one that was here before, what differs is listed alone. */
  private async proveLines(
    kind: 'BP' | 'DRE',
    register: string,
    given: readonly FileStatementLine[],
    amounts: ReadonlyMap<AccountId, bigint>,
  ): Promise<void> {
    const { sql } = this.session;
    const made = (await selectStatementsOfChart(sql, this.chart.id, kind)).find(({ code }) => code === STATEMENT_CODE);
    if (made === undefined) return;
    const lines = await selectStatementLines(sql, made.id);
    const accounts = await selectAccountsOfChart(sql, this.chart.id);
    const { byLine } = placeAccounts(kind, lines, accounts, await masksOfChart(sql, this.chart.id));
    for (const { code, indicator, final } of given) {
      if (indicator === 'T') continue;
      const sum = (byLine.get(code) ?? []).reduce((total, { id }) => total + (amounts.get(id) ?? 0n), 0n);
      if (sum === final) continue;
      if (this.session.newStatements.has(kind)) this.differs(register, 'VL_CTA_FIN', code, final, sum);
      else
        this.session.findings.own('PARTIDAS_DEMONSTRACAO_DIFERENTE', {
          ...{ register, field: 'VL_CTA_FIN', value: code, detail: bothOf(final, sum) },
        });
    }
  }

  private differs(register: string, field: string, value: string, file: bigint, books: bigint): void {
    this.differences++;
    this.session.findings.own('PARTIDAS_PROVA', { register, field, value, detail: bothOf(file, books) });
  }
}

function bothOf(file: bigint, books: bigint): string {
  return `No arquivo ${decimalOf(file)}, nos livros ${decimalOf(books)} (débito positivo).`;
}

const FIELDS = { opening: 'VL_SLD_INI', debits: 'VL_DEB', credits: 'VL_CRED', final: 'VL_SLD_FIN' } as const;
