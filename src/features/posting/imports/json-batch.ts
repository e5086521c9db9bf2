import { BusinessError, type Problem, problem } from '../../../accounting/problem.ts';
import { type JsonPath, JsonStream } from '../../../platform/json-stream.ts';
import type { DocumentDescription } from './staging.sql.ts';

/** A document of a JSON import; its lines stay in the file. */
export interface JsonDocument extends DocumentDescription {
  /** Lines of the documents before it. */
  readonly linesBefore: number;
  readonly lines: number;
  /** The highest entry number that its lines carry: those without one are numbered from here. */
  readonly highestNumber: number;
}

/** What a text holds, told member by member in the order of the text. */
interface JsonBatchHandler {
  field(name: string, value: unknown): void;
  /** A document without its lines; `lancamentos` stands for them as an empty array. */
  document?(at: number, value: unknown): void;
  line(document: number, index: number, line: unknown): void;
}

/** Reads the text of a batch: {…, documentos: [{…, lancamentos: [line]}]}. */
export function jsonBatchStream(handler: JsonBatchHandler): JsonStream {
  let document: Record<string, unknown> = {};
  return new JsonStream({
    streams(path) {
      if (path.length === 0 || isDocument(path)) return 'object';
      return (path.length === 1 && path[0] === 'documentos') || isLines(path) ? 'array' : undefined;
    },
    value(path, value) {
      if (path.length === 4) handler.line(path[1] as number, path[3] as number, value);
      else if (path.length === 3) document[path[2] as string] = value;
      else if (path.length === 2) handler.document?.(path[1] as number, value);
      else handler.field(String(path[0] ?? ''), value);
    },
    closed(path) {
      if (isLines(path)) document.lancamentos = [];
      else if (isDocument(path)) {
        handler.document?.(path[1] as number, document);
        document = {};
      } else if (path.length === 1) handler.field('documentos', []);
    },
  });
}

function isDocument(path: JsonPath): boolean {
  return path.length === 2 && path[0] === 'documentos';
}

function isLines(path: JsonPath): boolean {
  return path.length === 3 && path[0] === 'documentos' && path[2] === 'lancamentos';
}

/** How the service reads what stands beside the lines. */
export interface JsonScanOptions {
  readonly maxRows: number;
  readonly maxDocuments: number;
  /** The document without its lines, or what is wrong with it. */
  readonly documentOf: (value: unknown) => DocumentDescription | readonly Problem[];
}

/** Most problems that the scan tells. */
const MAX_PROBLEMS = 100;

/** Reads a batch while it arrives: all that stands beside the lines, and how many there are. */
export class JsonScan {
  readonly fields: Record<string, unknown> = {};
  readonly documents: JsonDocument[] = [];
  readonly problems: Problem[] = [];
  readonly #options: JsonScanOptions;
  readonly #stream: JsonStream;
  readonly #seen = new Set<string>();
  #rows = 0;
  #lines = 0;
  #highestNumber = 0;

  constructor(options: JsonScanOptions) {
    this.#options = options;
    this.#stream = jsonBatchStream({
      field: (name, value) => {
        this.fields[name] = value;
      },
      document: (at, value) => this.#document(at, value),
      line: (document, index, line) => this.#line(document, index, line),
    });
  }

  write(text: string): void {
    this.#stream.write(text);
  }

  end(): void {
    this.#stream.end();
  }

  #line(document: number, index: number, line: unknown): void {
    const { maxRows } = this.#options;
    if (++this.#rows > maxRows) {
      throw new BusinessError(
        problem('TOO_MANY_ROWS', { limit: maxRows }, `documentos.${document}.lancamentos.${index}`),
      );
    }
    this.#lines++;
    this.#highestNumber = Math.max(this.#highestNumber, numberOf(line));
  }

  #document(at: number, value: unknown): void {
    const { maxDocuments, documentOf } = this.#options;
    if (at >= maxDocuments)
      throw new BusinessError(problem('TOO_MANY_DOCUMENTS', { limit: maxDocuments }, 'documentos'));
    const found = documentOf(value);
    const facts =
      'number' in found ? found : { number: '', day: undefined, standardNarration: undefined, text: undefined };
    if (!('number' in found)) this.#wrong(at, found);
    else if (this.#seen.has(found.number)) {
      this.#wrong(at, [problem('DOCUMENT_TWICE', { document: found.number }, 'documento')]);
    } else this.#seen.add(found.number);
    this.documents.push({
      ...facts,
      linesBefore: this.#rows - this.#lines,
      lines: this.#lines,
      highestNumber: this.#highestNumber,
    });
    this.#lines = 0;
    this.#highestNumber = 0;
  }

  #wrong(at: number, found: readonly Problem[]): void {
    for (const { code, params, field } of found) {
      const place = `documentos.${at}`;
      this.problems.push({
        code,
        params,
        field: field === undefined || field === 'body' ? place : `${place}.${field}`,
      });
    }
    // What is wrong throughout is not read to its end.
    if (this.problems.length >= MAX_PROBLEMS) throw new BusinessError(this.problems);
  }
}

function numberOf(line: unknown): number {
  const given = (line as { lancamento?: unknown } | null)?.lancamento;
  const number = typeof given === 'string' ? Number(given) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}
