import { z } from 'zod';
import { isCep, plainCep } from '../accounting/cep.ts';
import { isCnpj, plainCnpj } from '../accounting/cnpj.ts';
import { isCpf, plainCpf } from '../accounting/cpf.ts';
import type { AccountId, BranchId, CompanyId } from '../accounting/ids.ts';
import {
  type Centavos,
  centavosFromDecimal,
  centavosFromNumber,
  decimalOf,
  MAX_ENTRY_AMOUNT_TEXT,
} from '../accounting/money.ts';
import { dayFromIso, monthFromIso, monthFromSlash } from '../accounting/period.ts';
import { codeForm, isPlainCode, isPlainName, isPlainText } from '../accounting/plain-text.ts';
import { INSTITUTION } from '../features/access/access.ts';
import type { RawJson } from '../platform/json.ts';
import { rejectRequest } from './request-error.ts';

/** What a person types to sign in. */
export function credentials() {
  return {
    username: text(200, 1).meta({ example: 'admin' }),
    password: z.string().min(1).max(1_000).meta({ example: 'correct horse battery' }),
  };
}

/** Ids of records: whole numbers from 1 to 2^53−1. */
export const id = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 1 });

/** The same in a path or query string. */
export const pathId = wholeText(1, Number.MAX_SAFE_INTEGER).meta({ type: 'integer', example: 1, minimum: 1 });

export const idParams = z.object({ id: pathId });

/** Ids of one kind: the schemas of every id, with the kind in their type. */
export const companyId = id as z.ZodType as z.ZodType<CompanyId, number>;
export const branchId = id as z.ZodType as z.ZodType<BranchId, number>;
export const companyPathId = pathId as z.ZodType as z.ZodType<CompanyId, string>;
export const branchPathId = pathId as z.ZodType as z.ZodType<BranchId, string>;
export const accountId = id as z.ZodType as z.ZodType<AccountId, number>;
export const accountPathId = pathId as z.ZodType as z.ZodType<AccountId, string>;

/** A whole number written in a path or query string. */
export function wholeText(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number | deve ser um número inteiro')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      message: `must be from ${minimum} to ${maximum} | deve estar entre ${minimum} e ${maximum}`,
    });
}

/** true or false in a query string or form. */
export const booleanText = z
  .enum(['true', 'false'], { message: 'must be true or false | deve ser true ou false' })
  .transform((value) => value === 'true');

/**
 * Text as the platform keeps it: trimmed, NFC, without control characters or lone surrogates. `minimum` 1 rejects the
 * empty text.
 */
export function text(maximum: number, minimum = 0) {
  return z
    .string()
    .max(maximum * 4 + 100, tooLong(maximum))
    .refine(isPlainText, 'control characters are not allowed | caracteres de controle não são permitidos')
    .transform((value) => value.trim().normalize('NFC'))
    .refine((value) => [...value].length <= maximum, tooLong(maximum))
    .refine((value) => value.length >= minimum, 'must not be empty | não pode ser vazio')
    .meta({ maxLength: maximum, ...(minimum > 0 ? { minLength: minimum } : {}) });
}

/** A name that people read: not blank, nothing invisible in it, no word of two scripts. */
export function nameText(maximum: number) {
  return text(maximum, 1).refine(
    isPlainName,
    'invisible characters and words of mixed scripts are not allowed | caracteres invisíveis e palavras de alfabetos misturados não são permitidos',
  );
}

/** A code that names something: not blank, in one form, so that no two codes look alike (accounting/plain-text). */
export function codeText(maximum: number) {
  return text(maximum, 1)
    .transform(codeForm)
    .refine((value) => [...value].length <= maximum, tooLong(maximum))
    .refine(
      isPlainCode,
      'only letters, digits and keyboard signs are allowed | só são permitidos letras, algarismos e sinais do teclado',
    )
    .meta({ maxLength: maximum, minLength: 1 });
}

/** Codes of companies and of branches. */
export const companyCode = codeText(10).meta({ example: '0001' });
export const branchCode = codeText(10)
  .refine(
    (code) => code !== INSTITUTION,
    'must be a branch: * stands for the institution, which only reports and some reads show | deve ser uma filial: * indica a instituição, que só relatórios e algumas consultas mostram',
  )
  .meta({ example: '0001', maxLength: 10, minLength: 1 });

/** The code of a branch, or * for the institution. */
export const branchOrInstitution = codeText(10).meta({
  example: '0001',
  description: '* for the institution: all branches of the company that share its chart and are not funds, summed',
});

export const tenantParams = z.object({ company: companyCode, branch: branchCode });
export const companyParams = z.object({ company: companyCode });

/** With or without its punctuation, and stored without. */
export const cnpj = text(18, 1)
  .transform(plainCnpj)
  .refine(isCnpj, 'must be a CNPJ of 14 characters | deve ser um CNPJ de 14 caracteres')
  .meta({ format: 'cnpj', example: '11222333000181', maxLength: 18, minLength: 14 });

