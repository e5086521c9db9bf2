import { balanceOf, type Movement, NO_MOVEMENT } from '../../../accounting/balance.ts';
import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate } from '../../../accounting/period.ts';
import type { Rows, TableRow } from '../../../platform/render/rows.ts';
import { readDays } from '../../closing/balances/read-balances.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { accountsInRange } from './account-balances.ts';
import { bindingOfBook } from './binding-of-book.ts';
import { type Book, chosenAccounts, openBook } from './book.ts';
import { type BookLine, readBookLines } from './book-lines.read.sql.ts';
import { existedAt } from './printed-accounts.ts';
import { daysInWords, headValues } from './report-head.ts';
import type { LedgerBookRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { WITHOUT_MOVEMENT } from './table-rows.ts';

/** The general ledger: account by account the balance before, the lines with the running balance, the totals. */
export async function ledgerBook(source: ReportSource, request: LedgerBookRequest): Promise<ReportContent> {
  const { from, to, level = Number.POSITIVE_INFINITY } = request;
  const book = await openBook(source, from, to);
  const named =
    request.accounts.length === 0
      ? book.accounts.filter((account) => account.type === 'A' && existedAt(account, book.entity.namesAt))
      : chosenAccounts(book.accounts, request.accounts, 'contas');
  const inRange = await accountsInRange(source.sql, book.entity.options.chartId, named, request);
  const accounts = inRange.filter((account) => account.level <= level);
  const [morning] = await readDays(source.sql, source.tenant, from, from);
  const openings = new Map([...morning!.accounts].map(([id, { opening }]) => [id, opening]));
  const lines = readBookLines(source.sql, source.tenant, {
    from,
    to,
    accounts: accounts.map(({ id }) => id),
    considerClosing: request.considerClosing,
    orderBy: 'ACCOUNT',
  });
  return {
    values: headValues(book.entity, daysInWords(from, to), source.now),
    rows: ledgerRows(book, accounts, openings, lines, request),
    firstPage: request.firstPage,
    ...(request.includeTerms
      ? await bindingOfBook(source, book.entity, request, {
          book: 'RAZAO',
          orderNumber: request.bookNumber ?? book.entity.options.ledgerBookNumber ?? 1,
          from,
          to,
        })
      : {}),
  };
}

async function* ledgerRows(
  book: Book,
  accounts: readonly AccountRow[],
  openings: ReadonlyMap<number, bigint>,
  portions: AsyncIterable<readonly BookLine[]>,
  request: LedgerBookRequest,
): Rows {
  let rows: TableRow[] = [];
  let next = 0;
  let sums: Movement = NO_MOVEMENT;
  let whole: Movement = NO_MOVEMENT;
  let current: AccountRow | undefined;
  const end = () => {
    if (current === undefined) return;
    rows.push({
      kind: 'subtotal',
      cells: { history: 'Total da conta', ...sumCells(sums) },
      // Behind an account there is nothing to carry on.
      carry: { debit: '', credit: '', balance: '' },
    });
    whole = { ...whole, debit: whole.debit + sums.debit, credit: whole.credit + sums.credit };
    current = undefined;
  };
  let isEmpty = true;
  const begin = (account: AccountRow) => {
    end();
    isEmpty = false;
    current = account;
    sums = { ...NO_MOVEMENT, opening: openings.get(account.id) ?? 0n };
    const title = `${account.code} ${account.description}`;
    rows.push(
      { kind: 'group', cells: { text: `${title} (${account.shortCode})` }, bookmark: title },
      { kind: 'detail', cells: { history: 'Saldo anterior', balance: decimalOf(sums.opening) }, carry: sumCells(sums) },
    );
  };
  /** Accounts before this one that have no lines. */
  const skipTo = (place: number) => {
    for (; next < place; next++) {
      const account = accounts[next]!;
      const hasBalance = (openings.get(account.id) ?? 0n) !== 0n;
      if (request.onlyWithMovement || !(hasBalance || request.showZeroBalances)) continue;
      begin(account);
    }
  };
  const places = new Map(accounts.map((account, place) => [account.id, place]));
  for await (const lines of portions) {
    for (const line of lines) {
      if (current?.id !== line.accountId) {
        const place = places.get(line.accountId)!;
        skipTo(place);
        next = place + 1;
        begin(accounts[place]!);
      }
      const amount = centavosFromSql(line.amount);
      sums = line.side === 'D' ? { ...sums, debit: sums.debit + amount } : { ...sums, credit: sums.credit + amount };
      rows.push({
        kind: 'detail',
        cells: {
          day: brazilianDate(line.day),
          batch: line.batch,
          document: line.document,
          entry: line.entry,
          counter: line.offsetId === null ? '' : (book.accountOf(line.offsetId, line.day)?.code ?? ''),
          history: line.printedNarration,
          [line.side === 'D' ? 'debit' : 'credit']: line.amount,
          balance: decimalOf(balanceOf(sums)),
        },
        carry: sumCells(sums),
      });
    }
    yield rows;
    rows = [];
  }
  skipTo(accounts.length);
  end();
  if (isEmpty) rows.push(WITHOUT_MOVEMENT);
  rows.push({
    kind: 'total',
    cells: { history: 'Total geral', debit: decimalOf(whole.debit), credit: decimalOf(whole.credit) },
  });
  yield rows;
}

function sumCells(sums: Movement): { debit: string; credit: string; balance: string } {
  return { debit: decimalOf(sums.debit), credit: decimalOf(sums.credit), balance: decimalOf(balanceOf(sums)) };
}
