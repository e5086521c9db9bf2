/** Eleven digits, without punctuation. */
export function isCpf(text: string): boolean {
  return /^\d{11}$/.test(text);
}

/** '123.456.789-09' as '12345678909'; text of another shape comes back as it is. */
export function plainCpf(text: string): string {
  return text.replace(/^(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})$/, '$1$2$3$4');
}
