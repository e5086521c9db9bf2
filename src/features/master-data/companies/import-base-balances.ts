import { centavosFromDecimal } from '../../../accounting/money.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { loadAccountFinder } from '../../posting/imports/account-finder.ts';
import { amountText } from '../../posting/imports/cells.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { RowReader } from '../table-imports/row-reader.ts';
import type { AccountBalance } from './account-balances.ts';
import { requireBooks } from './require-books.ts';
import { saveBaseBalances } from './save-base-balances.ts';

type Field = 'account' | 'balance' | 'side';

const LAYOUT: TableLayout<Field> = {
  columns: {
    account: ['cdAccounting', 'conta', 'account'],
    balance: ['balance', 'saldo', 'valor'],
    side: ['dc', 'natureza', 'debcre'],
  },
  required: ['account', 'balance'],
  ignored: ['contaId', 'description', 'descricao', 'nome'],
};

interface ParsedRow {
  readonly row: number;
  readonly account: string;
  /** Debit-positive. */
  readonly balance: bigint;
}

/**
 * Replaces the branch's base balances by those of a file; accounts are named as in imports of movements, by code,
 * short code or digits (domain: imports and bulk).
 */
export async function importBaseBalances(
  context: Context,
  tenant: Tenant,
  upload: { readonly file: TableFile; readonly dryRun: boolean },
): Promise<TableOutcome> {
  return importTable((work) => context.transaction(work), upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readBalance,
    write: (sql, balances, problems) => saveBalances(sql, context, tenant, balances, problems),
  });
}

function readBalance(row: TableRow<Field>, problems: FileProblems): ParsedRow | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const account = cells.required('account', 40);
  const side = cells.oneOf('side', ['D', 'C']);
  const written = row.cells.balance;
  if (written === '') cells.refuse('balance', 'MISSING_VALUE');
  const negative = written.startsWith('-');
  const text = amountText(negative ? written.slice(1) : written);
  const balance = text === undefined ? undefined : centavosFromDecimal(text);
  if (written !== '' && (balance === undefined || (negative && side !== undefined))) {
    cells.invalid('balance', { reason: 'NO_SIGNED_AMOUNT' });
  }
  if (!cells.sound) return undefined;
  return { row: row.row, account, balance: negative || side === 'C' ? -balance! : balance! };
}

async function saveBalances(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  given: readonly ParsedRow[],
  problems: FileProblems,
): Promise<void> {
  const { chartId } = await requireBooks(sql, tenant);
  const chart = await loadAccountFinder(sql, chartId);
  const balances = given.flatMap(({ row, account, balance }): AccountBalance[] => {
    const found = chart.find(account);
    if (!('params' in found)) return [{ accountId: found.id, balance }];
    problems.add({ row, place: LAYOUT.columns.account[0]!, problem: found });
    return [];
  });
  if (problems.count > 0) return;
  try {
    await saveBaseBalances(withTransaction(context, sql), tenant, balances);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    for (const rejected of error.problems) {
      // The use case names balances by their place in its list, which is the order of the file.
      const at = /^\[(\d+)\]/.exec(rejected.path ?? '')?.[1];
      const row = at === undefined ? 1 : given[Number(at)]!.row;
      const place = at === undefined ? 'file' : LAYOUT.columns.account[0]!;
      problems.add({ row, place, problem: { code: rejected.code, params: rejected.params } });
    }
  }
}
