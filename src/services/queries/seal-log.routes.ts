import { z } from 'zod';
import { proveConsistency, readCheckpoint } from '../../features/closing/seals/read-log.ts';
import { branchCode, companyCode, wholeText } from '../../http/fields.ts';
import { RouteResponse, route } from '../../http/route.ts';

const tag = 'Seals';

const branchParams = z.object({ company: companyCode, branch: branchCode });
const size = wholeText(1, Number.MAX_SAFE_INTEGER).meta({ type: 'integer', minimum: 1, example: 3 });
const hash = z
  .string()
  .regex(/^[\da-f]{64}$/)
  .meta({ example: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328' });

/** Keys are added seldom, and what was sealed with a new one is read again when its key is not known. */
const KEY_SET_AGE_S = 300;

export const sealKeysRoute = route({
  operationId: 'getSealKeys',
  method: 'GET',
  path: '/.well-known/seal-keys.json',
  summary:
    'Public keys of all seals (ES256) and of the heads of their logs (EdDSA), newest first: kept by who checks seals',
  tag,
  access: { to: 'anyone' },
  addition: true,
  answer: z
    .object({
      keys: z.array(
        z
          .object({
            kty: z.enum(['EC', 'OKP']),
            crv: z.enum(['P-256', 'Ed25519']),
            x: z.string(),
            y: z.string().optional(),
            kid: z.string(),
            use: z.literal('sig'),
            alg: z.enum(['ES256', 'EdDSA']),
            since: z.iso.datetime().meta({ example: '2026-01-02T12:00:00.000Z' }),
          })
          .meta({ title: 'SealKey' }),
      ),
    })
    .meta({ title: 'SealKeys' }),
  handle: async ({ sealKeys }) => {
    const keys = (await sealKeys.published()).map((key) => ({ ...key, kty: key.kty as 'EC', crv: key.crv as 'P-256' }));
    return new RouteResponse(200, { keys }, { 'cache-control': `public, max-age=${KEY_SET_AGE_S}` });
  },
});

export const checkpointRoute = route({
  operationId: 'getSealCheckpoint',
  method: 'GET',
  path: '/seals/{company}/{branch}/checkpoint',
  summary: "The signed head of the branch's log of seals (C2SP tlog-checkpoint), as witnesses take it",
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: branchParams,
  query: z.strictObject({ size: size.optional() }),
  files: ['text/plain'],
  handle: async ({ context, tenant, query }) =>
    new RouteResponse(200, await readCheckpoint(context.sql, tenant, query.size), {
      'content-type': 'text/plain; charset=utf-8',
    }),
});

export const sealConsistencyRoute = route({
  operationId: 'getSealConsistency',
  method: 'GET',
  path: '/seals/{company}/{branch}/consistency',
  summary:
    'Proves that an older head of the log is the beginning of a newer one: no seal was changed, taken out or put between',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: branchParams,
  query: z.strictObject({ from: size, to: size }),
  answer: z
    .object({
      from: z.int().meta({ description: 'Seals of the older head' }),
      fromRoot: hash,
      to: z.int(),
      toRoot: hash,
      proof: z.array(hash).meta({ description: 'RFC 9162, 2.1.4' }),
    })
    .meta({ title: 'SealConsistency' }),
  handle: async ({ context, tenant, query }) => {
    const { from, to, path } = await proveConsistency(context.sql, tenant, query.from, query.to);
    return {
      from: from.size,
      fromRoot: from.root.toString('hex'),
      to: to.size,
      toRoot: to.root.toString('hex'),
      proof: path.map((each) => each.toString('hex')),
    };
  },
});
