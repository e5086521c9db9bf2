import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import type { Problem } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Tenant, TenantCodes } from '../../features/access/access.ts';
import type { BulkEntry, BulkOutcome, BulkPlace } from '../../features/posting/bulk/bulk-entry.ts';
import { BulkRejected, postBulk } from '../../features/posting/bulk/post-bulk.ts';
import { JsonRejected } from '../../platform/json.ts';
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts';
import { approvalAnswer, postedOrKept } from '../approvals.ts';
import { booleanText, id } from '../fields.ts';
import { type Language, languageOf } from '../language.ts';
import { textOf, type WireProblem, wireProblem } from '../problem-details.ts';
import { RequestError } from '../request-error.ts';
import { route } from '../route.ts';
import { validationProblems } from '../validation-problems.ts';
import { type BulkBody, bulkBodyDescription, receiveBulk } from './bulk-body.ts';
import { type BulkEntryBody, bulkEntry, bulkTenant, plainBulkEntry } from './bulk-entry.ts';

const result = z.object({
  index: z.number().int().meta({ example: 0 }),
  status: z.enum(['CREATED', 'REPEATED', 'REJECTED']),
  documentId: id.nullable(),
  lancamento: z.string().nullable().meta({ example: '1' }),
  errors: z
    .array(z.object({ code: z.string(), field: z.string(), message: z.string() }))
    .meta({ example: [], description: 'Why it was rejected' }),
});

const bulkAnswer = z.object({
  accepted: z.number().int().meta({ example: 1, description: 'Entries created or repeated' }),
  rejected: z.number().int().meta({ example: 0 }),
  results: z.array(result),
});

export const postBulkRoute = route({
  operationId: 'postEntries',
  method: 'POST',
  path: '/entries/bulk',
  cost: 'bulk',
  summary: 'Posts many entries, also compound ones and of several branches: all or none, or each for itself',
  tag: 'Entries',
  addition: true,
  // Each entry names its branch: access is checked entry by entry, before anything else of it is.
  access: { to: 'signedIn' },
  query: z.strictObject({
    atomic: booleanText.optional().meta({ description: 'false: what is right is stored, whatever else is wrong' }),
  }),
  accepts: ['json', 'ndjson'],
  body: bulkBodyDescription,
  streamedJson: true,
  idempotent: 'byHandler',
  status: 201,
  answer: bulkAnswer,
  otherAnswers: { 202: approvalAnswer },
  handle: async (request) => {
    const { query, raw } = request;
    const body = await receiveBulk(raw);
    const atomic = query.atomic ?? body.atomic ?? true;
    const read = await readEntries(body);
    const absent = new Map<string, WireProblem>();
    const { tenants, once } = await request.admit({
      to: 'tenant',
      of: () => read.flatMap((each) => each.tenant ?? []),
      unreached: (codes, missing) => absent.set(keyOf(codes), absenceOf(codes, missing)),
    });
    const checked = placeEntries(read, tenants as readonly Tenant[], absent);
    const language = languageOf(raw.headers['accept-language']);
    return once<z.input<typeof bulkAnswer> | z.input<typeof approvalAnswer>>(body.sha256, async (context) => {
      const entries = checked.flatMap((each) => ('entry' in each ? [each.entry] : []));
      const isRight = entries.length === checked.length;
      const mode = atomic ? (isRight ? 'ALL_OR_NONE' : 'NOTHING') : 'GOOD_ONES';
      try {
        const post = async () => bulkToWire(checked, await postBulk(context, entries, mode), language);
        // A request of several branches has no one draft: those above their limit are sent apart.
        const [tenant, ...others] = tenants as readonly Tenant[];
        if (tenant === undefined || others.length > 0) return await post();
        return await postedOrKept(context, tenant, { operation: 'postBulk', input: [entries, mode] }, post);
      } catch (error) {
        if (!(error instanceof BulkRejected)) throw error;
        throw new RequestError(allProblems(checked, error.outcomes), 400);
      }
    });
  },
});

