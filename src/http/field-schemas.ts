import { z } from 'zod';
import { withoutRedundantZeros } from '../accounting/money.ts';
import type { Field, Fields, InputOf, RowOf } from '../features/master-data/records/fields.ts';
import { cnpj, codeText, exactNumber, id, isoDay, moneyAnswer, nameText, optional, text, zipCode } from './fields.ts';
import { REASONS } from './problem-texts/phrases.ts';

type BodyShape<F extends Fields> = { [Name in keyof F]: z.ZodType<InputOf<F>[Name & keyof InputOf<F>]> };
type AnswerShape<F extends Fields> = { [Name in keyof F]: z.ZodType<RowOf<F>[Name]> };
/** Schemas of the fields of kind `decimal`, `array` and `json`, by name. */
export type Structures = Readonly<Record<string, z.ZodType>>;

/** The writable fields of a request: absent and null are the same where a field may be left out. */
export function bodyFields<F extends Fields>(fields: F, structures: Structures = {}): BodyShape<F> {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = structures[name] ?? bodySchema(field);
    const shown = field.example === undefined ? schema : schema.meta({ example: field.example });
    if (field.default !== undefined) return [name, shown.default(field.default)];
    return [name, field.presence === 'required' ? shown : optional(shown)];
  });
  return Object.fromEntries(schemas) as BodyShape<F>;
}

/** The same fields in a response. */
export function answerFields<F extends Fields>(fields: F, structures: Structures = {}): AnswerShape<F> {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = structures[name] ?? answerSchema(field);
    return [name, field.presence === 'optional' ? schema.nullable() : schema];
  });
  return Object.fromEntries(schemas) as AnswerShape<F>;
}

/** The fields of the list out of a request's body. */
export function fieldsFromWire<F extends Fields>(fields: F, body: InputOf<F>): InputOf<F> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, body[name as keyof InputOf<F>]])) as InputOf<F>;
}

/** The values of a row in a response: decimals with all their digits. */
export function fieldsToWire<F extends Fields>(fields: F, row: RowOf<F>): RowOf<F> {
  const values = Object.entries(fields).map(([name, { kind }]) => {
    const value = row[name];
    const isDecimal = value !== null && (kind === 'percentage' || kind === 'decimal');
    return [name, isDecimal ? exactNumber(withoutRedundantZeros(value as string)) : value];
  });
  return Object.fromEntries(values) as RowOf<F>;
}

function bodySchema(field: Field): z.ZodType {
  const { kind, max = 0, min = 0, values = [], presence } = field;
  switch (kind) {
    case 'text':
      return matchPattern(text(max, presence === 'required' ? 1 : 0), field);
    case 'code':
      return codeText(max);
    case 'name':
      return nameText(max);
    case 'cnpj':
      return cnpj;
    case 'zipCode':
      return zipCode;
    case 'day':
      return isoDay;
    case 'dayAndMonth':
      return dayAndMonth;
    case 'flag':
      return z.boolean();
    case 'oneOf':
      return z.enum(values);
    case 'integer':
      return z.number().int().min(min).max(max);
    case 'id':
      return id;
    case 'percentage':
      return percentage;
    case 'uuid':
      return z.uuid();
    case 'decimal':
    case 'array':
    case 'json':
      throw new Error(`a field of kind ${kind} needs a schema of its own`);
  }
}

function answerSchema(field: Field): z.ZodType {
  const schema = plainAnswerSchema(field);
  return field.example === undefined ? schema : schema.meta({ example: field.example });
}

function plainAnswerSchema({ kind, values = [] }: Field): z.ZodType {
  switch (kind) {
    case 'flag':
      return z.boolean();
    case 'oneOf':
      return z.enum(values);
    case 'integer':
      return z.number().int();
    case 'id':
      return id;
    case 'percentage':
    case 'decimal':
      return moneyAnswer;
    default:
      return z.string();
  }
}

function matchPattern(schema: z.ZodType<string>, { pattern }: Field): z.ZodType<string> {
  if (pattern === undefined) return schema;
  const { en, pt } = REASONS[pattern.reason];
  return schema.refine((value) => value === '' || pattern.form.test(value), `${en} | ${pt}`);
}

/** A day of any year, DD/MM, such as the end of a fund's year. */
const dayAndMonth = z
  .string()
  .regex(/^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])$/, 'must be a day and month DD/MM | deve ser dia e mês DD/MM');

const percentage = z
  .number()
  .min(0)
  .max(100)
  .transform((value) => value.toFixed(6));
