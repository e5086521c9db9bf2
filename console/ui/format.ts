import { type Centavos, centavosFromDecimal, magnitudeOf } from '../../src/accounting/money.ts';
import { type Day, type Month, monthNumberOf, yearOf } from '../../src/accounting/period.ts';

// Figures, days and months as an accountant writes and reads them.

/** '1.234,56': without sign, for D and C are letters. */
export function amountText(amount: Centavos): string {
  const digits = magnitudeOf(amount).toString().padStart(3, '0');
  return `${digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, '.')},${digits.slice(-2)}`;
}

/** The side of a debit-positive amount; nothing stands beside zero. */
export function sideOf(amount: Centavos): 'D' | 'C' | '' {
  return amount > 0n ? 'D' : amount < 0n ? 'C' : '';
}

/** Centavos of the client's decimal text ('1234.56'). */
export function centavosOf(decimal: string): Centavos {
  const amount = centavosFromDecimal(decimal);
  if (amount === undefined) throw new TypeError(`not an amount: ${decimal}`);
  return amount;
}

/** What a person typed as an amount: '1.234,56', '1234,5', '1234', and '1234.56' as spreadsheets copy it. */
export function amountFromTyped(text: string): Centavos | undefined {
  const bare = text.replace(/[\sR$]/g, '');
  if (/^-?\d{1,3}(?:\.\d{3})+(?:,\d{0,2})?$/.test(bare) || /^-?\d+(?:,\d{0,2})?$/.test(bare)) {
    return centavosFromDecimal(bare.replaceAll('.', '').replace(/,$/, '').replace(',', '.'));
  }
  return centavosFromDecimal(bare);
}

/** '1.234': a count. */
export function countText(count: number): string {
  return count.toLocaleString('pt-BR');
}

const MONTH_NAMES = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
] as const;

/** 'outubro de 2026'. */
export function monthTitle(month: Month): string {
  return `${MONTH_NAMES[monthNumberOf(month) - 1]} de ${yearOf(month)}`;
}

/** 'Outubro de 2026': a text at the beginning of a sentence. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** 'out'. */
export function monthShort(month: Month): string {
  return MONTH_NAMES[monthNumberOf(month) - 1]!.slice(0, 3);
}

/** The month that a word begins ('set', 'outubro'), 1 to 12. */
export function monthNumberFromWord(word: string): number | undefined {
  const folded = fold(word);
  if (folded.length < 3) return undefined;
  const at = MONTH_NAMES.findIndex((name) => fold(name).startsWith(folded));
  return at < 0 ? undefined : at + 1;
}

/** '22/11/2026'. */
export function dayText(day: Day | string): string {
  return day.slice(0, 10).split('-').reverse().join('/');
}

const INSTANT = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
});

/** '22/11/2026, 14:05', on the clock of São Paulo. */
export function instantText(iso: string): string {
  return INSTANT.format(new Date(iso));
}

/** Small letters without accents, for comparing words. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
