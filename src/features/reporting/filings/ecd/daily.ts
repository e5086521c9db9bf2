import type { Transaction } from '../../../../platform/database/sql.ts';
import { CopiedColumns, numberAt } from './bytes.ts';
import { copyDailyMovements } from './ecd-balances.read.sql.ts';
import type { EcdBooks } from './ecd-books.ts';
import type { EcdOutput } from './ecd-output.ts';
import type { FileCodes } from './file-codes.ts';

const PIPE = 124;
const DAY = Buffer.from('|I300|');
const ACCOUNT = Buffer.from('|I310|');
const END = Buffer.from('|\r\n');
/** Of two lines besides codes. */
const ROOM = 200;
/** Of a day as the server writes it. */
const DAY_SIZE = 10;

/** Registers I300 and I310: what each account moved on each day, closing entries among them. */
export async function writeDailyBalances(
  sql: Transaction,
  { months, rows }: EcdBooks,
  codes: FileCodes,
  output: EcdOutput,
): Promise<void> {
  const columns = new CopiedColumns();
  const { starts, ends } = columns;
  const { bytes } = output;
  const day = Buffer.alloc(DAY_SIZE);
  for (const month of months) {
    await copyDailyMovements(
      sql,
      rows,
      month,
      (row, start, end) => {
        columns.read(row, start, end);
        const account = codes.account(numberAt(row, starts[1]!, ends[1]!));
        const centre = codes.centre(numberAt(row, starts[2]!, ends[2]!));
        bytes.reserve(ROOM + account.code.length + centre.length);
        if (row.compare(day, 0, DAY_SIZE, starts[0]!, ends[0]!) !== 0) {
          row.copy(day, 0, starts[0]!, ends[0]!);
          bytes.put(DAY);
          bytes.day(day, 0);
          bytes.put(END);
          output.count('I300');
        }
        bytes.put(ACCOUNT);
        bytes.put(account.code);
        bytes.byte(PIPE);
        bytes.put(centre);
        bytes.byte(PIPE);
        bytes.amount(row, starts[3]!, ends[3]!);
        bytes.byte(PIPE);
        bytes.amount(row, starts[4]!, ends[4]!);
        bytes.put(END);
        output.count('I310');
      },
      () => output.passOn(),
    );
  }
}
