import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  type AuditHead,
  type AuditLink,
  selectAuditHeads,
  selectAuditLinks,
  selectUnchainedRows,
} from './audit-chain.read.sql.ts';

/** What is wrong with the chain of the trail. */
export interface ChainFault {
  readonly kind: 'AUDIT_CHANGED' | 'AUDIT_MISSING' | 'AUDIT_ADDED' | 'AUDIT_CHAIN' | 'AUDIT_HEAD';
  readonly what: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** What a signed end says; undefined where its signature is not that of one of the keys. */
export type ReadHead = (jws: string) => AuditHead | undefined;

const PIECE = 2_000;
const MOST_FAULTS = 1_000;
/** A transaction that writes the trail takes less. */
const LATEST_MS = 24 * 60 * 60 * 1_000;

/**
 * Goes along the whole chain, each row hashed anew, and compares it with the signed ends: those of the database, and the
 * one that a file keeps. In one snapshot, a piece of the chain at a time.
 */
export async function verifyAudit(sql: Sql, readHead: ReadHead, kept: string | undefined): Promise<ChainFault[]> {
  const faults: ChainFault[] = [];
  const stored = await selectAuditHeads(sql);
  const heads = [
    ...stored.map(({ position, jws }) => ({ what: `signed end ${position}`, position, jws })),
    ...(kept === undefined ? [] : [{ what: 'signed end in the file', position: undefined, jws: kept }]),
  ].map(({ what, position, jws }) => ({ what, position, head: readHead(jws) }));
  for (const { what, position, head } of heads) {
    const isRight = head !== undefined && (position ?? head.position) === head.position;
    if (!isRight) faults.push({ kind: 'AUDIT_HEAD', what, expected: 'a signature of the seal keys', found: null });
  }
  const expected = Map.groupBy(
    heads.flatMap(({ what, head }) => (head === undefined ? [] : [{ what, ...head }])),
    ({ position }) => position,
  );
  for await (const { link, faults: found } of walk(sql)) {
    faults.push(...found);
    for (const { what, hash } of expected.get(link.position) ?? []) {
      if (hash !== link.hash) faults.push({ kind: 'AUDIT_HEAD', what, expected: hash, found: link.hash });
    }
    expected.delete(link.position);
    if (faults.length >= MOST_FAULTS) return faults;
  }
  for (const { what, position } of [...expected.values()].flat()) {
    faults.push({ kind: 'AUDIT_HEAD', what, expected: `a chain of ${position} links`, found: 'a shorter chain' });
  }
  const added = await selectUnchainedRows(sql, MOST_FAULTS);
  const late = added.map(
    ({ id, at }): ChainFault => ({ kind: 'AUDIT_ADDED', what: `row ${id}`, expected: null, found: at }),
  );
  return [...faults, ...late];
}

/** The end of the chain as it is signed; undefined for anything else. */
export function auditHeadIn(payload: Buffer | undefined): AuditHead | undefined {
  if (payload === undefined) return undefined;
  const { position, hash } = JSON.parse(payload.toString()) as Partial<AuditHead>;
  return typeof position === 'number' && typeof hash === 'string' ? { position, hash } : undefined;
}

/** Every link, with what is wrong with it. After a fault the chain goes on from what is stored, so that each is found once. */
async function* walk(sql: Sql): AsyncGenerator<{ link: AuditLink; faults: ChainFault[] }> {
  let before: Pick<AuditLink, 'position' | 'hash'> = { position: 0, hash: '00'.repeat(32) };
  let latest = 0;
  for (;;) {
    const links = await selectAuditLinks(sql, before.position, PIECE);
    for (const link of links) {
      const faults: ChainFault[] = [];
      const wrong = (kind: ChainFault['kind'], what: string, expected: string | null, found: string | null) =>
        faults.push({ kind, what, expected, found });
      if (link.position !== before.position + 1) {
        wrong('AUDIT_CHAIN', `link ${before.position + 1}`, 'a link', null);
      } else if (link.id === null) wrong('AUDIT_MISSING', `row ${link.auditId}`, 'a row', null);
      else {
        const hash = hashOf(before.hash, link);
        if (hash !== link.hash) wrong('AUDIT_CHANGED', `row ${link.auditId}`, link.hash, hash);
      }
      const at = Date.parse(link.at ?? '');
      if (at < latest - LATEST_MS)
        wrong('AUDIT_ADDED', `row ${link.auditId}`, 'a row not older than those before', link.at);
      latest = Math.max(latest, at || 0);
      before = link;
      yield { link, faults };
    }
    if (links.length < PIECE) return;
  }
}

/** As `chain_audit` made it. */
function hashOf(before: string, link: AuditLink): string {
  const { id, at, userId, username, address, action, entity, entityId, companyId, branchId } = link;
  const columns = [
    id,
    at,
    userId,
    username,
    address,
    action,
    entity,
    entityId,
    companyId,
    branchId,
    link.before,
    link.after,
  ];
  const text = columns.map((value) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`)).join(',');
  return createHash('sha256').update(Buffer.from(before, 'hex')).update(text, 'utf8').digest('hex');
}
