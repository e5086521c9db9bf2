import type { Centavos } from '../../src/accounting/money.ts';

/** Centavos of an amount as Brazilians write it: '-1.234,56', '1234,56'; nothing is zero. */
export function centavos(printed: string | undefined): Centavos {
  if (printed === undefined || printed === '') return 0n;
  return BigInt(printed.replaceAll('.', '').replace(',', ''));
}

/** 123456n → '1.234,56' */
export function printedAmount(amount: Centavos): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${amount < 0n ? '-' : ''}${whole},${digits.slice(-2)}`;
}
