import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';

// Entries of facts that were not posted on their day (lançamentos extemporâneos).

let platform: Platform;
let client: Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  client = platform.admin;
  bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  await createHistories(client, ['00010']);
});
afterAll(() => platform?.stop());

const PRINTED = 'Lançamento extemporâneo – fato de 20/12/2025';

async function newBatch(): Promise<number> {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  return (await bodyOf(client.post('movements', '/batch', place))).id;
}

async function entryBody(more: object = {}) {
  const { id: documentId } = await bodyOf(client.post('movements', '/document', { batchId: await newBatch() }));
  const accounts = { contaId: bank.accounts.get('8.2'), contrapartida: bank.accounts.get('1.1.1') };
  return { documentId, debcre: 'D', day: '05', ...accounts, valor: 10, historico: 'Aluguel', ...more };
}

/** What the ledger of January prints for the document, and the day of the fact of each line. */
async function printedOf(documentId: number) {
  const found = await bodyOf(
    client.get(
      'queries',
      `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&tamanho=1000`,
    ),
  );
  return found.content
    .filter((line: { documentId: number }) => line.documentId === documentId)
    .map((line: { historico: string }) => line.historico);
}
const factsOf = async (documentId: number) =>
  (await bodyOf(client.get('movements', `/allentry/${documentId}`))).map(
    (line: { dataFato?: string }) => line.dataFato,
  );

test.each(['movements', 'masterdata'] as const)('%s keeps the day of the fact and prints it', async (service) => {
  const line = await bodyOf(client.post(service, '/entry', await entryBody({ dataFato: '2025-12-20' })));
  expect(line).toMatchObject({ day: '05', dataFato: '2025-12-20', historico: 'Aluguel' });
  expect(await factsOf(line.documentId)).toEqual(['2025-12-20', '2025-12-20']);
  expect(await printedOf(line.documentId)).toEqual([`${PRINTED}: Aluguel`, `${PRINTED}: Aluguel`]);
});

test('it is printed in the books, with the standard narration, or alone', async () => {
  const coded = await bodyOf(
    client.post(
      'movements',
      '/entry',
      await entryBody({ dataFato: '2025-12-20', cdhistorico: '00010', historico: undefined }),
    ),
  );
  expect(await printedOf(coded.documentId)).toEqual([`${PRINTED}: Histórico 00010`, `${PRINTED}: Histórico 00010`]);
  const bare = await bodyOf(
    client.post('movements', '/entry', await entryBody({ dataFato: '2025-12-20', historico: undefined })),
  );
  expect(await printedOf(bare.documentId)).toEqual([PRINTED, PRINTED]);
  const period = {
    empresa: bank.company,
    filial: bank.branch,
    visualizationEnum: 'CSV',
    dataInicio: '2026-01-01',
    dataFim: '2026-01-31',
  };
  const journal = await client.post('reports', '/reports/relatorioDiarioGeral', period);
  expect(Buffer.from(journal.body.conteudo, 'base64').toString()).toContain(PRINTED);
});

test('an entry posted on its day says nothing of a fact, and is changed into a belated one and back', async () => {
  const body = await entryBody();
  const line = await bodyOf(client.post('movements', '/entry', body));
  expect(line).not.toHaveProperty('dataFato');
  const put = (more: object) => client.call('movements', 'PUT', `/entry/${line.id}`, { ...body, ...more });
  expect(await put({ dataFato: '2025-12-20' })).toMatchObject({ status: 200, body: { dataFato: '2025-12-20' } });
  expect(await printedOf(line.documentId)).toEqual([`${PRINTED}: Aluguel`, `${PRINTED}: Aluguel`]);
  expect((await put({})).body).not.toHaveProperty('dataFato');
  expect(await printedOf(line.documentId)).toEqual(['Aluguel', 'Aluguel']);
});

test.each(['2026-01-05', '2026-01-06', '2025-02-30', '20/12/2025', 20251220, ''])(
  'a fact on the day of posting or after it, or that is no day, is refused: %s',
  async (dataFato) => {
    const body = await entryBody({ dataFato });
    const refused = await client.post('movements', '/entry', body);
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'dataFato']);
    expect(await factsOf(body.documentId)).toEqual([]);
  },
);

