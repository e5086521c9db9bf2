import { asId } from '../../../accounting/ids.ts';
import { centavosFromNumber, decimalOf } from '../../../accounting/money.ts';
import { type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import { narrationProblem } from '../../../accounting/posting.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { createBatch } from '../batches/create-batch.ts';
import { type Cells, type Places, stageRow } from './cells.ts';
import type { ControlTotals } from './control-totals.ts';
import { type ImportOutcome, importMovements, type ReadingTools } from './import-movements.ts';
import { type JsonDocument, jsonBatchStream, numberOf } from './json-batch.ts';
import { type SpooledFile, textOf } from './spool.ts';
import type { StagedRow } from './staged-row.ts';
import { describeDocuments } from './staging.sql.ts';
import type { WrittenFile, WrittenRow } from './written-row.ts';

/** A batch as JSON: what is beside its lines, which are read from the file and checked one by one. */
export interface JsonBatch {
  readonly month: Month;
  readonly number: string | undefined;
  readonly description: string | undefined;
  readonly documents: readonly JsonDocument[];
  readonly file: SpooledFile;
}

const FIELDS: readonly string[] = [
  'lancamento',
  'debcre',
  'day',
  'conta',
  'contaId',
  'contrapartida',
  'contrapartidaId',
  'valor',
  'historico',
  'cdhistorico',
  'dataFato',
];
/** Bytes read at a time: each piece is some hundred lines, and others work between two of them. */
const PIECE = 65_536;

/** Imports a batch as one: problems name the path of the value at fault. */
export async function importJson(
  context: Context,
  tenant: Tenant,
  { batch, ...asked }: { batch: JsonBatch; dryRun: boolean; force: boolean; control?: ControlTotals },
): Promise<{ outcome: ImportOutcome; batchId: number | undefined }> {
  let batchId: number | undefined;
  const outcome = await importMovements(context, tenant, batch.month, {
    kind: 'JSON',
    name: `lote ${batch.number ?? ''}`.trim(),
    sha256: batch.file.sha256,
    file: batch.file,
    ...asked,
    read: (tools, counted) => readJson(batch, tools, counted),
    placeOf: (row, cell) => `${pathOf(batch, row)}.${NAMES[cell]}`,
    batch: async (sql) => {
      const { number, description } = batch;
      const facts = { year: yearOf(batch.month), month: monthNumberOf(batch.month), number, description };
      batchId = (await createBatch(withTransaction(context, sql), tenant, facts)).id;
      return batchId;
    },
    finish: (sql, id, mark) => describeDocuments(sql, tenant.companyId, id, batch.documents, mark),
  });
  return { outcome, batchId };
}

async function* readJson(
  batch: JsonBatch,
  tools: ReadingTools,
  counted: (rows: number) => void,
): AsyncGenerator<StagedRow[]> {
  for (const [at, { standardNarration, linesBefore }] of batch.documents.entries()) {
    const unusable =
      standardNarration && narrationProblem(standardNarration, tools.posting.narration(standardNarration));
    const place = `documentos.${at}.cdpadronizado`;
    if (unusable) tools.problems.add({ row: linesBefore + 1, place, problem: unusable });
  }
  let row = 0;
  let chunk: StagedRow[] = [];
  let current = -1;
  let unnumbered = 0;
  const stream = jsonBatchStream({
    field: () => {},
    line: (at, index, line) => {
      const document = batch.documents[at]!;
      if (at !== current) {
        current = at;
        unnumbered = document.highestNumber;
      }
      const path = `documentos.${at}.lancamentos.${index}`;
      const staged = stageLine(++row, path, document.number, line, () => String(++unnumbered), tools);
      if (staged) chunk.push(staged);
    },
  });
  for await (const text of textOf(batch.file, PIECE) as AsyncIterable<string>) {
    stream.write(text);
    counted(row);
    yield chunk;
    chunk = [];
  }
  if (row === 0) tools.problems.add({ row: 1, place: 'documentos', problem: problem('NO_ROWS') });
}

/** The path of the line that was read as the row, counted from 1 over all documents. */
function pathOf({ documents }: JsonBatch, row: number): string {
  let first = 0;
  let last = documents.length - 1;
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    if (documents[middle]!.linesBefore < row) first = middle;
    else last = middle - 1;
  }
  return `documentos.${first}.lancamentos.${row - documents[first]!.linesBefore - 1}`;
}

