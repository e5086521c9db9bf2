import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate } from '../../../accounting/period.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import { accountsInRange } from './account-balances.ts';
import { type Book, chosenAccounts, openBook } from './book.ts';
import { type BookLine, readBookLines } from './book-lines.read.sql.ts';
import { daysInWords, headValues } from './report-head.ts';
import type { PostingListingRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';

/** The lines of a period, filtered and ordered as asked, with their totals. */
export async function postingListing(source: ReportSource, request: PostingListingRequest): Promise<ReportContent> {
  const { from, to, account, level = Number.POSITIVE_INFINITY } = request;
  const book = await openBook(source, from, to);
  const named = account === undefined ? book.accounts : chosenAccounts(book.accounts, [account], 'conta');
  const inRange = await accountsInRange(source.sql, book.entity.options.chartId, named, request);
  const lines = readBookLines(source.sql, source.tenant, {
    from,
    to,
    accounts: inRange.filter((each) => each.type === 'A' && each.level <= level).map(({ id }) => id),
    batch: request.batch,
    document: request.document,
    considerClosing: request.considerClosing,
    orderBy: request.orderBy,
  });
  return { values: headValues(book.entity, daysInWords(from, to), source.now), rows: listingRows(book, lines) };
}

async function* listingRows(book: Book, portions: AsyncIterable<readonly BookLine[]>): Rows {
  let [debit, credit] = [0n, 0n];
  let count = 0;
  for await (const lines of portions) {
    yield lines.map((line) => {
      const amount = centavosFromSql(line.amount);
      if (line.side === 'D') debit += amount;
      else credit += amount;
      count++;
      const account = book.accountOf(line.accountId, line.day);
      return {
        kind: 'detail',
        cells: {
          day: brazilianDate(line.day),
          batch: line.batch,
          document: line.document,
          entry: line.entry,
          account: account?.code ?? '',
          name: account?.description ?? '',
          counter: line.offsetId === null ? '' : (book.accountOf(line.offsetId, line.day)?.code ?? ''),
          history: line.printedNarration,
          [line.side === 'D' ? 'debit' : 'credit']: line.amount,
        },
      };
    });
  }
  yield [
    {
      kind: 'total',
      cells: { history: `Total de ${count} partidas`, debit: decimalOf(debit), credit: decimalOf(credit) },
    },
  ];
}
