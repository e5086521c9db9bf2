import Papa from 'papaparse';
import { problem, refuse } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import { amountText, type Cells, type Places, stagedRow } from './cells.ts';
import type { ReadingTools } from './import-movements.ts';
import { type SpooledFile, textOf } from './spool.ts';
import type { StagedRow } from './staged-row.ts';

/** Wire name of each column; the file may order them freely. */
export const COLUMNS: Places = {
  document: 'documento',
  entry: 'lancamento',
  day: 'dia',
  side: 'debcre',
  account: 'conta',
  counterAccount: 'contrapartida',
  amount: 'valor',
  history: 'historico',
  historyCode: 'cdhistorico',
};
const REQUIRED: readonly (keyof Cells)[] = ['document', 'entry', 'day', 'side', 'account', 'amount'];
const CHUNK = 2_000;
/** No row of the layout comes near this many characters. */
const MAX_RECORD = 4_000_000;

/** Reads the movements layout row by row (domain: imports, CSV); the header is row 1, as a spreadsheet shows it. */
export async function* readMovementsCsv(
  file: SpooledFile,
  tools: ReadingTools,
  limits: { maxRows: number; counted: (rows: number) => void },
): AsyncGenerator<StagedRow[]> {
  let columns: Map<keyof Cells, number> | undefined;
  let row = 0;
  let rows = 0;
  let chunk: StagedRow[] = [];
  reading: for await (const block of csvBlocks(file)) {
    for (const values of block) {
      row++;
      if (columns === undefined) {
        columns = columnsOf(values, tools);
        if (columns === undefined) return;
        continue;
      }
      if (values.length === 1 && values[0] === '') continue;
      if (++rows > limits.maxRows) {
        tools.problems.add({ row, place: 'file', problem: problem('TOO_MANY_ROWS', { limit: limits.maxRows }) });
        break reading;
      }
      const staged = stagedRow(row, cellsOf(values, columns), COLUMNS, tools);
      if (staged) chunk.push(staged);
      if (chunk.length >= CHUNK) {
        limits.counted(rows);
        yield chunk;
        chunk = [];
      }
    }
  }
  limits.counted(rows);
  if (rows === 0 && tools.problems.count === 0) {
    tools.problems.add({ row: 1, place: 'file', problem: problem('FILE_UNREADABLE', { reason: 'no rows' }) });
  }
  yield chunk;
}

/**
 * The file's rows in blocks cut at line ends outside of quotes. The parser's own streaming reads the rest of its chunk
 * anew for every row: 36 µs a row, against 1 µs for whole blocks.
 */
async function* csvBlocks(file: SpooledFile): AsyncGenerator<string[][]> {
  let rest = '';
  let delimiter: string | undefined;
  for await (const chunk of textOf(file) as AsyncIterable<string>) {
    rest += chunk;
    const cut = rest.lastIndexOf('\n') + 1;
    const block = rest.slice(0, cut);
    if (cut === 0 && rest.length > MAX_RECORD) refuse('FILE_UNREADABLE', { reason: 'a line without end' }, 'file');
    // Quotes inside of texts (5" pipe) may never pair up: then a line end is a line end.
    if (cut === 0 || (rest.length < MAX_RECORD && isInsideQuotes(block))) continue;
    delimiter ??= delimiterOf(block);
    rest = rest.slice(cut);
    yield parsedRows(block, delimiter);
  }
  if (rest !== '') yield parsedRows(rest, delimiter ?? delimiterOf(rest));
}

function parsedRows(block: string, delimiter: string): string[][] {
  return Papa.parse<string[]>(block.replace(/\r?\n$/, ''), { delimiter }).data;
}

/** Of the header's separators the most frequent. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.indexOf('\n') + 1 || undefined);
  return [';', ',', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!;
}

function isInsideQuotes(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes++;
  return quotes % 2 === 1;
}

function columnsOf(header: readonly string[], tools: ReadingTools): Map<keyof Cells, number> | undefined {
  const names = header.map((name) =>
    name
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
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
      tools.problems.add({ row: 1, place: name, problem: problem('DUPLICATE', named('Column', name)) });
    }
  });
  return tools.problems.count === 0 ? columns : undefined;
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
    counterAccount: cell('counterAccount'),
    amount: amountText(cell('amount')),
    history: cell('history'),
    historyCode: cell('historyCode'),
  };
}
