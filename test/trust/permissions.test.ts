import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BusinessError } from '../../src/accounting/problem.ts';
import type { Access, RoutineCode, TenantCodes } from '../../src/features/access/access.ts';
import { recordFigure } from '../support/figures.ts';
import { type Decision, decide, type ModelTenant } from '../support/permission-model.ts';
import {
  createModelTenants,
  MODEL_ROUTINES,
  MODEL_TENANTS,
  permissionWorlds,
  writeWorld,
} from '../support/permission-worlds.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { FORM, volumeOf } from '../support/volumes.ts';

// The rule that decides on every route, on the real database, against the plain model of it.

let platform: Platform;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await createModelTenants(owner);
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

/** Of users whose tokens nobody has ended. */
const CREDENTIAL_VERSION = 1;

const SEED = 4_711;
const ROUTINES = [undefined, ...MODEL_ROUTINES];
const TENANTS = [undefined, ...MODEL_TENANTS];

async function decided(
  userId: number,
  tenant: ModelTenant | undefined,
  routine: RoutineCode | undefined,
): Promise<Decision> {
  const { authorizer } = platform.program.app;
  const user = await authorizer.userState(userId, CREDENTIAL_VERSION);
  const access: Access<unknown> =
    tenant === undefined
      ? { to: 'signedIn', ...(routine && { routine }) }
      : { to: 'tenant', of: (): TenantCodes => tenant, ...(routine && { routine }) };
  try {
    await authorizer.authorize(access, {}, user);
    return 'PASSES';
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    return error.problems[0]!.code as Decision;
  }
}

const TIME = { timeout: timeLimitOf('permissions') };

/** Decisions of random worlds that differ from the model's; `bent` changes what the database holds of a world. */
async function compared(runs: number, bent = async () => {}) {
  const counts = new Map<Decision, number>();
  const different: string[] = [];
  for (const world of fc.sample(permissionWorlds, { numRuns: runs, ...(FORM !== 'full' && { seed: SEED }) })) {
    const users = await writeWorld(owner, world);
    await bent();
    platform.program.app.authorizer.forget();
    for (const [place, id] of users.entries()) {
      for (const tenant of TENANTS) {
        for (const routine of ROUTINES) {
          const expected = decide(world, place, { tenant, routine });
          counts.set(expected, (counts.get(expected) ?? 0) + 1);
          const given = await decided(id, tenant, routine);
          if (given !== expected) {
            different.push(JSON.stringify({ expected, given, place, tenant, routine, world }));
          }
        }
      }
    }
  }
  return { counts, different };
}

test('the program decides as the model does', TIME, async () => {
  const control = await compared(5, async () => {
    await owner.query('UPDATE user_permission SET branch_id = NULL');
  });
  expect(control.different.length).toBeGreaterThan(0);
  const { counts, different } = await compared(volumeOf('PERMISSION_RUNS'));
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  recordFigure({
    part: 'permissions',
    what: 'permission model, random users, groups and rights',
    figure: `${kinds}; other decisions than the model's ${different.length}`,
    control: `rights on a branch widened to its company: ${control.different.length} other decisions`,
  });
  expect(different.slice(0, 3)).toEqual([]);
  for (const kind of ['PASSES', 'UNAUTHENTICATED', 'TENANT_DENIED', 'NO_PERMISSION', 'ROUTINE_DENIED'] as const) {
    expect(counts.get(kind)).toBeGreaterThan(20);
  }
});
