import { z } from 'zod';
import type { AccountId } from '../../accounting/ids.ts';
import type { Centavos } from '../../accounting/money.ts';
import { type Day, dayFromIso, monthOfDay } from '../../accounting/period.ts';
import { type BranchKey, type BranchSet, INSTITUTION, isInstitution } from '../../features/access/access.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import { branchesOf, readReportedBooks } from '../../features/master-data/companies/institution.ts';
import { rejectArchived } from '../../features/posting/archive/reject-archived.ts';
import {
  type FoundLine,
  type LineFilter,
  type LineKey,
  selectFoundLines,
  sumFoundLines,
} from '../../features/reporting/ledger/find-lines.read.sql.ts';
import { findAllLines } from '../../features/reporting/ledger/find-lines.ts';
import { csvAnswer, wantsCsv } from '../../http/csv.ts';
import {
  accountId,
  accountPathId,
  amountText,
  booleanText,
  branchOrInstitution,
  companyCode,
  exactNumber,
  id,
  isoDay,
  money,
  moneyAnswer,
  text,
} from '../../http/fields.ts';
import { importStamp, importStampOf } from '../../http/movements/shared.ts';
import { keyedPageQuery, rejectPlace } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { textCell } from '../../platform/render/write-csv.ts';

export const lineAnswer = z.object({
  id,
  filial: z.string().meta({ example: '0001' }),
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
  createdBy: z.string().nullable().optional(),
  updatedBy: z.string().nullable().optional(),
  ...importStamp,
});

const LINE_BY_LINE = [
  'texto',
  'valor',
  'valorMinimo',
  'valorMaximo',
  'contrapartidaId',
  'documento',
  'lancamento',
  'cdhistorico',
  'totais',
] as const;
type LineQuery = Partial<Record<(typeof LINE_BY_LINE)[number], unknown>>;

export const findEntriesRoute = route({
  operationId: 'findEntries',
  method: 'GET',
  path: '/entries/{company}/{branch}',
  summary:
    'Lines of a branch, or of all branches of the institution, by filters, page by page; with Accept: text/csv all of them as CSV',
  tag: 'Ledger',
  addition: true,
  // Only days and accounts are found by an index.
  cost: (query: LineQuery & { branch?: unknown }, raw) =>
    wantsCsv(raw) || query.branch === INSTITUTION || LINE_BY_LINE.some((name) => query[name] !== undefined)
      ? 'heavy'
      : 'ordinary',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  params: z.object({ company: companyCode, branch: branchOrInstitution }),
  query: z.strictObject({
    dataInicio: isoDay,
    dataFim: isoDay,
    /** A summary account stands for all accounts below it, here and as the offset account. */
    contaId: accountPathId.optional(),
    contrapartidaId: accountPathId.optional(),
    /** Exactly this amount; with it, no range. */
    valor: amountText.optional(),
    valorMinimo: amountText.optional(),
    valorMaximo: amountText.optional(),
    /** Part of the narration, in any case, with or without accents. */
    texto: text(100, 1).optional(),
    cdhistorico: text(20, 1).optional(),
    lote: text(10, 1).optional(),
    documento: text(20, 1).optional(),
    lancamento: text(20, 1).optional(),
    direcao: z.enum(['ASC', 'DESC'], { message: 'must be ASC or DESC | deve ser ASC ou DESC' }).default('ASC'),
    /** true: with how many lines match on all pages, and their sums. */
    totais: booleanText.optional(),
    ...keyedPageQuery,
  }),
  answer: z.object({
    content: z.array(lineAnswer),
    proximo: z.string().nullable(),
    totais: z.object({ linhas: z.number().int(), debito: moneyAnswer, credito: moneyAnswer }).optional(),
  }),
  files: ['text/csv'],
  handle: async ({ query, context, branchOrInstitution: tenant, raw }) => {
    const filter = filterOf(query);
    const after = query.depoisDe === undefined ? undefined : keyFromText(query.depoisDe);
    const period = { from: monthOfDay(filter.from), to: monthOfDay(filter.to) };
    const branches = branchesOf(await readReportedBooks(context.sql, tenant));
    const rejectArchivedMonths = () => rejectArchived(context.sql, eachOf(branches), period);
    if (wantsCsv(raw)) {
      await rejectArchivedMonths();
      await auditReading(context, { action: 'EXPORT', entity: 'entry', tenant, asked: query });
      const lines = findAllLines(context.sql, branches, filter, after, query.direcao);
      return isInstitution(tenant)
        ? csvAnswer(['filial', ...CSV_COLUMNS], lines, (line) => [textCell(line.branch), ...csvCells(line)])
        : csvAnswer(CSV_COLUMNS, lines, csvCells);
    }
    const [lines, totals] = await context.sql.pipelined((sql) =>
      Promise.all([
        selectFoundLines(sql, branches, filter, after, query.tamanho + 1, query.direcao),
        query.totais ? sumFoundLines(sql, branches, filter) : undefined,
      ]),
    );
    await rejectArchivedMonths();
    const content = lines.slice(0, query.tamanho);
    const last = content.at(-1);
    return {
      content: content.map(lineToWire),
      proximo: lines.length > query.tamanho && last ? `${last.day}.${last.id}` : null,
      ...(totals && {
        totais: { linhas: totals.lines, debito: money(totals.debit), credito: money(totals.credit) },
      }),
    };
  },
});

