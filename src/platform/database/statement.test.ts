import { expect, expectTypeOf, test } from 'vitest';
import type { Sql } from './sql.ts';
import { type Fragment, SQL, type Statement } from './statement.ts';

test('a value is sent as a parameter, whatever text it is', () => {
  const { text, values } = SQL`SELECT 1 WHERE code = ${"'; DROP TABLE account; --"}`;
  expect(text).toBe('SELECT 1 WHERE code = $1');
  expect(values).toEqual(["'; DROP TABLE account; --"]);
});

test('a fragment becomes part of the text, and its values are numbered where it stands', () => {
  const ofBranch = SQL`company_id = ${7} AND branch_id = ${8}`;
  const { text, values } = SQL`SELECT ${'a'}::text FROM month WHERE ${ofBranch} AND state = ${'OPEN'}`;
  expect(text).toBe('SELECT $1::text FROM month WHERE company_id = $2 AND branch_id = $3 AND state = $4');
  expect(values).toEqual(['a', 7, 8, 'OPEN']);
});

test('a name of the schema is a plain one', () => {
  expect(SQL.identifier('account.sort_key').text).toBe('account.sort_key');
  expect(SQL.identifier('companyId').text).toBe('"companyId"');
  for (const name of ['a;b', 'a b', 'a.b.c', '', '"a"']) expect(() => SQL.identifier(name)).toThrow('not a name');
});

test('a number in the text is a whole one', () => {
  expect(SQL`SELECT ${SQL.integer(-7)}`.text).toBe('SELECT -7');
  for (const value of [1.5, Number.NaN, 2 ** 53, '1' as unknown as number])
    expect(() => SQL.integer(value)).toThrow('not a whole');
});

test('a prepared statement carries its name', () => {
  expect(SQL.named('account-of')`SELECT ${1}`.name).toBe('account-of');
  expect(SQL`SELECT ${1}`.name).toBeUndefined();
});

test('a statement written once has one parameter for each thing that it is given', () => {
  const of = SQL.prepared<{ company: number; code: string | null }>(
    'account-of',
    ({ company, code }) => SQL`SELECT ${company} WHERE ${SQL`code = ${code}`} AND company_id = ${company}`,
  );
  const { name, text, values } = of({ code: null, company: 7 });
  expect({ name, text, values }).toEqual({
    name: 'account-of',
    text: 'SELECT $1 WHERE code = $2 AND company_id = $1',
    values: [7, null],
  });
  expect(of({ code: 'x', company: 8 }).text).toBe(text);
});

test('a statement written once has no value of its own: it would be the same for everybody', () => {
  expect(() => SQL.prepared('account-of', () => SQL`SELECT ${1}`)).toThrow('not given to it');
});

test('nothing but the tag makes a statement', () => {
  expectTypeOf<ReturnType<typeof SQL>>().toExtend<Statement>();
  expectTypeOf<string>().not.toExtend<Statement>();
  expectTypeOf<Fragment>().not.toExtend<Statement>();
  expectTypeOf<Pick<Statement, keyof Statement>>().not.toExtend<Statement>();
  expectTypeOf<{ text: string; values: unknown[] }>().not.toExtend<Parameters<Sql['rows']>[0]>();
});
