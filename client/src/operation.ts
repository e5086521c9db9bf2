/** The names of the fields that hold exact decimals, inside each other; lists do not count, `*` is any name. */
export interface Decimals {
  readonly [field: string]: true | Decimals;
}

/** How the rows of a list come a page at a time. */
export type Paging =
  /** Pages have numbers. */
  | { readonly by: 'number'; readonly page: string; readonly size: string; readonly rows: readonly string[] }
  /** Each page says where the next one begins. */
  | { readonly by: 'key'; readonly after: string; readonly next: string; readonly rows: readonly string[] };

/** What the client must know of an operation while it runs; the build makes it from the documents. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Media type of the body. */
  readonly sends?: string;
  /** Media types of the answer. */
  readonly answers: readonly string[];
  /** Open to anyone: no token is sent. */
  readonly open?: true;
  /** Takes an Idempotency-Key. */
  readonly keyed?: true;
  /** Repeating it changes nothing: it only reads. */
  readonly reads?: true;
  readonly pages?: Paging;
  readonly sentDecimals?: Decimals;
  readonly answeredDecimals?: Decimals;
}
