import type { Finding } from '../src/features/reporting/filing-check/findings.ts';

/** What a file has wrong as a line, its parts between tabs. */
export function findingRow({ line, severity, rule, register, field, value, message }: Finding): string {
  const place = [register, field].filter(Boolean).join('.');
  return [line ?? '', severity, rule, place, printable(value ?? ''), message].join('\t');
}

/** What a file holds must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
