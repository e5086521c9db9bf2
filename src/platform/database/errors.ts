/** The database gave up for now, or has no connection free; the caller may repeat the request. */
export class TransactionBusy extends Error {}

/** The connection broke, or none can be made: the server has ended, or is starting. */
export class DatabaseLost extends Error {}

/** The database's disk has no room for what the statement writes; what only reads goes on. */
export class StorageFull extends Error {}

/** The statement was cancelled: by this program while it stops, or by an administrator of the database. */
export class StatementCancelled extends Error {}

/** PostgreSQL's codes of the errors that the program handles. */
export const SQLSTATE = {
  FEATURE_NOT_SUPPORTED: '0A000',
  STRING_TOO_LONG: '22001',
  NUMBER_OUT_OF_RANGE: '22003',
  CHARACTER_NOT_IN_REPERTOIRE: '22021',
  FOREIGN_KEY_VIOLATION: '23503',
  UNIQUE_VIOLATION: '23505',
  READ_ONLY_TRANSACTION: '25006',
  IDLE_IN_TRANSACTION: '25P03',
  INVALID_PASSWORD: '28P01',
  SERIALIZATION_FAILURE: '40001',
  DEADLOCK_DETECTED: '40P01',
  INSUFFICIENT_PRIVILEGE: '42501',
  DUPLICATE_OBJECT: '42710',
  UNDEFINED_TABLE: '42P01',
  DUPLICATE_DATABASE: '42P04',
  DISK_FULL: '53100',
  OBJECT_NOT_IN_PREREQUISITE_STATE: '55000',
  LOCK_NOT_AVAILABLE: '55P03',
  QUERY_CANCELED: '57014',
  CANNOT_CONNECT_NOW: '57P03',
  INTERNAL_ERROR: 'XX000',
} as const;

/** PostgreSQL's code of an error; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.length === 5 ? code : undefined;
}

/** Name of the violated constraint or index. */
export function constraintOf(error: unknown): string | undefined {
  const { constraint, message } = fieldsOf(error);
  return withoutShard(constraint ?? VIOLATED.exec(message)?.[1]);
}

/** The table whose row breaks a constraint; of a foreign key, the one that names the other. */
export function tableOf(error: unknown): string | undefined {
  const { table, message } = fieldsOf(error);
  return withoutShard(table ?? VIOLATED.exec(message)?.[2] ?? WRITTEN.exec(message)?.[1]);
}

/** Where the rows lie on other nodes (Citus), their error comes without fields, and names carry the number of a shard. */
const VIOLATED = /constraint "([^"]+)"(?: on table "([^"]+)")?/;
const WRITTEN = /^insert or update on table "([^"]+)"/;

function fieldsOf(error: unknown): { constraint?: string; table?: string; message: string } {
  const {
    constraint,
    table,
    message = '',
  } = (error ?? {}) as { constraint?: string; table?: string; message?: string };
  return {
    ...(constraint && { constraint }),
    ...(table && { table }),
    message: sqlState(error) === undefined ? '' : message,
  };
}

function withoutShard(name: string | undefined): string | undefined {
  return name?.replace(/_\d{6,}$/, '');
}

/** The server has no connection, memory or the like left for this one now; a full disk is another error. */
export function isShortage(error: unknown): boolean {
  const state = sqlState(error);
  return state?.startsWith('53') === true && state !== SQLSTATE.DISK_FULL;
}

/** What the server says when it ends a connection, or takes none now: the classes of its codes for it. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && (state.startsWith('08') || state.startsWith('57P'));
}
