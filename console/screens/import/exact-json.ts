// JSON whose numbers keep their digits: a double would lose those of a large amount.

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}

export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source!) : value));
}

/** A number as its digits say it. */
export function exactly(digits: string): object {
  return JSON.rawJSON(digits);
}
