import type pg from 'pg';
import ts from 'typescript';

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The columns that the server would answer the statement with, which it only prepares; fails as PREPARE does. */
export function describe(client: pg.Client, text: string): Promise<readonly Field[]> {
  return new Promise((resolve, reject) => {
    let columns: readonly Field[] = [];
    let failure: Error | undefined;
    // What the driver's own queries do, without executing.
    const query = {
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: readonly Field[] }) {
        columns = message.fields;
      },
      handleError(error: Error) {
        failure = error;
        reject(error);
      },
      handleReadyForQuery() {
        if (failure === undefined) resolve(columns);
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}

/** What distinguishes the columns from the declared row. */
export function disagreements(checker: ts.TypeChecker, row: ts.Type, columns: readonly Field[]): string[] {
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]));
  const found: string[] = [];
  for (const { name, dataTypeID } of columns) {
    const property = properties.get(name);
    if (property === undefined) {
      // The queue of a lock is tested by its effect alone.
      if (name !== 'turn') found.push(`column ${name} is not in ${checker.typeToString(row)}`);
      continue;
    }
    const read = READ_AS[dataTypeID];
    if (read === 'anything') continue;
    const declared = kindsOf(checker, checker.getTypeOfSymbol(property));
    if (declared.size > 0 && !declared.has(read ?? 'string')) {
      found.push(`column ${name} is ${[...declared].join(' or ')} in the row type, but read as ${read ?? 'string'}`);
    }
  }
  const names = new Set(columns.map(({ name }) => name));
  for (const [name, property] of properties) {
    if (!names.has(name) && !(property.flags & ts.SymbolFlags.Optional)) found.push(`no column ${name}`);
  }
  return found;
}

/** As what the driver reads a type, by the type's OID; everything else is read as text. */
const READ_AS: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'Buffer',
  20: 'number',
  21: 'number',
  23: 'number',
  26: 'number',
  700: 'number',
  701: 'number',
  114: 'anything',
  3802: 'anything',
  1000: 'boolean[]',
  1005: 'number[]',
  1007: 'number[]',
  1009: 'string[]',
  1015: 'string[]',
  1016: 'number[]',
  1114: 'Date',
  1184: 'Date',
};

/** The kinds of a declared type, null and undefined left out; empty for what says nothing. */
function kindsOf(checker: ts.TypeChecker, type: ts.Type): Set<string> {
  const kinds = new Set<string>();
  // Of a type parameter, such as a job's kind, its bound counts.
  const bound = checker.getBaseConstraintOfType(type) ?? type;
  for (const part of bound.isUnion() ? bound.types : [bound]) {
    const kind = kindOf(checker, part);
    if (kind !== undefined) kinds.add(kind);
  }
  return kinds;
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  const flags = type.isIntersection() ? type.types.reduce((all, part) => all | part.flags, 0) : type.flags;
  if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Unknown)) return undefined;
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.BigIntLike) return 'bigint';
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return `${[...kindsOf(checker, element!)].join('|')}[]`;
  }
  return type.symbol?.name;
}
