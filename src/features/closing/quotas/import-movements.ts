import { centavosFromDecimal, decimalOf } from '../../../accounting/money.ts';
import { scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import { MOVEMENT_KINDS, STORED_DECIMALS } from '../../../accounting/quota-series.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { importTable, type TableOutcome } from '../../master-data/table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../../master-data/table-imports/read-table.ts';
import { notesOn, RowReader } from '../../master-data/table-imports/row-reader.ts';
import { amountText } from '../../posting/imports/cells.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { addMovements, type MovementInput } from './quota-movements.ts';

type Field = 'day' | 'requestedDay' | 'kind' | 'quotas' | 'amount' | 'holders';

const LAYOUT: TableLayout<Field> = {
  columns: {
    day: ['date', 'data'],
    requestedDay: ['requestDate', 'dataSolicitacao'],
    kind: ['kind', 'tipo'],
    quotas: ['quotas', 'cotas'],
    amount: ['amount', 'valor'],
    holders: ['holders', 'cotistas'],
  },
  required: ['kind'],
};

interface ParsedRow {
  readonly row: number;
  readonly input: MovementInput;
}

/** Adds the movements of a file to a fund: all of them, or none. */
export function importMovements(
  context: Context,
  tenant: Tenant,
  upload: { readonly file: TableFile; readonly dryRun: boolean },
): Promise<TableOutcome> {
  return importTable((work) => context.transaction(work), upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readRow,
    write: (sql, rows, problems) => {
      const wrong = notesOn(problems, LAYOUT);
      const inputs = rows.map(({ input }) => input);
      return addMovements(sql, context, tenant, inputs, (at, found) => {
        const field = found.path && found.path in LAYOUT.columns ? (found.path as Field) : 'kind';
        wrong(rows[at]!.row, field, found);
      });
    },
  });
}

function readRow(row: TableRow<Field>, problems: FileProblems): ParsedRow | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const kind = cells.oneOf('kind', MOVEMENT_KINDS);
  if (row.cells.kind === '') cells.refuse('kind', 'MISSING_VALUE');
  const input = {
    day: cells.day('day'),
    requestedDay: cells.day('requestedDay'),
    quotas: readQuotas(cells, row.cells.quotas),
    amount: readAmount(cells, row.cells.amount),
    holders: readHolders(cells, row.cells.holders),
  };
  return cells.sound ? { row: row.row, input: { ...input, kind: kind! } } : undefined;
}

function readQuotas(cells: RowReader<Field>, written: string): string | undefined {
  if (written === '') return undefined;
  const plain = written.includes(',') ? written.replaceAll('.', '').replace(',', '.') : written;
  const scaled = scaledFromDecimal(plain, STORED_DECIMALS);
  return scaled === undefined
    ? cells.invalid('quotas', { reason: 'NO_NUMBER' })
    : scaledToDecimal(scaled, STORED_DECIMALS);
}

function readAmount(cells: RowReader<Field>, written: string): string | undefined {
  if (written === '') return undefined;
  const text = amountText(written);
  const amount = text === undefined ? undefined : centavosFromDecimal(text);
  return amount === undefined ? cells.invalid('amount', { reason: 'NO_AMOUNT' }) : decimalOf(amount);
}

/** More holders than people. */
const MAX_HOLDERS = 2_000_000_000;

function readHolders(cells: RowReader<Field>, written: string): number | undefined {
  if (written === '') return undefined;
  const holders = /^\d{1,10}$/.test(written) ? Number(written) : undefined;
  return holders !== undefined && holders <= MAX_HOLDERS
    ? holders
    : cells.invalid('holders', { reason: 'NO_WHOLE_NUMBER', maximum: MAX_HOLDERS });
}
