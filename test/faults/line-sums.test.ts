import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { expectBalances } from '../support/balances.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, post, postEntry } from '../support/books.ts';
import { checkLineSums } from '../support/line-sums.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { pastTriggers } from '../support/past-triggers.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// The sums that are kept of open months behind the newest: whatever is written, they are those of the lines.

let platform: Platform;
let sql: Sql;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '20' });
  sql = platform.program.database.under(SYSTEM_SCOPE);
});
afterAll(() => platform?.stop());

const openedBank = async (): Promise<Bank> => {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  return bank;
};

test('every way of writing into a month behind the newest keeps its sums', async () => {
  const { admin } = platform;
  const bank = await openedBank();
  await post(admin, bank, book`05/01 1 1.1.1 D 1.000,00 3.1 "Aporte"`);
  await openMonth(admin, bank, '02/2026');
  expect(await checkLineSums(sql)).toEqual({ summed: 1, wrong: [] });

  const document = await newDocument(admin, bank, '01/2026');
  const { body: entry } = await postEntry(admin, bank, document, book`06/01 1.1.1 D 10,01 3.1 "Mais um"`);
  await postEntry(admin, bank, document, book`07/01 1.1.2 D 0,02 3.1 "Outra conta"`);
  await expectBalances(
    admin,
    bank,
    '02/2026',
    `
    account  opening     debit  credit  balance
    1.1.1    1.010,01 D  0,00   0,00    1.010,01 D
    1.1.2    0,02 D      0,00   0,00    0,02 D
  `,
  );
  expect((await admin.call('movements', 'DELETE', `/entry/${entry.id}`)).status).toBe(200);
  expect(await checkLineSums(sql)).toEqual({ summed: 1, wrong: [] });
  await expectBalances(
    admin,
    bank,
    '02/2026',
    `
    account  opening     debit  credit  balance
    1.1.1    1.000,00 D  0,00   0,00    1.000,00 D
  `,
  );
  // By hand, without the other triggers, within the month and out of it.
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    const replica = (change: string) => pastTriggers(owner, () => owner.query(change));
    const lines = `branch_id = ${bank.branchId} AND document_id = ${document}`;
    await replica(`UPDATE entry_line SET amount = amount * 3 WHERE ${lines}`);
    expect(await checkLineSums(sql)).toEqual({ summed: 1, wrong: [] });
    await replica(`UPDATE entry_line SET month = '2026-02-01', day = '2026-02-05' WHERE ${lines}`);
    expect(await checkLineSums(sql)).toEqual({ summed: 1, wrong: [] });
  });

  await closeMonth(admin, bank, '01/2026');
  expect(await checkLineSums(sql)).toEqual({ summed: 0, wrong: [] });
  await bodyOf(
    admin.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, { newyearmonth: '01/2026', ...REOPENING }),
  );
  await openMonth(admin, bank, '03/2026');
  expect(await checkLineSums(sql)).toEqual({ summed: 2, wrong: [] });
});

test('an import into a month behind the newest, undone, leaves the sums of what stays', async () => {
  const { admin } = platform;
  const bank = await openedBank();
  const { summed: before } = await checkLineSums(sql);
  const asSummed = { summed: before + 1, wrong: [] };
  await post(admin, bank, book`05/01 1 1.1.1 D 1.000,00 3.1 "Aporte"`);
  await openMonth(admin, bank, '02/2026');
  const { company: empresa, branch: filial } = bank;
  const { id: batch } = await bodyOf(admin.post('movements', '/batch', { empresa, filial, ano: 2026, mes: 1 }));
  const form = new FormData();
  const rows = ['10;1;6;D;1.1.1;3.1;10,01;a', '11;1;7;D;1.1.2;3.1;0,02;b'];
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
  form.set('file', new Blob([[header, ...rows].join('\n')]), 'rows.csv');
  expect((await admin.post('movements', `/batch/${batch}/import`, form)).body).toMatchObject({ success: true });
  expect(await checkLineSums(sql)).toEqual(asSummed);
  // Document 10 stays with an entry of somebody else, document 11 goes.
  const ten = (await admin.get('movements', `/alldocument/${batch}`)).body.find(
    ({ documento }: { documento: string }) => documento === '10',
  );
  expect((await postEntry(admin, bank, ten.id, book`08/01 1.1.2 D 7,00 3.1 "De outro"`)).status).toBe(201);

  const [{ id }] = (await admin.get('movements', `/imports/${empresa}/${filial}`)).body;
  expect((await admin.call('movements', 'DELETE', `/imports/${id}`)).body).toMatchObject({
    status: 'UNDONE',
    lines: 4,
  });
  expect(await checkLineSums(sql)).toEqual(asSummed);
  await expectBalances(
    admin,
    bank,
    '02/2026',
    `
    account  opening     debit  credit  balance
    1.1.1    1.000,00 D  0,00   0,00    1.000,00 D
    1.1.2    7,00 D      0,00   0,00    7,00 D
  `,
  );
  await closeMonth(admin, bank, '01/2026');
});

test('months are opened while others write: none waits, and what is summed is right', async () => {
  const { admin } = platform;
  const bank = await openedBank();
  const documents = await Promise.all(Array.from({ length: 4 }, () => newDocument(admin, bank, '01/2026')));
  let isOn = true;
  const writers = documents.map(async (document) => {
    for (let number = 1; isOn; number++) {
      const { status, body } = await postEntry(admin, bank, document, book`05/01 1.1.1 D 1,00 3.1 "Um"`);
      expect(status).toBe(201);
      if (number % 3 === 0) expect((await admin.call('movements', 'DELETE', `/entry/${body.id}`)).status).toBe(200);
    }
  });
  for (const month of ['02', '03', '04', '05', '06', '07']) await openMonth(admin, bank, `${month}/2026`);
  isOn = false;
  await Promise.all(writers);
  expect((await checkLineSums(sql)).wrong).toEqual([]);
  await openMonth(admin, bank, '08/2026');
  expect(await checkLineSums(sql)).toMatchObject({ wrong: [] });
  const { rows } = await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(`SELECT 1 FROM month WHERE branch_id = ${bank.branchId} AND NOT summed`),
  );
  expect(rows).toHaveLength(1);
});
