/** '1.234.567,12345678' of '1234567.12345678': quotas have more decimals than money, and all are shown. */
export function decimalText(decimal: string): string {
  const [whole = '0', decimals] = decimal.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${decimal.startsWith('-') ? '−' : ''}${grouped}${decimals === undefined ? '' : `,${decimals}`}`;
}

/** The decimal that a person typed: '1.234,5', '1234,5', '1234.5'; undefined where it is none. */
export function decimalFromTyped(text: string): string | undefined {
  const bare = text.replace(/\s/g, '');
  const plain =
    bare.includes(',') || /^\d{1,3}(?:\.\d{3})+$/.test(bare) ? bare.replaceAll('.', '').replace(',', '.') : bare;
  return /^\d{1,15}(?:\.\d{1,12})?$/.test(plain) ? plain : undefined;
}

/** '25,00000000 %' with its sign; a dash where there is nothing to compare with. */
export function variationText(variation: string | null): string {
  return variation === null ? '–' : `${decimalText(variation)} %`;
}

/** '2026-03-02' of '02/03/2026'. */
export function isoOf(day: string): string {
  return day.split('/').reverse().join('-');
}