/** An entry as it was sent: its fields, or what is wrong with them; and the branch that it names. */
interface ReadEntry {
  readonly tenant: TenantCodes | undefined;
  readonly body?: BulkEntryBody;
  readonly problems: readonly WireProblem[];
}

/** Others have their turn meanwhile: ten thousand entries at fault take a second. */
async function readEntries({ entries, lineOf }: BulkBody): Promise<ReadEntry[]> {
  const yieldIfLong = yieldToEventLoop();
  const read: ReadEntry[] = [];
  for (const [index, given] of entries.entries()) {
    read.push(readEntry(given, `entries.${index}`, () => lineOf(index)));
    await yieldIfLong();
  }
  return read;
}

function readEntry(given: unknown, at: string, line: () => number | undefined): ReadEntry {
  if (given instanceof JsonRejected) return { tenant: undefined, problems: [brokenLine(given, line(), at)] };
  const body = plainBulkEntry(given);
  if (body) return { tenant: tenantOf(body), body, problems: choiceProblems(body, at) };
  const parsed = bulkEntry.safeParse(given, { reportInput: true });
  if (parsed.success)
    return { tenant: tenantOf(parsed.data), body: parsed.data, problems: choiceProblems(parsed.data, at) };
  const named = bulkTenant.safeParse(given);
  const problems = validationProblems(bulkEntry, parsed.error.issues).map((each) => ({
    ...each,
    field: each.field === 'body' || each.field === undefined ? at : `${at}.${each.field}`,
  }));
  return { tenant: named.success ? tenantOf(named.data) : undefined, problems };
}

function brokenLine({ reason, reasonPt }: JsonRejected, line: number | undefined, field: string): WireProblem {
  const words = { en: `line ${line}: ${reason}`, pt: `linha ${line}: ${reasonPt}` };
  return wireProblem('INVALID_BODY', { reason: words }, field);
}

function tenantOf({ empresa, filial }: { empresa: string; filial: string }): TenantCodes {
  return { company: empresa, branch: filial };
}