interface FilterQuery {
  readonly dataInicio: Day;
  readonly dataFim: Day;
  readonly contaId?: AccountId | undefined;
  readonly contrapartidaId?: AccountId | undefined;
  readonly valor?: Centavos | undefined;
  readonly valorMinimo?: Centavos | undefined;
  readonly valorMaximo?: Centavos | undefined;
  readonly texto?: string | undefined;
  readonly cdhistorico?: string | undefined;
  readonly lote?: string | undefined;
  readonly documento?: string | undefined;
  readonly lancamento?: string | undefined;
}

function filterOf(query: FilterQuery): LineFilter {
  const { dataInicio: from, dataFim: to, valor, valorMinimo, valorMaximo } = query;
  if (from > to) rejectRequest('INVALID_DATE_RANGE', { from, to }, 'dataInicio');
  if (valor !== undefined && (valorMinimo !== undefined || valorMaximo !== undefined)) {
    rejectRequest('INVALID_FIELD', EXACT_OR_RANGE, 'valor');
  }
  if (valorMinimo !== undefined && valorMaximo !== undefined && valorMinimo > valorMaximo) {
    rejectRequest('INVALID_FIELD', MORE_THAN_MAXIMUM, 'valorMinimo');
  }
  return {
    from,
    to,
    accountId: query.contaId,
    offsetAccountId: query.contrapartidaId,
    minimum: valor ?? valorMinimo,
    maximum: valor ?? valorMaximo,
    text: query.texto,
    narrationCode: query.cdhistorico,
    batch: query.lote,
    document: query.documento,
    entry: query.lancamento,
  };
}

const EXACT_OR_RANGE = {
  reason: {
    en: 'give valor, or valorMinimo and valorMaximo',
    pt: 'informe valor, ou valorMinimo e valorMaximo',
  },
};
const MORE_THAN_MAXIMUM = { reason: { en: 'is more than valorMaximo', pt: 'é maior do que valorMaximo' } };

function eachOf(branches: BranchKey | BranchSet): BranchKey[] {
  if (!('branchIds' in branches)) return [branches];
  return branches.branchIds.map((branchId) => ({ companyId: branches.companyId, branchId }));
}

export function lineToWire(line: FoundLine): z.output<typeof lineAnswer> {
  return {
    id: line.id,
    filial: line.branch,
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
    createdBy: line.createdBy,
    updatedBy: line.updatedBy,
    ...importStampOf(line),
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
