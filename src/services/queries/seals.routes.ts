import { z } from 'zod';
import { selectSeals } from '../../features/closing/seals/seals.read.sql.ts';
import { conditionalAnswer } from '../../http/conditional.ts';
import { instant, tenantParams, wholeText } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

/** Most seals of an answer, which is also its usual size: a branch that closes every month for 80 years has as many. */
const MAX_SEALS = 1_000;

const hash = z
  .string()
  .regex(/^[\da-f]{64}$/)
  .meta({ example: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328' });
const count = z.int().meta({ example: 2600 });

export const listSealsRoute = route({
  operationId: 'listSeals',
  method: 'GET',
  path: '/seals/{company}/{branch}',
  summary:
    "Seals of a branch's closed months in the order in which they were made, those that were replaced too: what is kept of it proves the books later",
  tag: 'Seals',
  addition: true,
  conditional: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({
    from: wholeText(0, Number.MAX_SAFE_INTEGER)
      .default(0)
      .meta({ type: 'integer', minimum: 0, example: 0, description: 'position of the first seal' }),
    size: wholeText(1, MAX_SEALS)
      .default(MAX_SEALS)
      .meta({ type: 'integer', minimum: 1, maximum: MAX_SEALS, example: 12 }),
  }),
  answer: z.array(
    z
      .object({
        position: z.int().meta({ example: 0, description: "place in the branch's log" }),
        company: z.string().meta({ example: '0001' }),
        branch: z.string().meta({ example: '0001' }),
        year: z.string().meta({ example: '2026' }),
        month: z.string().meta({ example: '01' }),
        version: z.int().meta({ example: 1 }),
        seal: hash.meta({ description: 'SHA-256 of 0x00 and the record (docs/seals.md)' }),
        previous: hash.nullable().meta({ description: 'the seal one position before' }),
        lines: count,
        linesRoot: hash,
        balances: count,
        balancesRoot: hash,
        sealedAt: instant,
        sealedBy: z.string().meta({ example: 'ana' }),
        replaces: hash.nullable().meta({ description: 'the seal of the month before it was opened again' }),
        replacedBy: hash.nullable().meta({ description: 'null: it is in force, or its month is open' }),
        reason: z
          .string()
          .nullable()
          .meta({ example: 'Lançamento esquecido', description: 'why the month was opened again' }),
        jws: z.string().meta({ description: 'ES256 over the record; keys at /.well-known/seal-keys.json' }),
      })
      .meta({ title: 'Seal' }),
  ),
  handle: async ({ context, tenant, query, raw }) => {
    const seals = await selectSeals(context.sql, tenant, query.from, query.size);
    const version = seals.map(({ seal, replacedBy }) => [seal, replacedBy]);
    return conditionalAnswer(raw, version, () => seals);
  },
});