/** The same of a person; the empty text is none. */
export const cpf = text(14)
  .transform(plainCpf)
  .refine((value) => value === '' || isCpf(value), 'must be a CPF of 11 digits | deve ser um CPF de 11 algarismos')
  .meta({ format: 'cpf', example: '12345678909', maxLength: 14 });

export const cnpjOrCpf = text(18, 11)
  .transform((value) => plainCpf(plainCnpj(value)))
  .refine(
    (value) => isCnpj(value) || isCpf(value),
    'must be a CNPJ of 14 characters or a CPF of 11 digits | deve ser um CNPJ de 14 caracteres ou um CPF de 11 algarismos',
  )
  .meta({ example: '11222333000181', maxLength: 18, minLength: 11 });

export const zipCode = text(10, 1)
  .transform(plainCep)
  .refine(isCep, 'must be a postal code (CEP) of 8 digits | deve ser um CEP de 8 algarismos')
  .meta({ format: 'cep', example: '01001000', maxLength: 10, minLength: 8 });

/** D or C. */
export const side = z.enum(['D', 'C']).meta({ example: 'D' });

const AMOUNT_EXPECTED = `must be an amount with at most two decimals, up to ${MAX_ENTRY_AMOUNT_TEXT.en} | deve ser um valor com até duas casas decimais, até ${MAX_ENTRY_AMOUNT_TEXT.pt}`;

/** A positive amount in a request: JSON number with at most two decimals, as centavos. */
export const amount = z
  .number(AMOUNT_EXPECTED)
  .transform((value, context): Centavos => {
    const centavos = centavosFromNumber(value);
    if (centavos === undefined) {
      context.addIssue({
        code: 'custom',
        message: AMOUNT_EXPECTED,
      });
      return z.NEVER;
    }
    return centavos;
  })
  .meta({ format: 'decimal', example: 1234.56 });

/** An amount in a query string, from 0.00. */
export const amountText = z
  .string()
  .transform((value, context) => {
    const centavos = centavosFromDecimal(value);
    if (centavos !== undefined && centavos >= 0n) return centavos;
    context.addIssue({ code: 'custom', message: 'must be an amount such as 1234.56 | deve ser um valor como 1234.56' });
    return z.NEVER;
  })
  .meta({ example: '1234.56' });

/** An exact decimal as a bare JSON number with all its digits, from NUMERIC text. */
export type ExactNumber = RawJson;

/** Schema of amounts in responses; make the values with `money` or `exactNumber`. */
export const moneyAnswer = z.custom<ExactNumber>().meta({ type: 'number', format: 'decimal', example: 1234.56 });

export function money(centavos: Centavos): ExactNumber {
  return JSON.rawJSON(decimalOf(centavos));
}

/** The text of a NUMERIC column as a JSON number. */
export function exactNumber(decimal: string): ExactNumber {
  return JSON.rawJSON(decimal);
}

const SLASH_MONTH = 'must be a month MM/YYYY | deve ser um mês MM/AAAA';
const ISO_MONTH = 'must be a month YYYY-MM | deve ser um mês AAAA-MM';
const ISO_DAY = 'must be a day YYYY-MM-DD | deve ser um dia AAAA-MM-DD';

/** MM/YYYY, as 'YYYY-MM' inside the program. */
export const slashMonth = z
  .string(SLASH_MONTH)
  .transform((value, context) => orIssue(monthFromSlash(value), SLASH_MONTH, context))
  .meta({ format: 'month-year', example: '01/2026' });

/** YYYY-MM. */
export const isoMonth = z
  .string(ISO_MONTH)
  .transform((value, context) => orIssue(monthFromIso(value), ISO_MONTH, context))
  .meta({ format: 'year-month', example: '2026-01' });

/** YYYY-MM-DD, a day that exists. */
export const isoDay = z
  .string(ISO_DAY)
  .transform((value, context) => orIssue(dayFromIso(value), ISO_DAY, context))
  .meta({ format: 'date', example: '2026-01-31' });

/** Instants in responses, from a Date. */
export const instant = z.string().meta({ format: 'date-time', example: '2026-01-31T18:15:00.000Z' });

/** Absent fields and nulls are the same in a request body. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => (value === null ? undefined : value));
}

function orIssue<T>(value: T | undefined, message: string, context: z.core.$RefinementCtx): T {
  if (value === undefined) {
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  }
  return value;
}

function tooLong(maximum: number): string {
  return `must have at most ${maximum} characters | deve ter no máximo ${maximum} caracteres`;
}

/** A field of responses that requests may send back; it is ignored. */
export const readOnly = z.unknown().optional().meta({ readOnly: true });

/** Rejects a body whose id differs from the path's. */
export function rejectOtherId(sent: unknown, pathId: number | string): void {
  if (sent !== undefined && sent !== null && sent !== pathId) rejectRequest('ID_MISMATCH', {}, 'id');
}

/** An answer that says in words what was done. */
export const messageAnswer = z.object({ message: z.string() }).meta({ title: 'Message' });
