/** Twelve digits or capital letters (letters since July 2026) and two check digits, without punctuation. */
export function isCnpj(text: string): boolean {
  return /^[0-9A-Z]{12}[0-9]{2}$/.test(text);
}

/** '11.222.333/0001-81' as '11222333000181'; text of another shape comes back as it is. */
export function plainCnpj(text: string): string {
  return text.replace(/^(\w{2})\.?(\w{3})\.?(\w{3})\/?(\w{4})-?(\d{2})$/, '$1$2$3$4$5');
}

/** The two check digits of the first twelve characters; a character counts as its ASCII code less 48. */
export function cnpjCheckDigits(first12: string): string {
  const first = checkDigit(first12);
  return first + checkDigit(first12 + first);
}

/** All zeros satisfy the arithmetic, but no company was ever given that number. */
export function hasValidCnpjDigits(text: string): boolean {
  return isCnpj(text) && !/^0+$/.test(text) && cnpjCheckDigits(text.slice(0, 12)) === text.slice(12);
}

/** '11222333000181' → '11.222.333/0001-81'; text of another shape comes back as it is. */
export function maskedCnpj(text: string): string {
  return text.replace(/^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})([0-9]{2})$/, '$1.$2.$3/$4-$5');
}

/** Weights run 2 to 9 from the right and start again: 5,4,3,2,9,… over twelve characters, 6,5,4,… over thirteen. */
function checkDigit(characters: string): string {
  let sum = 0;
  for (let place = 0; place < characters.length; place++) {
    sum += (characters.charCodeAt(characters.length - 1 - place) - 48) * (2 + (place % 8));
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
