import { afterAll, beforeAll, expect, test } from 'vitest';
import { decimalOf } from '../../src/accounting/money.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument, postEntry } from '../support/books.ts';
import { storedEvents } from '../support/events.ts';
import { askToCloseMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createPeople } from '../support/users.ts';

// The limit of batches: whatever would take one above it waits as a draft, whichever way it comes (domain: four eyes, 6).

const LIMIT = '100.00';

let platform: Platform;
let bank: Bank;
let ana: Client;
let bia: Client;
let serial = 0;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin, { options: { fourEyes: { batchLimit: LIMIT } } });
  [ana, bia] = await createPeople(platform, bank, ['ana', 'bia']);
  await openMonth(ana, bank, '01/2026');
  // Above the limit, and posted before there was one.
  await owner(`UPDATE company_options SET batch_limit = NULL`);
  await bodyOf(postEntry(ana, bank, await document(), book`05/01 1.1.1 D 150,00 3.1`));
  await owner(`UPDATE company_options SET batch_limit = ${LIMIT}`);
});
afterAll(() => platform?.stop());

const owner = (text: string, values: unknown[] = []) =>
  withOwnerConnection(platform.ownerUrl, (client) => client.query(text, values));
const document = () => newDocument(ana, bank, '01/2026', { batch: `L${++serial}` });
const place = () => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 });
const approve = (id: number, client = bia) => client.post('movements', `/approvals/${id}/approve`, {});
const debits = async (): Promise<string> =>
  (await owner(`SELECT coalesce(sum(amount), 0)::text AS sum FROM entry_line WHERE side = 'D'`)).rows[0].sum;
const small = async (documentId: number, amount = '60,00') =>
  bodyOf(postEntry(ana, bank, documentId, book`05/01 1.1.1 D ${amount} 3.1`));
const batchOf = async (documentId: number) =>
  (await bodyOf(ana.get('movements', `/document/${documentId}`))).batchId as number;

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = Promise<HttpAnswer<any>>;

