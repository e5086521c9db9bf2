import { type Centavos, decimalOf, magnitudeOf } from '../../../../accounting/money.ts';
import type { Day } from '../../../../accounting/period.ts';
import type { Origin } from './ecd-file.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { fileText } from './file-text.ts';

/** A line with what is between its pipes, the register apart; its texts are those of the file already. */
export interface EcdLine {
  readonly register: string;
  readonly fields: readonly string[];
  readonly origin?: Origin | undefined;
}

/** Makes lines of texts as they are in the database. */
export class LineMaker {
  readonly #findings: EcdFindings;

  constructor(findings: EcdFindings) {
    this.#findings = findings;
  }

  line(register: string, fields: readonly (string | number | null | undefined)[], origin?: Origin): EcdLine {
    return { register, fields: fields.map((field) => this.#text(register, field, origin)), origin };
  }

  #text(register: string, field: string | number | null | undefined, origin: Origin | undefined): string {
    if (field === null || field === undefined) return '';
    if (typeof field === 'number') return String(field);
    const { text, isLossy } = fileText(field);
    if (isLossy) this.#findings.add(lostCharacter(register, field, origin));
    return text;
  }
}

export function lostCharacter(register: string, value: string, origin?: Origin) {
  const message = 'O texto tem caracteres que o arquivo não aceita (ISO 8859-1); foram trocados por «?».';
  return { rule: 'PARTIDAS_CARACTERE', severity: 'AVISO', register, value, message, origin } as const;
}

/** '23112026' */
export function fileDay(day: Day): string {
  return day.slice(8, 10) + day.slice(5, 7) + day.slice(0, 4);
}

export function optionalDay(day: Day | null | undefined): string {
  return day === null || day === undefined ? '' : fileDay(day);
}

/** '1234,50', without its sign. */
export function fileAmount(amount: Centavos): string {
  return decimalOf(magnitudeOf(amount)).replace('.', ',');
}

/** Of a debit-positive amount; zero is a debit. */
export function sideOf(amount: Centavos): 'D' | 'C' {
  return amount < 0n ? 'C' : 'D';
}

/** A debit-positive amount and its side: two fields. */
export function sided(amount: Centavos): [string, string] {
  return [fileAmount(amount), sideOf(amount)];
}

/** The day itself, where it is in the file, else the first or the last one of the file. */
export function dayInFile({ from, to }: { readonly from: Day; readonly to: Day }, day: Day): Day {
  if (day < from) return from;
  return day > to ? to : day;
}
