import { type CallOptions, call, type Parts, type Service } from './call.ts';
import type { Operation, Paging } from './operation.ts';

/** The rows of a list, page after page: the next page is read when its first row is asked for. */
export async function* pages(
  service: Service,
  operation: Operation,
  parts: Parts = {},
  options: CallOptions = {},
): AsyncGenerator<unknown> {
  const paging = operation.pages!;
  let place: unknown = parts.query?.[paging.by === 'number' ? paging.page : paging.after];
  for (;;) {
    const query = { ...parts.query, ...placed(paging, place) };
    const answer = await call(service, operation, { ...parts, query }, options);
    const rows = inside(answer, paging.rows) as readonly unknown[];
    yield* rows;
    place = nextPlace(paging, answer, rows.length, place, query);
    if (place === undefined || place === null) return;
  }
}

function placed(paging: Paging, place: unknown): Record<string, unknown> {
  if (paging.by === 'key') return { [paging.after]: place };
  return { [paging.page]: place ?? 0 };
}

/** Where the next page begins; undefined after the last one. */
function nextPlace(paging: Paging, answer: unknown, rows: number, place: unknown, query: Parts['query']): unknown {
  // A stream of events always says where it goes on; without any it has no next page now.
  if (paging.by === 'key') return rows === 0 ? undefined : inside(answer, [paging.next]);
  const page = Number(place ?? 0);
  const { totalPages } = (inside(answer, paging.rows.slice(0, -1)) ?? {}) as { totalPages?: number };
  if (totalPages !== undefined) return page + 1 < totalPages ? page + 1 : undefined;
  // A bare list does not say how many pages there are: a full page may be followed by another.
  const size = query?.[paging.size];
  return rows === 0 || (size !== undefined && rows < Number(size)) ? undefined : page + 1;
}

function inside(value: unknown, path: readonly string[]): unknown {
  return path.reduce((outer, name) => (outer as Record<string, unknown> | undefined)?.[name], value);
}
