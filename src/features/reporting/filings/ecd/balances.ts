import { firstDay, lastDay, type Month } from '../../../../accounting/period.ts';
import type { Sql, Transaction } from '../../../../platform/database/sql.ts';
import { CopiedColumns, isNegative, numberAt } from './bytes.ts';
import { accountOrigin } from './chart.ts';
import { copyPeriodBalances, selectBrokenOpenings } from './ecd-balances.read.sql.ts';
import type { EcdBooks } from './ecd-books.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { dayInFile, fileDay } from './ecd-line.ts';
import type { EcdOutput } from './ecd-output.ts';
import type { FileCodes } from './file-codes.ts';

const [PIPE, DEBIT, CREDIT] = [124, 68, 67];
const HEAD = Buffer.from('|I155|');
const END = Buffer.from('|\r\n');
/** Of a line besides its codes. */
const ROOM = 200;

/** Registers I150 and I155: balances by month, closing entries gross among the movements. */
export async function writeBalances(
  sql: Transaction,
  books: EcdBooks,
  codes: FileCodes,
  output: EcdOutput,
): Promise<void> {
  for (const month of books.months) {
    await output.lines([{ register: 'I150', fields: daysOf(books, month) }]);
    await writeMonth(sql, books, month, codes, output);
  }
}

/** The days of a month that are in the file. */
function daysOf({ request }: EcdBooks, month: Month): [string, string] {
  return [fileDay(dayInFile(request, firstDay(month))), fileDay(dayInFile(request, lastDay(month)))];
}

async function writeMonth(
  sql: Transaction,
  { rows }: EcdBooks,
  month: Month,
  codes: FileCodes,
  output: EcdOutput,
): Promise<void> {
  const columns = new CopiedColumns();
  const { starts, ends } = columns;
  const { bytes } = output;
  await copyPeriodBalances(
    sql,
    rows,
    month,
    (row, start, end) => {
      columns.read(row, start, end);
      const account = codes.account(numberAt(row, starts[0]!, ends[0]!));
      const centre = codes.centre(numberAt(row, starts[1]!, ends[1]!));
      bytes.reserve(ROOM + account.code.length + centre.length);
      const sided = (column: number) => {
        bytes.amount(row, starts[column]!, ends[column]!);
        bytes.byte(PIPE);
        bytes.byte(isNegative(row, starts[column]!) ? CREDIT : DEBIT);
      };
      bytes.put(HEAD);
      bytes.put(account.code);
      bytes.byte(PIPE);
      bytes.put(centre);
      bytes.byte(PIPE);
      sided(2);
      bytes.byte(PIPE);
      bytes.amount(row, starts[3]!, ends[3]!);
      bytes.byte(PIPE);
      bytes.amount(row, starts[4]!, ends[4]!);
      bytes.byte(PIPE);
      sided(5);
      bytes.put(END);
      output.count('I155');
    },
    () => output.passOn(),
  );
}

/** Accounts whose balances do not go on from month to month. */
export async function findBrokenOpenings(sql: Sql, books: EcdBooks, findings: EcdFindings): Promise<void> {
  const byId = new Map(books.accounts.map((account) => [account.id, account]));
  for (const { accountId, month } of await selectBrokenOpenings(sql, books.rows)) {
    const account = byId.get(accountId)!;
    findings.add({
      ...{ rule: 'PARTIDAS_SALDO_ANTERIOR', severity: 'AVISO', register: 'I155', field: 'VL_SLD_INI' },
      value: `${account.code} ${month}`,
      message: 'O saldo inicial do mês não é o saldo final do mês anterior: uma filial começou com saldos próprios.',
      origin: accountOrigin(account),
    });
  }
}
