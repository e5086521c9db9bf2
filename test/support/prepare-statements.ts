import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import pg from 'pg';
import ts from 'typescript';
import { ROUTINE, ROUTINE_ACCESS } from '../../src/features/access/routines.ts';
import { QUOTA_CONFIGURATION } from '../../src/features/closing/quotas/save-quota-configuration.ts';
import { CLOSURE_SETTINGS } from '../../src/features/closing/save-closure-settings.ts';
import { STANDARD_NARRATION } from '../../src/features/master-data/narrations/narrations.ts';
import * as withoutRules from '../../src/features/master-data/records/definitions.ts';
import { REFERENCE_ACCOUNT } from '../../src/features/master-data/reference-charts/save-reference-account.ts';
import { REFERENCE_CHART } from '../../src/features/master-data/reference-charts/save-reference-chart.ts';
import { ENTRY_TEMPLATE } from '../../src/features/posting/templates/save-template.ts';
import { describe, disagreements, type Field } from './described-columns.ts';
import { isSql, openSource, ROOT, type Site, sitesOf, sourcesOf } from './statement-sites.ts';
import { createSampler } from './type-samples.ts';

// node prepare-statements.ts URL: calls every exported function of src that sends statements with values of its
// parameters' types and a connection that only notes what is sent, then prepares it all on the database. A process of
// its own: here a stack names the very place in the source.

export interface Sent {
  readonly site: string;
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[] | undefined;
}

export interface Report {
  /** Calls in the features, http and services that send a statement. */
  readonly sites: number;
  readonly unreached: readonly string[];
  readonly statements: readonly Sent[];
  readonly faults: readonly string[];
}

/** Choices among unions are made by chance: so many tries take every way through a function. */
const TRIES = 60;
/** A loop that waits for a certain row ends here. */
const MAX_STATEMENTS = 50;

const RECORDS = [
  ...Object.values(withoutRules),
  ...[CLOSURE_SETTINGS, ENTRY_TEMPLATE, QUOTA_CONFIGURATION, REFERENCE_ACCOUNT, REFERENCE_CHART],
  ...[ROUTINE, ROUTINE_ACCESS, STANDARD_NARRATION],
];
const program = openSource();
const checker = program.getTypeChecker();
const sites = sitesOf(program);
const sent = new Map<string, Sent>();
let words: readonly string[] = [];
let records = RECORDS;
await callEverything();
const faults = await prepareAll(process.argv[2] ?? '');
const reached = new Set([...sent.values()].map(({ site }) => site));
const report: Report = {
  sites: sites.size,
  unreached: [...sites.keys()].filter((site) => !reached.has(site)),
  statements: [...sent.values()],
  faults,
};
// A pipe takes a long text piece by piece.
process.stdout.write(JSON.stringify(report), () => process.exit(0));

async function callEverything(): Promise<void> {
  const files = new Set([...sites.keys()].map((at) => at.slice(0, at.indexOf(':'))));
  for (const source of sourcesOf(program)) {
    const path = source.fileName.slice(ROOT.length);
    if (!files.has(path)) continue;
    const module = await import(`${ROOT}${path}`);
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source)!)) {
      const exported = module[symbol.name];
      if (exported === undefined) continue;
      const type = checker.getTypeOfSymbol(symbol);
      words = wordsOf(source);
      // Records without a branch are not read by branch.
      records = symbol.name === 'selectRecordOfBranch' ? RECORDS.filter(({ owner }) => owner !== 'GLOBAL') : RECORDS;
      for (let seed = 1; seed <= TRIES; seed++) await callWithin(exported, type, seed);
    }
  }
}

