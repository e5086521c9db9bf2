import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface BannedWord {
  /** Matched without case in comments and in the words of identifiers. */
  word: RegExp;
  instead: string;
  /** Paths where the word is right, each with its reason. */
  except?: readonly RegExp[];
}

/** Services and their HTTP adapter name wire fields. */
const WIRE: readonly RegExp[] = [/^src\/(http|services)\//];

const BANNED: readonly BannedWord[] = [
  { word: /\b(frozen|freeze|freezes|freezing|unfreeze)\b/i, instead: 'closed, close' },
  { word: /\bposters?\b/i, instead: 'writer' },
  { word: /\brectif(y|ies|ying)\b/i, instead: 'contra' },
  { word: /\bcounter accounts?\b/i, instead: 'offset account' },
  { word: /\bstandard release\b/i, instead: 'entry template' },
  { word: /\bclue( type)?\b/i, instead: 'severity' },
  { word: /\bbook ?keepers?\b/i, instead: 'reporting entity' },
  { word: /\bpurge[sd]?\b|\bpurging\b/i, instead: 'archive', except: WIRE },
  { word: /\btold\b/i, instead: 'reported' },
  { word: /\brefus(e|es|ed|al|als|ing)\b/i, instead: 'reject, rejection' },
  { word: /\ba hand at the database\b/i, instead: 'an administrator of the database' },
  { word: /\bwhoever comes\b/i, instead: 'concurrent requests, transactions' },
  { word: /\bnobody waits\b/i, instead: 'no request waits' },
  { word: /\bonce in a blue moon\b/i, instead: 'rarely' },
  { word: /\b(a archive|becomes a summary account an)\b/i, instead: 'a whole sentence' },
];

/** What the wire calls things; services and http translate, the core has words of its own. */
const WIRE_WORD =
  /^(lancamento|documento|lote|valor|valores|debcre|historico|conta|contaId|contrapartida|filial|empresa|mes|ano|diaref|percentual|cd[A-Z]\w*|nm[A-Z]\w*|cdhistorico|cdpadronizado|idUsuario|visualizationEnum|cluetypeid|\w+_uuid|dayStart|dayEnd|dataContabil|saldoAtual|FIXO|INFORMADO|PERCENTUAL|PENDENTE|LANCADO|ABERTURA|AMBOS|DIARIO|RAZAO|BALANCETES|AGENDADO|ESTORNO)$/;
const CORE = /^src\/(features|accounting|platform)\/(?!.*\.test\.ts$)/;
const SPEAKS_WIRE: readonly { readonly path: RegExp; readonly because: string }[] = [
  { path: /^src\/features\/posting\/imports\//, because: 'it reads the names of the imported layouts' },
  {
    path: /^src\/features\/(?:master-data|closing)\/.*\/import-[a-z-]+\.ts$/,
    because: 'it names the columns of imported tables',
  },
  {
    path: /^src\/features\/reporting\/filing-check\/cosif\//,
    because: "it reads the elements of the central bank's documents",
  },
  { path: /^src\/accounting\/rule-language\/functions\.ts$/, because: 'the rule language shows its parameters so' },
];

const MAX_LINES = 70;

describe('the words of the code', () => {
  test('are the standard ones in comments and identifiers', () => {
    expect(sources().flatMap(({ path, text }) => bannedIn(path, text))).toEqual([]);
  });

  test.each([
    ['a.ts', '// The frozen month.', 'a.ts:1: frozen → closed, close'],
    ['a.ts', '\nconst isFrozen = true;', 'a.ts:2: frozen → closed, close'],
    ['a.ts', 'function counterAccountOf() {}', 'a.ts:1: counter account → offset account'],
    ['a.ts', "SQL.named(all ? 'purged-months' : 'closed-months')`SELECT 1`;", 'a.ts:1: purged → archive'],
    ['a.sql', "COMMENT ON TABLE a IS 'Rows, purged';", 'a.sql:1: purged → archive'],
    ['a.sql', 'SELECT 1; -- refuses it', 'a.sql:1: refuses → reject, rejection'],
  ])('a banned word is found: %s %j', (path, text, found) => {
    expect(bannedIn(path, text)).toEqual([found]);
  });

  test('texts of the program and wire names of a service are not comments', () => {
    expect(bannedIn('src/a.ts', "const text = 'frozen';")).toEqual([]);
    expect(bannedIn('src/http/a.ts', 'const purge = 1;')).toEqual([]);
  });
});

describe('the words of the wire', () => {
  test('are in the core only where a file that comes or goes has them', () => {
    const core = sources().filter(({ path }) => CORE.test(path));
    expect(core.length).toBeGreaterThan(200);
    const spoken = core.flatMap(({ path, text }) => wireWordsIn(path, text).map((found) => ({ path, found })));
    const isExcepted = (path: string) => SPEAKS_WIRE.some((each) => each.path.test(path));
    expect(spoken.filter(({ path }) => !isExcepted(path)).map(({ found }) => found)).toEqual([]);
    // An exception that nothing needs any more goes.
    for (const { path, because } of SPEAKS_WIRE)
      expect(
        spoken.some((each) => path.test(each.path)),
        because,
      ).toBe(true);
  });

  test.each([
    ['const { contaId } = row;', 'a.ts:1: contaId'],
    ['const row = { debcre: 1 };', 'a.ts:1: debcre'],
    ["const status = 'PENDENTE';", 'a.ts:1: PENDENTE'],
    ["reject('NOT_FOUND', {}, 'idUsuario');", 'a.ts:1: idUsuario'],
    ['SQL`SELECT a.code AS "cdAccounting"`;', 'a.ts:1: cdAccounting'],
    ["SQL`SELECT a,\n  jsonb_build_object('valor', 1) AS b`;", 'a.ts:2: valor'],
    ['SQL`SELECT a.number AS lote FROM a`;', 'a.ts:1: lote'],
  ])('are found in %s', (text, found) => {
    expect(wireWordsIn('a.ts', text)).toEqual([found]);
  });

  test('are words of a text for people too', () => {
    expect(wireWordsIn('a.ts', "const text = 'a conta da filial';")).toEqual([]);
  });
});

describe('functions', () => {
  test(`have at most ${MAX_LINES} lines of their own`, () => {
    expect(
      sources()
        .flatMap(({ path, text }) => longFunctionsIn(path, text))
        .sort(),
    ).toEqual([]);
  });

  test('a longer one is found', () => {
    const body = '\n  work();'.repeat(MAX_LINES);
    expect(longFunctionsIn('a.ts', `function long() {${body}\n}\nfunction short() {}`)).toEqual(['a.ts: long']);
  });
});

/** Comments and identifiers with a banned word, as 'path:line: word → instead'. */
function bannedIn(path: string, text: string): string[] {
  const words = path.endsWith('.sql') ? sqlWords(text) : codeWords(path, text);
  return words.flatMap(({ line, text: spoken }) =>
    BANNED.filter(({ except }) => !except?.some((allowed) => allowed.test(path))).flatMap(({ word, instead }) => {
      const found = word.exec(spoken)?.[0];
      return found === undefined ? [] : [`${path}:${line}: ${found.toLowerCase()} → ${instead}`];
    }),
  );
}

/** Identifiers, whole strings and names in SQL that are words of the wire, as 'path:line: word'. */
function wireWordsIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (word: string, position: number) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    if (WIRE_WORD.test(word)) found.push(`${path}:${line}: ${word}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteral(node)) note(node.text, node.getStart(source));
    else if (ts.isTemplateLiteralToken(node)) {
      for (const name of node.getText(source).matchAll(/\bAS "?(\w+)|'(\w+)'/g))
        note(name[1] ?? name[2]!, node.getStart(source) + name.index);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

interface Words {
  line: number;
  text: string;
}

/** Comments, and identifiers where they are declared, taken apart into words. */
function codeWords(path: string, text: string): Words[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map<number, Words>();
  const names: Words[] = [];
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      comments.set(pos, { line: lineAt(pos), text: inOneLine(text.slice(pos, end)) });
    for (const { pos, end } of ts.getTrailingCommentRanges(text, node.getEnd()) ?? [])
      comments.set(pos, { line: lineAt(pos), text: inOneLine(text.slice(pos, end)) });
    if (ts.isStringLiteral(node) && namesStatement(node))
      names.push({ line: lineAt(node.getStart()), text: wordsOf(node.text) });
    if (ts.isIdentifier(node) && isDeclared(node))
      names.push({ line: lineAt(node.getStart()), text: wordsOf(node.text) });
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...comments.values(), ...names];
}

/** Part of what SQL.named is called with. */
function namesStatement({ parent }: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return namesStatement(parent);
  return ts.isCallExpression(parent) && parent.expression.getText() === 'SQL.named';
}

function isDeclared(name: ts.Identifier): boolean {
  const { parent } = name;
  return (
    (ts.isFunctionDeclaration(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isClassDeclaration(parent)) &&
    parent.name === name
  );
}

function sqlWords(text: string): Words[] {
  return text.split('\n').flatMap((line, at) => {
    const spoken = /--.*|COMMENT ON.*/.exec(line)?.[0];
    return spoken === undefined ? [] : [{ line: at + 1, text: spoken }];
  });
}

function inOneLine(comment: string): string {
  return comment.replaceAll(/\n\s*\*?\s*/g, ' ');
}

/** 'counterAccountOf', COUNTER_ACCOUNT and 'counter-account' as words between blanks. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[-_]/g, ' ');
}

function longFunctionsIn(path: string, text: string): string[] {
  if (!path.endsWith('.ts')) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const long: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && ownLines(source, node) > MAX_LINES)
      long.push(`${path}: ${node.name?.getText(source) ?? 'a function without name'}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return long;
}

/** Lines of a function without those of the functions inside it, which count for themselves. */
function ownLines(source: ts.SourceFile, node: ts.Node): number {
  let inside = 0;
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) inside += linesOf(source, child) - 1;
    else ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return linesOf(source, node) - inside;
}

function linesOf(source: ts.SourceFile, node: ts.Node): number {
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  return source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}

function sources(): { path: string; text: string }[] {
  return ['src', 'migrations', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(ts|mjs|sql)$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

test('what follows the installing of Node in a script gets a shell of its own', () => {
  // A shell remembers where it found node: the next one in the same line would be the old one, on a fresh clone.
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const remembered = Object.entries<string>(scripts).filter(([, line]) => /setup\.mjs.*&& *node /.test(line));
  expect(remembered).toEqual([]);
});
