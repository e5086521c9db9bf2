import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { centavosFromSql, decimalOf, sumOf } from '../../../accounting/money.ts';
import { balanceLeaf, lineLeaf } from '../../../accounting/seal-leaf.ts';
import { isIncluded, leafHash } from '../../../platform/merkle-tree.ts';
import { isSignature } from '../../../platform/seal-keys/seal-keys.ts';

/** Why a proof does not prove what it says. */
export class ProofError extends Error {}

const hash = z
  .string()
  .regex(/^[\da-f]{64}$/)
  .meta({ example: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328' });
const count = z.int().min(0);
const amount = z
  .string()
  .regex(/^-?\d{1,20}\.\d{2}$/)
  .meta({ example: '1000.00' });
const base64 = z
  .string()
  .max(1_000_000)
  .regex(/^[\d+/A-Za-z]*={0,2}$/)
  .meta({ example: 'MIIC' });
const text = z.string().max(10_000);

const record = z.strictObject({
  company: text,
  branch: text,
  year: z
    .string()
    .regex(/^\d{4}$/)
    .meta({ example: '2026' }),
  month: z
    .string()
    .regex(/^\d{2}$/)
    .meta({ example: '01' }),
  version: z.int().min(1).max(1),
  lines: count,
  linesRoot: hash,
  balances: count,
  balancesRoot: hash,
  previous: hash.nullable(),
  sealedAt: z.iso.datetime(),
  sealedBy: text,
  replaces: hash.nullable(),
  reason: text.nullable(),
});

const place = { leaf: text, index: count, path: z.array(hash).max(64) };
const line = z.strictObject({
  ...place,
  content: z.strictObject({
    day: z.iso.date().meta({ example: '2026-01-31' }),
    batch: text,
    document: text,
    entry: text,
    sequence: z.int(),
    account: text,
    offset: text.nullable(),
    side: z.enum(['D', 'C']),
    amount,
    closing: z.boolean(),
    printedNarration: text,
  }),
});
const balance = z.strictObject({
  ...place,
  content: z.strictObject({
    account: text,
    opening: amount,
    debit: amount,
    credit: amount,
    closingDebit: amount,
    closingCredit: amount,
    balance: amount,
  }),
});
const sealed = { seal: hash, record, jws: z.string().max(20_000), timestamp: base64.nullable() };

/** What the proof route answers (docs/seal-proofs.md). */
export const PROOF = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('entry'),
    ...sealed,
    size: count,
    root: hash,
    items: z.array(line).min(1).max(1_000),
  }),
  z.strictObject({ kind: z.literal('balance'), ...sealed, size: count, root: hash, items: z.array(balance).length(1) }),
]);
export type Proof = z.output<typeof PROOF>;

const KEY_SET = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })).max(10_000),
});
const HEADER = z.strictObject({ alg: z.literal('ES256'), kid: z.string().max(100) });

/** What somebody has kept, and checks a proof against: at least one of both. */
export interface Kept {
  /** Seals in hexadecimal. */
  readonly seals: ReadonlySet<string> | undefined;
  /** The text of a set of public keys, as it is published. */
  readonly keys: string | undefined;
}

/** Checks a proof with what was kept alone; says in one sentence what it proves. @throws ProofError */
export function checkProof(proofText: string, kept: Kept): string {
  if (kept.seals === undefined && kept.keys === undefined)
    throw new ProofError('nothing was given that was kept: a seal (--seal) or the public keys (--keys)');
  const proof = parsed(PROOF, proofText, 'the file is no proof of this program');
  checkRecord(proof);
  checkItems(proof);
  const signer = kept.keys === undefined ? undefined : checkSignature(proof.jws, kept.keys);
  if (kept.seals && !kept.seals.has(proof.seal))
    throw new ProofError(`the seal ${proof.seal} is not the one that was kept`);
  const { company, branch, year, month, sealedAt, sealedBy } = proof.record;
  const anchors = [
    ...(kept.seals ? ['the seal is one that was kept'] : []),
    ...(signer === undefined ? [] : [`signed with the key ${signer}`]),
  ];
  return `proved: ${contentOf(proof)} in the books of company ${company}, branch ${branch}, month ${month}/${year}, sealed ${sealedAt} by ${sealedBy}, seal ${proof.seal}; ${anchors.join('; ')}`;
}

