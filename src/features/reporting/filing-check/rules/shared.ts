import { hasValidCnpjDigits } from '../../../../accounting/cnpj.ts';
import { hasValidCpfDigits } from '../../../../accounting/cpf.ts';
import type { Book } from '../book.ts';
import { dayOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { remember } from '../remember.ts';
import { each, later, type Rule } from '../rule.ts';
import { countries, municipalities, statesByNire } from '../tables.ts';

// What many registers ask for in the same words.

/** A register of which a file has one. */
export const once = (register: string): Rule =>
  each(`O registro ${register} só pode ocorrer uma vez no arquivo.`, ({ register: { code } }, book) =>
    book.countOf(code) > 1 ? 'REG' : undefined,
  );

/** The first of the fields whose text is there and wrong. */
export function firstWrong(line: Line, fields: readonly string[], isRight: (text: string) => boolean) {
  return fields.find((field) => line.of(field) !== '' && !isRight(line.of(field)));
}

export const validCnpj = (...fields: string[]): Rule =>
  later('CNPJ inválido: os dígitos verificadores não conferem.', (line) =>
    firstWrong(line, fields, (text) => text.length === 11 || hasValidCnpjDigits(text)),
  );

export const validCpf = (...fields: string[]): Rule =>
  later('CPF inválido: os dígitos verificadores não conferem.', (line) =>
    firstWrong(line, fields, (text) => text.length === 14 || hasValidCpfDigits(text)),
  );

export const knownState = (...fields: string[]): Rule =>
  later('A UF não existe na tabela de unidades da federação.', (line) =>
    firstWrong(line, fields, (text) => statesByNire().has(text)),
  );

export const knownMunicipality = (): Rule =>
  later('O código do município não existe na tabela do IBGE.', (line) =>
    firstWrong(line, ['COD_MUN'], (text) => municipalities().has(text)),
  );

export const knownCountry = (): Rule =>
  later('O código do país não existe na tabela de países do Banco Central.', (line) =>
    firstWrong(line, ['COD_PAIS'], (text) => countries().has(text)),
  );

export const lettersAndDigits = (...fields: string[]): Rule =>
  later('O campo só aceita letras e números, sem pontos, traços ou espaços.', (line) =>
    firstWrong(line, fields, (text) => /^[0-9A-Za-z]+$/.test(text)),
  );

export const hexadecimal = (field: string): Rule =>
  later('O hash deve ter 40 caracteres hexadecimais (0 a 9, A a F).', (line) =>
    firstWrong(line, [field], (text) => /^[0-9A-F]{40}$/.test(text)),
  );

export const positive = (field: string): Rule =>
  later('O número deve ser maior que zero.', (line) => (Number(line.of(field)) > 0 ? undefined : field));

export const insidePeriod = (...fields: string[]): Rule =>
  later('A data está fora do período da escrituração (0000.DT_INI a DT_FIN).', (line, book) =>
    fields.find((field) => !book.contains(dayOf(line.of(field)))),
  );

/** Lines of a register whose key another one has; under the same line, where `within` says so. */
export function repeated(text: string, keys: readonly string[], within: 'file' | 'parent' = 'file'): Rule {
  const [field] = keys;
  const seen = new WeakMap<object, Set<string>>();
  return later(text, (line, book) => {
    const owner = within === 'file' ? book : (line.parent ?? book);
    const known = remember(seen, owner, () => new Set());
    const key = keys.map((each) => line.of(each)).join('|');
    if (known.has(key)) return field;
    known.add(key);
    return undefined;
  });
}

/** The field says the same as that of another register. */
export const sameAs = (text: string, field: string, register: string, other: string): Rule =>
  later(text, (line, book) => {
    const expected = book.given(register, other);
    return book.only(register) === undefined || line.of(field) === expected ? undefined : { field, expected };
  });

/** As a number: '000123' is 123. */
export const sameNumberAs = (text: string, field: string, register: string, other: string): Rule =>
  later(text, (line, book) => {
    const expected = book.given(register, other);
    return book.only(register) === undefined || Number(line.of(field)) === Number(expected)
      ? undefined
      : { field, expected };
  });

/** The last line of a block says how many lines it has. */
export const linesOfBlock = (block: string, field: string): Rule =>
  later(`A quantidade de linhas do bloco ${block} não confere.`, (line, book) => {
    const expected = book.blocks.get(block) ?? 0;
    return Number(line.of(field)) === expected ? undefined : { field, expected: String(expected) };
  });

/** An account of I050, for lines of movements and balances. */
export const accountExists = (): Rule =>
  each('A conta não existe no plano de contas (registro I050).', (_, book) =>
    book.account === undefined ? 'COD_CTA' : undefined,
  );

export const accountIsAnalytic = (): Rule =>
  each('A conta é sintética: saldos e lançamentos só existem em contas analíticas.', (_, book) =>
    book.account !== undefined && !book.account.isAnalytic ? 'COD_CTA' : undefined,
  );

export const costCentreExists = (): Rule =>
  each('O centro de custos não existe no registro I100.', (_, book) =>
    book.isCostCentreKnown ? undefined : 'COD_CCUS',
  );

/** The same of registers that stand before I100. */
export const costCentreExistsLater = (): Rule =>
  later('O centro de custos não existe no registro I100.', (line, book) =>
    firstWrong(line, ['COD_CCUS'], (text) => book.costCentres.has(text)),
  );

export const sideGiven = (field: string): Rule =>
  each('Informe D ou C, também quando o saldo é zero.', (line) => (line.of(field) === '' ? field : undefined));

export const hasNotes = (field: string): Rule =>
  later('A nota explicativa citada não existe: falta um J800 do tipo 010, 011, 012 ou 099.', (line, book) => {
    if (line.of(field) === '') return undefined;
    return book.rows('J800').some((row) => NOTES.has(row.of('TIPO_DOC'))) ? undefined : field;
  });

const NOTES: ReadonlySet<string> = new Set(['010', '011', '012', '099']);

/** Books with entries and balances of their own: G, R and B. */
export const isMainBook = (book: Book) => book.form === 'G' || book.form === 'R' || book.form === 'B';
export const hasEntries = (book: Book) => book.form === 'G' || book.form === 'R';