function stageLine(
  row: number,
  path: string,
  document: string,
  line: unknown,
  nextNumber: () => string,
  tools: ReadingTools,
): StagedRow | undefined {
  const wrong = (place: string, found: Problem) => tools.problems.add({ row, place, problem: found });
  if (line === null || typeof line !== 'object' || Array.isArray(line)) {
    wrong(path, problem('INVALID_FIELD', { reason: 'NO_OBJECT' }));
    return undefined;
  }
  const { length: told } = tools.problems.told;
  const record = line as Record<string, unknown>;
  for (const name of Object.keys(record)) {
    if (!FIELDS.includes(name)) wrong(`${path}.${name}`, problem('UNKNOWN_FIELD', { name }));
  }
  const text = (name: string): string => {
    const value = record[name];
    if (value === undefined || value === null) return '';
    if (typeof value === 'string') return value.trim();
    wrong(`${path}.${name}`, problem('INVALID_FIELD', { reason: 'NO_TEXT' }));
    return '';
  };
  const account = (byCode: string, byId: string): string => {
    if (record[byId] !== undefined && record[byId] !== null && typeof record[byId] !== 'number') {
      wrong(`${path}.${byId}`, problem('INVALID_FIELD', { reason: 'NO_NUMBER' }));
    }
    const id = record[byId] ?? (typeof record[byCode] === 'number' ? record[byCode] : undefined);
    return typeof id === 'number' ? (tools.chart.byId(asId(id))?.code ?? `id ${id}`) : text(byCode);
  };
  const centavos = typeof record.valor === 'number' ? centavosFromNumber(record.valor) : undefined;
  const cells: Cells = {
    document,
    entry: text('lancamento') || nextNumber(),
    day: text('day'),
    side: text('debcre'),
    account: account('conta', 'contaId'),
    offsetAccount: account('contrapartida', 'contrapartidaId'),
    amount: centavos === undefined || centavos < 0n ? undefined : decimalOf(centavos),
    narration: text('historico'),
    narrationCode: text('cdhistorico'),
    factDay: text('dataFato'),
  };
  const staged = stageRow(row, cells, placesUnder(path), tools);
  if (!staged) tools.problems.addValues(told, (place) => writtenAt(record, place.slice(path.length + 1)));
  return staged;
}

/** A member of a line as text; an account may be named by its id as well. */
function writtenAt(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name] ?? record[`${name}Id`];
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

const NAMES: Places = {
  document: 'documento',
  entry: 'lancamento',
  day: 'day',
  side: 'debcre',
  account: 'conta',
  offsetAccount: 'contrapartida',
  amount: 'valor',
  narration: 'historico',
  narrationCode: 'cdhistorico',
  factDay: 'dataFato',
};

/** Columns of a line in the order of a CSV. */
const WRITTEN: readonly string[] = Object.values(NAMES);

/** The lines of a body; each has the number of its document, and of its entry where it names none itself. */
export function jsonWrittenRows(file: SpooledFile): WrittenFile {
  return { columns: WRITTEN, rows: linesOf(file) };
}

async function* linesOf(file: SpooledFile): AsyncGenerator<WrittenRow[]> {
  const documents = await documentsOf(file);
  let row = 0;
  let current = -1;
  let unnumbered = 0;
  let rows: WrittenRow[] = [];
  const stream = jsonBatchStream({
    field: () => {},
    line: (at, _index, line) => {
      if (at !== current) unnumbered = documents[at]!.highestNumber;
      current = at;
      const record = line as Readonly<Record<string, unknown>>;
      const entry = writtenAt(record, 'lancamento')?.trim() || String(++unnumbered);
      const named = { ...record, documento: documents[at]!.number, lancamento: entry };
      rows.push({ row: ++row, cells: WRITTEN.map((name) => writtenAt(named, name) ?? ''), text: JSON.stringify(line) });
    },
  });
  for await (const text of textOf(file, PIECE) as AsyncIterable<string>) {
    stream.write(text);
    yield rows;
    rows = [];
  }
}

/** The documents of a body; the number of one may stand behind its lines. */
async function documentsOf(file: SpooledFile): Promise<{ number: string; highestNumber: number }[]> {
  const documents: { number: string; highestNumber: number }[] = [];
  let highestNumber = 0;
  const stream = jsonBatchStream({
    field: () => {},
    document: (_at, value) => {
      documents.push({ number: String((value as { documento: unknown }).documento), highestNumber });
      highestNumber = 0;
    },
    line: (_at, _index, line) => {
      highestNumber = Math.max(highestNumber, numberOf(line));
    },
  });
  for await (const text of textOf(file, PIECE) as AsyncIterable<string>) stream.write(text);
  return documents;
}

/** Paths are made only when a problem needs one. */
function placesUnder(path: string): Places {
  return new Proxy(NAMES, { get: (names, field: string) => `${path}.${names[field as keyof Cells]}` });
}
