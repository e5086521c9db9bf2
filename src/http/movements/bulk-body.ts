import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { JsonRejected, parseJsonBody, parseJsonLines, textOf } from '../../platform/json.ts';
import { JsonStream } from '../../platform/json-stream.ts';
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts';
import { optional } from '../fields.ts';
import { rejectRequest } from '../request-error.ts';
import { validPart } from '../server.ts';
import { bulkEntry } from './bulk-entry.ts';

/** Largest body, in bytes: ten thousand lines with a text of two hundred characters each. */
const MAX_BYTES = 8 * 1_048_576;

/** Maximum number of lines of one request, and of its entries. */
export const MAX_LINES = 10_000;

const bulkBody = z.strictObject({
  atomic: optional(z.boolean().meta({ example: true, description: 'When absent: true' })),
  entries: z.array(bulkEntry).min(1).max(MAX_LINES),
});

/** How documents describe the body, which is read as a stream. */
export const bulkBodyDescription = z.any().meta({
  ...z.toJSONSchema(bulkBody, { target: 'openapi-3.0', io: 'input' }),
  description: `At most ${MAX_LINES} lines. As application/x-ndjson: one of the entries a line, and ?atomic=`,
});

/** The envelope alone: entries are checked one by one. */
const envelope = z.strictObject({
  atomic: bulkBody.shape.atomic,
  entries: z.array(z.unknown()).min(1).max(MAX_LINES),
});

export interface BulkBody {
  /** Absent: the body says nothing of it. */
  readonly atomic: boolean | undefined;
  /** As they were sent; a JsonRejected is a line of NDJSON that is no JSON. */
  readonly entries: readonly unknown[];
  /** Of NDJSON, the line that each entry stands in. */
  readonly lineOf: (index: number) => number | undefined;
  readonly sha256: string;
}

/** Reads the body of a bulk request, up to its own bound. */
export async function receiveBulk(raw: FastifyRequest): Promise<BulkBody> {
  const { body, sha256 } = await readBounded(raw);
  const isLines = /^application\/x-ndjson\b/i.test(raw.headers['content-type'] ?? '');
  const read = isLines ? await readLines(body) : await readEnvelope(body);
  if (linesOf(read.entries) > MAX_LINES) rejectRequest('TOO_MANY_LINES', { limit: MAX_LINES }, 'entries');
  return { ...read, sha256 };
}

async function readBounded(raw: FastifyRequest): Promise<{ body: Buffer; sha256: string }> {
  if (Number(raw.headers['content-length'] ?? 0) > MAX_BYTES) reject('BODY_TOO_LARGE');
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let bytes = 0;
  const stream = raw.body as AsyncIterable<Buffer> | undefined;
  for await (const piece of stream ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) reject('BODY_TOO_LARGE');
    raw.takeUpload?.(piece.length);
    hash.update(piece);
    pieces.push(piece);
  }
  return { body: Buffer.concat(pieces), sha256: hash.digest('hex') };
}

async function readEnvelope(body: Buffer): Promise<Omit<BulkBody, 'sha256'>> {
  const read = body.length > READ_AT_ONCE ? await readInPieces(textOf(body)) : parseJsonBody(body);
  const { atomic, entries } = validPart(envelope, read) as z.output<typeof envelope>;
  return { atomic, entries, lineOf: () => undefined };
}

/** Bytes of JSON that are parsed at once, in some tens of milliseconds; of more, others have their turn meanwhile. */
const READ_AT_ONCE = 1_048_576;
const PIECE = 65_536;

/** The same value as parseJson gives, its entries one by one. */
async function readInPieces(text: string): Promise<unknown> {
  const fields: Record<string, unknown> = {};
  const entries: unknown[] = [];
  let whole: unknown = fields;
  const stream = new JsonStream({
    streams: (path) =>
      path.length === 0 ? 'object' : path[0] === 'entries' && path.length === 1 ? 'array' : undefined,
    value(path, value) {
      if (path.length === 2) entries.push(value);
      else if (path.length === 1) fields[path[0]!] = value;
      else whole = value;
    },
    closed(path) {
      if (path.length === 1) fields.entries = entries;
    },
  });
  const yieldIfLong = yieldToEventLoop();
  for (let at = 0; at < text.length; at += PIECE) {
    stream.write(text.slice(at, at + PIECE));
    if (entries.length > MAX_LINES) rejectRequest('TOO_MANY_LINES', { limit: MAX_LINES }, 'entries');
    await yieldIfLong();
  }
  stream.end();
  return whole;
}

async function readLines(body: Buffer): Promise<Omit<BulkBody, 'sha256'>> {
  const { values, tooMany } = await parseJsonLines(body, MAX_LINES);
  if (tooMany) rejectRequest('TOO_MANY_LINES', { limit: MAX_LINES }, 'entries');
  if (values.length === 0) rejectRequest('MISSING_VALUE', {}, 'entries');
  return {
    atomic: undefined,
    entries: values.map(({ value }) => value),
    lineOf: (index) => values[index]!.line,
  };
}

/** Whatever has no list of lines is rejected when it is checked. */
function linesOf(entries: readonly unknown[]): number {
  let lines = 0;
  for (const entry of entries) {
    const own = entry instanceof JsonRejected ? undefined : (entry as { lines?: unknown } | null)?.lines;
    if (Array.isArray(own)) lines += own.length;
  }
  return lines;
}
