const REMOVED = '[removed]';

/**
 * A log line without tokens, passwords and CPFs, however they got into it: as a field of a JSON object, as name=value,
 * or in the middle of a sentence. Lookalikes are removed too.
 */
export function redactLine(line: string): string {
  return line
    .replace(JSON_FIELD, `$1"${REMOVED}"`)
    .replace(ASSIGNMENT, `$1${REMOVED}`)
    .replace(BEARER, `$1 ${REMOVED}`)
    .replace(JWT, REMOVED)
    .replace(MASKED_CPF, REMOVED)
    .replace(PLAIN_CPF, (digits) => (isCpf(digits) ? REMOVED : digits));
}

/** How names of secrets end; what is before it does not matter. Every repetition is bounded: no line is slow. */
const SECRET_NAME =
  '(?:password|passwd|senha|secret|segredo|token|authorization|cookie|api[_-]?key|cpf)(?:[_-]?(?:hash|value))?';

/** "name":"value", also inside a JSON text that is itself a value and has its quotation marks escaped. */
// eslint-disable-next-line no-restricted-syntax -- of constants, so that the other rules see it
const JSON_FIELD = new RegExp(
  `(${SECRET_NAME}\\\\{0,3}"\\s{0,3}:\\s{0,3})(?:\\\\{1,3}"(?:[^"\\\\]|\\\\{1,3}[^"\\\\]){0,8192}\\\\{1,3}"|"(?:[^"\\\\]|\\\\.){0,8192}"|[\\w.+-]{1,100})`,
  'gi',
);
// eslint-disable-next-line no-restricted-syntax -- of constants, so that the other rules see it
const ASSIGNMENT = new RegExp(`(${SECRET_NAME}\\s{0,3}[=:]\\s{0,3})(?![\\s"\\\\[])[^\\s"'&,;\\\\]{1,8192}`, 'gi');
const BEARER = /\b(Bearer|Basic)\s{1,3}[\w.~+/=-]{1,8192}/gi;
const JWT = /\beyJ[\w-]{5,4096}\.[\w-]{1,8192}(?:\.[\w-]{0,4096})?/g;
const MASKED_CPF = /\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g;
const PLAIN_CPF = /(?<![\d.,-])\d{11}(?![\d.,]\d|\d)/g;

function isCpf(digits: string): boolean {
  const checkDigit = (length: number) => {
    let sum = 0;
    for (let at = 0; at < length; at++) sum += Number(digits[at]) * (length + 1 - at);
    return ((sum * 10) % 11) % 10;
  };
  return checkDigit(9) === Number(digits[9]) && checkDigit(10) === Number(digits[10]);
}
