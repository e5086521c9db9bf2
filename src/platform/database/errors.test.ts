import { describe, expect, test } from 'vitest';
import { constraintOf, tableOf } from './errors.ts';

const error = (fields: object) => Object.assign(new Error('message' in fields ? String(fields.message) : ''), fields);

describe('the constraint and the table of an error', () => {
  test.each([
    ['as PostgreSQL says them', { code: '23505', constraint: 'shelf_code_key', table: 'shelf', message: 'x' }],
    [
      'where a node says them of one of its shards',
      { code: '23505', constraint: 'shelf_code_key_102013', table: 'shelf_102013', message: 'x' },
    ],
  ])('%s', (_, fields) => {
    expect([constraintOf(error(fields)), tableOf(error(fields))]).toEqual(['shelf_code_key', 'shelf']);
  });

  test('are read from the message where the coordinator of a cluster passes that on alone', () => {
    const twice = error({
      code: '23505',
      message: 'duplicate key value violates unique constraint "shelf_company_id_number_key_102047"',
    });
    expect(constraintOf(twice)).toBe('shelf_company_id_number_key');
    const used = error({
      code: '23503',
      message:
        'update or delete on table "shelf_102047" violates foreign key constraint "book_company_id_shelf_id_fkey_102063" on table "book_102063"',
    });
    expect([constraintOf(used), tableOf(used)]).toEqual(['book_company_id_shelf_id_fkey', 'book']);
    const nowhere = error({
      code: '23503',
      message: 'insert or update on table "book_102063" violates foreign key constraint "book_shelf_id_fkey_102063"',
    });
    expect([constraintOf(nowhere), tableOf(nowhere)]).toEqual(['book_shelf_id_fkey', 'book']);
  });

  test('are none of errors that are not of PostgreSQL', () => {
    expect(constraintOf(new Error('constraint "shelf_code_key"'))).toBeUndefined();
    expect(tableOf(undefined)).toBeUndefined();
  });
});
