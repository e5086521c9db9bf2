// What a migration may not do while the program of one version before works on the same database
// (docs/decisions/0054-migrations-are-kept.md). Read statement by statement, without the bodies of functions.

interface Rule {
  readonly broken: RegExp;
  readonly why: string;
}

/** A further statement about a table that the same file makes breaks nothing: nobody knows it yet. */
const RULES: readonly Rule[] = [
  { broken: /\bDROP (?:COLUMN|TABLE|VIEW|SEQUENCE|TYPE|SCHEMA)\b/, why: 'takes away what the version before uses' },
  { broken: /^DROP (?:FUNCTION|PROCEDURE)\b/, why: 'takes away what the version before uses' },
  {
    broken: /^ALTER TABLE .*\bDROP (?!CONSTRAINT|NOT NULL|DEFAULT|EXPRESSION|IDENTITY|COLUMN)/,
    why: 'takes away what the version before uses',
  },
  { broken: /\bRENAME\b/, why: 'takes away what the version before uses' },
  {
    broken: /^ALTER TABLE .*\bALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/,
    why: 'writes the table anew, and changes answers of prepared statements',
  },
  { broken: /\bSET NOT NULL\b/, why: 'rejects what the version before writes, and reads the whole table' },
  {
    broken:
      /^ALTER TABLE .*\bADD (?:COLUMN )?(?!CONSTRAINT)\S+ (?!.*\b(?:DEFAULT|GENERATED|IDENTITY|SERIAL)\b).*\bNOT NULL\b/,
    why: 'rejects what the version before writes',
  },
  {
    broken: /^ALTER TABLE .*\bADD (?:COLUMN )?\S+ .*\bDEFAULT (?:CLOCK_TIMESTAMP|GEN_RANDOM_UUID|RANDOM|NEXTVAL)\b/,
    why: 'writes the table anew',
  },
  { broken: /^ALTER TABLE .*\bADD (?:COLUMN )?\S+ .*\b(?:GENERATED|SERIAL|BIGSERIAL)\b/, why: 'writes the table anew' },
  {
    broken: /^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID$)/,
    why: 'reads the whole table under its lock: NOT VALID first, VALIDATE CONSTRAINT in a later file',
  },
  {
    broken: /^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b(?! USING INDEX)/,
    why: 'builds an index under the lock of the table: CREATE UNIQUE INDEX CONCURRENTLY, then USING INDEX',
  },
  {
    broken: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)/,
    why: 'keeps writers out while it is built: CONCURRENTLY, in a file outside of a transaction',
  },
  {
    broken: /^DROP INDEX (?!CONCURRENTLY)/,
    why: 'waits for all readers under a lock: CONCURRENTLY, in a file outside of a transaction',
  },
  { broken: /^REINDEX (?!.*CONCURRENTLY)/, why: 'keeps writers out while it is built' },
  { broken: /^(?:LOCK|TRUNCATE|CLUSTER|VACUUM FULL)\b/, why: 'keeps everybody out' },
  { broken: /^UPDATE (?!.*\bWHERE\b)/, why: 'locks every row: fill it while the program runs, or in pieces' },
];
/** What an earlier version stopped using may go: `-- contract: unused since 0.3.0` in front of the statement. */
const CONTRACT = /--\s*contract: unused since (\S+)/;

/** Why the file may not be applied under a program of the version before, a line for each statement. */
export function rollingProblems(sql: string, released: readonly string[]): string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.map(({ text }) => /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/.exec(text)?.[1]));
  return statements.flatMap(({ text, contract }) => {
    const table =
      /^(?:ALTER TABLE (?:ONLY )?(?:IF EXISTS )?|CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?|UPDATE |TRUNCATE |LOCK (?:TABLE )?)([\w.]+)/.exec(
        text,
      )?.[1];
    if (table !== undefined && made.has(table)) return [];
    const rule = RULES.find(({ broken }) => broken.test(text));
    // Everything but the newest release has ended wherever this file is applied.
    if (rule === undefined || (contract !== undefined && released.includes(contract))) return [];
    return [`${text.slice(0, 80)}: ${rule.why}`];
  });
}

/** In upper case, blanks and comments made one blank, texts and bodies left out. */
function statementsOf(sql: string): { text: string; contract: string | undefined }[] {
  const bare = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replace(/'(?:[^']|'')*'/g, "''");
  return bare
    .split(';')
    .map((part) => ({
      contract: CONTRACT.exec(part)?.[1],
      text: part.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim().toUpperCase(),
    }))
    .filter(({ text }) => text !== '');
}