/** The seal is the hash of what is signed, and what is signed says what the proof repeats. */
function checkRecord({ jws, seal, record: repeated, kind, size, root }: Proof): void {
  const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url');
  if (leafHash(payload).toString('hex') !== seal) throw new ProofError('the seal is not the hash of the signed record');
  const signed = parsed(record, payload.toString('utf8'), 'the signed record is not one of this program');
  if (!isDeepStrictEqual(signed, repeated)) throw new ProofError('the record is not the one that is signed');
  const [sealedSize, sealedRoot] =
    kind === 'entry' ? [signed.lines, signed.linesRoot] : [signed.balances, signed.balancesRoot];
  if (size !== sealedSize || root !== sealedRoot) throw new ProofError('the tree is not the sealed one');
}

function checkItems({ kind, items, size, root }: Proof): void {
  if (new Set(items.map(({ index }) => index)).size < items.length) throw new ProofError('a line is there twice');
  for (const { leaf, index, path, content } of items) {
    const said = 'side' in content ? lineLeaf(content as never) : balanceLeaf(content);
    if (said !== leaf) throw new ProofError(`the content of item ${index} is not that of its leaf`);
    const hashes = path.map((each) => Buffer.from(each, 'hex'));
    if (!isIncluded(leafHash(Buffer.from(leaf)), { index, size, path: hashes }, Buffer.from(root, 'hex')))
      throw new ProofError(`item ${index} is not in the sealed tree of ${kind === 'entry' ? 'lines' : 'balances'}`);
  }
}

/** The id of the key that has signed. */
function checkSignature(jws: string, keySet: string): string {
  const { keys } = parsed(KEY_SET, keySet, 'the file of keys is no set of public keys');
  const [head = '', payload = '', signature = '', ...more] = jws.split('.');
  const header = parsed(
    HEADER,
    Buffer.from(head, 'base64url').toString('utf8'),
    'the signature is none of this program',
  );
  const key = keys.find(({ kid, alg }) => kid === header.kid && alg === 'ES256');
  if (key === undefined) throw new ProofError(`the key ${header.kid} is not among those that were kept`);
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  const bytes = Buffer.from(`${head}.${payload}`);
  const isRight = more.length === 0 && isSignature('ES256', bytes, publicKey, Buffer.from(signature, 'base64url'));
  if (!isRight) throw new ProofError(`the signature is not that of the key ${header.kid}`);
  return header.kid;
}

function contentOf(proof: Proof): string {
  if (proof.kind === 'balance') {
    const { account, opening, debit, credit, balance: closing } = proof.items[0]!.content;
    return `account ${account} stands with opening ${opening}, debits ${debit}, credits ${credit} and balance ${closing} (debit-positive)`;
  }
  const [{ content: first }] = proof.items as [(typeof proof.items)[0]];
  const isOne = proof.items.every(
    ({ content }) =>
      content.batch === first.batch && content.document === first.document && content.entry === first.entry,
  );
  if (!isOne) throw new ProofError('the lines are not of one entry');
  const total = (side: 'D' | 'C') =>
    decimalOf(
      sumOf(
        proof.items
          .filter(({ content }) => content.side === side)
          .map(({ content }) => centavosFromSql(content.amount)),
      ),
    );
  const lines = proof.items.length === 1 ? '1 line' : `${proof.items.length} lines`;
  return `entry ${first.entry} of document ${first.document}, batch ${first.batch}, day ${first.day} stands with ${lines}, debits ${total('D')} and credits ${total('C')},`;
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, otherwise: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new ProofError(otherwise);
  }
}
