import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import type { JsonBatch } from '../../features/posting/imports/import-json.ts';
import { writeToTemporaryFile } from '../../features/posting/imports/spool.ts';
import { branchCode, codeText, companyCode, optional, text } from '../../http/fields.ts';
import { dayText } from '../../http/movements/shared.ts';
import type { WireProblem } from '../../http/problem-details.ts';
import { RequestError, rejectRequest } from '../../http/request-error.ts';
import { JsonRejected } from '../../platform/json.ts';
import { JsonScan } from './json-scan.ts';

/** Maximum number of documents of one request. */
const MAX_DOCUMENTS = 100_000;

/** A document without its lines; the import itself checks the lines and names each at fault. */
const jsonDocument = z.strictObject({
  documento: codeText(20).meta({ example: '1' }),
  diaref: optional(dayText),
  texto: optional(text(500)),
  cdpadronizado: optional(text(5).meta({ example: '00010' })),
  lancamentos: z.array(z.unknown()).meta({ example: [exampleLine()] }),
});

/** ImportReportJsonDTO. */
const jsonBatch = z.strictObject({
  empresa: companyCode,
  filial: branchCode,
  lote: optional(codeText(10).meta({ example: '77' })),
  ano: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  mes: z.number().int().min(1).max(12).meta({ example: 1 }),
  descricao: optional(text(200)),
  documentos: z.array(jsonDocument).min(1).max(MAX_DOCUMENTS),
});

/** How documents describe the body, which is read as a stream. */
export const jsonImportBody = z.any().meta(z.toJSONSchema(jsonBatch, { target: 'openapi-3.0', io: 'input' }));

/** A batch without its documents, which were checked one by one. */
const jsonHead = jsonBatch.extend({ documentos: z.array(z.unknown()).min(1) });

const jsonTenant = jsonBatch.pick({ empresa: true, filial: true });

/** Checks a value as bodies are checked. */
type Check = <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema> | readonly WireProblem[];

/**
 * Reads the body of a JSON import to a file, and everything but the lines to memory. Access is checked as soon as the
 * body has named the tenant: the rest is not read for a caller who may not import there.
 */
export async function receiveJsonImport(
  raw: FastifyRequest,
  limits: { readonly bytes: number; readonly rows: number },
  admit: (tenant: { readonly company: string; readonly branch: string }) => Promise<void>,
): Promise<JsonBatch> {
  const validators = new Map<z.ZodType, (value: unknown) => unknown>();
  const check: Check = (schema, value) => {
    const validate = validators.get(schema) ?? raw.compileValidationSchema(schema as never, 'body');
    validators.set(schema, validate);
    const { value: read, error } = validate(value) as Checked;
    return error === undefined ? (read as never) : error.problems;
  };
  const scan = new JsonScan({
    maxRows: limits.rows,
    maxDocuments: MAX_DOCUMENTS,
    documentOf: (value) => {
      const read = check(jsonDocument, value);
      if (isRejected(read)) return read;
      return { number: read.documento, day: read.diaref, text: read.texto, standardNarration: read.cdpadronizado };
    },
  });
  const body = (raw.body as Readable | undefined) ?? Readable.from([]);
  const file = await writeToTemporaryFile(
    Readable.from(scanEntries(body, scan, check, admit)),
    'windows-1252',
    limits.bytes,
    raw.takeUpload,
  );
  try {
    return { ...headOf(scan, check), file };
  } catch (error) {
    await file.remove();
    throw error;
  }
}

interface Checked {
  readonly value?: unknown;
  readonly error?: RequestError;
}

function isRejected<Read>(read: Read | readonly WireProblem[]): read is readonly WireProblem[] {
  return Array.isArray(read);
}

/** The body's chunks, each scanned before it is written. */
async function* scanEntries(
  body: Readable,
  scan: JsonScan,
  check: Check,
  admit: (tenant: { readonly company: string; readonly branch: string }) => Promise<void>,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isAdmitted = false;
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    let failure: unknown;
    try {
      scan.write(decodeText(() => decoder.decode(piece, { stream: true })));
    } catch (error) {
      failure = error;
    }
    const { empresa, filial } = scan.fields;
    if (!isAdmitted && empresa !== undefined && filial !== undefined) {
      const tenant = check(jsonTenant, { empresa, filial });
      if (isRejected(tenant)) throw new RequestError(tenant);
      await admit({ company: tenant.empresa, branch: tenant.filial });
      isAdmitted = true;
    }
    // Problems after the name of the branch are reported only to those who may import there.
    if (failure !== undefined) throw failure;
    yield piece;
  }
  scan.write(decodeText(() => decoder.decode()));
  scan.end();
}

function decodeText(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new JsonRejected('not UTF-8', 'não está em UTF-8');
  }
}

function headOf(scan: JsonScan, check: Check): Omit<JsonBatch, 'file'> {
  // Documents were checked one by one: here only their number counts.
  const isList = Array.isArray(scan.fields.documentos);
  const head = check(jsonHead, { ...scan.fields, ...(isList ? { documentos: scan.documents } : {}) });
  if (isRejected(head)) throw new RequestError([...head, ...scan.problems]);
  if (scan.problems.length > 0) throw new RequestError(scan.problems);
  const month =
    monthOf(head.ano, head.mes) ??
    rejectRequest('INVALID_FIELD', { reason: { en: 'there is no such month', pt: 'este mês não existe' } }, 'mes');
  return { month, number: head.lote, description: head.descricao, documents: scan.documents };
}

function exampleLine() {
  return {
    lancamento: '1',
    debcre: 'D',
    day: '05',
    conta: '1.1.1',
    contrapartida: '1.1.2',
    valor: 1234.56,
    historico: 'Aplicação de cotista',
    cdhistorico: '00010',
  };
}
