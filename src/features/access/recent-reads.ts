import { LRUCache } from 'lru-cache';

/** A changed right takes effect within 5 seconds in every process. */
const AGE_MS = 3_000;

/** Rows that were read at most AGE_MS ago. */
export class RecentReads<Key extends string | number, Row extends object> {
  private readonly rows: LRUCache<Key, Row>;
  private clears = 0;

  constructor(max: number) {
    this.rows = new LRUCache<Key, Row>({ max, ttl: AGE_MS });
  }

  get(key: Key): Row | undefined {
    return this.rows.get(key);
  }

  /** Reads anew, and keeps what is final. A row that was read before a change must not be kept after it. */
  async read(
    key: Key,
    select: () => Promise<Row | undefined>,
    isFinal: (row: Row) => boolean = () => true,
  ): Promise<Row | undefined> {
    const clearsBefore = this.clears;
    const row = await select();
    if (row && isFinal(row) && this.clears === clearsBefore) this.rows.set(key, row);
    return row;
  }

  clear(): void {
    this.clears++;
    this.rows.clear();
  }
}
