import { z } from 'zod';

/**
 * The findings of a schema for people: one per field, in both languages. Schemas say their own messages as 'english |
 * português'; for all others the words are here.
 */
export type SchemaFinding =
  | { readonly field: string; readonly reason: Words }
  | { readonly field: string; readonly unknown: string };

export interface Words {
  readonly en: string;
  readonly pt: string;
}

/** Maximum number of findings of one value. */
const MAX_FINDINGS = 100;

/** The findings of a failed parse, with the inputs in its issues; of a field, and of what is within it, only the first. */
export function schemaFindings(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): SchemaFinding[] {
  const reported: string[] = [];
  return issues.flatMap((issue) => {
    const path = issue.path.join('.');
    const known = reported.some((other) => other === path || path.startsWith(`${other}.`));
    if (known || reported.length >= MAX_FINDINGS) return [];
    if (issue.code === 'unrecognized_keys') return unknownFields(issue);
    reported.push(path);
    return findingsOfIssue(schema, issue);
  });
}

function unknownFields({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): SchemaFinding[] {
  return keys.slice(0, MAX_FINDINGS).map((name) => ({ field: [...path, name].join('.'), unknown: name }));
}

function findingsOfIssue(schema: z.ZodType, issue: z.core.$ZodIssue): SchemaFinding[] {
  const invalid = (reason: Words) => [{ field: issue.path.join('.'), reason }];
  // A null counts as an absent field wherever one may be absent.
  if (issue.code !== 'custom' && (issue.input === undefined || issue.input === null)) return invalid(REQUIRED);
  const [en = '', pt] = issue.message.split(' | ');
  if (pt !== undefined) return invalid({ en, pt });
  const nearest = issue.code === 'invalid_union' ? nearestOption(issue) : undefined;
  if (nearest) {
    const within = nearest.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
    return within.flatMap((each) =>
      each.code === 'unrecognized_keys' ? unknownFields(each) : findingsOfIssue(schema, each),
    );
  }
  return invalid(reasonOf(schema, issue));
}

export const REQUIRED: Words = { en: 'is required', pt: 'é obrigatório' };

/** Of the alternatives, the first that the value has the type of: what is wrong with it is what matters. */
function nearestOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return errors.find((issues) => issues.length > 0 && !issues.some(isOfAnotherType));
}

function isOfAnotherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

/** What is expected instead. */
function reasonOf(schema: z.ZodType, issue: z.core.$ZodIssue): Words {
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue.expected, schemaAt(schema, issue.path));
    case 'too_small':
    case 'too_big':
      return sizeReason(issue, schemaAt(schema, issue.path));
    case 'invalid_format':
      return FORMATS[issue.format] ?? words('does not have the expected form', 'não tem o formato esperado');
    case 'not_multiple_of':
      return words(`must be a multiple of ${issue.divisor}`, `deve ser múltiplo de ${issue.divisor}`);
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ');
      if (issue.values.length === 1) return words(`must be ${values}`, `deve ser ${values}`);
      return words(`must be one of ${values}`, `deve ser um destes valores: ${values}`);
    }
    case 'invalid_union': {
      const types = issue.errors.flatMap((issues) =>
        issues.flatMap((each) => (each.code === 'invalid_type' ? [typeReason(each.expected)] : [])),
      );
      if (types.length === 0) return NOT_VALID;
      return words(
        `must be ${types.map((each) => each.en.replace('must be ', '')).join(' or ')}`,
        `deve ser ${types.map((each) => each.pt.replace('deve ser ', '')).join(' ou ')}`,
      );
    }
    default:
      return NOT_VALID;
  }
}

const NOT_VALID = words('is not valid', 'não é válido');

function words(en: string, pt: string): Words {
  return { en, pt };
}

function typeReason(expected: string, schema?: z.ZodType): Words {
  if (expected === 'number' || expected === 'int') return numberReason(expected === 'int', schema);
  return TYPES[expected] ?? NOT_VALID;
}

const LIST = words('must be a list', 'deve ser uma lista');
const OBJECT = words('must be an object', 'deve ser um objeto');

const TYPES: Readonly<Record<string, Words>> = {
  string: words('must be a text', 'deve ser um texto'),
  boolean: words('must be true or false', 'deve ser true ou false'),
  array: LIST,
  tuple: LIST,
  object: OBJECT,
  record: OBJECT,
};

