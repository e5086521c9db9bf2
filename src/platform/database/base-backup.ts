import { withReplicationConnection } from './connections.ts';
import { pg } from './driver.ts';

/** A place in the log of the server, such as '0/2000028', on its timeline. */
export interface WalPosition {
  readonly position: string;
  readonly timeline: number;
}

export interface BaseBackupOptions {
  readonly label: string;
  /** Most bytes a second that the server sends. */
  readonly bytesPerSecond: number;
  /** Gets the tar of the data folder piece by piece, without waiting; what it throws ends the backup. */
  write(piece: Buffer): void;
  /** Gets PostgreSQL's own list of the files, which pg_verifybackup reads. */
  writeList(piece: Buffer): void;
}

/**
 * A copy of the whole server while it works, with the log that makes it consistent, by PostgreSQL's own command for it:
 * it checks each page's checksum and ends with the connection. A temporary slot keeps that log meanwhile. It does not
 * wait for the archive, which may take nothing just now: the copy needs none of it.
 */
export async function streamBaseBackup(
  ownerUrl: string,
  options: BaseBackupOptions,
): Promise<{ readonly begin: WalPosition; readonly end: WalPosition }> {
  const slot = `partidas_backup_${process.pid}`;
  return withReplicationConnection(ownerUrl, async (holder) => {
    await holder.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
    return withReplicationConnection(ownerUrl, (client) => runBaseBackup(client, options));
  });
}

interface PositionRow {
  recptr: string;
  tli: number | string;
}

async function runBaseBackup(client: pg.Client, options: BaseBackupOptions) {
  const { label, bytesPerSecond } = options;
  const rate = Math.min(1_048_576, Math.max(32, Math.round(bytesPerSecond / 1024)));
  const command = `BASE_BACKUP (LABEL ${client.escapeLiteral(label)}, WAL true, CHECKPOINT 'fast', MAX_RATE ${rate},
    MANIFEST 'yes', WAIT 'false')`;
  let failure: unknown;
  const results = await new Promise<{ rows: PositionRow[] }[]>((resolve, reject) => {
    const archives = new ArchivePieces(options);
    const query = new CopyingQuery(command, (error, found) => (error ? reject(error) : resolve(found)));
    query.onPiece = (piece, connection) => {
      if (failure !== undefined) return;
      try {
        archives.take(piece);
      } catch (error) {
        failure = error;
        connection.stream.destroy();
      }
    };
    client.query(query as unknown as pg.Submittable);
  }).catch((error) => {
    throw failure ?? error;
  });
  const [begin, , end] = results.map(({ rows }) => rows[0]);
  return { begin: positionOf(begin!), end: positionOf(end!) };
}

function positionOf({ recptr, tli }: PositionRow): WalPosition {
  return { position: recptr, timeline: Number(tli) };
}

interface Connection {
  readonly stream: { destroy(): void };
}

/** The driver's own query ignores what COPY sends. */
class CopyingQuery extends (pg.Query as unknown as new (
  text: string,
  values: undefined,
  callback: (error: Error | null, results: { rows: PositionRow[] }[]) => void,
) => object) {
  onPiece: (piece: Buffer, connection: Connection) => void = () => {};

  constructor(text: string, callback: (error: Error | null, results: { rows: PositionRow[] }[]) => void) {
    super(text, undefined, callback);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    this.onPiece(chunk, connection);
  }
}

/** The first byte of a piece says what it is; one without says more of the same. */
class ArchivePieces {
  private readonly options: BaseBackupOptions;
  private archives = 0;
  private isList = false;

  constructor(options: BaseBackupOptions) {
    this.options = options;
  }

  take(piece: Buffer): void {
    const kind = String.fromCharCode(piece[0]!);
    if (kind === 'd') {
      const content = piece.subarray(1);
      if (this.isList) this.options.writeList(content);
      else this.options.write(content);
    } else if (kind === 'm') this.isList = true;
    else if (kind === 'n') {
      this.archives++;
      if (this.archives > 1) throw new Error('tablespaces are not backed up: their files lie outside the data folder');
    }
  }
}
