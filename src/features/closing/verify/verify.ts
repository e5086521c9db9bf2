import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { SYSTEM_SCOPE } from '../../../platform/database/system-scope.ts';
import { signedPayload } from '../../../platform/seal-keys/signed-payload.ts';
import type { PublishedSealKey } from '../../../platform/seal-keys/signer.ts';
import { auditHeadIn, verifyAudit } from '../../access/audit-chain/verify-audit.ts';
import {
  selectMonthsOfBranch,
  selectVerifiedBranches,
  selectVerifiedCompanies,
  type VerifiedBranch,
  type VerifiedPlace,
} from './branch-facts.read.sql.ts';
import { selectOrphans, selectStrayCompanies } from './company-facts.read.sql.ts';
import type { Difference, Finding } from './difference.ts';
import { verifyBranch } from './verify-branch.ts';
import { verifyMonth } from './verify-month.ts';
import { type KeptSeal, verifyKeptSeal } from './verify-seals.ts';

/** What is verified: everything, a company, a branch of it, or one month of the branch. By code. */
export interface VerifyScope {
  readonly company?: string | undefined;
  readonly branch?: string | undefined;
  readonly month?: Month | undefined;
}

/** What verify compares with that is not in the database. */
export interface KeptOutside {
  /** Public keys of seals, every one that ever signed; undefined: what is signed is taken unproven. */
  readonly keys: readonly PublishedSealKey[] | undefined;
  /** The newest signed end of the trail's chain; undefined: none is kept. */
  readonly auditHead: string | undefined;
  /** Seals that somebody else kept. */
  readonly seals?: readonly KeptSeal[];
}

/** What a part is about; null: it is above companies, branches or months. */
export interface PlaceIds {
  readonly companyId: CompanyId | null;
  readonly branchId: BranchId | null;
  readonly month: Month | null;
}

/** A part of the work, in one snapshot; parts come in the order of their keys. */
export interface VerifiedPart {
  /** Names the part for ever: whoever has finished it goes on after it. */
  readonly key: string;
  readonly place: PlaceIds;
  readonly lines: number;
  readonly differences: readonly Difference[];
}

/**
 * Verifies the books part by part, months first, while others work: each part is read in a snapshot of its own. Parts up to
 * the key `after` are left out. It only reads, and keeps nothing but the part at hand.
 */
export async function* verify(
  database: Database,
  outside: KeptOutside,
  scope: VerifyScope,
  after: string | undefined,
): AsyncGenerator<VerifiedPart> {
  for await (const { key, place, read } of partsOf(database, outside, scope)) {
    if (after !== undefined && key <= after) continue;
    const { findings, lines } = await database.snapshot(SYSTEM_SCOPE, read);
    yield { key, place, lines, differences: findings.map((finding) => differenceOf(place, finding)) };
  }
}

interface Place extends PlaceIds {
  readonly company: string | null;
  readonly branch: string | null;
}

interface Part {
  readonly key: string;
  readonly place: Place;
  readonly read: (sql: Transaction) => Promise<{ readonly findings: readonly Finding[]; readonly lines: number }>;
}

const PLATFORM: Place = { companyId: null, company: null, branchId: null, branch: null, month: null };

async function* partsOf(database: Database, outside: KeptOutside, scope: VerifyScope): AsyncGenerator<Part> {
  const sql = database.under(SYSTEM_SCOPE);
  for (const company of await selectVerifiedCompanies(sql, scope.company)) {
    for (const branch of await selectVerifiedBranches(sql, company.companyId, scope.branch)) {
      for (const month of await selectMonthsOfBranch(sql, branch)) {
        if (scope.month === undefined || scope.month === month) yield partOfMonth(branch, month);
      }
      if (scope.month === undefined) yield partOfBranch(branch, outside);
    }
    if (scope.branch === undefined) yield partOfCompany(company);
  }
  if (scope.company === undefined) yield partOfPlatform(outside);
  if (outside.seals !== undefined) yield partOfKept(outside.seals, outside);
}

function partOfMonth(branch: VerifiedBranch, month: Month): Part {
  return {
    key: keyOf(branch.companyId, branch.branchId, month),
    place: { ...branch, month },
    read: (sql) => verifyMonth(sql, { ...branch, month }),
  };
}

function partOfBranch(branch: VerifiedBranch, { keys }: KeptOutside): Part {
  return {
    key: keyOf(branch.companyId, branch.branchId),
    place: { ...branch, month: null },
    read: async (sql) => ({
      findings: await verifyBranch(sql, branch, (jws) => signedPayload(jws, keys)),
      lines: 0,
    }),
  };
}

function partOfCompany({ companyId, company }: VerifiedPlace): Part {
  return {
    key: keyOf(companyId),
    place: { companyId, company, branchId: null, branch: null, month: null },
    read: async (sql) => ({ findings: await selectOrphans(sql, companyId), lines: 0 }),
  };
}

/** Above every id and month. */
const LAST = 'zzzzzzzzzzzzzzzz';

function partOfPlatform({ keys, auditHead }: KeptOutside): Part {
  return {
    key: keyOf(),
    place: PLATFORM,
    read: async (sql) => {
      const audit = await verifyAudit(sql, (jws) => auditHeadIn(signedPayload(jws, keys)), auditHead);
      return { findings: [...(await selectStrayCompanies(sql)), ...audit], lines: 0 };
    },
  };
}

function partOfKept(seals: readonly KeptSeal[], { keys }: KeptOutside): Part {
  return {
    key: `${keyOf()}/kept`,
    place: PLATFORM,
    read: async (sql) => {
      const findings: Finding[] = [];
      for (const seal of seals) findings.push(...(await verifyKeptSeal(sql, seal, (jws) => signedPayload(jws, keys))));
      return { findings, lines: 0 };
    },
  };
}

/** Text order is the order of the parts: what is over others comes after them. */
function keyOf(companyId?: number, branchId?: number, month?: Month): string {
  const place = (id: number | undefined) => (id === undefined ? LAST : String(id).padStart(LAST.length, '0'));
  return [place(companyId), place(branchId), month ?? LAST].join('/');
}

function differenceOf({ company, branch, month }: Place, { kind, what, expected, found }: Finding): Difference {
  return { company, branch, month, kind, what, expected: expected ?? null, found: found ?? null };
}