const FORMATS: Readonly<Record<string, Words>> = {
  uuid: words('must be a UUID', 'deve ser um UUID'),
  date: words('must be a day YYYY-MM-DD', 'deve ser um dia AAAA-MM-DD'),
  datetime: words('must be an instant such as 2026-01-31T18:15:00Z', 'deve ser um instante como 2026-01-31T18:15:00Z'),
  email: words('must be an e-mail address', 'deve ser um endereço de e-mail'),
  url: words('must be a web address', 'deve ser um endereço da web'),
};

function sizeReason(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, schema: z.ZodType | undefined): Words {
  const { origin } = issue;
  if (origin === 'number' || origin === 'int' || origin === 'bigint') return numberReason(origin !== 'number', schema);
  const most = issue.code === 'too_big';
  const limit = Number(most ? issue.maximum : issue.minimum);
  if (!most && limit === 1) return words('must not be empty', 'não pode ser vazio');
  const [things, thingsPt] =
    origin === 'string' ? nouns(limit, 'character', 'caractere', 'caracteres') : nouns(limit, 'item', 'item', 'itens');
  const size = formatNumber(limit);
  return most
    ? words(`must have at most ${size.en} ${things}`, `deve ter no máximo ${size.pt} ${thingsPt}`)
    : words(`must have at least ${size.en} ${things}`, `deve ter no mínimo ${size.pt} ${thingsPt}`);
}

function nouns(count: number, one: string, onePt: string, manyPt: string): [string, string] {
  return count === 1 ? [one, onePt] : [`${one}s`, manyPt];
}

/** 'must be a whole number from 1 to 12': all that the schema says of the number, whatever was wrong with it. */
function numberReason(isWhole: boolean, schema: z.ZodType | undefined): Words {
  const limits = schema instanceof z.ZodNumber ? (z.toJSONSchema(schema) as Limits) : {};
  const whole = isWhole || limits.type === 'integer';
  const [number, numberPt] = whole ? ['a whole number', 'um número inteiro'] : ['a number', 'um número'];
  const [range, rangePt] = rangeWords(limits);
  return words(`must be ${number}${range}`, `deve ser ${numberPt}${rangePt}`);
}

interface Limits {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

function rangeWords({
  minimum = Number.NEGATIVE_INFINITY,
  maximum = Number.POSITIVE_INFINITY,
  exclusiveMinimum,
}: Limits) {
  const [least, most] = [formatNumber(minimum), formatNumber(maximum)];
  // Whole numbers reach as far as a double counts by one: no limit that anybody set.
  const hasMost = maximum < Number.MAX_SAFE_INTEGER;
  const hasLeast = minimum > Number.MIN_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined) {
    const above = formatNumber(exclusiveMinimum);
    return hasMost
      ? [` above ${above.en}, up to ${most.en}`, ` maior que ${above.pt}, até ${most.pt}`]
      : [` above ${above.en}`, ` maior que ${above.pt}`];
  }
  if (hasLeast && hasMost) return [` from ${least.en} to ${most.en}`, ` de ${least.pt} a ${most.pt}`];
  if (hasLeast) return [` of at least ${least.en}`, ` a partir de ${least.pt}`];
  return hasMost ? [` of at most ${most.en}`, ` até ${most.pt}`] : ['', ''];
}

/** 12345 as 12,345 and 12.345; a year stays as it is. */
function formatNumber(value: number): { readonly en: string; readonly pt: string } {
  return { en: ENGLISH.format(value), pt: PORTUGUESE.format(value) };
}

const ENGLISH = new Intl.NumberFormat('en', { useGrouping: 'min2', maximumFractionDigits: 12 });
const PORTUGUESE = new Intl.NumberFormat('pt-BR', { useGrouping: 'min2', maximumFractionDigits: 12 });

/** The schema of the value at the path; undefined after what has alternatives. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let found = bare(schema);
  for (const step of path) {
    const { shape, element, valueType } = found._zod.def as SchemaParts;
    const inner = shape ? shape[String(step)] : (element ?? valueType);
    if (!inner) return undefined;
    found = bare(inner);
  }
  return found;
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}

/** Without what makes it optional, and before it is transformed. */
function bare(schema: z.ZodType): z.ZodType {
  const { innerType, in: input } = schema._zod.def as SchemaParts;
  const inner = innerType ?? input;
  return inner ? bare(inner) : schema;
}