/** Every way into the books, with 150.00 that the limit does not let in, or with what makes a batch of 60.00 one of 110.00. */
const WAYS: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  'POST /entry of movements': async () => postEntry(ana, bank, await document(), book`05/01 1.1.1 D 150,00 3.1`),
  'POST /entry of master data': async () =>
    ana.post('masterdata', '/entry', entryBody(bank, await document(), book`05/01 1.1.1 D 150,00 3.1`)),
  'POST /entry with a key': async () =>
    ana.call('movements', 'POST', '/entry', entryBody(bank, await document(), book`05/01 1.1.1 D 150,00 3.1`), {
      'idempotency-key': `chave-${++serial}`,
    }),
  'a second entry of the batch': async () => {
    const documentId = await document();
    await small(documentId);
    return postEntry(ana, bank, documentId, book`05/01 1.1.1 D 50,00 3.1`);
  },
  'an entry in another document of the batch': async () => {
    const documentId = await document();
    await small(documentId);
    const { id } = await bodyOf(ana.post('movements', '/document', { batchId: await batchOf(documentId) }));
    return postEntry(ana, bank, id, book`05/01 1.1.1 D 50,00 3.1`);
  },
  'PUT /entry': async () => {
    const documentId = await document();
    const { id } = await small(documentId);
    return ana.call('movements', 'PUT', `/entry/${id}`, entryBody(bank, documentId, book`05/01 1.1.1 D 110,00 3.1`));
  },
  'a whole entry': async () => ana.post('movements', `/document/${await document()}/entries`, whole('150.00')),
  'a whole entry in the place of another': async () => {
    const documentId = await document();
    const { lancamento } = await small(documentId);
    return ana.call('movements', 'PUT', `/document/${documentId}/entries/${lancamento}`, whole('110.00'));
  },
  'bulk posting': () => ana.post('movements', '/entries/bulk', { entries: [sent('150.00')] }),
  'bulk posting, each for itself': () =>
    ana.post('movements', '/entries/bulk?atomic=false', { entries: [sent('60.00'), sent('50.00', `B${serial}`)] }),
  CSV: async () => {
    const { id } = await bodyOf(ana.post('movements', '/batch', { ...place(), lote: `C${++serial}` }));
    const form = new FormData();
    const head = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
    form.set('file', new Blob([`${head}\n1;1;5;D;1.1.1;3.1;150,0${serial % 10};Aporte;`]), 'a.csv');
    return ana.post('movements', `/batch/${id}/import`, form);
  },
  JSON: () => {
    const line = { debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '3.1', valor: 150, historico: 'Aporte' };
    const documentos = [{ documento: '1', lancamentos: [line] }];
    return ana.post('movements', '/importMovimentJson', { ...place(), lote: `J${++serial}`, documentos });
  },
  IPL: () => {
    const text = (value: string, length: number) => value.padEnd(length);
    const head = `2${text(bank.company, 5)}${text(bank.branch, 5)}${200_000 + ++serial}${text('1', 10)}`;
    const amount = String(15_000).padStart(17, '0');
    const codes = text('1.1.1', 20) + text('3.1', 20);
    const line = `${head}20260105000001D${codes}${amount}${text('', 5)}${text('Aporte', 52)}`;
    const path = `/importMoviment/${bank.company}/${bank.branch}/m${serial}.txt`;
    return ana.call('movements', 'POST', path, `${line}\r\n`, { 'content-type': 'text/plain' });
  },
  'an entry template': async () => ana.post('masterdata', '/releasedata/', await templateUse('LANCADO')),
  'an entry template used later': async () => {
    const use = await templateUse('PENDENTE');
    const { id } = await bodyOf(ana.post('masterdata', '/releasedata/', use));
    return ana.call('masterdata', 'PUT', `/releasedata/${id}`, { ...use, status: 'LANCADO' });
  },
  'a reversal': async () => {
    const { rows } = await owner(`SELECT min(id)::int AS id FROM entry_line WHERE amount = 150
      AND NOT EXISTS (SELECT FROM entry_reversal WHERE entry_reversal.company_id = entry_line.company_id
                         AND entry_reversal.document_id = entry_line.document_id)`);
    return ana.post('movements', `/entry/${rows[0].id}/reversal`, { day: '2026-01-06', motivo: 'Em duplicidade' });
  },
  'the fees of a fund': async () => {
    const fund = await fundWithFee();
    return ana.post('masterdata', fund, { date: '2026-01-06', confirmed: true });
  },
  'a reversal of fees': async () => {
    const fund = await fundWithFee();
    await owner(`UPDATE company_options SET batch_limit = NULL`);
    await bodyOf(ana.post('masterdata', fund, { date: '2026-01-06', confirmed: true }));
    await owner(`UPDATE company_options SET batch_limit = ${LIMIT}`);
    return ana.post('masterdata', `${fund}/reversal`, { date: '2026-01-06', reason: 'Em duplicidade' });
  },
};

const lines = (valor: string) => [
  { debcre: 'D', conta: '1.1.1', valor: Number(valor) },
  { debcre: 'C', conta: '3.1', valor: Number(valor) },
];
const whole = (valor: string) => ({
  day: '05',
  partidas: lines(valor).map(({ conta, ...line }) => ({ ...line, contaId: bank.accounts.get(conta) })),
});
const sent = (valor: string, lote = `B${++serial}`) => ({
  ...place(),
  ...{ lote, documento: '1', day: '05', lines: lines(valor) },
});

async function templateUse(status: 'LANCADO' | 'PENDENTE') {
  const { company, branch } = bank;
  return { company, branch, code: await template(), year: 2026, month: 1, day: 5, status, valores: [] };
}

