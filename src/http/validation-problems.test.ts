import { expect, test } from 'vitest';
import { z } from 'zod';
import { textOf } from './problem-details.ts';
import { validationProblems } from './validation-problems.ts';

/** 'field: text' of each problem, in both languages. */
function textsOf(schema: z.ZodType, value: unknown): string[][] {
  const { error } = schema.safeParse(value, { reportInput: true });
  return validationProblems(schema, error?.issues ?? []).map((each) => [
    `${each.field}: ${textOf(each, 'en').replace('Invalid value: ', '')}`,
    textOf(each, 'pt').replace('Valor inválido: ', ''),
  ]);
}

const month = z.number().int().min(1).max(12);

test.each<[string, z.ZodType, unknown, string, string]>([
  ['absent', z.string(), undefined, 'is required', 'é obrigatório'],
  ['null', z.enum(['D', 'C']), null, 'is required', 'é obrigatório'],
  ['absent with a message', z.string('must be X | deve ser X'), undefined, 'is required', 'é obrigatório'],
  ['absent of alternatives', z.union([z.string(), z.number()]), undefined, 'is required', 'é obrigatório'],
  ['no text', z.string(), 1, 'must be a text', 'deve ser um texto'],
  ['no truth', z.boolean(), 'sim', 'must be true or false', 'deve ser true ou false'],
  ['no list', z.array(z.string()), {}, 'must be a list', 'deve ser uma lista'],
  ['no object', z.strictObject({}), [], 'must be an object', 'deve ser um objeto'],
  ['no record', z.record(z.string(), z.unknown()), 1, 'must be an object', 'deve ser um objeto'],
  ['no number', z.number(), '1', 'must be a number', 'deve ser um número'],
  ['NaN', z.number(), Number.NaN, 'must be a number', 'deve ser um número'],
  ['no whole number', month, 'x', 'must be a whole number from 1 to 12', 'deve ser um número inteiro de 1 a 12'],
  ['a fraction', month, 1.5, 'must be a whole number from 1 to 12', 'deve ser um número inteiro de 1 a 12'],
  ['too small', month, 0, 'must be a whole number from 1 to 12', 'deve ser um número inteiro de 1 a 12'],
  ['too large', month.optional(), 13, 'must be a whole number from 1 to 12', 'deve ser um número inteiro de 1 a 12'],
  [
    'beyond what counts by one',
    z.number().int().min(1),
    1e300,
    'must be a whole number of at least 1',
    'deve ser um número inteiro a partir de 1',
  ],
  [
    'a long limit',
    z.number().min(0).max(999_999_999),
    -1,
    'must be a number from 0 to 999,999,999',
    'deve ser um número de 0 a 999.999.999',
  ],
  [
    'a year',
    z.number().min(1900).max(9999),
    1,
    'must be a number from 1900 to 9999',
    'deve ser um número de 1900 a 9999',
  ],
  ['only a maximum', z.number().max(0.5), 1, 'must be a number of at most 0.5', 'deve ser um número até 0,5'],
  ['not positive', z.number().positive(), 0, 'must be a number above 0', 'deve ser um número maior que 0'],
  [
    'not positive, with a maximum',
    z.number().positive().max(100),
    0,
    'must be a number above 0, up to 100',
    'deve ser um número maior que 0, até 100',
  ],
  ['no multiple', z.number().multipleOf(5), 3, 'must be a multiple of 5', 'deve ser múltiplo de 5'],
  [
    'too long',
    z.string().max(40),
    'x'.repeat(41),
    'must have at most 40 characters',
    'deve ter no máximo 40 caracteres',
  ],
  ['too short', z.string().min(12), 'x', 'must have at least 12 characters', 'deve ter no mínimo 12 caracteres'],
  ['empty', z.string().min(1), '', 'must not be empty', 'não pode ser vazio'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty', 'não pode ser vazio'],
  ['too many', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item', 'deve ter no máximo 1 item'],
  ['far too few', z.array(z.string()).min(2), [], 'must have at least 2 items', 'deve ter no mínimo 2 itens'],
  ['none of the values', z.enum(['D', 'C']), 'X', 'must be one of D, C', 'deve ser um destes valores: D, C'],
  ['not the value', z.literal(1), 2, 'must be 1', 'deve ser 1'],
  ['no UUID', z.uuid(), 'x', 'must be a UUID', 'deve ser um UUID'],
  ['no day', z.iso.date(), 'x', 'must be a day YYYY-MM-DD', 'deve ser um dia AAAA-MM-DD'],
  [
    'no instant',
    z.iso.datetime(),
    'x',
    'must be an instant such as 2026-01-31T18:15:00Z',
    'deve ser um instante como 2026-01-31T18:15:00Z',
  ],
  ['a form', z.string().regex(/^a$/), 'x', 'does not have the expected form', 'não tem o formato esperado'],
  ['a message of its own', z.string().regex(/^a$/, 'must be a | deve ser a'), 'x', 'must be a', 'deve ser a'],
  ['a rule without a message', z.string().refine(() => false), 'x', 'is not valid', 'não é válido'],
  [
    'no alternative',
    z.union([z.number(), z.string()]),
    true,
    'must be a number or a text',
    'deve ser um número ou um texto',
  ],
  [
    'the alternative of its type',
    z.union([z.number(), z.string().max(2)]),
    'abc',
    'must have at most 2 characters',
    'deve ter no máximo 2 caracteres',
  ],
])('%s', (_name, schema, value, english, portuguese) => {
  const about = value === undefined ? {} : { field: value };
  expect(textsOf(z.object({ field: schema }), about)).toEqual([[`field: ${english}`, portuguese]]);
});

test('an unknown field is named with its place', () => {
  const schema = z.strictObject({ lines: z.array(z.strictObject({ day: z.string() })) });
  expect(textsOf(schema, { lines: [{ day: '1', mês: 1 }], x: 1 })).toEqual([
    ['lines.0.mês: Unknown field mês', 'Campo desconhecido: mês'],
    ['x: Unknown field x', 'Campo desconhecido: x'],
  ]);
  const alternatives = z.object({ body: z.union([z.array(z.string()), schema]) });
  expect(textsOf(alternatives, { body: { lines: [], y: 1 } })).toEqual([
    ['body.y: Unknown field y', 'Campo desconhecido: y'],
  ]);
});

test('a field is reported with one reason, the first', () => {
  const schema = z.object({
    code: z.string().min(5).regex(/^\d+$/, 'must be digits | deve ter algarismos'),
    other: z.string(),
  });
  expect(textsOf(schema, { code: 'ab' })).toEqual([
    ['code: must have at least 5 characters', 'deve ter no mínimo 5 caracteres'],
    ['other: is required', 'é obrigatório'],
  ]);
});

test('without a body the body is required', () => {
  expect(textsOf(z.object({}), undefined)).toEqual([['body: is required', 'é obrigatório']]);
});
