// What was typed and is not in the books yet, kept in the tab's own storage: a reload loses nothing. It never holds
// anything of the session, belongs to one user, and goes with the sign-out.

const PREFIX = 'partidas.unsent ';
const OWNER = 'partidas.unsent-owner';

/** Documents kept at once, and characters of each: what is more is lost with a reload, as the browser warns. */
const MOST_DOCUMENTS = 20;
const MOST_CHARACTERS = 200_000;

/** As long as a session: later the same key could post a row twice. */
const LONGEST_MS = 12 * 3_600_000;

interface Kept<Rows> {
  readonly at: number;
  readonly rows: Rows;
}

/** Keeps the rows in the place of those kept before; undefined: there are none any more. */
export function keepUnsent(place: string, rows: object | undefined): void {
  const key = PREFIX + place;
  const text = rows && JSON.stringify({ at: Date.now(), rows }, withoutBigint);
  const others = keys().filter((each) => each !== key);
  if (text === undefined || text.length > MOST_CHARACTERS || others.length >= MOST_DOCUMENTS) {
    sessionStorage.removeItem(key);
    return;
  }
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The storage is full or closed: the browser's warning is what is left.
    sessionStorage.removeItem(key);
  }
}

/** The rows that were kept for the place; undefined: none, or too old. */
export function unsentOf<Rows>(place: string): Rows | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + place) ?? 'null', withBigint) as Kept<Rows> | null;
    return kept && Date.now() - kept.at < LONGEST_MS ? kept.rows : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing of another user is left for whoever signs in now. */
export function claimUnsent(username: string): void {
  if (sessionStorage.getItem(OWNER) !== username) forgetUnsent();
  sessionStorage.setItem(OWNER, username);
}

export function forgetUnsent(): void {
  for (const key of [...keys(), OWNER]) sessionStorage.removeItem(key);
}

function keys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

function withoutBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { bigint: String(value) } : value;
}

function withBigint(_: string, value: unknown): unknown {
  return value !== null && typeof value === 'object' && 'bigint' in value ? BigInt(value.bigint as string) : value;
}
