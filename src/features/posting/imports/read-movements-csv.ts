import { problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { amountText, type Cells, type Places, stageRow } from './cells.ts';
import { csvRows, isEmptyRow } from './csv-rows.ts';
import type { ReadingTools } from './import-movements.ts';
import type { SpooledFile } from './spool.ts';
import type { StagedRow } from './staged-row.ts';
import type { WrittenFile, WrittenRow } from './written-row.ts';

/** Wire name of each column; the file may order them freely. */
export const COLUMNS: Places = {
  document: 'documento',
  entry: 'lancamento',
  day: 'dia',
  side: 'debcre',
  account: 'conta',
  offsetAccount: 'contrapartida',
  amount: 'valor',
  narration: 'historico',
  narrationCode: 'cdhistorico',
  factDay: 'datafato',
};
const REQUIRED: readonly (keyof Cells)[] = ['document', 'entry', 'day', 'side', 'account', 'amount'];
const CHUNK = 250;
const DELIMITERS = [';', ',', '\t'];

/** Reads the movements layout row by row (domain: imports and bulk); the header is row 1, as a spreadsheet shows it. */
export async function* readMovementsCsv(
  file: SpooledFile,
  tools: ReadingTools,
  limits: { maxRows: number; counted: (rows: number) => void },
): AsyncGenerator<StagedRow[]> {
  let columns: Map<keyof Cells, number> | undefined;
  let row = 0;
  let rows = 0;
  let chunk: StagedRow[] = [];
  reading: for await (const block of csvRows(file, DELIMITERS)) {
    for (const values of block) {
      row++;
      if (columns === undefined) {
        columns = columnsOf(values, tools);
        if (columns === undefined) return;
        continue;
      }
      // Empty rows count too: they also take time.
      if (row - 1 > limits.maxRows) {
        tools.problems.add({ row, place: 'file', problem: problem('TOO_MANY_ROWS', { limit: limits.maxRows }) });
        break reading;
      }
      if (isEmptyRow(values)) continue;
      rows++;
      const { length: told } = tools.problems.told;
      const staged = stageRow(row, cellsOf(values, columns), COLUMNS, tools);
      if (staged) chunk.push(staged);
      else tools.problems.addValues(told, cellOfColumn(values, columns));
      if (chunk.length >= CHUNK) {
        limits.counted(rows);
        yield chunk;
        chunk = [];
      }
    }
  }
  limits.counted(rows);
  if (rows === 0 && tools.problems.count === 0) {
    tools.problems.add({ row: 1, place: 'file', problem: problem('NO_ROWS') });
  }
  yield chunk;
}

function columnsOf(header: readonly string[], tools: ReadingTools): Map<keyof Cells, number> | undefined {
  const names = namesOf(header);
  const columns = new Map<keyof Cells, number>();
  for (const [field, name] of Object.entries(COLUMNS) as [keyof Cells, string][]) {
    const at = names.indexOf(name);
    if (at >= 0) columns.set(field, at);
  }
  for (const field of REQUIRED) {
    if (!columns.has(field)) tools.problems.add({ row: 1, place: COLUMNS[field], problem: problem('MISSING_COLUMN') });
  }
  names.forEach((name, at) => {
    if (name !== '' && !Object.values(COLUMNS).includes(name)) {
      tools.problems.add({
        row: 1,
        place: name.slice(0, 40),
        problem: problem('UNKNOWN_FIELD', { name: name.slice(0, 40) }),
      });
    } else if (names.indexOf(name) !== at && name !== '') {
      tools.problems.add({ row: 1, place: name, problem: problem('DUPLICATE', recordRef('Column', name)) });
    }
  });
  return tools.problems.count === 0 ? columns : undefined;
}

function namesOf(header: readonly string[]): string[] {
  return header.map((name) =>
    name
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
}

/** The rows of a file below its header, empty ones left out. */
export async function csvWrittenRows(file: SpooledFile): Promise<WrittenFile> {
  const blocks = csvRows(file, DELIMITERS);
  const { value: first = [] } = (await blocks.next()) as IteratorResult<readonly string[][], undefined>;
  return { columns: namesOf(first[0] ?? []), rows: rowsBelow(first.slice(1), blocks) };
}

async function* rowsBelow(
  first: readonly string[][],
  others: AsyncIterable<readonly string[][]>,
): AsyncGenerator<WrittenRow[]> {
  let row = 1;
  const written = (block: readonly string[][]) =>
    block.map((cells) => ({ row: ++row, cells, text: null })).filter(({ cells }) => !isEmptyRow(cells));
  yield written(first);
  for await (const block of others) yield written(block);
}

/** The cell of a column, by its name. */
function cellOfColumn(values: readonly string[], columns: ReadonlyMap<keyof Cells, number>) {
  return (place: string): string | undefined => {
    const field = (Object.keys(COLUMNS) as (keyof Cells)[]).find((each) => COLUMNS[each] === place);
    const at = field && columns.get(field);
    return at === undefined ? undefined : (values[at] ?? '');
  };
}

function cellsOf(values: readonly string[], columns: ReadonlyMap<keyof Cells, number>): Cells {
  const cell = (field: keyof Cells) => {
    const at = columns.get(field);
    return at === undefined ? '' : (values[at] ?? '').trim();
  };
  return {
    document: cell('document'),
    entry: cell('entry'),
    day: cell('day'),
    side: cell('side'),
    account: cell('account'),
    offsetAccount: cell('offsetAccount'),
    amount: amountText(cell('amount')),
    narration: cell('narration'),
    narrationCode: cell('narrationCode'),
    factDay: cell('factDay'),
  };
}
