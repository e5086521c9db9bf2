import { z } from 'zod';
import { hasValidCnpjDigits } from '../../accounting/cnpj.ts';
import type { BranchRow, CompanyRow } from '../../features/master-data/companies/companies.read.sql.ts';
import type { BranchInput, CompanyInput } from '../../features/master-data/companies/companies.sql.ts';
import { BRANCH_FIELDS, COMPANY_FIELDS } from '../../features/master-data/companies/company-fields.ts';
import { answerFields, bodyFields, fieldsFromWire, fieldsToWire } from '../../http/field-schemas.ts';
import { branchCode, companyCode, id, instant, optional, readOnly } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import type { Config } from '../../platform/config.ts';

const ignored = { id: readOnly, createdAt: readOnly, updatedAt: readOnly, warnings: readOnly };
const stamps = { createdAt: instant, updatedAt: instant };
const code = z.string().meta({ example: '0001' });

export const companyBody = z.strictObject({
  ...ignored,
  company: optional(companyCode),
  ...bodyFields(COMPANY_FIELDS),
});

export const branchBody = z.strictObject({
  ...ignored,
  company: companyCode,
  branch: branchCode,
  ...bodyFields(BRANCH_FIELDS),
});

export const companyAnswer = z.object({ id, company: code, ...answerFields(COMPANY_FIELDS), ...stamps });
export const branchAnswer = z.object({ id, company: code, branch: code, ...answerFields(BRANCH_FIELDS), ...stamps });

/** Responses to creations and changes carry warnings about the saved record. */
export const warned = { warnings: z.array(z.string()).meta({ example: [] }) };

export function companyFromWire(body: z.output<typeof companyBody>): CompanyInput {
  return { ...withoutEmpty(fieldsFromWire(COMPANY_FIELDS, body)), code: body.company };
}

export function branchFromWire(body: z.output<typeof branchBody>): BranchInput {
  return { ...withoutEmpty(fieldsFromWire(BRANCH_FIELDS, body)), code: body.branch };
}

export function companyToWire(row: CompanyRow): z.output<typeof companyAnswer> {
  return { id: row.id, company: row.code, ...fieldsToWire(COMPANY_FIELDS, row), ...stampsOf(row) };
}

export function branchToWire(row: BranchRow): z.output<typeof branchAnswer> {
  const { id, company, code } = row;
  return { id, company, branch: code, ...fieldsToWire(BRANCH_FIELDS, row), ...stampsOf(row) };
}

/** Wrong check digits are rejected, warned about or ignored, as CNPJ_CHECK_DIGITS says. */
export function cnpjWarnings(cnpj: string | undefined, config: Pick<Config, 'cnpjCheckDigits'>): string[] {
  if (cnpj === undefined || config.cnpjCheckDigits === 'off' || hasValidCnpjDigits(cnpj)) return [];
  if (config.cnpjCheckDigits === 'strict') {
    rejectRequest(
      'INVALID_FIELD',
      { reason: { en: 'its check digits are wrong', pt: 'dígitos verificadores incorretos' } },
      'cnpj',
    );
  }
  return [`cnpj: dígitos verificadores incorretos (${cnpj})`];
}

function stampsOf({ createdAt, updatedAt }: CompanyRow | BranchRow) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** An empty text counts as absent. */
function withoutEmpty<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Values;
}