test('files have a column for it, JSON a field', async () => {
  const send = async (rows: string) => {
    const form = new FormData();
    const head = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;dataFato';
    form.set('file', new Blob([`${head}\n${rows}\n`]), 'tardio.csv');
    const batch = await newBatch();
    const { body } = await client.post('movements', `/batch/${batch}/import?force=true`, form);
    const documents = await bodyOf(client.get('movements', `/alldocument/${batch}`));
    return { body, documentId: documents[0]?.id };
  };
  const sent = await send('1;1;05;D;8.2;1.1.1;1,00;Luz;2025-12-20\n1;2;05;D;8.2;1.1.1;1,00;Água;');
  expect(sent.body).toMatchObject({ success: true });
  expect(await factsOf(sent.documentId)).toEqual(['2025-12-20', '2025-12-20', undefined, undefined]);
  expect(await printedOf(sent.documentId)).toEqual([`${PRINTED}: Luz`, `${PRINTED}: Luz`, 'Água', 'Água']);
  for (const wrong of ['2026-01-05', '2025-13-01', 'ontem']) {
    const { body } = await send(`1;1;05;D;8.2;1.1.1;1,00;Luz;${wrong}`);
    expect(body).toMatchObject({ success: false });
    expect(body.errors[0]).toMatch(/2: datafato: /i);
  }
  const lancamento = { lancamento: '1', debcre: 'D', day: '05', conta: '8.2', contrapartida: '1.1.1', valor: 1 };
  const json = (dataFato: string, lote: string) =>
    client.post('movements', '/importMovimentJson', {
      empresa: bank.company,
      filial: bank.branch,
      ano: 2026,
      mes: 1,
      lote,
      documentos: [{ documento: '1', lancamentos: [{ ...lancamento, dataFato }] }],
    });
  await bodyOf(json('2025-12-20', 'J1'));
  const refused = await json('2026-01-09', 'J2');
  expect(JSON.stringify(refused.body)).toContain('dataFato');
  const batches = await bodyOf(client.get('movements', `/allbatch/${bank.company}/${bank.branch}`));
  const [document] = await bodyOf(
    client.get('movements', `/alldocument/${batches.find((each: { lote: string }) => each.lote === 'J1').id}`),
  );
  expect(await factsOf(document.id)).toEqual(['2025-12-20', '2025-12-20']);
});

test('so does a use of an entry template', async () => {
  const place = { company: bank.company, branch: bank.branch, code: 'TARDIO' };
  const line = { sequence: 1, debcre: 'D', valueType: 'FIXO', valor: 10, historico: 'Luz' };
  const accounts = { contaId: bank.accounts.get('8.2'), contrapartida: bank.accounts.get('1.1.1') };
  const template = { ...place, description: 'Luz', lines: [{ ...line, ...accounts }] };
  await bodyOf(client.post('masterdata', `/release/${bank.company}/${bank.branch}`, template));
  const use = { ...place, year: 2026, month: 1, day: 10, valores: [] };
  const refused = await client.post('masterdata', '/releasedata/', { ...use, dataFato: '2026-01-10' });
  expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([
    400,
    'FACT_NOT_EARLIER',
    'dataFato',
  ]);
  const kept = await bodyOf(client.post('masterdata', '/releasedata/', { ...use, dataFato: '2025-12-20' }));
  expect(kept).toMatchObject({ status: 'PENDENTE', dataFato: '2025-12-20' });
  const { documentId } = await bodyOf(
    client.call('masterdata', 'PUT', `/releasedata/${kept.id}`, { ...kept, valores: [], status: 'LANCADO' }),
  );
  expect(await factsOf(documentId)).toEqual(['2025-12-20', '2025-12-20']);
  expect(await printedOf(documentId)).toEqual([`${PRINTED}: Luz`, `${PRINTED}: Luz`]);
});

test('it goes to the archive and comes back byte for byte', async () => {
  await closeMonth(client, bank, '01/2026');
  const rows = (table: string) =>
    withOwnerConnection(platform.ownerUrl, async (owner) => {
      const { rows: found } = await owner.query<{ line: string }>(
        `SELECT to_jsonb(line)::text AS line FROM ${table} AS line WHERE line.company_id = $1 ORDER BY line.id`,
        [bank.companyId],
      );
      return found.map(({ line }) => line);
    });
  const before = await rows('entry_line');
  expect(before.filter((line) => line.includes('"fact_day": "2025-12-20"')).length).toBeGreaterThan(5);
  await archiveMonth(client, bank, '01/2026');
  expect((await rows('entry_line_archive')).length).toBe(before.length);
  expect(await rows('entry_line')).toEqual([]);
  await unarchiveMonth(client, bank, '01/2026');
  expect(await rows('entry_line')).toEqual(before);
});
