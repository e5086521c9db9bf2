import Papa from 'papaparse';
import { decimalOf } from '../../../src/accounting/money.ts';
import { amountFromTyped } from '../../ui/format.ts';
import { exactly, parseExactly } from './exact-json.ts';

// A file of movements as the screen shows and corrects it. Whether it is right says the server alone; what was not
// corrected is sent byte for byte.

export type SheetKind = 'CSV' | 'IPL' | 'JSON';

export interface SheetColumn {
  readonly id: string;
  readonly title: string;
}

export interface SheetRow {
  /** As the server counts the rows of its problems. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly kind: SheetKind;
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly SheetRow[];
  /** The file was too large to be taken apart: these are its first rows, and it is corrected where it was made. */
  readonly isPart: boolean;
  /** The file as it is now. */
  readonly file: File;
  /** The sheet with one cell written otherwise. */
  readonly write: (row: number, column: string, text: string) => Sheet;
}

/** Larger files are shown by their beginning. */
const MOST_BYTES = 16 * 1_048_576;
const SHOWN_BYTES = 262_144;

/** Takes a file apart. Throws a TypeError, in words for people, for one that is none of the three kinds. */
export async function openSheet(file: File): Promise<Sheet> {
  const isPart = file.size > MOST_BYTES;
  const { text, encoding } = textOf(await (isPart ? file.slice(0, SHOWN_BYTES) : file).arrayBuffer());
  const whole = isPart ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  const head = whole.trimStart();
  if (head.startsWith('{')) {
    return isPart ? { ...emptySheet('JSON', file), isPart } : jsonSheet(file, parseExactly(whole) as JsonBatch);
  }
  const firstLine = whole.slice(0, whole.indexOf('\n') + 1 || undefined).replace(/[\r\n]+$/, '');
  return /^[0129]/.test(firstLine) && firstLine.length === 156
    ? iplSheet(file, whole, encoding, isPart)
    : csvSheet(file, whole, isPart);
}

type Encoding = 'utf-8' | 'windows-1252';

function textOf(bytes: ArrayBuffer): { text: string; encoding: Encoding } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

function emptySheet(kind: SheetKind, file: File): Sheet {
  const sheet: Sheet = { kind, name: file.name, columns: [], rows: [], isPart: true, file, write: () => sheet };
  return sheet;
}

/** The row of that number; rows stand in the order of their numbers. */
export function indexOfRow(rows: readonly SheetRow[], number: number): number {
  let [from, to] = [0, rows.length - 1];
  while (from <= to) {
    const middle = (from + to) >> 1;
    if (rows[middle]!.number === number) return middle;
    if (rows[middle]!.number < number) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}

/** What a cell says. */
export function cellOf({ rows, columns }: Sheet, row: number, column: string): string {
  return rows[indexOfRow(rows, row)]?.cells[columns.findIndex(({ id }) => id === column)] ?? '';
}

const TITLES: Readonly<Record<string, string>> = {
  documento: 'Documento',
  lancamento: 'Lançamento',
  dia: 'Dia',
  day: 'Dia',
  debcre: 'D/C',
  conta: 'Conta',
  contaId: 'Conta (id)',
  contrapartida: 'Contrapartida',
  contrapartidaId: 'Contrapartida (id)',
  valor: 'Valor',
  historico: 'Histórico',
  cdhistorico: 'Cód. hist.',
  datafato: 'Data do fato',
  dataFato: 'Data do fato',
};

function columnOf(id: string): SheetColumn {
  return { id, title: TITLES[id] ?? id };
}

// CSV

function csvSheet(file: File, text: string, isPart: boolean): Sheet {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const delimiter = [';', ',', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').replace(/\r?\n$/, ''), { delimiter });
  const [header = [], ...lines] = data;
  const columns = header.map((name) => columnOf(name.trim().toLowerCase()));
  return csvOf({ name: file.name, header, delimiter, columns, isPart }, lines, file);
}

interface CsvForm extends Pick<Sheet, 'name' | 'columns' | 'isPart'> {
  readonly header: readonly string[];
  readonly delimiter: string;
}

function csvOf(form: CsvForm, lines: readonly string[][], file: File): Sheet {
  const rows = lines.map((cells, at) => ({ number: at + 2, cells }));
  return {
    ...form,
    kind: 'CSV',
    // Rows of separators are passed over, and counted.
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    file,
    write: (row, column, text) => {
      const at = form.columns.findIndex(({ id }) => id === column);
      const written = lines.with(row - 2, withCell(lines[row - 2]!, at, text));
      const content = Papa.unparse([[...form.header], ...written], { delimiter: form.delimiter, newline: '\n' });
      return csvOf(form, written, new File([content], form.name, { type: 'text/csv' }));
    },
  };
}

function withCell(cells: readonly string[], at: number, text: string): string[] {
  return Array.from({ length: Math.max(cells.length, at + 1) }, (_, each) =>
    each === at ? text : (cells[each] ?? ''),
  );
}

// IPL: fields of an entry line by their columns, from 1; the server names a place so.

const IPL_FIELDS = [
  ['documento', 18, 27],
  ['dia', 28, 35],
  ['lancamento', 36, 41],
  ['debcre', 42, 42],
  ['conta', 43, 62],
  ['contrapartida', 63, 82],
  ['valor', 83, 99],
  ['cdhistorico', 100, 104],
  ['historico', 105, 156],
] as const;
const LINE = 'linha';

function iplSheet(file: File, text: string, encoding: Encoding, isPart: boolean): Sheet {
  return iplOf(text.replace(/\r?\n$/, '').split(/\r?\n/), encoding, isPart, file);
}

function iplOf(lines: readonly string[], encoding: Encoding, isPart: boolean, file: File): Sheet {
  const fields = IPL_FIELDS.map(([id]) => columnOf(id));
  return {
    kind: 'IPL',
    name: file.name,
    columns: [{ id: 'tipo', title: 'Tipo' }, ...fields, { id: LINE, title: 'Outras linhas' }],
    rows: lines.map((line, at) => ({ number: at + 1, cells: iplCells(line) })),
    isPart,
    file,
    write: (row, column, text) => {
      const written = lines.with(row - 1, iplWritten(lines[row - 1]!, column, text));
      const content = `${written.join('\n')}\n`;
      const bytes = encoding === 'utf-8' ? content : singleBytes(content);
      return iplOf(written, encoding, isPart, new File([bytes], file.name, { type: 'text/plain' }));
    },
  };
}

function iplCells(line: string): string[] {
  const isEntry = line[0] === '2';
  const fields = IPL_FIELDS.map(([, from, to]) => (isEntry ? line.slice(from - 1, to).trim() : ''));
  return [line.slice(0, 1), ...fields, isEntry ? '' : line.slice(1)];
}

function iplWritten(line: string, column: string, text: string): string {
  if (column === 'tipo') return text.slice(0, 1).padEnd(1) + line.slice(1);
  if (column === LINE) return line.slice(0, 1) + text;
  const [id, from, to] = IPL_FIELDS.find((field) => field[0] === column)!;
  const isNumber = id === 'dia' || id === 'lancamento' || id === 'valor';
  const length = to - from + 1;
  const value = isNumber ? text.padStart(length, '0') : text.padEnd(length);
  return line.slice(0, from - 1) + value.slice(0, length) + line.slice(to);
}

function singleBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    return code < 256 ? code : 63;
  });
}

