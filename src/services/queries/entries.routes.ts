import { z } from 'zod';
import { dayFromIso, monthOfDay } from '../../accounting/period.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import { rejectArchived } from '../../features/posting/archive/reject-archived.ts';
import {
  type FoundLine,
  type LineFilter,
  type LineKey,
  selectFoundLines,
} from '../../features/reporting/ledger/find-lines.read.sql.ts';
import { findAllLines } from '../../features/reporting/ledger/find-lines.ts';
import { csvAnswer, wantsCsv } from '../../http/csv.ts';
import {
  accountId,
  accountPathId,
  amountText,
  exactNumber,
  id,
  isoDay,
  moneyAnswer,
  tenantParams,
  text,
  wholeText,
} from '../../http/fields.ts';
import { rejectPlace } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { textCell } from '../../platform/render/write-csv.ts';

const MAX_PAGE = 1_000;

const lineAnswer = z.object({
  id,
  data: z.string().meta({ example: '2026-01-05' }),
  batchId: id,
  lote: z.string(),
  documentId: id,
  documento: z.string(),
  lancamento: z.string(),
  contaId: accountId,
  conta: z.string(),
  contrapartidaId: id.nullable(),
  contrapartida: z.string().nullable(),
  debcre: z.enum(['D', 'C']),
  valor: moneyAnswer,
  cdhistorico: z.string().nullable(),
  historico: z.string().nullable(),
  encerramento: z.boolean(),
});

const LINE_BY_LINE = ['texto', 'valorMinimo', 'valorMaximo', 'contrapartidaId', 'documento'] as const;
type LineQuery = Partial<Record<(typeof LINE_BY_LINE)[number], unknown>>;

export const findEntriesRoute = route({
  operationId: 'findEntries',
  method: 'GET',
  path: '/entries/{company}/{branch}',
  summary: 'Lines of a branch by filters, page by page; with Accept: text/csv all of them as CSV',
  tag: 'Ledger',
  addition: true,
  // Only days and accounts are found by an index.
  cost: (query: LineQuery, raw) =>
    wantsCsv(raw) || LINE_BY_LINE.some((name) => query[name] !== undefined) ? 'heavy' : 'ordinary',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({
    dataInicio: isoDay,
    dataFim: isoDay,
    contaId: accountPathId.optional(),
    contrapartidaId: accountPathId.optional(),
    valorMinimo: amountText.optional(),
    valorMaximo: amountText.optional(),
    texto: text(100, 1).optional(),
    lote: text(10, 1).optional(),
    documento: text(20, 1).optional(),
    /** The `proximo` of the previous page. */
    depoisDe: z.string().max(40).optional(),
    tamanho: wholeText(1, MAX_PAGE).default(100).meta({ type: 'integer', example: 100 }),
  }),
  answer: z.object({ content: z.array(lineAnswer), proximo: z.string().nullable() }),
  files: ['text/csv'],
  handle: async ({ query, context, tenant, raw }) => {
    if (query.dataInicio > query.dataFim) {
      rejectRequest('INVALID_DATE_RANGE', { from: query.dataInicio, to: query.dataFim }, 'dataInicio');
    }
    if (query.valorMinimo !== undefined && query.valorMaximo !== undefined && query.valorMinimo > query.valorMaximo) {
      rejectRequest(
        'INVALID_FIELD',
        { reason: { en: 'is more than valorMaximo', pt: 'é maior do que valorMaximo' } },
        'valorMinimo',
      );
    }
    const filter: LineFilter = {
      from: query.dataInicio,
      to: query.dataFim,
      accountId: query.contaId,
      offsetAccountId: query.contrapartidaId,
      minimum: query.valorMinimo,
      maximum: query.valorMaximo,
      text: query.texto,
      batch: query.lote,
      document: query.documento,
    };
    const after = query.depoisDe === undefined ? undefined : keyFromText(query.depoisDe);
    const period = { from: monthOfDay(filter.from), to: monthOfDay(filter.to) };
    if (wantsCsv(raw)) {
      await rejectArchived(context.sql, [tenant], period);
      await auditReading(context, { action: 'EXPORT', entity: 'entry', tenant, asked: query });
      return csvAnswer(CSV_COLUMNS, findAllLines(context.sql, tenant, filter, after), csvCells);
    }
    const lines = await selectFoundLines(context.sql, tenant, filter, after, query.tamanho + 1);
    await rejectArchived(context.sql, [tenant], period);
    const content = lines.slice(0, query.tamanho);
    const last = content.at(-1);
    return {
      content: content.map(lineToWire),
      proximo: lines.length > query.tamanho && last ? `${last.day}.${last.id}` : null,
    };
  },
});

function lineToWire(line: FoundLine): z.output<typeof lineAnswer> {
  return {
    id: line.id,
    data: line.day,
    batchId: line.batchId,
    lote: line.batch,
    documentId: line.documentId,
    documento: line.document,
    lancamento: line.entry,
    contaId: line.accountId,
    conta: line.accountCode,
    contrapartidaId: line.offsetAccountId,
    contrapartida: line.offsetCode,
    debcre: line.side,
    valor: exactNumber(line.amount),
    cdhistorico: line.narrationCode,
    historico: line.narration,
    encerramento: line.closing,
  };
}

const CSV_COLUMNS = [
  'data',
  'lote',
  'documento',
  'lancamento',
  'conta',
  'contrapartida',
  'debcre',
  'valor',
  'cdhistorico',
  'historico',
] as const;

/** Every cell but day, side and amount is text that somebody typed. */
function csvCells(line: FoundLine): string[] {
  return [
    line.day,
    textCell(line.batch),
    textCell(line.document),
    textCell(line.entry),
    textCell(line.accountCode),
    textCell(line.offsetCode ?? ''),
    line.side,
    line.amount.replace('.', ','),
    textCell(line.narrationCode ?? ''),
    textCell(line.narration ?? ''),
  ];
}

function keyFromText(value: string): LineKey {
  const [, day = '', id = ''] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/.exec(value) ?? [];
  const key = dayFromIso(day);
  return key === undefined ? rejectPlace('depoisDe') : { day: key, id: Number(id) };
}
