import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type pg from 'pg';

// A second implementation of docs/seals.md, which shares nothing with the program.

/** Fields of a leaf, in the order of the document. */
export type PlainLeaf = readonly string[];

export interface PlainRoots {
  readonly lines: number;
  readonly linesRoot: string;
  readonly balances: number;
  readonly balancesRoot: string;
}

const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The tree as RFC 6962 defines it: the left side is the largest power of two below the size. */
function treeOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return sha256('\x00', leaves[0]!);
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha256('\x01', treeOf(leaves.slice(0, split)), treeOf(leaves.slice(split)));
}

export const leafText = (fields: PlainLeaf): string => fields.map(escaped).join('\t');

function escaped(field: string): string {
  let text = '';
  for (const character of field) {
    const at = '\b\t\n\v\f\r\\'.indexOf(character);
    text += at < 0 ? character : `\\${'btnvfr\\'[at]}`;
  }
  return text;
}

export const rootOfTexts = (texts: readonly string[]): string =>
  treeOf(texts.map((text) => Buffer.from(text, 'utf8'))).toString('hex');

/** Keys in the order of their code points, no blanks. */
export function canonicalJson(record: Record<string, unknown>): string {
  const members = Object.keys(record).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${JSON.stringify(record[key])}`).join(',')}}`;
}

export const sealOfRecord = (record: Record<string, unknown>): string =>
  sha256('\x00', canonicalJson(record)).toString('hex');

/** Numbers by value, then all others by their code points. */
function compareNumbers(a: string, b: string): number {
  const isNumber = (text: string) => /^\d{1,20}$/.test(text);
  if (isNumber(a) && isNumber(b)) return Number(BigInt(a) - BigInt(b)) || a.length - b.length;
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The roots of a month from its rows, live or archived, by the owner's connection. */
export async function plainRoots(owner: pg.Client, branchId: number, month: string): Promise<PlainRoots> {
  const suffix = (
    await owner.query(`SELECT archived FROM month WHERE branch_id = $1 AND month = $2`, [branchId, month])
  ).rows[0].archived
    ? '_archive'
    : '';
  const { rows } = await owner.query({
    text: `SELECT line.day::text, batch.number, document.number, line.entry_number, line.sequence::text,
                  (SELECT code FROM account WHERE id = line.account_id),
                  coalesce((SELECT code FROM account WHERE id = line.offset_account_id), ''), line.side::text,
                  line.amount::text, CASE WHEN line.closing THEN '1' ELSE '0' END,
                  coalesce(line.printed_narration, line.narration, '')
             FROM entry_line${suffix} AS line
             JOIN document${suffix} AS document ON document.company_id = line.company_id AND document.id = line.document_id
             JOIN batch${suffix} AS batch ON batch.company_id = line.company_id AND batch.id = document.batch_id
            WHERE line.branch_id = $1 AND line.month = $2`,
    values: [branchId, month],
    rowMode: 'array',
  });
  const lines = (rows as string[][]).sort(
    (a, b) =>
      (a[0]! < b[0]! ? -1 : a[0]! > b[0]! ? 1 : 0) ||
      compareNumbers(a[1]!, b[1]!) ||
      compareNumbers(a[2]!, b[2]!) ||
      compareNumbers(a[3]!, b[3]!) ||
      Number(a[4]) - Number(b[4]),
  );
  const { rows: balances } = await owner.query({
    text: `SELECT account.code, opening::text, debit::text, credit::text, closing_debit::text, closing_credit::text,
                  balance::text
             FROM monthly_balance JOIN account ON account.id = account_id
            WHERE branch_id = $1 AND month = $2 ORDER BY account.sort_key COLLATE "C"`,
    values: [branchId, month],
    rowMode: 'array',
  });
  return {
    lines: lines.length,
    linesRoot: rootOfTexts(lines.map(leafText)),
    balances: balances.length,
    balancesRoot: rootOfTexts((balances as string[][]).map(leafText)),
  };
}

/** The payload of a compact JWS that one of the keys signed; undefined: none did. */
export function payloadOf(jws: string, keys: readonly (JsonWebKey & { kid: string })[]): string | undefined {
  const [header, payload, signature] = jws.split('.') as [string, string, string];
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const key = keys.find((each) => each.kid === kid);
  if (alg !== 'ES256' || key === undefined) return undefined;
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isSigned ? Buffer.from(payload, 'base64url').toString() : undefined;
}
