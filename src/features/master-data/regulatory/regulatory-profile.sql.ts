import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Row, SQL } from '../../../platform/database/statement.ts';
import type { RegulatoryProfile } from './regulatory-profile.read.sql.ts';

/** Creates or replaces the profile of a company, registrations included. */
export async function upsertProfile(sql: Sql, companyId: CompanyId, profile: RegulatoryProfile): Promise<void> {
  const row = columnsOf(profile);
  await sql.run(SQL`
    INSERT INTO regulatory_profile (company_id, ${SQL.columns(row)}) VALUES (${companyId}, ${SQL.values(row)})
    ON CONFLICT (company_id) DO UPDATE SET ${SQL.assignments(row)}, updated_at = excluded.updated_at`);
  const { registrations } = profile;
  await sql.run(SQL`DELETE FROM company_registration WHERE company_registration.company_id = ${companyId}`);
  await sql.run(SQL`
    INSERT INTO company_registration (company_id, entity, code)
    SELECT ${companyId}, given.entity, given.code
      FROM unnest(${registrations.map(({ entity }) => entity)}::text[], ${registrations.map(({ code }) => code)}::text[])
           AS given (entity, code)
    ON CONFLICT DO NOTHING`);
}

function columnsOf(profile: RegulatoryProfile): Row {
  return {
    audited: profile.audited,
    bookkeeping: profile.bookkeeping,
    branch_as_cost_centre: profile.branchAsCostCentre,
    ecd_book: profile.ecdBook,
    balance_sheet_id: profile.balanceSheetId,
    income_statement_id: profile.incomeStatementId,
    equity_statement_id: profile.equityStatementId,
    auditor: profile.auditor === null ? null : JSON.stringify(profile.auditor),
  };
}