/** A branch with an equity of 150.00 and a performance fee that takes all of it but a centavo. */
async function fundWithFee(): Promise<string> {
  const { company } = bank;
  const fund = await createBank(platform.admin, {
    company,
    branch: `F${++serial}`,
    existing: true,
    chartCode: bank.chartCode,
    accounts: [],
    options: { fourEyes: { batchLimit: LIMIT } },
  });
  const { branch } = fund;
  const of = { company, branch };
  await openMonth(ana, fund, '01/2026');
  for (let part = 0; part < 3; part++) {
    const documentId = await newDocument(ana, fund, '01/2026', { batch: `L${++serial}` });
    await bodyOf(postEntry(ana, fund, documentId, book`05/01 1.1.1 D 50,00 3.1`));
  }
  const netEquityAccountId = bank.accounts.get('3');
  await bodyOf(
    platform.admin.post('masterdata', '/quotacalculation/', { ...of, netEquityAccountId, numberOfQuotas: 1 }),
  );
  const pair = { contaId: bank.accounts.get('8.2'), contrapartida: bank.accounts.get('2.1.1') };
  const lines = [{ ...pair, sequence: 1, debcre: 'D', valueType: 'INFORMADO' }];
  const release = { ...of, code: 'TAXA', description: 'Taxa', lines };
  await bodyOf(platform.admin.post('masterdata', `/release/${company}/${branch}`, release));
  const terms = { startDate: '2026-01-06', rate: 100, highWaterMark: 0.01 };
  await bodyOf(
    platform.admin.post('masterdata', '/fund/fee', { ...of, ...terms, kind: 'PERFORMANCE', template: 'TAXA' }),
  );
  return `/feeAccrual/${company}/${branch}`;
}

async function template(): Promise<string> {
  const code = `T${++serial}`;
  const { company, branch, accounts } = bank;
  const of = { contaId: accounts.get('1.1.1'), contrapartida: accounts.get('3.1') };
  const line = { ...of, sequence: 1, debcre: 'D', valueType: 'FIXO', valor: 150 };
  const body = { company, branch, code, description: 'Fixo', lines: [line] };
  await bodyOf(platform.admin.post('masterdata', `/release/${company}/${branch}`, body));
  return code;
}

test.each(Object.keys(WAYS))(
  '%s waits as a draft: nothing in the books before a second person approves',
  async (way) => {
    const before = await debits();
    const answer = await WAYS[way]!();
    const added = BigInt(Math.round(Number(await debits()) * 100)) - BigInt(Math.round(Number(before) * 100));
    expect(answer, answer.text).toMatchObject({ status: 202, body: { kind: 'DRAFT', status: 'PENDING_APPROVAL' } });
    const { id, draft } = answer.body;
    expect(draft).toMatchObject({ month: '2026-01', limit: LIMIT });
    // At most what was in the batch below its limit; the books that a fund's fees are of, and the fees to be reversed.
    expect(['0.00', '60.00', '150.00', '299.99']).toContain(decimalOf(added));
    expect((await approve(id, ana)).body.code).toBe('APPROVAL_OWN');
    const approved = await approve(id);
    expect(approved, approved.text).toMatchObject({ status: 200, body: { status: 'APPROVED' } });
    const sum = async (batch: string) =>
      (
        await owner(
          `SELECT sum(amount)::text AS sum, array_agg(DISTINCT created_by) AS by FROM entry_line
          WHERE side = 'D' AND document_id IN (SELECT document.id FROM document JOIN batch ON batch.company_id = document.company_id AND batch.id = batch_id AND batch.number = $1
                 JOIN branch ON branch.id = batch.branch_id AND branch.code = $2)`,
          [batch, answer.body.branch],
        )
      ).rows[0];
    expect(await sum(draft.batch)).toEqual({ sum: draft.total, by: ['ana'] });
    expect((await approve(id)).body.code).toBe('APPROVAL_DECIDED');
  },
);

test('what is at fault is refused, not kept; what fits is posted', async () => {
  const documentId = await document();
  const wrong = await postEntry(ana, bank, documentId, book`05/01 1.1 D 150,00 3.1`);
  expect(wrong).toMatchObject({ status: 400, body: { code: 'ACCOUNT_SYNTHETIC' } });
  await small(documentId, '100,00');
  expect((await postEntry(ana, bank, documentId, book`05/01 1.1.1 D 0,01 3.1`)).status).toBe(202);
});

