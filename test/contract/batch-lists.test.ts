import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Lists of batches, documents and narrations, by month and by text, with what they hold.

let platform: Platform;
let bank: Bank;
let place: string;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  place = `${bank.company}/${bank.branch}`;
  for (const month of ['01/2026', '02/2026']) await openMonth(platform.admin, bank, month);
  await post(
    platform.admin,
    bank,
    book`
      05/01  1/1  1.1.1  D  1.000,00  3.1    "Aporte"
      20/01  1/2  8.1    D     50,00         "Folha"
                  8.2    D      5,00
                  1.1.2  C     55,00
      21/01  2/1  1.1.1  D      1,00  1.1.2
      03/02  1/7  1.1.1  D      2,00  1.1.2
    `,
  );
  const named = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  await bodyOf(platform.admin.post('movements', '/batch', { ...named, lote: 'FOPAG', descricao: 'Folha e Rescisões' }));
});
afterAll(() => platform?.stop());

const batches = async (query: string) =>
  await bodyOf(platform.admin.get('movements', `/allbatch/${place}/page?${query}`));
const numbers = async (query: string) => {
  const { content, totalElements } = await batches(query);
  expect(content).toHaveLength(totalElements);
  return content.map(({ mes, lote }: { mes: number; lote: string }) => `${mes}/${lote}`);
};

test.each([
  ['', ['1/1', '1/2', '1/FOPAG', '2/1']],
  ['ano=2026', ['1/1', '1/2', '1/FOPAG', '2/1']],
  ['ano=2026&mes=1', ['1/1', '1/2', '1/FOPAG']],
  ['mes=2', ['2/1']],
  ['ano=2025', []],
  ['texto=rescisoes', ['1/FOPAG']],
  ['texto=fopag&mes=2', []],
  ['texto=%25', []],
])('batches of %s', async (query, expected) => {
  expect(await numbers(query)).toEqual(expected);
});

test.each(['ano=26', 'mes=13', 'mes=0', 'texto=', `texto=${'x'.repeat(101)}`, 'totais=sim', 'mes=1&mes=2'])(
  'batches of %s are refused',
  async (query) => {
    expect((await platform.admin.get('movements', `/allbatch/${place}/page?${query}`)).status).toBe(400);
  },
);

test('batches and documents say what they hold where they are asked, empty ones too', async () => {
  const { content } = await batches('ano=2026&mes=1&totais=true');
  const held = ({
    lote,
    totalDocuments,
    totalEntries,
    logicalEntryCount,
    totalDebit,
    totalCredit,
    difference,
  }: never) => ({
    lote,
    totalDocuments,
    totalEntries,
    logicalEntryCount,
    totalDebit,
    totalCredit,
    difference,
  });
  expect(content.map(held)).toEqual([
    {
      lote: '1',
      totalDocuments: 2,
      totalEntries: 5,
      logicalEntryCount: 2,
      totalDebit: 1055,
      totalCredit: 1055,
      difference: 0,
    },
    {
      lote: '2',
      totalDocuments: 1,
      totalEntries: 2,
      logicalEntryCount: 1,
      totalDebit: 1,
      totalCredit: 1,
      difference: 0,
    },
    {
      lote: 'FOPAG',
      totalDocuments: 0,
      totalEntries: 0,
      logicalEntryCount: 0,
      totalDebit: 0,
      totalCredit: 0,
      difference: 0,
    },
  ]);
  expect((await batches('ano=2026&mes=1')).content[0]).not.toHaveProperty('totalDebit');
  const documents = await bodyOf(platform.admin.get('movements', `/alldocument/${content[0].id}/page?totais=true`));
  expect(documents.content).toMatchObject([
    { documento: '1', totalEntries: 2, logicalEntryCount: 1, totalDebit: 1000, totalCredit: 1000, difference: 0 },
    { documento: '2', totalEntries: 3, logicalEntryCount: 1, totalDebit: 55, totalCredit: 55, difference: 0 },
  ]);
  const found = await bodyOf(platform.admin.get('movements', `/alldocument/${content[0].id}/page?texto=2`));
  expect(found.content.map(({ documento }: { documento: string }) => documento)).toEqual(['2']);
});

test('an import is named on the document and the lines that it made', async () => {
  const [{ id }] = (await batches('ano=2026&mes=1')).content;
  const documents = await bodyOf(platform.admin.get('movements', `/alldocument/${id}`));
  const importId = documents[0].importId;
  expect(importId).toEqual(expect.any(Number));
  const lines = await bodyOf(platform.admin.get('movements', `/allentry/${documents[0].id}`));
  expect(lines).toMatchObject([{ importId, createdBy: 'admin', updatedBy: 'admin' }, { importId }]);
  const { content } = await bodyOf(platform.admin.get('movements', `/document/${documents[0].id}/entries`));
  expect(content).toMatchObject([{ importId }]);
  const found = await bodyOf(
    platform.admin.get('queries', `/entries/${place}?dataInicio=2026-01-01&dataFim=2026-01-31&lote=1`),
  );
  expect(found.content[0]).toMatchObject({ importId, createdBy: 'admin', updatedBy: 'admin' });
  const { id: byHand } = await bodyOf(platform.admin.post('movements', '/document', { batchId: id }));
  expect(await bodyOf(platform.admin.get('movements', `/document/${byHand}`))).not.toHaveProperty('importId');
});

test('narrations by text, by who may name them, and in pages', async () => {
  const other = await createBank(platform.admin);
  const { company, branch } = bank;
  await createHistories(platform.admin, ['00010']);
  await createHistories(platform.admin, ['00020'], { company, branch, description: 'Provisão de férias' });
  await createHistories(platform.admin, ['00030'], { company: other.company });
  const codes = async (query: string) => {
    const { body, headers } = await platform.admin.get('masterdata', `/history?${query}`);
    return [body.map(({ cdHistory }: { cdHistory: string }) => cdHistory), headers.get('x-total-count')];
  };
  expect(await codes('')).toEqual([['00010', '00020', '00030'], '3']);
  expect(await codes('texto=FERIAS')).toEqual([['00020'], '1']);
  expect(await codes('texto=0003')).toEqual([['00030'], '1']);
  expect(await codes(`company=${company}&branch=${branch}`)).toEqual([['00010', '00020'], '2']);
  expect(await codes(`company=${company}&branch=9999`)).toEqual([['00010'], '1']);
  expect(await codes('page=1&size=2')).toEqual([['00030'], '3']);
  expect(await codes('page=0&size=1&texto=histórico')).toEqual([['00010'], '2']);
  for (const query of ['branch=0001', 'page=-1', 'size=0', 'size=1001', 'texto=']) {
    expect((await platform.admin.get('masterdata', `/history?${query}`)).status).toBe(400);
  }
});

test('archived batches and documents have their totals too', async () => {
  await closeMonth(platform.admin, bank, '01/2026');
  await archiveMonth(platform.admin, bank, '01/2026');
  const { content } = await batches('ano=2026&mes=1&totais=true&history=true');
  expect(content[0]).toMatchObject({ lote: '1', totalDocuments: 3, totalEntries: 5, totalDebit: 1055 });
  const documents = await bodyOf(
    platform.admin.get('movements', `/alldocument/${content[0].id}/page?totais=true&history=true`),
  );
  expect(documents.content[1]).toMatchObject({ documento: '2', totalEntries: 3, totalDebit: 55 });
});
