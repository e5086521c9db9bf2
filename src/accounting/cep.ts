/** Eight digits, without the hyphen. */
export function isCep(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/** '01001000' → '01001-000'; text of another shape comes back as it is. */
export function maskedCep(text: string): string {
  return text.replace(/^(\d{5})(\d{3})$/, '$1-$2');
}
