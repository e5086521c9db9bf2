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

/** The members of a text, in its order. */
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

/** The number that a line gives its entry; 0 where it gives none, or one that is no number. */
export function numberOf(line: unknown): number {
  const given = (line as { lancamento?: unknown } | null)?.lancamento;
  const number = typeof given === 'string' ? Number(given) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}

function isDocument(path: JsonPath): boolean {
  return path.length === 2 && path[0] === 'documentos';
}

function isLines(path: JsonPath): boolean {
  return path.length === 3 && path[0] === 'documentos' && path[2] === 'lancamentos';
}
