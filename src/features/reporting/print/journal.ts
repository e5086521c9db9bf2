import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate, type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Rows, TableRow } from '../../../platform/render/rows.ts';
import { accountsInRange } from './account-balances.ts';
import { bindingOfBook } from './binding-of-book.ts';
import { type Book, openBook } from './book.ts';
import { type BookLine, readBookLines } from './book-lines.read.sql.ts';
import { daysInWords, headValues, monthInWords } from './report-head.ts';
import type { JournalRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { WITHOUT_MOVEMENT } from './table-rows.ts';

/** The journal: every line in the order of the books, with totals of each day, each month and the whole. */
export async function journal(source: ReportSource, request: JournalRequest): Promise<ReportContent> {
  const { from, to } = request;
  if (to >= `${Number(from.slice(0, 4)) + 1}${from.slice(4)}`) reject('PERIOD_OVER_A_YEAR', {}, 'dataFim');
  const book = await openBook(source, from, to);
  const inRange = await accountsInRange(source.sql, book.entity.options.chartId, book.accounts, request);
  const isWhole = inRange.length === book.accounts.length;
  const chosen = isWhole ? undefined : inRange.filter((account) => account.type === 'A').map(({ id }) => id);
  const lines = readBookLines(source.sql, source.tenant, {
    from,
    to,
    accounts: chosen,
    considerClosing: request.considerClosing,
    orderBy: 'DATE',
  });
  return {
    values: headValues(book.entity, daysInWords(from, to), source.now),
    rows: journalRows(book, lines),
    firstPage: request.firstPage,
    ...(request.includeTerms
      ? await bindingOfBook(
          source,
          book.entity,
          request,
          { book: 'DIARIO', orderNumber: request.bookNumber ?? book.entity.options.diaryBookNumber ?? 1, from, to },
          ({ cells }) => dayOfBrazilian(cells.day),
        )
      : {}),
  };
}

/** '31/01/2026' → '2026-01-31' */
function dayOfBrazilian(date = ''): Day | undefined {
  const [day, month, year] = date.split('/');
  return year === undefined ? undefined : (`${year}-${month}-${day}` as Day);
}

class Sums {
  debit = 0n;
  credit = 0n;

  add(other: { readonly debit: bigint; readonly credit: bigint }): void {
    this.debit += other.debit;
    this.credit += other.credit;
  }

  get cells() {
    return { debit: decimalOf(this.debit), credit: decimalOf(this.credit) };
  }
}

async function* journalRows(book: Book, portions: AsyncIterable<readonly BookLine[]>): Rows {
  const whole = new Sums();
  let [day, month] = [new Sums(), new Sums()];
  let current: Day | undefined;
  const endOfDay = (date: Day): TableRow => ({
    kind: 'subtotal',
    cells: { history: `Total do dia ${brazilianDate(date)}`, ...day.cells },
    carry: whole.cells,
  });
  const endOfMonth = (date: Day): TableRow => ({
    kind: 'subtotal',
    cells: { history: `Total de ${monthInWords(monthOfDay(date)).toLowerCase()}`, ...month.cells },
    carry: whole.cells,
  });
  for await (const lines of portions) {
    const rows: TableRow[] = [];
    for (const line of lines) {
      if (line.day !== current) {
        if (current !== undefined) rows.push(endOfDay(current));
        if (current !== undefined && monthOfDay(current) !== monthOfDay(line.day)) {
          rows.push(endOfMonth(current));
          month = new Sums();
        }
        current = line.day;
        day = new Sums();
        const title = brazilianDate(current);
        rows.push({ kind: 'group', cells: { text: `Dia ${title}` }, bookmark: title });
      }
      const amount = centavosFromSql(line.amount);
      const sums = line.side === 'D' ? { debit: amount, credit: 0n } : { debit: 0n, credit: amount };
      for (const each of [day, month, whole]) each.add(sums);
      const account = book.accountOf(line.accountId, line.day);
      rows.push({
        kind: 'detail',
        cells: {
          day: brazilianDate(line.day),
          place: `${line.batch}/${line.document}/${line.entry}`,
          account: account?.code ?? '',
          name: account?.description ?? '',
          history: line.printedNarration,
          [line.side === 'D' ? 'debit' : 'credit']: line.amount,
        },
        carry: whole.cells,
      });
    }
    yield rows;
  }
  yield [
    ...(current === undefined ? [WITHOUT_MOVEMENT] : [endOfDay(current), endOfMonth(current)]),
    { kind: 'total', cells: { history: 'Total geral', ...whole.cells }, carry: whole.cells },
  ];
}