/** Batch, document and account are named by number or by id. */
function choiceProblems(body: BulkEntryBody, at: string): WireProblem[] {
  const problems: WireProblem[] = [];
  const oneOf = (one: string, other: string, within = at) =>
    problems.push(wireProblem('ONE_OF_FIELDS', { one: { path: one }, other: { path: other } }, `${within}.${one}`));
  const { lote, batchId, documento, documentId } = body;
  if (isGiven(documento) === isGiven(documentId)) oneOf('documento', 'documentId');
  else if (isGiven(documentId) && (isGiven(lote) || isGiven(batchId))) {
    oneOf(isGiven(lote) ? 'lote' : 'batchId', 'documentId');
  } else if (isGiven(documento) && isGiven(lote) === isGiven(batchId)) oneOf('lote', 'batchId');
  for (const [index, { conta, contaId }] of body.lines.entries()) {
    if (isGiven(conta) === isGiven(contaId)) oneOf('conta', 'contaId', `${at}.lines.${index}`);
  }
  return problems;
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

function keyOf({ company, branch }: TenantCodes): string {
  return JSON.stringify([company, branch]);
}

function absenceOf({ company, branch }: TenantCodes, missing: 'company' | 'branch'): WireProblem {
  return missing === 'company'
    ? wireProblem('NOT_FOUND', recordRef('Company', company), 'empresa')
    : wireProblem('NOT_FOUND', recordRef('Branch', branch), 'filial');
}

/** An entry to post, or why it is none; `body` says which names its sender used. */
type PlacedEntry =
  | { readonly entry: BulkEntry; readonly body: BulkEntryBody }
  | { readonly problems: readonly WireProblem[] };

function placeEntries(
  read: readonly ReadEntry[],
  tenants: readonly Tenant[],
  absent: ReadonlyMap<string, WireProblem>,
): PlacedEntry[] {
  const reached = new Map(tenants.map((tenant) => [keyOf(tenant), tenant]));
  return read.map(({ tenant: codes, body, problems }, index) => {
    const missing = codes && absent.get(keyOf(codes));
    if (missing) return { problems: [{ ...missing, field: `entries.${index}.${missing.field}` }] };
    if (problems.length > 0 || body === undefined) return { problems };
    return { entry: entryFromWire(body, reached.get(keyOf(codes!))!), body };
  });
}

function entryFromWire(body: BulkEntryBody, tenant: Tenant): BulkEntry {
  const { origin, externalId, metadata } = body;
  const hasSource = origin !== undefined || externalId !== undefined || metadata !== undefined;
  const narration = body.historico || null;
  return {
    tenant,
    month: monthOf(body.ano, body.mes)!,
    place: placeOf(body),
    number: body.lancamento,
    dayNumber: body.day,
    narrationCode: body.cdhistorico || null,
    source: hasSource ? { origin: origin ?? '', externalId, metadata } : undefined,
    lines: body.lines.map(({ debcre, conta, contaId, valor, historico }) => ({
      side: debcre,
      account: conta ?? contaId!,
      amount: valor,
      narration: historico || narration,
    })),
  };
}

function placeOf({ lote, batchId, documento, documentId }: BulkEntryBody): BulkPlace {
  if (documentId !== undefined) return { documentId };
  return lote !== undefined ? { batch: lote, document: documento! } : { batchId: batchId!, document: documento! };
}

function bulkToWire(
  checked: readonly PlacedEntry[],
  outcomes: readonly BulkOutcome[],
  language: Language,
): z.input<typeof bulkAnswer> {
  const results = withOutcomes(checked, outcomes).map(({ outcome, problems }, index) => ({
    index,
    status: outcome?.status ?? ('REJECTED' as const),
    documentId: outcome === undefined || outcome.status === 'REJECTED' ? null : outcome.documentId,
    lancamento: outcome === undefined || outcome.status === 'REJECTED' ? null : outcome.number,
    errors: problems.map((each) => ({ code: each.code, field: each.field!, message: textOf(each, language) })),
  }));
  const rejected = results.filter(({ status }) => status === 'REJECTED').length;
  return { accepted: results.length - rejected, rejected, results };
}

function allProblems(checked: readonly PlacedEntry[], outcomes: readonly BulkOutcome[]): WireProblem[] {
  return withOutcomes(checked, outcomes).flatMap(({ problems }) => problems);
}

/** The entries in their order, those that came to the books with what became of them. */
function withOutcomes(
  checked: readonly PlacedEntry[],
  outcomes: readonly BulkOutcome[],
): { outcome?: BulkOutcome; problems: readonly WireProblem[] }[] {
  let posted = 0;
  return checked.map((each, index) => {
    if ('problems' in each) return { problems: each.problems };
    const outcome = outcomes[posted++]!;
    const found = outcome.status === 'REJECTED' ? outcome.problems : [];
    return { outcome, problems: found.map((problem) => problemOf(problem, each.body, index)) };
  });
}

/** A problem of the books at the name that the entry's sender used. */
function problemOf({ code, params, path }: Problem, body: BulkEntryBody, index: number): WireProblem {
  const [, line, place = path ?? ''] = /^lines\[(\d+)\]\.(\w+)$/.exec(path ?? '') ?? [];
  if (line === undefined) return { code, params, field: `entries.${index}.${nameOf(place, body)}` };
  const { conta } = body.lines[Number(line)]!;
  const name = place === 'account' ? (conta === undefined ? 'contaId' : 'conta') : NAMES_OF_LINE[place];
  return { code, params, field: `entries.${index}.lines.${line}.${name}` };
}

const NAMES_OF_LINE: Readonly<Record<string, string>> = { amount: 'valor', narration: 'historico' };

const NAMES: Readonly<Record<string, string>> = {
  branch: 'filial',
  month: 'mes',
  number: 'lancamento',
  narrationCode: 'cdhistorico',
};

function nameOf(place: string, { batchId, documentId }: BulkEntryBody): string {
  if (place === 'batch') return batchId === undefined ? 'lote' : 'batchId';
  if (place === 'document') return documentId === undefined ? 'documento' : 'documentId';
  return NAMES[place] ?? place;
}
