import { hash } from 'node:crypto';

/**
 * A request as text, so that it can be done later exactly as it was asked: JSON in which centavos and moments are marked,
 * because JSON has neither.
 */
export function keepRequest(request: unknown): string {
  return JSON.stringify(request, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (typeof value === 'bigint') return { $bigint: String(value) };
    const given = this[key];
    return given instanceof Date ? { $date: given.toISOString() } : value;
  });
}

/** The request as it was given; what was undefined is absent. */
export function readRequest(text: string): unknown {
  return JSON.parse(text, (_key, value) => {
    if (typeof value?.$bigint === 'string') return BigInt(value.$bigint);
    return typeof value?.$date === 'string' ? new Date(value.$date) : value;
  });
}

/** SHA-256 of a kept request, in hexadecimal. */
export function hashOfRequest(text: string): string {
  return hash('sha256', text);
}
