import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  // The statements of workers that look for jobs are no part of a list.
  platform = await startPlatform({ JOBS: 'off' });
  bank = await createBank(platform.admin);
});
afterAll(() => platform?.stop());

test('lists of companies and branches take as many statements for thirty as for three', async () => {
  const counted = async () => {
    let statements = 0;
    const original = pg.Client.prototype.query;
    pg.Client.prototype.query = function (this: pg.Client, ...given: never[]) {
      statements++;
      return (original as (...all: never[]) => never).apply(this, given);
    } as never;
    try {
      for (const path of ['/companies', '/usercompanies', '/allbranch', `/companybranch/${bank.company}`]) {
        expect((await platform.admin.get('masterdata', path)).status).toBe(200);
      }
    } finally {
      pg.Client.prototype.query = original;
    }
    return statements;
  };
  await counted();
  const few = await counted();
  for (let each = 0; each < 27; each++) {
    await platform.admin.post('masterdata', '/company', {
      name: `C${each}`,
      cnpj: '11222333000181',
      zipCode: '01001000',
    });
    await platform.admin.post('masterdata', '/branch', { company: bank.company, branch: `F${each}`, name: `F${each}` });
  }
  expect(few).toBeGreaterThan(3);
  expect(await counted()).toBeLessThanOrEqual(few + 2);
});