// JSON

interface JsonBatch {
  readonly documentos?: readonly JsonDocument[];
}

interface JsonDocument {
  readonly documento?: unknown;
  readonly lancamentos?: readonly JsonLine[];
}

type JsonLine = Readonly<Record<string, unknown>>;

const JSON_FIELDS = [
  'lancamento',
  'day',
  'debcre',
  'conta',
  'contrapartida',
  'valor',
  'historico',
  'cdhistorico',
] as const;

function jsonSheet(file: File, batch: JsonBatch): Sheet {
  const places = (batch.documentos ?? []).flatMap(({ lancamentos = [] }, document) =>
    lancamentos.map((line, index) => ({ document, index, line })),
  );
  const known = new Set<string>([...JSON_FIELDS, ...places.flatMap(({ line }) => Object.keys(line ?? {}))]);
  const fields = [...known];
  return {
    kind: 'JSON',
    name: file.name,
    columns: ['documento', ...fields].map(columnOf),
    rows: places.map(({ document, line }, at) => ({
      number: at + 1,
      cells: [batch.documentos![document]!.documento, ...fields.map((field) => line?.[field])].map(cellText),
    })),
    isPart: false,
    file,
    write: (row, column, text) => {
      const { document, index } = places[row - 1]!;
      const { lancamentos = [], ...rest } = batch.documentos![document]!;
      const changed =
        column === 'documento'
          ? { ...rest, lancamentos, documento: text }
          : { ...rest, lancamentos: lancamentos.with(index, withMember(lancamentos[index]!, column, text)) };
      const next = { ...batch, documentos: batch.documentos!.with(document, changed) };
      return jsonSheet(new File([JSON.stringify(next)], file.name, { type: 'application/json' }), next);
    },
  };
}

function withMember(line: JsonLine, name: string, text: string): JsonLine {
  const { [name]: _, ...rest } = line;
  if (text.trim() === '') return rest;
  if (name !== 'valor' && !name.endsWith('Id')) return { ...rest, [name]: text };
  const number = name === 'valor' ? decimalTyped(text) : text.trim();
  return { ...rest, [name]: number !== undefined && /^\d+(?:\.\d+)?$/.test(number) ? exactly(number) : text };
}

function decimalTyped(text: string): string | undefined {
  const amount = amountFromTyped(text);
  return amount === undefined ? undefined : decimalOf(amount);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The column of the sheet that a problem names; undefined where it is about more than a cell. */
export function columnOfProblem(sheet: Sheet, place: string | null): string | undefined {
  if (place === null) return undefined;
  if (sheet.kind === 'JSON') {
    const [, field] = /^documentos\.\d+\.lancamentos\.\d+\.(\w+)$/.exec(place) ?? [];
    return sheet.columns.some(({ id }) => id === field)
      ? field
      : /^documentos\.\d+\.documento$/.test(place)
        ? 'documento'
        : undefined;
  }
  if (sheet.kind === 'IPL') {
    const from = Number(place.split('–')[0]);
    return IPL_FIELDS.find(([, first, last]) => from >= first && from <= last)?.[0] ?? LINE;
  }
  return sheet.columns.some(({ id }) => id === place) ? place : undefined;
}
