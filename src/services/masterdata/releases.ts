import { codeText } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { wireWords } from '../../http/wire-words.ts';

// What entry templates and their uses say alike.

export const releaseCode = codeText(20).meta({ example: 'ALUGUEL' });

export const valueTypes = wireWords({
  FIXED: 'FIXO',
  GIVEN: 'INFORMADO',
  PERCENTAGE: 'PERCENTUAL',
  ACCOUNT_BALANCE: 'SALDO_CONTA',
});

export const byCodes = {
  to: 'tenant',
  of: ({ company, branch }: { company: string; branch: string }) => ({ company, branch }),
} as const;

/** The path says which tenant; codes in the body may only repeat it. */
export function rejectOtherTenant(
  path: { company: string; branch: string },
  body: { company?: string | undefined; branch?: string | undefined },
): void {
  for (const field of ['company', 'branch'] as const) {
    if (body[field] !== undefined && body[field] !== path[field]) rejectRequest('ID_MISMATCH', {}, field);
  }
}
