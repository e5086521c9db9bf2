import { type JsonDocument, jsonBatchStream, numberOf } from '../../features/posting/imports/json-batch.ts';
import type { DocumentDescription } from '../../features/posting/imports/staging.sql.ts';
import { type WireProblem, wireProblem } from '../../http/problem-details.ts';
import { RequestError, rejectRequest } from '../../http/request-error.ts';
import type { JsonStream } from '../../platform/json-stream.ts';

/** How the service reads everything but the lines. */
export interface JsonScanOptions {
  readonly maxRows: number;
  readonly maxDocuments: number;
  /** The document without its lines, or what is wrong with it. */
  readonly documentOf: (value: unknown) => DocumentDescription | readonly WireProblem[];
}

/** Maximum number of problems that the scan reports. */
const MAX_PROBLEMS = 100;

/** Reads a batch while it arrives: everything but the lines, and how many lines there are. */
export class JsonScan {
  readonly fields: Record<string, unknown> = {};
  readonly documents: JsonDocument[] = [];
  readonly problems: WireProblem[] = [];
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
      rejectRequest('TOO_MANY_ROWS', { limit: maxRows }, `documentos.${document}.lancamentos.${index}`);
    }
    this.#lines++;
    this.#highestNumber = Math.max(this.#highestNumber, numberOf(line));
  }

  #document(at: number, value: unknown): void {
    const { maxDocuments, documentOf } = this.#options;
    if (at >= maxDocuments) rejectRequest('TOO_MANY_DOCUMENTS', { limit: maxDocuments }, 'documentos');
    const found = documentOf(value);
    const facts =
      'number' in found ? found : { number: '', day: undefined, standardNarration: undefined, text: undefined };
    if (!('number' in found)) this.#wrong(at, found);
    else if (this.#seen.has(found.number)) {
      this.#wrong(at, [wireProblem('DOCUMENT_TWICE', { document: found.number }, 'documento')]);
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

  #wrong(at: number, found: readonly WireProblem[]): void {
    for (const { code, params, field } of found) {
      const place = `documentos.${at}`;
      this.problems.push({
        code,
        params,
        field: field === undefined || field === 'body' ? place : `${place}.${field}`,
      });
    }
    // A body with too many problems is not read to its end.
    if (this.problems.length >= MAX_PROBLEMS) throw new RequestError(this.problems);
  }
}
