import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { type LedgerRow, ledger } from '../../../accounting/statements/ledger.ts';
import { readJoiningBalances } from '../../closing/balances/institution-baseline.ts';
import { readDays } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { isOfBranches } from '../../master-data/companies/institution.ts';
import { readBookLines } from './book-lines.read.sql.ts';
import { type LinesStatement, linesStatement } from './lines-statement.ts';
import { openBook } from './open-book.ts';
import { existedAt } from './printed-accounts.ts';
import { chooseRange, pickAccounts } from './read-accounts.ts';
import type { BalanceSelection, StatementSource } from './statement-source.ts';

export interface LedgerSelection extends BalanceSelection {
  readonly from: Day;
  readonly to: Day;
  /** Ids or codes; none stands for all. */
  readonly accounts: readonly (AccountId | string)[];
  readonly onlyWithMovement: boolean;
}

/** The general ledger. Rejects periods that are not open whole, those with archived months, and unknown accounts. */
export async function readLedger(
  source: StatementSource,
  selection: LedgerSelection,
): Promise<LinesStatement<LedgerRow<StatementAccountRow>>> {
  const { from, to, considerClosing, level = Number.POSITIVE_INFINITY } = selection;
  const book = await openBook(source, from, to);
  const picked =
    selection.accounts.length === 0
      ? book.accounts.filter((account) => account.type === 'A' && existedAt(account, book.entity.namesAt))
      : pickAccounts(book.accounts, selection.accounts, 'accounts');
  const inRange = await chooseRange(source.sql, book.entity.options.chartId, picked, selection);
  const accounts = inRange.filter((account) => account.level <= level);
  const openings = await readOpenings(source, from, to);
  const choice = {
    from,
    to,
    accounts: accounts.map(({ id }) => id),
    considerClosing,
    orderBy: 'ACCOUNT',
    derivesOffsets: true,
  } as const;
  return linesStatement(
    book,
    selection,
    readBookLines(source.sql, source.tenant, choice),
    ledger({ accounts, openings, accountOf: book.accountOf }, selection),
  );
}

/** Balances before the period; those that branches bring when they join the institution during it are among them. */
async function readOpenings({ sql, tenant }: StatementSource, from: Day, to: Day): Promise<Map<number, Centavos>> {
  const [morning] = await readDays(sql, tenant, from, from);
  const openings = new Map([...morning!.accounts].map(([id, { opening }]) => [id, opening]));
  if (!isOfBranches(tenant)) return openings;
  for (const [id, balance] of await readJoiningBalances(sql, tenant, monthOfDay(from), monthOfDay(to))) {
    openings.set(id, (openings.get(id) ?? 0n) + balance);
  }
  return openings;
}
