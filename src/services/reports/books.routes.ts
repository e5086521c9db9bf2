import { Readable } from 'node:stream';
import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import {
  type IssuedBookRow,
  selectIssuedBook,
  selectIssuedBooks,
  selectNextBooks,
} from '../../features/reporting/books/issued-books.read.sql.ts';
import { openIssuedBook } from '../../features/reporting/books/open-issued-book.ts';
import { branchOrInstitution, companyParams, id, instant, optional, pathId, wholeText } from '../../http/fields.ts';
import { pageQuery } from '../../http/paging.ts';
import { RouteResponse, route, streamResponse } from '../../http/route.ts';
import { bookKinds } from './book-kinds.ts';
import { bookFileName, CONTENT_TYPES } from './report-answer.ts';

const TAG = 'Books';
const number = z.number().int().meta({ example: 7 });
const day = z.string().meta({ format: 'date', example: '2026-01-01' });

const bookAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001', description: '* is the institution' }),
  kind: bookKinds.answer,
  number,
  from: day,
  to: day,
  folhas: z.number().int().meta({ example: 120 }),
  volumes: z.array(z.object({ number, folhas: z.number().int(), firstFolha: z.number().int(), from: day, to: day })),
  annexes: z.array(
    z.object({
      tipo: z.string().meta({ example: 'patrimonialBalance' }),
      folhas: z.number().int().meta({ example: 2 }),
    }),
  ),
  format: z.enum(['PDF']),
  sha256: z.string().meta({ example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
  bytes: z.number().int().meta({ example: 482_113 }),
  issuedAt: instant,
  issuedBy: z.string().meta({ example: 'ana' }),
  state: z
    .enum(['ISSUED', 'INVALIDATED', 'REPLACED'])
    .meta({ description: 'INVALIDATED: a month of it was opened again; REPLACED: and its successor is issued' }),
  replacedBy: id.nullable(),
  invalidatedAt: instant.nullable(),
  invalidatedBy: z.string().nullable(),
  invalidationReason: z.string().nullable(),
  download: z.string().meta({ example: '/books/0001/1/download' }),
});

const branchIfNamed = ({ company, branch }: { company: string; branch?: string | undefined }) => ({ company, branch });

export const getBooksRoute = route({
  operationId: 'listBooks',
  method: 'GET',
  path: '/books/{company}',
  summary: 'Issued books of a company, invalidated ones too, newest periods first; their number in X-Total-Count',
  tag: TAG,
  addition: true,
  access: { to: 'tenant', of: branchIfNamed, institution: true },
  params: companyParams,
  query: z.strictObject({
    branch: optional(branchOrInstitution),
    kind: optional(bookKinds.input),
    year: optional(wholeText(1900, 9999).meta({ type: 'integer', example: 2026 })),
    ...pageQuery(100),
  }),
  answer: z.array(bookAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ params, query, context, tenants }) => {
    const { companyId, branchId: named = null } = tenants[0]!;
    const { kind, year, page, size } = query;
    const branchId = query.branch === undefined ? undefined : named;
    const { rows, total } = await selectIssuedBooks(context.sql, companyId, { branchId, kind, year }, { page, size });
    const books = rows.map((row) => bookToWire(params.company, row));
    return new RouteResponse(200, books, { 'x-total-count': String(total) });
  },
});

export const getNextBooksRoute = route({
  operationId: 'getNextBooks',
  method: 'GET',
  path: '/books/{company}/{branch}/next',
  summary: 'What the next book of each kind must be: its number, and the day on which it begins',
  tag: TAG,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  params: z.object({ ...companyParams.shape, branch: branchOrInstitution }),
  answer: z.array(
    z.object({
      kind: bookKinds.answer,
      number: number.nullable().meta({ description: 'null: nothing was issued yet, and the options name no number' }),
      from: day.nullable().meta({ description: 'null: nothing was issued yet' }),
    }),
  ),
  handle: async ({ context, tenants }) => {
    const { companyId, branchId = null } = tenants[0]!;
    const next = await selectNextBooks(context.sql, { companyId, branchId });
    return next.map((book) => ({ ...book, kind: bookKinds.toWire(book.kind) }));
  },
});

export const downloadBookRoute = route({
  operationId: 'downloadBook',
  method: 'GET',
  path: '/books/{company}/{id}/download',
  summary: 'The bytes of an issued book, as they were issued; their SHA-256 in Repr-Digest',
  tag: TAG,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: z.object({ ...companyParams.shape, id: pathId }),
  files: [CONTENT_TYPES.PDF],
  headers: ['Content-Disposition', 'Repr-Digest', 'X-Book-State'],
  handle: async ({ params, context, tenants }) => {
    const { companyId } = tenants[0]!;
    const book = await selectIssuedBook(context.sql, companyId, params.id);
    if (!book) reject('NOT_FOUND', recordRef('Issued book', params.id), 'id');
    const { sha256, branchId, state } = book;
    const tenant = { companyId, branchId: branchId ?? undefined };
    await auditReading(context, { action: 'DOWNLOAD', entity: 'book', entityId: book.id, tenant, asked: { sha256 } });
    return streamResponse(Readable.from(openIssuedBook(context.sql, companyId, book)), CONTENT_TYPES.PDF, {
      'content-disposition': `attachment; filename="${bookFileName(params.company, book)}"`,
      'content-length': String(book.bytes),
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'x-book-state': state,
    });
  },
});

function bookToWire(company: string, row: IssuedBookRow): z.output<typeof bookAnswer> {
  const { firstNumber, lastNumber: _, branchId: __, annexes, ...book } = row;
  return {
    ...book,
    company,
    branch: row.branch ?? '*',
    kind: bookKinds.toWire(row.kind),
    number: firstNumber,
    volumes: [...row.volumes],
    annexes: annexes.map(({ kind: tipo, folhas }) => ({ tipo, folhas })),
    issuedAt: row.issuedAt.toISOString(),
    invalidatedAt: row.invalidatedAt?.toISOString() ?? null,
    download: `/books/${company}/${row.id}/download`,
  };
}
