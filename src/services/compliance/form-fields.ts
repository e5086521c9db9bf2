import { z } from 'zod';
import { dayFromIso, firstDay, monthFromIso } from '../../accounting/period.ts';
import { branchCode, branchId, companyId, id, isoDay, isoMonth, nameText, text } from '../../http/fields.ts';
import { wireProblem } from '../../http/problem-details.ts';
import { RequestError, rejectRequest } from '../../http/request-error.ts';
import { parseJson } from '../../platform/json.ts';

// Fields of this service arrive as JSON, as a form or in the query string: each is optional everywhere and read alike,
// and an empty one counts as absent.

export const wholeField = field(id, digitsAsNumber);
export const companyIdField = field(companyId, digitsAsNumber);
export const branchIdField = field(branchId, digitsAsNumber);
export const monthField = field(isoMonth);
export const dayField = field(isoDay);
export const branchField = field(branchCode);
export const codeField = field(text(20)).meta({ example: '4010' });

export function textField(maximum: number, example: string) {
  return field(text(maximum)).meta({ example });
}

/** Absent when left out; blank is rejected. */
export function nameField(maximum: number, example: string) {
  return field(nameText(maximum)).meta({ example });
}

export const booleanField = field(z.boolean(), (value) =>
  value === 'true' ? true : value === 'false' ? false : value,
).meta({ example: false });

const NO_LIST = 'must be a JSON array of ids, such as [1,2] | deve ser uma lista de ids em JSON, como [1,2]';

/** Document ids: an array, or a text: that of a JSON array, or ids between commas. Fields that repeat are an array. */
export const documentsField = field(z.array(id, NO_LIST).min(1).max(100), (value) => {
  const list = typeof value === 'string' ? arrayOfText(value) : value;
  return Array.isArray(list) ? list.map(digitsAsNumber) : list;
}).meta({ example: [1], description: 'Document ids; as text [1,2] or 1,2, or the field repeated' });

export const SCRIPT_EXAMPLE = [
  'caixa = SALDO_CONTA("1.1.1")',
  'SE caixa > 1000 ENTAO',
  '  ERRO "Caixa acima do limite: {caixa}"',
  'FIM',
  'RETORNA caixa',
].join('\n');

/** A rule's source keeps its lines; a text of the database holds neither NUL nor half a character. */
export const scriptField = field(
  z
    .string()
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'NUL and lone surrogates are not allowed | NUL e substitutos isolados não são permitidos',
    ),
).meta({ example: SCRIPT_EXAMPLE });

/** YYYY-MM or YYYY-MM-DD, as a day. */
export const since = z
  .string()
  .transform((value, context) => {
    const month = monthFromIso(value);
    const day = month === undefined ? dayFromIso(value) : firstDay(month);
    if (day !== undefined) return day;
    const message = 'must be YYYY-MM or YYYY-MM-DD | deve ser AAAA-MM ou AAAA-MM-DD';
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  })
  .meta({ example: '2026-01' });

/** The fields of both parts; where both give one, the body wins. */
export function mergeFields<Fields extends object>(query: Fields, body: Fields | undefined | null): Fields {
  return { ...dropUndefined(query), ...dropUndefined(body ?? {}) } as Fields;
}

/** One value for a field with two names; rejects two that differ. */
export function takeEitherName<Value>(one: [string, Value | undefined], other: [string, Value | undefined]) {
  const [name, value] = one;
  const [otherName, otherValue] = other;
  if (value !== undefined && otherValue !== undefined && JSON.stringify(value) !== JSON.stringify(otherValue)) {
    rejectRequest('FIELDS_DIFFER', { one: { path: name }, other: { path: otherName } }, otherName);
  }
  return value ?? otherValue;
}

type Required<Fields, Names extends keyof Fields> = Fields & { [Name in Names]-?: NonNullable<Fields[Name]> };

/** The fields, of which these are there; rejects naming all that are missing. */
export function required<Fields extends object, Names extends keyof Fields & string>(
  fields: Fields,
  ...names: Names[]
): Required<Fields, Names> {
  const problems = names
    .filter((name) => fields[name] === undefined)
    .map((name) => wireProblem('MISSING_VALUE', {}, name));
  if (problems.length > 0) throw new RequestError(problems);
  return fields as Required<Fields, Names>;
}

function field<Schema extends z.ZodType>(schema: Schema, read: (value: unknown) => unknown = (value) => value) {
  return z
    .preprocess((value) => (value === '' || value === null ? undefined : read(value)), schema.optional())
    .optional();
}

function digitsAsNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
}

function arrayOfText(value: string): unknown {
  if (/^\s*\d{1,16}\s*(,\s*\d{1,16}\s*)*$/.test(value)) return value.split(',').map((each) => each.trim());
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
