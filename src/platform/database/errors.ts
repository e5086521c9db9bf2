/** The database gave up for now; the caller may repeat the request. */
export class TransactionBusy extends Error {}

/** The connection broke, or none can be made: the server has ended, or is starting. */
export class DatabaseLost extends Error {}

/** Somebody ended the statement: this program, because it stops, or a hand at the database. */
export class StatementCancelled extends Error {}

/** PostgreSQL's code of an error: '23505' unique violation, and so on; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.length === 5 ? code : undefined;
}

/** Name of the violated constraint or index. */
export function constraintOf(error: unknown): string | undefined {
  return (error as { constraint?: string } | undefined)?.constraint;
}

export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state?.startsWith('08') || state?.startsWith('57P')) return true;
  const text = error instanceof Error ? `${(error as { code?: string }).code} ${error.message}` : '';
  return /Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|not queryable/.test(text);
}