/** Texts that the source compares with: constants by their type, and whole numbers of rows. */
function wordsOf(source: ts.SourceFile): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && ts.isExpression(node.right)) {
      const type = checker.getTypeAtLocation(node.right);
      if (type.isStringLiteral()) found.add(type.value);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

/** Calls a function, or the functions of a list or table. */
async function callWithin(exported: unknown, type: ts.Type, seed: number): Promise<void> {
  if (typeof exported === 'function') {
    const [signature] = type.getCallSignatures();
    if (signature) await call(exported as (...given: unknown[]) => unknown, signature, seed);
  } else if (typeof exported === 'object' && exported !== null && seed <= 3) {
    for (const [key, value] of Object.entries(exported)) {
      if (typeof value !== 'function') continue;
      const property = type.getProperty(key);
      const each = property
        ? checker.getTypeOfSymbol(property)
        : (checker.getIndexTypeOfType(type, ts.IndexKind.Number) ??
          checker.getIndexTypeOfType(type, ts.IndexKind.String));
      if (each) await callWithin(value, each, seed);
    }
  }
}

async function call(run: (...given: unknown[]) => unknown, signature: ts.Signature, seed: number): Promise<void> {
  const { sample, below } = createSampler(checker, (type, name) => special(type, name), words, seed);
  const sql = recording(sample, below);
  const special = (type: ts.Type, name: string) => {
    if (type.flags & ts.TypeFlags.Number) return { value: [1, 1_000][below(2)] };
    if (name === 'RecordDefinition' || name === 'Definition') return { value: records[below(records.length)] };
    return !type.isUnion() && isSql(checker, type) ? { value: sql } : undefined;
  };
  try {
    const given = signature.getParameters().map((each) => argument(sample(checker.getTypeOfSymbol(each)), sql));
    const answer = await run(...given);
    if (answer !== null && typeof answer === 'object' && Symbol.asyncIterator in answer) {
      for await (const _ of answer as AsyncIterable<unknown>);
    }
  } catch {
    // What the function makes of odd values is not the question; what it does not send shows as unreached.
  }
}

/** A use case's context works on the same connection. */
function argument(value: unknown, sql: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('transaction' in value) || value === sql) return value;
  const within = (work: unknown) => (typeof work === 'function' ? work(sql) : undefined);
  return { ...value, transaction: within, snapshot: within, elevated: (_: unknown, work: unknown) => within(work) };
}

function recording(sample: (type: ts.Type) => unknown, below: (count: number) => number) {
  let left = MAX_STATEMENTS;
  const note = ({ name, text, values }: Sent) => {
    if (left-- <= 0) throw new Error('too many statements');
    const site = siteNow();
    if (site) sent.set(`${site.at} ${text}`, { site: site.at, name, text, values: [...(values ?? [])] });
    return site?.row === undefined ? {} : sample(site.row);
  };
  const sql: Record<string, unknown> = {
    rows: async (statement: Sent) => [note(statement)],
    one: async (statement: Sent) => note(statement),
    maybe: async (statement: Sent) => [note(statement), undefined][below(2)],
    run: async (statement: Sent) => [note(statement), below(2)][1],
    pipelined: async (work: (inner: unknown) => unknown) => work(sql),
    transaction: async (work: (inner: unknown) => unknown) => work(sql),
    connection: { query: answered },
  };
  return sql;
}

/** What the driver is given is at its end at once; rows that are copied go nowhere. */
function answered(query: { handleReadyForQuery?(): void }): Writable {
  query.handleReadyForQuery?.();
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function siteNow(): Site | undefined {
  for (const { scriptName, lineNumber, columnNumber } of getCallSites(12)) {
    const path = scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName;
    const site = sites.get(`${path.slice(ROOT.length)}:${lineNumber}:${columnNumber}`);
    if (site) return site;
  }
  return undefined;
}

async function prepareAll(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Temporary tables of imports are made first: other statements read them.
  await client.query('BEGIN');
  const faults: string[] = [];
  const textOf = new Map<string, string>();
  const all = [...sent.values()];
  const temporary = new Map(
    all.filter(({ text }) => /^\s*CREATE TEMPORARY/.test(text)).map((each) => [each.site, each]),
  );
  for (const { text, values } of temporary.values()) await client.query({ text, values: [...(values ?? [])] });
  for (const { site, name, text } of all) {
    const fault = (what: string) => faults.push(`${site} ${name ?? ''}: ${what}\n${text}`);
    if (name !== undefined && (textOf.get(name) ?? text) !== text) fault('another text under the same name');
    if (name !== undefined) textOf.set(name, text);
    await client.query('SAVEPOINT described');
    try {
      const columns: readonly Field[] = await describe(client, text);
      const { row } = sites.get(site)!;
      // The rows of a cursor are those of its DECLARE.
      if (row && !text.startsWith('FETCH')) for (const each of disagreements(checker, row, columns)) fault(each);
    } catch (error) {
      fault(error instanceof Error ? error.message : String(error));
    }
    await client.query('ROLLBACK TO SAVEPOINT described');
  }
  await client.end();
  return faults;
}
