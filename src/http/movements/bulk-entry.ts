import { z } from 'zod';
import type { AccountId } from '../../accounting/ids.ts';
import { type Centavos, centavosFromNumber } from '../../accounting/money.ts';
import { accountId, amount, branchCode, codeText, companyCode, id, optional, side, text } from '../fields.ts';
import { dayText } from './shared.ts';

/** Bounds of what a feeding system may say of an entry beside its figures. */
const METADATA = { keys: 20, key: 50, text: 200, bytes: 2_000 } as const;

const NO_METADATA = `must be an object of at most ${METADATA.keys} texts, numbers and truth values, ${METADATA.bytes} bytes together | deve ser um objeto de no máximo ${METADATA.keys} textos, números e valores lógicos, com até ${METADATA.bytes} bytes ao todo`;

const metadata = z
  .record(
    text(METADATA.key, 1),
    z.union([text(METADATA.text), z.number(), z.boolean(), z.null()], NO_METADATA),
    NO_METADATA,
  )
  .refine((said) => Object.keys(said).length <= METADATA.keys, NO_METADATA)
  .refine((said) => Buffer.byteLength(JSON.stringify(said)) <= METADATA.bytes, NO_METADATA)
  // In one order, so that the same is the same however it was sent.
  .transform((said) => Object.fromEntries(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1))))
  .meta({ example: { contrato: '2026-000123' } });

const bulkLine = z.strictObject({
  debcre: side,
  conta: optional(text(40, 1).meta({ example: '1.1.1', description: 'Code, short code, or digits of the code' })),
  contaId: optional(accountId.meta({ example: null, description: 'In the place of conta' })),
  valor: amount,
  historico: optional(text(500).meta({ example: null, description: "When absent: the entry's" })),
});

/** One logical entry of two lines or more. */
export const bulkEntry = z.strictObject({
  empresa: companyCode,
  filial: branchCode,
  ano: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  mes: z.number().int().min(1).max(12).meta({ example: 1 }),
  lote: optional(codeText(10).meta({ example: 'CARTOES', description: 'Made when the month has none of that number' })),
  batchId: optional(id.meta({ example: null, description: 'In the place of lote' })),
  documento: optional(codeText(20).meta({ example: '1', description: 'Made when the batch has none of that number' })),
  documentId: optional(id.meta({ example: null, description: 'In the place of lote and documento' })),
  lancamento: optional(codeText(10).meta({ example: null, description: 'When absent: the next number' })),
  day: dayText,
  historico: optional(text(500).meta({ example: 'Compras no cartão' })),
  cdhistorico: optional(text(5).meta({ example: null })),
  origin: optional(codeText(40).meta({ example: 'CARTOES', description: 'The system that sends the entry' })),
  externalId: optional(
    codeText(100).meta({
      example: null,
      description: 'The id of the entry there: once per company and origin, for ever',
    }),
  ),
  metadata: optional(metadata),
  lines: z
    .array(bulkLine)
    .min(1)
    .meta({
      example: [
        { debcre: 'D', conta: '1.1.1', valor: 1234.56 },
        { debcre: 'C', conta: '1.1.2', valor: 1234.56 },
      ],
    }),
});

export type BulkEntryBody = z.output<typeof bulkEntry>;
type BulkLineBody = BulkEntryBody['lines'][number];

/** The place of an entry alone: who may not post there learns nothing else of it. */
export const bulkTenant = z.object({ empresa: bulkEntry.shape.empresa, filial: bulkEntry.shape.filial });

/**
 * What the schema gives for an entry of the plainest form, fifty times as fast; undefined for all others, right and wrong.
 * Ten thousand lines through the schema cost more than all that is then done with them.
 */
export function plainBulkEntry(given: unknown): BulkEntryBody | undefined {
  if (!isObject(given)) return undefined;
  const { empresa, filial, ano, mes, day, lines } = given;
  for (const key in given) if (!ENTRY_KEYS.has(key)) return undefined;
  if (!isPlainCode(empresa, 10) || !isPlainCode(filial, 10) || filial === '*') return undefined;
  if (!isWhole(ano, 1900, 9999) || !isWhole(mes, 1, 12)) return undefined;
  if (typeof day !== 'string' || !/^(?:0[1-9]|[12]\d|3[01])$/.test(day)) return undefined;
  const { lote, documento, lancamento, origin, externalId, cdhistorico, historico, batchId, documentId } = given;
  if (!isPlainCodeOrNone(lote, 10) || !isPlainCodeOrNone(documento, 20) || !isPlainCodeOrNone(lancamento, 10)) {
    return undefined;
  }
  if (!isPlainCodeOrNone(origin, 40) || !isPlainCodeOrNone(externalId, 100)) return undefined;
  if (!isPlainTextOrNone(historico, 500) || !isPlainTextOrNone(cdhistorico, 5)) return undefined;
  if (!isIdOrNone(batchId) || !isIdOrNone(documentId)) return undefined;
  // Seldom large, and its checks are of another kind.
  const said = given.metadata === undefined ? undefined : metadata.safeParse(given.metadata);
  if (said?.success === false || !Array.isArray(lines) || lines.length === 0) return undefined;
  const read: BulkLineBody[] = [];
  for (const line of lines) {
    const plain = plainLine(line);
    if (plain === undefined) return undefined;
    read.push(plain);
  }
  return {
    empresa,
    filial,
    ano,
    mes,
    lote,
    batchId,
    documento,
    documentId,
    lancamento,
    day: Number(day),
    historico,
    cdhistorico,
    origin,
    externalId,
    metadata: said?.data,
    lines: read,
  };
}

function plainLine(given: unknown): BulkLineBody | undefined {
  if (!isObject(given)) return undefined;
  for (const key in given) if (!LINE_KEYS.has(key)) return undefined;
  const { debcre, conta, contaId, valor, historico } = given;
  if (debcre !== 'D' && debcre !== 'C') return undefined;
  if (!isPlainCodeOrNone(conta, 40) || !isIdOrNone(contaId) || !isPlainTextOrNone(historico, 500)) return undefined;
  const centavos: Centavos | undefined = typeof valor === 'number' ? centavosFromNumber(valor) : undefined;
  if (centavos === undefined) return undefined;
  return { debcre, conta, contaId: contaId as AccountId | undefined, valor: centavos, historico };
}

const ENTRY_KEYS: ReadonlySet<string> = new Set(Object.keys(bulkEntry.shape));
const LINE_KEYS: ReadonlySet<string> = new Set(Object.keys(bulkLine.shape));

/** Printable characters of a keyboard without blanks at the ends: as they are, they are what would be stored. */
const PLAIN_CODE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** The same with letters of western languages, each of which is one character in every form. */
const PLAIN_TEXT = /^[\x21-\x7e\xa1-\u02ff](?:[\x20-\x7e\xa1-\u02ff]*[\x21-\x7e\xa1-\u02ff])?$/;

function isPlainCode(value: unknown, maximum: number): value is string {
  return typeof value === 'string' && value.length <= maximum && PLAIN_CODE.test(value);
}

function isPlainCodeOrNone(value: unknown, maximum: number): value is string | undefined {
  return value === undefined || isPlainCode(value, maximum);
}

function isPlainTextOrNone(value: unknown, maximum: number): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= maximum && PLAIN_TEXT.test(value));
}

function isWhole(value: unknown, minimum: number, maximum: number): value is number {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function isIdOrNone(value: unknown): value is number | undefined {
  return value === undefined || isWhole(value, 1, Number.MAX_SAFE_INTEGER);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
