import type { CompanyId } from '../../../accounting/ids.ts';
import type { StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** An authority that a company is registered with, by its code of the federal revenue service (COD_ENT_REF). */
export interface Registration {
  readonly entity: string;
  readonly code: string | null;
}

/** CNPJ or CPF, name, and the code at the CVM of whoever audits a company. */
export interface Auditor {
  readonly document: string;
  readonly name: string;
  readonly cvmCode?: string | undefined;
}

/** How a company writes its bookkeeping file (ECD). */
export interface RegulatoryProfile {
  readonly audited: boolean;
  readonly bookkeeping: 'CENTRALIZED' | 'BY_BRANCH';
  readonly branchAsCostCentre: boolean;
  /** G: the journal with every entry; B: daily trial balances. */
  readonly ecdBook: 'G' | 'B';
  readonly balanceSheetId: number | null;
  readonly incomeStatementId: number | null;
  readonly equityStatementId: number | null;
  readonly auditor: Auditor | null;
  readonly registrations: readonly Registration[];
}

export type SavedProfile = RegulatoryProfile & { readonly updatedAt: Date };

export function selectProfile(sql: Sql, companyId: CompanyId): Promise<SavedProfile | undefined> {
  return sql.maybe<SavedProfile>(SQL`
    SELECT regulatory_profile.audited, regulatory_profile.bookkeeping,
           regulatory_profile.branch_as_cost_centre AS "branchAsCostCentre", regulatory_profile.ecd_book AS "ecdBook",
           regulatory_profile.balance_sheet_id AS "balanceSheetId",
           regulatory_profile.income_statement_id AS "incomeStatementId",
           regulatory_profile.equity_statement_id AS "equityStatementId", regulatory_profile.auditor,
           regulatory_profile.updated_at AS "updatedAt",
           (SELECT coalesce(json_agg(json_build_object('entity', company_registration.entity, 'code', company_registration.code)
                                     ORDER BY company_registration.entity), '[]')
              FROM company_registration
             WHERE company_registration.company_id = ${companyId}) AS registrations
      FROM regulatory_profile
     WHERE regulatory_profile.company_id = ${companyId}`);
}

/** The kind of each of these statements that stands over a chart of the company's branches. */
export async function selectStatementKinds(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StatementKind>> {
  const rows = await sql.rows<{ id: number; kind: StatementKind }>(SQL`
    SELECT statement.id, statement.kind FROM statement
     WHERE statement.id = ANY (${ids}::bigint[])
       AND statement.chart_id IN (SELECT company_options.chart_id FROM company_options
                                   WHERE company_options.company_id = ${companyId})`);
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}
