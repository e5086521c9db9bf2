import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import { PROOF } from '../../features/closing/seals/check-proof.ts';
import { proveBalance, proveEntry } from '../../features/closing/seals/prove-in-seal.ts';
import { branchCode, codeText } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { monthParams } from './closing-checklist.ts';

const ENTRY_FORM =
  'must be batch/document/entry, each percent-encoded where it has a slash | deve ser lote/documento/lançamento, com a barra dentro deles em percentual';

/** Parts that the books print: ADM/1/12. */
const entryName = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const parts = text.split('/').map(decoded);
    const [batch, document, entry] = parts;
    if (parts.length === 3 && batch && document && entry) return { batch, document, entry };
    context.addIssue({ code: 'custom', message: ENTRY_FORM });
    return z.NEVER;
  })
  .meta({ type: 'string', example: 'ADM/1/1' });

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const ONE_OF_BOTH = {
  reason: { en: 'either entry or account is asked for', pt: 'informe entry ou account, um dos dois' },
};

export const sealProofRoute = route({
  operationId: 'getSealProof',
  method: 'GET',
  path: '/seals/{company}/{branch}/{year}/{month}/proof',
  summary:
    "Proves that an entry's lines, or an account's balance, stand in the sealed books, without showing the others",
  tag: 'Seals',
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: z.object({ ...monthParams, branch: branchCode }),
  query: z.strictObject({ entry: entryName.optional(), account: codeText(50).optional() }),
  answer: PROOF.meta({ title: 'SealProof' }),
  handle: async ({ params, query: { entry, account }, tenant, context }) => {
    const month = { ...tenant, month: monthOf(params.year, params.month)! };
    if ((entry === undefined) === (account === undefined)) rejectRequest('INVALID_FIELD', ONE_OF_BOTH, 'entry');
    return context.snapshot((sql) =>
      entry === undefined ? proveBalance(sql, month, account!) : proveEntry(sql, month, entry),
    );
  },
});
