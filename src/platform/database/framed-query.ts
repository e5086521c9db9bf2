import { pg } from './driver.ts';
import { asQuery } from './sql.ts';
import type { Statement } from './statement.ts';

/** Commands that begin a transaction, each a message of its own, as they go over the wire. */
export interface Opening {
  readonly bytes: Buffer;
  readonly commands: number;
}

/** What goes out with a statement, before and after it, and is answered with it. */
export interface Frame {
  readonly opening?: Opening | undefined;
  readonly commits?: boolean | undefined;
}

export function openingOf(commands: readonly string[]): Opening {
  return { bytes: Buffer.concat(commands.map(messagesOf)), commands: commands.length };
}

/** A command without values in the extended protocol: Parse, Bind and Execute of the nameless statement. */
function messagesOf(command: string): Buffer {
  const [none, noMore] = ['\0', '\0\0'];
  return Buffer.concat([
    message('P', `${none}${command}\0${noMore}`),
    message('B', `${none}${none}${noMore}${noMore}${noMore}`),
    message('E', `${none}\0\0\0\0`),
  ]);
}

function message(code: string, body: string): Buffer {
  const bytes = Buffer.from(`${code}\0\0\0\0${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

const COMMIT = messagesOf('COMMIT');

/**
 * Sends a statement in its frame, in one write and with one answer at its end. Without a statement the opening goes out
 * alone. What fails in it leaves the transaction to be rolled back: nothing after the failure was done.
 */
export function sendFramed(
  client: pg.PoolClient,
  statement: Statement | undefined,
  frame: Frame,
): Promise<pg.QueryResult> {
  const answer = new Promise<pg.QueryResult>((resolve, reject) => {
    const query = new FramedQuery(statement, frame, namesStatements(client), (error, result) =>
      error ? reject(error) : resolve(result),
    );
    client.query(query as unknown as pg.Submittable);
  });
  // The stack of an error that comes over the wire names nobody who asked.
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}

/** A connection through a pooler that keeps no prepared statements says so. */
function namesStatements(client: pg.PoolClient): boolean {
  return (client as { namesStatements?: boolean }).namesStatements ?? true;
}

/** The driver's own query: what it does where its types say nothing. */
interface DriverQuery {
  name: string | undefined;
  readonly portal: string;
  submit(connection: pg.Connection): Error | null;
  prepare(connection: pg.Connection): void;
  _getRows(connection: DriverConnection, rows: number): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

type DriverConnection = pg.Connection & {
  execute(config: { portal: string; rows: number }): void;
  readonly submittedNamedStatements: Record<string, string>;
};

type Answered = (error: Error | null, result: pg.QueryResult) => void;

const BaseQuery = pg.Query as unknown as new (config: object, values: undefined, callback: Answered) => DriverQuery;

class FramedQuery extends BaseQuery {
  readonly #statement: Statement | undefined;
  readonly #frame: Frame;
  readonly #name: string | undefined;
  /** Answers that still come before the statement's. */
  #before: number;
  #isAnswered = false;

  constructor(statement: Statement | undefined, frame: Frame, isNamed: boolean, answered: Answered) {
    const config = statement === undefined ? { text: '' } : asQuery(statement, isNamed);
    super(Object.assign(config, { queryMode: 'extended' }), undefined, answered);
    this.#statement = statement;
    this.#frame = frame;
    this.#name = this.name;
    this.#before = frame.opening?.commands ?? 0;
  }

  override submit(connection: pg.Connection): Error | null {
    if (this.#statement !== undefined) return super.submit(connection);
    connection.stream.write(this.#frame.opening!.bytes);
    connection.sync();
    return null;
  }

  override prepare(connection: pg.Connection): void {
    const { opening } = this.#frame;
    if (opening === undefined) return super.prepare(connection);
    connection.stream.write(opening.bytes);
    super.prepare(connection);
    // The driver takes the next parsed statement for the one of this name, and the opening's are parsed first.
    this.name = undefined;
  }

  override _getRows(connection: DriverConnection, rows: number): void {
    if (!this.#frame.commits) return super._getRows(connection, rows);
    connection.execute({ portal: this.portal, rows });
    connection.stream.write(COMMIT);
    connection.sync();
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#before > 0) {
      this.#before--;
      if (this.#before === 0) this.name = this.#name;
    } else if (!this.#isAnswered) {
      this.#isAnswered = true;
      super.handleCommandComplete(message, connection);
    }
  }

  override handleError(error: Error, connection: DriverConnection): void {
    if (this.#before > 0 && this.#name !== undefined) delete connection.submittedNamedStatements[this.#name];
    super.handleError(error, connection);
  }
}
