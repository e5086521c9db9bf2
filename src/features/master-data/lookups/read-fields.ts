// Responses of external services: each value is checked for its type, cleaned and cut.

export type Fields = Readonly<Record<string, unknown>>;

/** The response as an object; throws for anything else. */
export function fieldsOf(body: unknown): Fields {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Error('answered something else');
  return body as Fields;
}

/** A response without any of the expected fields means that the key is unknown. */
export function areEmpty(fields: Fields, ...names: string[]): boolean {
  return names.every((name) => textOf(fields[name]) === null);
}

/** null for what is absent or empty. */
export function textOf(value: unknown, maximum = 200): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const clean = String(value)
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .trim();
  return clean === '' ? null : [...clean].slice(0, maximum).join('');
}

export function digitsOf(value: unknown): string | null {
  return textOf(textOf(value)?.replace(/\D/g, ''));
}

/** Throws for a response about another key than the requested one. */
export function requireKey(answered: string | undefined, asked: string): void {
  if (answered !== asked) throw new Error('answered about another key');
}

/** '2013-10-03' or '15/01/2010' as 'YYYY-MM-DD'. */
export function dayOf(value: unknown): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(textOf(value) ?? '') ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(value) ?? '')?.[0] ?? null;
}

/** Decimal text of 1000, '1000.00', '1000,00' or '1.000,00'. */
export function decimalOf(value: unknown): string | null {
  const written = textOf(value) ?? '';
  const decimal = written.includes(',') ? written.replaceAll('.', '').replace(',', '.') : written;
  return /^\d{1,18}(\.\d{1,6})?$/.test(decimal) ? decimal.replace(/^0+(?=\d)/, '') : null;
}
