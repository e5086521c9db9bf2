import { expect, test } from 'vitest';
import { z } from 'zod';
import { inputNames, wireNameOf } from './field-names.ts';

const NAMES = {
  'lines[].amount': 'lines.[].valor',
  '[].accountId': '[].contaId',
  'amounts[]': 'valores.[]',
  month: 'mes',
};

test.each([
  ['month', 'mes'],
  ['lines[3].amount', 'lines.3.valor'],
  ['[12].accountId', '12.contaId'],
  ['amounts[0]', 'valores.0'],
  ['code', 'code'],
  ['mes', undefined],
  ['lines[3]', undefined],
])('%s is %s on the wire', (path, field) => {
  expect(wireNameOf(path, NAMES, new Set(['code']))).toBe(field);
});

test('the inputs of a route are the fields of its schemas, also where these are optional or transformed', () => {
  const body = z.strictObject({ mes: z.number(), code: z.string() });
  expect(inputNames(body)).toEqual(['mes', 'code']);
  expect(inputNames(body.nullish())).toEqual(['mes', 'code']);
  expect(inputNames(body.transform(({ mes }) => mes))).toEqual(['mes', 'code']);
  expect(inputNames(z.union([body, z.array(body)]))).toEqual(['mes', 'code']);
  expect(inputNames(z.array(body))).toEqual([]);
  expect(inputNames(undefined)).toEqual([]);
});
