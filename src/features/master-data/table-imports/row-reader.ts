import { isCep, plainCep } from '../../../accounting/cep.ts';
import { hasValidCnpjDigits, isCnpj, plainCnpj } from '../../../accounting/cnpj.ts';
import { type Day, dayFromIso } from '../../../accounting/period.ts';
import { codeForm, isPlainCode, isPlainName, isPlainText } from '../../../accounting/plain-text.ts';
import { type BareProblemCode, type Problem, problem, type Reason } from '../../../accounting/problem.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import type { TableLayout, TableRow } from './read-table.ts';

/** Notes what is wrong with a cell that has been read: its row, its column, the problem. */
export function notesOn<Field extends string>(
  problems: FileProblems,
  { columns }: Pick<TableLayout<Field>, 'columns'>,
) {
  return (row: number, field: Field, found: Problem) =>
    problems.add({ row, place: columns[field][0]!, problem: found });
}

/** Reads the cells of one row as what they should be; what is wrong with them goes to the file's problems. */
export class RowReader<Field extends string> {
  sound = true;
  private readonly from: TableRow<Field>;
  private readonly layout: TableLayout<Field>;
  private readonly problems: FileProblems;

  constructor(from: TableRow<Field>, layout: TableLayout<Field>, problems: FileProblems) {
    this.from = from;
    this.layout = layout;
    this.problems = problems;
  }

  get row(): number {
    return this.from.row;
  }

  refuse(field: Field, found: Problem | BareProblemCode): undefined {
    this.sound = false;
    const place = this.layout.columns[field][0]!;
    this.problems.add({ row: this.row, place, problem: typeof found === 'string' ? problem(found) : found });
    return undefined;
  }

  invalid(field: Field, reason: Reason): undefined {
    return this.refuse(field, problem('INVALID_FIELD', reason));
  }

  /** undefined when the cell is empty. */
  text(field: Field, maximum: number): string | undefined {
    const value = this.from.cells[field].normalize('NFC');
    if (value === '') return undefined;
    if ([...value].length > maximum) {
      return this.invalid(field, { reason: 'TOO_MANY_CHARACTERS', maximum });
    }
    if (!isPlainText(value)) {
      return this.invalid(field, { reason: 'CONTROL_CHARACTERS' });
    }
    return value;
  }

  /** A code in the form in which codes are kept; undefined when the cell is empty. */
  code(field: Field, maximum: number): string | undefined {
    const code = this.text(field, maximum);
    if (code === undefined || isPlainCode(codeForm(code))) return code && codeForm(code);
    return this.invalid(field, { reason: 'NO_PLAIN_CODE' });
  }

  /** A name as people read it; undefined when the cell is empty. */
  name(field: Field, maximum: number): string | undefined {
    const name = this.text(field, maximum);
    if (name === undefined || isPlainName(name)) return name;
    return this.invalid(field, { reason: 'NO_PLAIN_NAME' });
  }

  /** A required value; the empty text when absent, which makes the row wrong. */
  required(field: Field, maximum: number, kind: 'text' | 'code' | 'name' = 'text'): string {
    if (this.from.cells[field] === '') this.refuse(field, 'MISSING_VALUE');
    return this[kind](field, maximum) ?? '';
  }

  /** One of the values, in capitals; undefined when the cell is empty. */
  oneOf<Value extends string>(field: Field, values: readonly Value[]): Value | undefined {
    const written = this.from.cells[field].toUpperCase();
    if (written === '') return undefined;
    const found = values.find((value) => value === written);
    return found ?? this.invalid(field, { reason: 'NOT_ONE_OF', values: values.join(', ') });
  }

  /** S or N, and what programs write for them. */
  flag(field: Field): boolean | undefined {
    const written = this.from.cells[field].toLowerCase();
    if (written === '') return undefined;
    if (['s', 'sim', 'true', '1', 'y', 'yes'].includes(written)) return true;
    if (['n', 'não', 'nao', 'false', '0', 'no'].includes(written)) return false;
    return this.invalid(field, { reason: 'NOT_S_OR_N' });
  }

  /** YYYY-MM-DD or DD/MM/YYYY. */
  day(field: Field): Day | undefined {
    const written = this.from.cells[field];
    if (written === '') return undefined;
    const iso = /^\d{2}\/\d{2}\/\d{4}$/.test(written) ? written.split('/').reverse().join('-') : written;
    return dayFromIso(iso) ?? this.invalid(field, { reason: 'NO_SUCH_DAY' });
  }

  /** 8 digits, with or without their punctuation. */
  zipCode(field: Field): string | undefined {
    const written = this.text(field, 10);
    if (written === undefined) return undefined;
    const zipCode = plainCep(written);
    return isCep(zipCode) ? zipCode : this.invalid(field, { reason: 'NO_CEP' });
  }

  /** 14 characters, with or without their punctuation; `strict`: with the right check digits. */
  cnpj(field: Field, strict: boolean): string | undefined {
    const written = this.text(field, 18);
    if (written === undefined) return undefined;
    const cnpj = plainCnpj(written);
    if (!isCnpj(cnpj)) return this.invalid(field, { reason: 'NO_CNPJ' });
    if (strict && !hasValidCnpjDigits(cnpj)) {
      return this.invalid(field, { reason: 'WRONG_CHECK_DIGITS' });
    }
    return cnpj;
  }
}
