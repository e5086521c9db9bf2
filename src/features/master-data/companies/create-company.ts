import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { lookupPostalCode } from '../lookups/look-up-postal-code.ts';
import type { CompanyRow } from './companies.read.sql.ts';
import { type CompanyInput, grantCompanies, insertCompany, queueForCode, selectNextCode } from './companies.sql.ts';

/**
 * A company, to which its creator gets access. Without a code it takes the next free one; it retries on a conflict with
 * a concurrent creation.
 */
export async function createCompany(
  context: Context,
  config: Pick<Config, 'cepLookup'>,
  given: CompanyInput,
): Promise<CompanyRow> {
  const facts = await withAddress(context, config, given);
  for (let attempt = 1; ; attempt++) {
    try {
      const company = await insertOwned(context, facts);
      context.rightsChanged();
      return company;
    } catch (error) {
      if (!violates(error, CONSTRAINT.COMPANY_CODE)) throw error;
      if (facts.code !== undefined || attempt === 10) {
        reject('DUPLICATE', recordRef('Company', facts.code ?? ''), 'company');
      }
    }
  }
}

/** An empty address is filled from the postal code when the lookup answers in time. */
async function withAddress(
  context: Context,
  config: Pick<Config, 'cepLookup'>,
  facts: CompanyInput,
): Promise<CompanyInput> {
  const { street, district, city, state, ibgeCode } = facts;
  if ([street, district, city, state, ibgeCode].some((each) => each !== undefined)) return facts;
  const found = await lookupPostalCode(context, config, facts.zipCode);
  if (found === undefined) return facts;
  return {
    ...facts,
    street: found.street ?? undefined,
    complement: facts.complement ?? found.complement ?? undefined,
    district: found.district ?? undefined,
    city: found.city ?? undefined,
    state: found.state ?? undefined,
    ibgeCode: found.ibgeCode ?? undefined,
  };
}

function insertOwned(context: Context, facts: CompanyInput): Promise<CompanyRow> {
  return context.elevated(ELEVATION.newCompany, (system) =>
    system.transaction(async (sql) => {
      const company = await insertCompany(sql, { ...facts, code: facts.code ?? (await nextCode(sql)) });
      if (context.caller.id > 0) await grantCompanies(sql, context.caller.id, [company.id]);
      await recordAudit(sql, context, {
        action: 'CREATE',
        entity: 'company',
        entityId: company.id,
        companyId: company.id,
        after: company,
      });
      return company;
    }),
  );
}

async function nextCode(sql: Sql): Promise<string> {
  await queueForCode(sql);
  return selectNextCode(sql);
}
