/** Eleven digits, without punctuation. */
export function isCpf(text: string): boolean {
  return /^\d{11}$/.test(text);
}

/** '123.456.789-09' as '12345678909'; text of another shape comes back as it is. */
export function plainCpf(text: string): string {
  return text.replace(/^(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})$/, '$1$2$3$4');
}

/** Eleven times the same digit satisfies the arithmetic, but nobody was ever given that number. */
export function hasValidCpfDigits(text: string): boolean {
  if (!isCpf(text) || /^(\d)\1{10}$/.test(text)) return false;
  const first = checkDigit(text.slice(0, 9));
  return text.slice(9) === first + checkDigit(text.slice(0, 9) + first);
}

/** Weights rise from 2 at the right. */
function checkDigit(digits: string): string {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) sum += Number(digits[digits.length - 1 - place]) * (2 + place);
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
