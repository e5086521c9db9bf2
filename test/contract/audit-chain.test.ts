import { readFile, rm, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHeadFile } from '../../src/features/access/audit-chain/chain-audit.ts';
import { registerSealKeys } from '../../src/features/closing/seals/register-seal-keys.ts';
import { systemSql } from '../../src/platform/database/system-scope.ts';
import { createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { chainTrail, differencesOf, tampered } from '../support/tampering.ts';

let platform: Platform;
let owner: pg.Client;
let beside: pg.Client;
beforeAll(async () => {
  // Without turns of its own: the test makes them.
  platform = await startPlatform({ JOBS: 'off' });
  await registerSealKeys(systemSql(platform.program.database), platform.program.app.sealKeys);
  [owner, beside] = [0, 1].map(() => new pg.Client({ connectionString: platform.ownerUrl })) as [pg.Client, pg.Client];
  await owner.connect();
  await beside.connect();
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await chainTrail(platform);
});
afterAll(async () => {
  await beside?.end();
  await owner?.end();
  await platform?.stop();
});

const kindsOf = async () => (await differencesOf(platform)).map(({ kind, what }) => `${kind} ${what}`);
const headFile = () => auditHeadFile(platform.program.app.config.dataDir);
const one = async (sql: string) => (await owner.query(sql)).rows[0];

test('every row of the trail is chained once, in the order of the ids', async () => {
  const found = await one(`
    SELECT count(*) = count(audit_link.audit_id) AS chained, count(*) > 20 AS many,
           array_agg(audit.id ORDER BY audit.id) = array_agg(audit.id ORDER BY audit_link.position) AS ordered,
           max(audit_link.position) = count(*) AS without_gap
      FROM audit LEFT JOIN audit_link ON audit_link.audit_id = audit.id`);
  expect(found).toEqual({ chained: true, many: true, ordered: true, without_gap: true });
  expect(await kindsOf()).toEqual([]);
});

const FIRST = '(SELECT min(id) FROM audit)';
const LAST = '(SELECT max(id) FROM audit)';
const MIDDLE = '(SELECT id FROM audit ORDER BY id OFFSET 9 LIMIT 1)';
const FORGED = `INSERT INTO audit (id, at, user_id, username, action, entity) SELECT`;

test.each([
  ['the first row changed', `UPDATE audit SET username = 'x' WHERE id = ${FIRST}`, 'AUDIT_CHANGED'],
  ['the last row changed', `UPDATE audit SET at = at - interval '1 microsecond' WHERE id = ${LAST}`, 'AUDIT_CHANGED'],
  ['what was before', `UPDATE audit SET before = '{"a": 1}' WHERE id = ${MIDDLE}`, 'AUDIT_CHANGED'],
  [
    'nothing made null',
    `UPDATE audit SET before = 'null' WHERE id = (SELECT min(id) FROM audit WHERE before IS NULL)`,
    'AUDIT_CHANGED',
  ],
  ['the first row gone', `DELETE FROM audit WHERE id = ${FIRST}`, 'AUDIT_MISSING'],
  ['the last row gone', `DELETE FROM audit WHERE id = ${LAST}`, 'AUDIT_MISSING'],
  [
    'two rows swapped',
    `UPDATE audit SET id = -1 WHERE id = ${FIRST}; UPDATE audit SET id = ${FIRST} - 1 WHERE id = ${MIDDLE};
     UPDATE audit SET id = (SELECT min(audit_id) FROM audit_link) WHERE id = (SELECT min(audit_id) FROM audit_link) - 1`,
    'AUDIT_MISSING',
  ],
  ['a row of an old id', `${FORGED} -5, now(), 1, 'x', 'CREATE', 'batch'`, 'AUDIT_ADDED'],
  ['a link gone', `DELETE FROM audit_link WHERE audit_id = ${MIDDLE}`, 'AUDIT_CHAIN'],
  [
    'a row gone with its link',
    `WITH gone AS (DELETE FROM audit WHERE id = ${MIDDLE} RETURNING id) DELETE FROM audit_link WHERE audit_id IN (SELECT id FROM gone)`,
    'AUDIT_CHAIN',
  ],
  [
    'the end cut off',
    `WITH gone AS (DELETE FROM audit WHERE id = ${LAST} RETURNING id) DELETE FROM audit_link WHERE audit_id IN (SELECT id FROM gone)`,
    'AUDIT_HEAD',
  ],
  ['the whole chain gone', 'DELETE FROM audit_link', 'AUDIT_HEAD'],
  ['a signed end changed', `UPDATE audit_head SET jws = overlay(jws PLACING 'AAAA' FROM 100)`, 'AUDIT_HEAD'],
])('%s is found', async (_what, sql, kind) => {
  const [first] = await tampered(owner, sql, kindsOf);
  expect(first).toContain(kind);
  expect(await kindsOf()).toEqual([]);
});

test('who makes the whole chain anew is found by the signed ends', async () => {
  const anew = `
    UPDATE audit SET username = 'x' WHERE id = ${MIDDLE};
    DELETE FROM audit_link;
    DELETE FROM audit_head;
    UPDATE audit_chain SET settled_id = 0, watched_xid = NULL`;
  const found = await tampered(owner, anew, async () => {
    await owner.query(`SELECT chain_audit(100000, interval '0')`);
    return kindsOf();
  });
  expect(found).toEqual([expect.stringMatching(/^AUDIT_HEAD signed end in the file/)]);
});

const CUT = `
  WITH gone AS (DELETE FROM audit WHERE id = ${LAST} RETURNING id) DELETE FROM audit_link WHERE audit_id IN (SELECT id FROM gone)`;
const REMADE = `
  UPDATE audit SET username = 'x' WHERE id = ${MIDDLE};
  DELETE FROM audit_link;
  UPDATE audit_chain SET settled_id = 0, watched_xid = NULL`;

/** What verify finds, and how many errors are logged, when the program has chained on over what was forged. */
async function afterTheNextTurns(sql: string): Promise<{ kinds: string[]; errors: number }> {
  let errors = 0;
  const chainOn = () => chainTrail(platform, { error: () => errors++ });
  const kinds = await tampered(owner, `${sql}; UPDATE audit_head SET jws = jws`, async () => {
    await chainOn();
    return kindsOf();
  });
  return { kinds, errors };
}

test.each([
  ['cut off', CUT],
  ['made anew', REMADE],
])('an end that was %s is not signed by the next turn', async (_what, sql) => {
  const kept = await readFile(headFile(), 'utf8');
  const { kinds, errors } = await afterTheNextTurns(sql);
  expect(kinds.join()).toContain('AUDIT_HEAD signed end in the file');
  expect(errors).toBeGreaterThan(0);
  expect(await readFile(headFile(), 'utf8')).toBe(kept);
  expect(await kindsOf()).toEqual([]);
});

test('without the file, the newest signed end of the database stops a chain that was made anew', async () => {
  await rm(headFile());
  const { kinds, errors } = await afterTheNextTurns(REMADE);
  expect(kinds.join()).toContain('AUDIT_HEAD signed end');
  expect(errors).toBeGreaterThan(0);
  await expect(readFile(headFile())).rejects.toThrow('ENOENT');
  await chainTrail(platform);
  expect(await kindsOf()).toEqual([]);
});

test('a file with an end of other keys is found; without the file the ends of the database are compared', async () => {
  const path = headFile();
  await writeFile(path, 'e30.e30.AAAA');
  expect(await kindsOf()).toEqual(['AUDIT_HEAD signed end in the file']);
  await rm(path);
  expect(await kindsOf()).toEqual([]);
  await chainTrail(platform);
});

test('a row whose transaction ends late is chained after later ones, and is no difference', async () => {
  const row = `INSERT INTO audit (username, action, entity) VALUES ('x', 'CREATE', 'batch') RETURNING id::integer`;
  await beside.query('BEGIN');
  const { id: early } = (await beside.query(row)).rows[0];
  const { id: late } = await one(row);
  await chainTrail(platform);
  expect(await kindsOf()).toEqual([]);
  await beside.query('COMMIT');
  await chainTrail(platform);
  const { rows } = await owner.query('SELECT audit_id::integer AS id FROM audit_link ORDER BY position DESC LIMIT 2');
  expect(rows.map(({ id }) => id)).toEqual([early, late]);
  expect(await kindsOf()).toEqual([]);
});

test('many that chain at once make one chain, and writers do not wait for them', async () => {
  await owner.query('BEGIN');
  await owner.query(`SELECT chain_audit(100000, interval '0')`);
  // Whoever holds the chain holds up nobody.
  await beside.query(`SET lock_timeout = '1s'; INSERT INTO audit (username, action, entity)
    SELECT 'x', 'CREATE', 'batch ' || n FROM generate_series(1, 300) AS n`);
  await owner.query('COMMIT');
  await Promise.all(Array.from({ length: 6 }, () => chainTrail(platform)));
  await chainTrail(platform);
  const { wrong } = await one(`SELECT count(*)::integer AS wrong FROM audit
    WHERE NOT EXISTS (SELECT FROM audit_link WHERE audit_link.audit_id = audit.id)`);
  expect(wrong).toBe(0);
  expect(await kindsOf()).toEqual([]);
});

test('a row put in late with a new id and an old time is found', async () => {
  await tampered(
    owner,
    `${FORGED} max(id) + 1000, now() - interval '2 days', 1, 'x', 'DELETE', 'batch' FROM audit;
    UPDATE audit_link SET hash = hash; UPDATE audit_chain SET settled_id = settled_id; UPDATE audit_head SET jws = jws`,
    async () => {
      await chainTrail(platform);
      expect(await kindsOf()).toEqual([expect.stringMatching(/^AUDIT_ADDED row/)]);
    },
  );
});