test('an approved batch stays above its limit: whatever comes or changes in it waits again', async () => {
  const documentId = await document();
  const { id } = (await postEntry(ana, bank, documentId, book`05/01 1.1.1 D 150,00 3.1`)).body;
  await bodyOf(approve(id));
  expect((await postEntry(ana, bank, documentId, book`05/01 1.1.1 D 0,01 3.1`)).status).toBe(202);
  const [line] = await bodyOf(ana.get('movements', `/allentry/${documentId}`));
  const other = entryBody(bank, documentId, book`05/01 1.1.2 D 150,00 3.1`);
  expect((await ana.call('movements', 'PUT', `/entry/${line.id}`, other)).status).toBe(202);
  // Taking away is no posting; the same again is one.
  await bodyOf(ana.call('movements', 'DELETE', `/entry/${line.id}`));
  expect((await postEntry(ana, bank, documentId, book`05/01 1.1.1 D 150,00 3.1`)).status).toBe(202);
});

test('a draft is told by its way in, and its entry only when it is approved', async () => {
  const { id } = (await WAYS['POST /entry of movements']!()).body;
  await bodyOf(approve(id));
  const events = await withOwnerConnection(platform.ownerUrl, (client) => storedEvents(client, bank));
  const data = { approvalId: id, kind: 'DRAFT', operation: 'postEntry', month: '2026-01' };
  expect(events.slice(-3)).toMatchObject([
    { type: 'approval.requested', data },
    { type: 'approval.approved', data },
    { type: 'entry.posted', data: { source: 'ENTRY' } },
  ]);
});

test('entries that come at once do not pass the limit together', async () => {
  const documentId = await document();
  const before = await debits();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => postEntry(ana, bank, documentId, book`05/01 1.1.1 D 30,00 3.1`)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 202, 202, 202, 202, 202]);
  expect(decimalOf(BigInt(Math.round((Number(await debits()) - Number(before)) * 100)))).toBe('90.00');
});

test('hand-written SQL is rejected too', async () => {
  const documentId = await document();
  await small(documentId);
  const raised = owner(
    `INSERT INTO entry_line (company_id, branch_id, document_id, account_id, month, day, sequence, side, amount, entry_number)
     SELECT company_id, branch_id, document_id, account_id, month, day, sequence, side, 41, '9' FROM entry_line WHERE document_id = $1`,
    [documentId],
  );
  await expect(raised).rejects.toThrow('above its limit');
});

test('a month with drafts is not closed', async () => {
  const fund = await createBank(platform.admin, { options: { fourEyes: { batchLimit: '10.00' } } });
  const [rui, eva] = await createPeople(platform, fund, ['rui', 'eva']);
  await openMonth(rui, fund, '01/2026');
  const documentId = await newDocument(rui, fund, '01/2026');
  const { id } = (await postEntry(rui, fund, documentId, book`05/01 1.1.1 D 10,01 3.1`)).body;
  expect((await askToCloseMonth(rui, fund, '01/2026')).body).toMatchObject({ status: 400, code: 'DRAFTS_WAIT' });
  const path = `/closingChecklist/${fund.company}/${fund.branch}/2026/01`;
  const checklist = await rui.get('queries', path);
  expect(findingIn(checklist.body)).toMatchObject({
    state: 'BLOCKED',
    count: 1,
    items: [{ name: expect.stringMatching(/^rui, /), service: 'movements', path: `/approvals/${id}` }],
  });
  const preview = await bodyOf(rui.get('queries', `/consolidation/preview/${fund.company}/${fund.branch}/2026/01`));
  expect(preview).toMatchObject({ wouldClose: false, problems: [{ code: 'DRAFTS_WAIT' }] });
  // Of all branches: by its own job.
  const all = await bodyOf(askToCloseMonth(rui, { ...fund, branch: '*' }, '01/2026'));
  const job = async () => (await bodyOf(rui.get('movements', `/runconsolidation/${all.id}`))).status;
  await expect.poll(job, { timeout: 20_000 }).toBe('ERROR');
  await bodyOf(eva.post('movements', `/approvals/${id}/reject`, { reason: 'Sem documento' }));
  expect(findingIn((await rui.get('queries', path)).body)).toMatchObject({ state: 'OK', count: 0 });
  await closeMonth(rui, fund, '01/2026');
});

function findingIn({ findings }: { findings: { code: string }[] }) {
  return findings.find(({ code }) => code === 'DRAFTS_WAITING');
}
