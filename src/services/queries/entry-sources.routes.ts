import { z } from 'zod';
import { asId, type CompanyId } from '../../accounting/ids.ts';
import {
  type SourceKey,
  type SourceLine,
  type SourceRow,
  selectArchivedSources,
  selectLinesOfSources,
  selectSources,
} from '../../features/posting/bulk/entry-sources.read.sql.ts';
import { accountId, codeText, exactNumber, id, instant, moneyAnswer, side } from '../../http/fields.ts';
import { keyedPageQuery, rejectPlace } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

const sourceLine = z.object({
  id,
  debcre: side,
  contaId: accountId,
  conta: z.string().meta({ example: '1.1.1' }),
  valor: moneyAnswer,
  historico: z.string().nullable(),
});

const sourcedEntry = z.object({
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  origin: z.string().nullable().meta({ example: 'CARTOES' }),
  externalId: z.string().nullable().meta({ example: 'C-2026-000123' }),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ example: { contrato: '2026-000123' } }),
  state: z.enum(['POSTED', 'ARCHIVED', 'DELETED']),
  documentId: id,
  lancamento: z.string().meta({ example: '1' }),
  batchId: id.nullable(),
  lote: z.string().nullable(),
  documento: z.string().nullable(),
  data: z.string().nullable().meta({ example: '2026-01-05' }),
  lines: z.array(sourceLine),
  createdAt: instant,
  createdBy: z.string(),
});

export const getSourcedEntriesRoute = route({
  operationId: 'findSourcedEntries',
  method: 'GET',
  path: '/entries',
  summary: 'Entries by what the system that sent them said of them, of all branches of the caller',
  tag: 'Ledger',
  addition: true,
  access: { to: 'signedIn' },
  query: z.strictObject({
    origin: codeText(40).optional().meta({ example: 'CARTOES' }),
    externalId: codeText(100).optional(),
    ...keyedPageQuery,
  }),
  answer: z.object({ content: z.array(sourcedEntry), proximo: z.string().nullable() }),
  handle: async ({ query, context }) => {
    const { origin, externalId, depoisDe, tamanho } = query;
    if (origin === undefined && externalId === undefined) rejectRequest('MISSING_VALUE', {}, 'origin');
    const after = depoisDe === undefined ? undefined : keyFromText(depoisDe);
    return context.snapshot(async (sql) => {
      const sources = await selectSources(sql, { origin, externalId }, after, tamanho + 1);
      const page = sources.slice(0, tamanho);
      const lines = Map.groupBy(await selectLinesOfSources(sql, page), ({ sourceId }) => sourceId);
      const archived = await selectArchivedSources(
        sql,
        page.filter((each) => !lines.has(each.id)),
      );
      const last = page.at(-1);
      return {
        content: page.map((each) => sourcedToWire(each, lines.get(each.id) ?? [], archived.has(each.id))),
        proximo: sources.length > tamanho && last ? `${last.companyId}.${last.id}` : null,
      };
    });
  },
});

function sourcedToWire(
  source: SourceRow,
  lines: readonly SourceLine[],
  archived: boolean,
): z.input<typeof sourcedEntry> {
  const [first] = lines;
  return {
    company: source.company,
    branch: source.branch,
    origin: source.origin || null,
    externalId: source.externalId,
    metadata: source.metadata,
    state: first ? 'POSTED' : archived ? 'ARCHIVED' : 'DELETED',
    documentId: source.documentId,
    lancamento: source.number,
    batchId: first?.batchId ?? null,
    lote: first?.batch ?? null,
    documento: first?.document ?? null,
    data: first?.day ?? null,
    lines: lines.map((line) => ({
      id: line.id,
      debcre: line.side,
      contaId: line.accountId,
      conta: line.accountCode,
      valor: exactNumber(line.amount),
      historico: line.narration,
    })),
    createdAt: source.createdAt.toISOString(),
    createdBy: source.createdBy,
  };
}

function keyFromText(value: string): SourceKey {
  const [, company = '', source = ''] = /^(\d{1,15})\.(\d{1,15})$/.exec(value) ?? [];
  if (company === '') return rejectPlace('depoisDe');
  return { companyId: asId<CompanyId>(Number(company)), id: Number(source) };
}
