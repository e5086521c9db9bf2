import { parse } from 'libpg-query';
import { TABLE_KINDS, type TableKind } from './table-kinds.ts';

// What a cluster of Citus takes of a statement, looked at in its syntax tree (docs/decisions/0060): each rule stands for
// something that one has refused, or answered by a crash.

type Tree = { readonly [field: string]: unknown };

/** What is wrong with a statement for a cluster; nothing: it can run there. */
export async function distributionFaults(text: string): Promise<string[]> {
  const faults = new Set<string>();
  const { stmts } = (await parse(withoutCursor(text))) as { stmts: Tree[] };
  const statement = stmts[0]!.stmt;
  for (const [type, node] of nodesOf(statement)) for (const fault of RULES[type]?.(node) ?? []) faults.add(fault);
  const tables = tablesIn(statement);
  if (tables.some(({ name }) => name === 'pg_stat_activity') && tables.some(({ kind }) => kind === 'distributed'))
    faults.add('reads pg_stat_activity beside a distributed table');
  if (tables.some(({ alias }) => equalsCompany(statement as Tree, alias)))
    for (const name of tablesOfOuterCompany(statement))
      faults.add(`a subquery on ${name} that does not name its company`);
  return [...faults];
}

/** Of subqueries that take their company of the query around them: then all companies are asked, and the answers put together. */
function tablesOfOuterCompany(statement: unknown): string[] {
  const found: string[] = [];
  for (const [type, node] of nodesOf(statement)) {
    if (type !== 'SubLink' && !(type === 'RangeSubselect' && node.lateral)) continue;
    const select = node[type === 'SubLink' ? 'subselect' : 'subquery'] as Tree;
    const distributed = tablesIn(select).filter(({ kind }) => kind === 'distributed');
    if (distributed.some(({ alias }) => equalsCompany(select, alias))) continue;
    found.push(...distributed.map(({ name }) => name));
  }
  return found;
}

function withoutCursor(text: string): string {
  return text.replace(/^\s*DECLARE\s[\s\S]*?\sFOR\s/, '');
}

const RULES: Record<string, (node: Tree) => string[]> = {
  InsertStmt: (insert) => {
    const { name, kind } = tableOf(insert.relation as Tree);
    if (kind !== 'distributed') return [];
    const faults: string[] = [];
    const source = (insert.selectStmt as Tree | undefined)?.SelectStmt as Tree | undefined;
    const isCounted = insert.returningClause !== undefined || insert.returningList !== undefined;
    if (source && !source.valuesLists && !isCounted && !insert.onConflictClause)
      faults.push(`INSERT … SELECT into ${name} without RETURNING or ON CONFLICT`);
    if (source?.valuesLists && has(source.valuesLists, 'SubLink')) faults.push(`a subquery in VALUES of ${name}`);
    const onConflict = insert.onConflictClause as Tree | undefined;
    if (onConflict?.action === 'ONCONFLICT_UPDATE' && callsNow(onConflict))
      faults.push(`now() in DO UPDATE of ${name}`);
    return faults;
  },
  UpdateStmt: writes,
  DeleteStmt: writes,
  SelectStmt: (select) => {
    if (!select.lockingClause) return [];
    const locked = (select.lockingClause as Tree[]).flatMap((clause) => {
      const named = (clause.LockingClause as Tree).lockedRels as Tree[] | undefined;
      return named?.map((each) => tableOf(each.RangeVar as Tree).name) ?? [];
    });
    return tablesIn(select.fromClause)
      .filter(({ kind, alias }) => kind === 'distributed' && (locked.length === 0 || locked.includes(alias)))
      .filter(({ alias }) => !namesCompany(select, alias))
      .map(({ name }) => `a lock on ${name} that does not name its company`);
  },
  JoinExpr: (join) => {
    if (join.jointype !== 'JOIN_LEFT') return [];
    const left = tablesIn(join.larg);
    if (left.length === 0 || left.some(({ kind }) => kind !== 'reference')) return [];
    return tablesIn(join.rarg)
      .filter(({ kind, alias }) => kind === 'distributed' && !namesCompany(join, alias))
      .map(({ name }) => `a reference table LEFT JOIN ${name}, which does not name its company`);
  },
};

function writes(statement: Tree): string[] {
  const { name, kind, alias } = tableOf(statement.relation as Tree);
  if (kind !== 'distributed') return [];
  const faults = namesCompany(statement, alias) ? [] : [`a write of ${name} that does not name its company`];
  for (const [type, node] of nodesOf(statement))
    if ((type === 'CaseExpr' || type === 'CoalesceExpr') && callsNow(node)) faults.push(`now() in a CASE of ${name}`);
  return faults;
}

/** Whether a condition of the statement says company_id = $n of the table, or that it is NULL, as none is there. */
function namesCompany(statement: Tree, alias: string): boolean {
  for (const [type, node] of nodesOf(statement))
    if (type === 'NullTest' && node.nulltesttype === 'IS_NULL' && isCompanyOf(node.arg as Tree, alias)) return true;
  return equalsCompany(statement, alias);
}

function equalsCompany(statement: Tree, alias: string): boolean {
  for (const [type, node] of nodesOf(statement)) {
    if (type !== 'A_Expr' || node.kind !== 'AEXPR_OP' || symbolOf(node) !== '=') continue;
    for (const [column, value] of [
      [node.lexpr, node.rexpr],
      [node.rexpr, node.lexpr],
    ])
      if (isCompanyOf(column as Tree, alias) && isParameter(value as Tree)) return true;
  }
  return false;
}

function isCompanyOf(node: Tree, alias: string): boolean {
  const fields = (node.ColumnRef as Tree | undefined)?.fields as { String?: { sval: string } }[] | undefined;
  const path = fields?.map((field) => field.String?.sval) ?? [];
  return path.at(-1) === 'company_id' && (path.length === 1 || path[0] === alias);
}

function isParameter(node: Tree): boolean {
  return 'ParamRef' in node || ('TypeCast' in node && isParameter((node.TypeCast as Tree).arg as Tree));
}

function symbolOf(node: Tree): string | undefined {
  return (node.name as { String: { sval: string } }[])[0]?.String.sval;
}

function callsNow(node: unknown): boolean {
  for (const [type, call] of nodesOf(node))
    if (type === 'FuncCall' && (call.funcname as { String?: { sval: string } }[]).at(-1)?.String?.sval === 'now')
      return true;
  return false;
}

function has(node: unknown, wanted: string): boolean {
  for (const [type] of nodesOf(node)) if (type === wanted) return true;
  return false;
}

interface NamedTable {
  readonly name: string;
  readonly alias: string;
  readonly kind: TableKind | undefined;
}

function tableOf(range: Tree): NamedTable {
  const name = range.relname as string;
  return { name, alias: ((range.alias as Tree | undefined)?.aliasname as string) ?? name, kind: TABLE_KINDS.get(name) };
}

function tablesIn(node: unknown): NamedTable[] {
  const found: NamedTable[] = [];
  for (const [type, range] of nodesOf(node)) if (type === 'RangeVar') found.push(tableOf(range));
  return found;
}

/** All nodes below, with their types. */
function* nodesOf(node: unknown): Generator<[type: string, node: Tree]> {
  if (Array.isArray(node)) for (const each of node) yield* nodesOf(each);
  else if (node !== null && typeof node === 'object')
    for (const [field, value] of Object.entries(node)) {
      if (/^[A-Z]/.test(field)) yield [field, value as Tree];
      yield* nodesOf(value);
    }
}
