/** Which part of a list is requested: the number of the page, counted from 0, and how many rows a page has. */
export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** How many rows lie before the page. */
export function offsetOf({ page, size }: PageRequest): number {
  return page * size;
}
