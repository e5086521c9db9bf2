import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { type CompanyRow, selectCompany } from '../companies/companies.read.sql.ts';
import { lockCompany } from '../companies/companies.sql.ts';
import { officialCodes } from './official-codes.ts';
import {
  type RegulatoryProfile,
  type SavedProfile,
  selectProfile,
  selectStatementKinds,
} from './regulatory-profile.read.sql.ts';
import { upsertProfile } from './regulatory-profile.sql.ts';

/** What a request leaves out is as the kind of institution has it. */
export type ProfileInput = {
  readonly [Name in keyof RegulatoryProfile]?: RegulatoryProfile[Name] | undefined;
};

/** The kinds of institution that write daily trial balances and must be audited. */
const SUPERVISED: readonly (CompanyRow['institutionType'] | undefined)[] = ['BANCO', 'CTVM', 'DTVM'];

/** The statement that stands behind each field is of one of these kinds. */
const KINDS_OF = {
  balanceSheetId: ['BP'],
  incomeStatementId: ['DRE'],
  equityStatementId: ['DLPA', 'DMPL'],
} as const satisfies Partial<Record<keyof RegulatoryProfile, readonly StatementKind[]>>;

/** The profile as it was saved, or what holds for a company that has none; `updatedAt` is null then. */
export async function readProfile(
  sql: Sql,
  { companyId, company }: CompanyTenant,
): Promise<RegulatoryProfile & { readonly updatedAt: Date | null }> {
  const saved = await selectProfile(sql, companyId);
  if (saved !== undefined) return saved;
  const row = (await selectCompany(sql, companyId)) ?? reject('NOT_FOUND', recordRef('Company', company));
  return { ...withDefaults(row, {}), updatedAt: null };
}

/** Replaces the profile of a company; its statements stand over a chart of its branches. */
export function saveProfile(context: Context, tenant: CompanyTenant, input: ProfileInput): Promise<SavedProfile> {
  const { companyId, company } = tenant;
  requireCompanyWideAccess(context, tenant);
  return context.transaction(async (sql) => {
    const row = (await lockCompany(sql, companyId)) ?? reject('NOT_FOUND', recordRef('Company', company));
    const profile = withDefaults(row, input);
    throwIfAny([...(await statementProblems(sql, tenant, profile)), ...(await registrationProblems(profile))]);
    const before = await selectProfile(sql, companyId);
    await upsertProfile(sql, companyId, profile);
    const after = (await selectProfile(sql, companyId))!;
    const change = { entity: 'regulatory_profile', entityId: company, companyId, after };
    await recordAudit(sql, context, { action: before ? 'UPDATE' : 'CREATE', before, ...change });
    return after;
  });
}

function withDefaults({ institutionType }: CompanyRow, input: ProfileInput): RegulatoryProfile {
  const isSupervised = SUPERVISED.includes(institutionType);
  return {
    audited: input.audited ?? isSupervised,
    bookkeeping: input.bookkeeping ?? 'CENTRALIZED',
    branchAsCostCentre: input.branchAsCostCentre ?? false,
    ecdBook: input.ecdBook ?? (isSupervised ? 'B' : 'G'),
    balanceSheetId: input.balanceSheetId ?? null,
    incomeStatementId: input.incomeStatementId ?? null,
    equityStatementId: input.equityStatementId ?? null,
    auditor: input.auditor ?? null,
    registrations: input.registrations ?? [],
  };
}

async function statementProblems(
  sql: Sql,
  { companyId }: CompanyTenant,
  profile: RegulatoryProfile,
): Promise<Problem[]> {
  const fields = Object.keys(KINDS_OF) as (keyof typeof KINDS_OF)[];
  const kinds = await selectStatementKinds(
    sql,
    companyId,
    fields.flatMap((field) => profile[field] ?? []),
  );
  return fields.flatMap((field) => {
    const id = profile[field];
    if (id === null) return [];
    const kind = kinds.get(id);
    if (kind === undefined) return [problem('NOT_FOUND', recordRef('Statement', id), field)];
    const allowed: readonly StatementKind[] = KINDS_OF[field];
    const values = allowed.join(', ');
    return allowed.includes(kind) ? [] : [problem('INVALID_FIELD', { reason: 'NOT_ONE_OF', values }, field)];
  });
}

async function registrationProblems({ registrations }: RegulatoryProfile): Promise<Problem[]> {
  const known = new Set((await officialCodes('COD_ENT_REF')).map(({ code }) => code));
  const seen = new Set<string>();
  return registrations.flatMap(({ entity }, at) => {
    const path = `registrations[${at}].entity`;
    const isRepeated = seen.has(entity);
    seen.add(entity);
    if (!known.has(entity)) return [problem('INVALID_FIELD', { reason: 'REFERS_TO_NOTHING' }, path)];
    return isRepeated ? [problem('DUPLICATE', recordRef('Code', entity), path)] : [];
  });
}
