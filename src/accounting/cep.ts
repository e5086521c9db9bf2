/** Eight digits, without the hyphen. */
export function isCep(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/** '01001-000' or '01.001-000' as '01001000'; text of another shape comes back as it is. */
export function plainCep(text: string): string {
  return text.replace(/^(\d{2})\.?(\d{3})-?(\d{3})$/, '$1$2$3');
}

/** '01001000' → '01001-000'; text of another shape comes back as it is. */
export function maskedCep(text: string): string {
  return text.replace(/^(\d{5})(\d{3})$/, '$1-$2');
}
