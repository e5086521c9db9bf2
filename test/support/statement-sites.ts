import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A call in src that sends a statement. */
export interface Site {
  /** path:line:column of the method's name, as a stack names it. */
  readonly at: string;
  readonly method: 'rows' | 'maybe' | 'one' | 'run';
  /** The declared type of a row; undefined where none is declared. */
  readonly row: ts.Type | undefined;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export function openSource(): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram({ rootNames: ts.sys.readDirectory(`${ROOT}src`, ['.ts'], ['**/*.test.ts']), options });
}

export function sourcesOf(program: ts.Program): ts.SourceFile[] {
  return program.getSourceFiles().filter((file) => file.fileName.startsWith(`${ROOT}src/`));
}

/** Every call of a method of Sql, which is what has `pipelined`; savepoints and signs of life of the platform aside. */
export function sitesOf(program: ts.Program): Map<string, Site> {
  const checker = program.getTypeChecker();
  const sites = new Map<string, Site>();
  for (const source of sourcesOf(program)) {
    if (!/^src\/(features|http|services)\//.test(source.fileName.slice(ROOT.length))) continue;
    const visit = (node: ts.Node): void => {
      const site = ts.isCallExpression(node) ? siteOf(checker, source, node) : undefined;
      if (site) sites.set(site.at, site);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return sites;
}

export function isSql(checker: ts.TypeChecker, type: ts.Type): boolean {
  const wanted = ['rows', 'maybe', 'one', 'run', 'pipelined'];
  return wanted.every((name) => checker.getPropertyOfType(type, name) !== undefined);
}

function siteOf(checker: ts.TypeChecker, source: ts.SourceFile, call: ts.CallExpression): Site | undefined {
  if (!ts.isPropertyAccessExpression(call.expression)) return undefined;
  const { name, expression } = call.expression;
  const method = name.text as Site['method'];
  if (!['rows', 'maybe', 'one', 'run'].includes(method)) return undefined;
  if (!isSql(checker, checker.getApparentType(checker.getTypeAtLocation(expression)))) return undefined;
  const { line, character } = source.getLineAndCharacterOfPosition(name.getStart());
  return {
    at: `${source.fileName.slice(ROOT.length)}:${line + 1}:${character + 1}`,
    method,
    row: method === 'run' ? undefined : rowOf(checker, call, method),
  };
}

/** The type argument, written or inferred from what the caller returns. */
function rowOf(checker: ts.TypeChecker, call: ts.CallExpression, method: Site['method']): ts.Type | undefined {
  const signature = checker.getResolvedSignature(call);
  if (signature === undefined) return undefined;
  const [answer] = checker.getTypeArguments(checker.getReturnTypeOfSignature(signature) as ts.TypeReference);
  if (answer === undefined) return undefined;
  const row =
    method === 'rows' ? checker.getTypeArguments(answer as ts.TypeReference)[0] : checker.getNonNullableType(answer);
  return row === undefined || isVague(checker, row) ? undefined : row;
}

/** Says nothing of its columns: rows that nobody looks at, and records of any kind. */
function isVague(checker: ts.TypeChecker, row: ts.Type): boolean {
  if (row.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.NonPrimitive)) return true;
  return checker.getIndexTypeOfType(row, ts.IndexKind.String) !== undefined || checker.typeToString(row) === '{}';
}
