import { z } from 'zod';
import { withoutRedundantZeros } from '../accounting/money.ts';
import type { Field, Fields, InputOf, RowOf } from '../features/master-data/records/fields.ts';
import { cnpj, codeText, exactNumber, id, isoDay, moneyAnswer, nameText, optional, text, zipCode } from './fields.ts';
import { REASONS } from './problem-texts/phrases.ts';

/** What fields are called on the wire, where that is not their own name. */
export type WireNames = Readonly<Record<string, string>>;
type WireName<Name, N extends WireNames> = Name extends keyof N ? N[Name] : Name;
type BodyShape<F extends Fields, N extends WireNames> = {
  [Name in keyof F as WireName<Name, N>]: z.ZodType<InputOf<F>[Name & keyof InputOf<F>]>;
};
type AnswerShape<F extends Fields, N extends WireNames> = {
  [Name in keyof F as WireName<Name, N>]: z.ZodType<RowOf<F>[Name]>;
};
type Renamed<T, N extends WireNames> = { readonly [Name in keyof T as WireName<Name, N>]: T[Name] };
/** Schemas of the fields of kind `decimal`, `array` and `json`, by name. */
export type Structures = Readonly<Record<string, z.ZodType>>;

/** The writable fields of a request: absent and null are the same where a field may be left out. */
export function bodyFields<F extends Fields, const N extends WireNames = Record<never, never>>(
  fields: F,
  structures: Structures = {},
  names?: N,
): BodyShape<F, N> {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = structures[name] ?? bodySchema(field);
    const shown = field.example === undefined ? schema : schema.meta({ example: field.example });
    const wireName = names?.[name] ?? name;
    if (field.default !== undefined) return [wireName, shown.default(field.default)];
    return [wireName, field.presence === 'required' ? shown : optional(shown)];
  });
  return Object.fromEntries(schemas) as BodyShape<F, N>;
}

/** The same fields in a response. */
export function answerFields<F extends Fields, const N extends WireNames = Record<never, never>>(
  fields: F,
  structures: Structures = {},
  names?: N,
): AnswerShape<F, N> {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = structures[name] ?? answerSchema(field);
    return [names?.[name] ?? name, field.presence === 'optional' ? schema.nullable() : schema];
  });
  return Object.fromEntries(schemas) as AnswerShape<F, N>;
}

/** The fields of the list out of a request's body. */
export function fieldsFromWire<F extends Fields, const N extends WireNames = Record<never, never>>(
  fields: F,
  body: Renamed<InputOf<F>, N>,
  names?: N,
): InputOf<F> {
  const sent = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, sent[names?.[name] ?? name]])) as InputOf<F>;
}

/** The values of a row in a response: decimals with all their digits. */
export function fieldsToWire<F extends Fields, const N extends WireNames = Record<never, never>>(
  fields: F,
  row: RowOf<F>,
  names?: N,
): Renamed<RowOf<F>, N> {
  const values = Object.entries(fields).map(([name, { kind }]) => {
    const value = row[name];
    const isDecimal = value !== null && (kind === 'percentage' || kind === 'decimal');
    return [names?.[name] ?? name, isDecimal ? exactNumber(withoutRedundantZeros(value as string)) : value];
  });
  return Object.fromEntries(values) as Renamed<RowOf<F>, N>;
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
  .regex(/^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])$/, 'must be a day and month DD/MM | deve ser dia e mês DD/MM')
  .meta({ format: 'day-month' });

const percentage = z
  .number()
  .min(0)
  .max(100)
  .transform((value) => value.toFixed(6))
  .meta({ format: 'decimal' });
