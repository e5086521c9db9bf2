import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../src/features/operations/cleanup/cleanup.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createBank } from '../support/banks.ts';
import { DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { downloadFiling, type FilingEnd, writeFiling } from '../support/filings.ts';
import { bodyOf, type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Files for regulators over HTTP: how they are ordered, written, withheld, taken, and what becomes of each.

const { company } = DEMO_HEAD_OFFICE;
const HALF = { empresa: company, ano: DEMO_YEAR, dataFim: `${DEMO_YEAR}-06-30`, livro: 'B' };
const JUNE = { empresa: company, ano: DEMO_YEAR, mes: 6, documento: '4010' };

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  await workDemoYear(platform.admin, 6);
}, 300_000);
afterAll(() => platform?.stop());

interface Delivery {
  readonly id: number;
  readonly arquivo: string;
  readonly status: string;
  readonly proximos: readonly string[];
  readonly numeroLivro: number | null;
  readonly remessa: string | null;
  readonly hashLivro: string | null;
  readonly recibo: string | null;
  readonly substitui: number | null;
  readonly sha256: string;
  readonly download: string | null;
}

const write = async (kind: 'ecd' | 'cosif', body: object): Promise<FilingEnd> => {
  const job = await writeFiling(platform.admin, kind, { ...body, comErros: true });
  expect(job, JSON.stringify(job.achados)).toMatchObject({ status: 'DONE', entrega: expect.any(Number) });
  return job;
};
const put = (id: number, body: object, client: Client = platform.admin): Promise<HttpAnswer<Delivery & Problem>> =>
  client.call('reports', 'PUT', `/regulatory/deliveries/${id}`, body);
const record = async (id: number, body: object): Promise<Delivery> => bodyOf(put(id, body));
const deliveries = async (client: Client = platform.admin, year = DEMO_YEAR): Promise<Delivery[]> =>
  bodyOf(client.get('reports', `/regulatory/deliveries?empresa=${company}&ano=${year}`));
const delivery = async (id: number | null): Promise<Delivery> => (await deliveries()).find((each) => each.id === id)!;

interface Problem {
  readonly code?: string;
  readonly errors?: readonly { readonly field: string }[];
}
const rejection = ({ status, body: { code, errors = [] } }: HttpAnswer<Problem>) => [
  status,
  code,
  ...errors.map(({ field }) => field),
];

describe('a file that is ordered', () => {
  test('is a job to look at, then a file and a delivery; the same request makes the same bytes', async () => {
    const asked = await platform.admin.post('reports', '/regulatory/cosif', JUNE);
    expect(asked.status).toBe(202);
    expect(asked.headers.get('location')).toBe(`/regulatory/jobs/${asked.body.id}`);
    expect(asked.body).toMatchObject({ arquivo: '4010', nomeArquivo: `4010-${company}-${DEMO_YEAR}-06.xml` });
    for (const [kind, request] of [
      ['cosif', JUNE],
      ['ecd', HALF],
    ] as const) {
      const [one, other] = [await write(kind, request), await write(kind, request)];
      expect(other.sha256).toBe(one.sha256);
      expect(other.entrega).not.toBe(one.entrega);
      const bytes = await downloadFiling(platform, one);
      expect(bytes.equals(await downloadFiling(platform, other))).toBe(true);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(one.sha256);
      expect(await delivery(one.entrega)).toMatchObject({
        ...{ arquivo: one.arquivo, sha256: one.sha256, bytes: bytes.length, linhas: one.linhas, status: 'GENERATED' },
        ...{ erros: one.erros, avisos: one.avisos, job: one.id, download: one.download, geradaPor: 'admin' },
      });
    }
  });

  test('passes the check of files of anyone as it did when it was written', async () => {
    const job = await write('ecd', HALF);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await downloadFiling(platform, job))]), job.nomeArquivo);
    const checked = await bodyOf(platform.admin.post('reports', '/regulatory/check', form));
    expect(checked).toMatchObject({ arquivo: 'ECD', livro: 'B', linhas: job.linhas, bytes: job.bytes });
    expect([checked.erros, checked.contagens]).toEqual([job.erros, job.contagens]);
  });

  test('brings its digest and its name when it is downloaded', async () => {
    const job = await write('cosif', JUNE);
    const answer = await platform.admin.get('reports', `/regulatory/jobs/${job.id}/download`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${job.nomeArquivo}"`);
    const digest = Buffer.from(job.sha256!, 'hex').toString('base64');
    expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
    expect(Number(answer.headers.get('content-length'))).toBe(job.bytes);
  });

  test.each([
    ['the end before the beginning', 'ecd', { ...HALF, dataInicio: `${DEMO_YEAR}-07-01` }, 'dataInicio'],
    ['a day of another year', 'ecd', { ...HALF, dataFim: `${DEMO_YEAR + 1}-06-30` }, 'dataFim'],
    ['a situation of no list', 'ecd', { ...HALF, situacaoEspecial: '9' }, 'situacaoEspecial'],
    ['a delivery of none', 'ecd', { ...HALF, substitui: 999_999 }, 'substitui'],
    ['a 4016 of May', 'cosif', { ...JUNE, documento: '4016', mes: 5 }, 'mes'],
    ['a document that is not written', 'cosif', { ...JUNE, documento: '4060' }, 'documento'],
  ])('%s is rejected', async (_what, kind, body, field) => {
    const { status, body: answer } = await platform.admin.post('reports', `/regulatory/${kind}`, body);
    expect(answer.errors.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(status).toBe(field === 'substitui' ? 404 : 400);
  });
});

test('a file with errors is withheld, and kept when it was asked for with them', async () => {
  // The month is not closed: nothing is written, and with errors neither.
  const july = { ...JUNE, mes: 7 };
  for (const comErros of [false, true]) {
    const job = await writeFiling(platform.admin, 'cosif', { ...july, comErros });
    expect(job).toMatchObject({ status: 'DONE', download: null, entrega: null, sha256: null });
    expect(job.contagens).toHaveProperty('PARTIDAS_MES_NAO_CONSOLIDADO');
    const answer = await platform.admin.get('reports', `/regulatory/jobs/${job.id}/download`);
    expect(rejection(answer)).toEqual([400, 'FILING_WITHHELD', 'id']);
  }
  // No accountant signs: the file is whole, but has an error.
  const options = (await bodyOf(platform.admin.get('masterdata', '/company/options'))).find(
    (each: { company: string; branch: string }) => each.company === company && each.branch === DEMO_HEAD_OFFICE.branch,
  );
  const change = (signatories: unknown) =>
    bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, signatories }));
  await change([{ name: 'Maria Direção', cpf: '52998224725', qualification: '203', legalResponsible: true }]);
  const before = await deliveries();
  const withheld = await writeFiling(platform.admin, 'ecd', HALF);
  expect(withheld).toMatchObject({ status: 'DONE', download: null, entrega: null });
  expect(withheld.erros).toBeGreaterThan(0);
  expect(await deliveries()).toEqual(before);
  const kept = await writeFiling(platform.admin, 'ecd', { ...HALF, comErros: true });
  expect(kept).toMatchObject({ sha256: withheld.sha256, contagens: withheld.contagens });
  expect(await delivery(kept.entrega)).toMatchObject({ erros: withheld.erros, status: 'GENERATED' });
  await change(options.signatories);
});

describe('what became of a delivery', () => {
  const STATES = ['GENERATED', 'SENT', 'ACCEPTED', 'REJECTED', 'REPLACED'] as const;
  const LEGAL: Readonly<Record<string, readonly string[]>> = {
    GENERATED: ['SENT', 'ACCEPTED', 'REJECTED'],
    SENT: ['ACCEPTED', 'REJECTED'],
    ACCEPTED: [],
    REJECTED: ['SENT'],
    REPLACED: [],
  };

  test.each(STATES)('%s becomes what it may, and nothing else', async (from) => {
    const { entrega } = await write('cosif', { ...JUNE, mes: 5 });
    await owner(`UPDATE regulatory_delivery SET status = '${from}' WHERE id = ${entrega}`);
    expect((await delivery(entrega)).proximos).toEqual(LEGAL[from]);
    for (const to of STATES.filter((each) => each !== from)) {
      await owner(`UPDATE regulatory_delivery SET status = '${from}' WHERE id = ${entrega}`);
      const answer = await put(entrega!, { status: to });
      if (LEGAL[from]!.includes(to)) expect(answer.body).toMatchObject({ id: entrega, status: to });
      else expect(rejection(answer)).toEqual([400, 'DELIVERY_TRANSITION', 'status']);
    }
    expect((await put(entrega!, { status: (await delivery(entrega)).status })).status).toBe(200);
    await owner(`UPDATE regulatory_delivery SET status = 'REJECTED' WHERE id = ${entrega}`);
  });

  test('the receipt and the hash of the book are recorded, and what is left out stays', async () => {
    const { entrega } = await write('ecd', HALF);
    const hash = 'ab'.repeat(20);
    expect(await record(entrega!, { status: 'SENT', recibo: 'R-1' })).toMatchObject({ status: 'SENT', recibo: 'R-1' });
    expect(await record(entrega!, { hashLivro: hash })).toMatchObject({
      ...{ status: 'SENT', recibo: 'R-1', hashLivro: hash.toUpperCase() },
    });
    expect(rejection(await put(entrega!, { hashLivro: 'g'.repeat(40) }))).toEqual([400, 'INVALID_FIELD', 'hashLivro']);
    expect(rejection(await put(entrega!, { id: entrega! + 1 }))).toEqual([400, 'ID_MISMATCH', 'id']);
    const document = await write('cosif', JUNE);
    expect(rejection(await put(document.entrega!, { hashLivro: hash }))).toEqual([
      ...[400, 'DELIVERY_HAS_NO_HASH', 'hashLivro'],
    ]);
    expect((await put(999_999, { status: 'SENT' })).status).toBe(404);
  });

  test('a document is I until one is accepted, then S, which replaces it', async () => {
    const april = { ...JUNE, mes: 4 };
    const [first, second] = [await write('cosif', april), await write('cosif', april)];
    expect([first.remessa, second.remessa]).toEqual(['I', 'I']);
    await record(first.entrega!, { status: 'ACCEPTED' });
    const third = await write('cosif', april);
    expect(third.remessa).toBe('S');
    expect((await downloadFiling(platform, third)).toString()).toContain('tipoRemessa="S"');
    expect((await delivery(third.entrega)).substitui).toBe(first.entrega);
    // Of another month or document nothing was accepted.
    expect((await write('cosif', { ...JUNE, mes: 3 })).remessa).toBe('I');
    expect((await write('cosif', { ...JUNE, documento: '4016' })).remessa).toBe('I');
    await record(third.entrega!, { status: 'REJECTED' });
    expect((await delivery(first.entrega)).status).toBe('ACCEPTED');
    await record(third.entrega!, { status: 'SENT' });
    await record(third.entrega!, { status: 'ACCEPTED' });
    expect((await delivery(first.entrega)).status).toBe('REPLACED');
    // What is asked for otherwise is written, and told.
    const unusual = await write('cosif', { ...april, remessa: 'I' });
    expect([unusual.remessa, unusual.contagens.P10]).toEqual(['I', 1]);
  });

  test('a book keeps its number when it is written again; the next period has the next one', async () => {
    const quarter = { ...HALF, dataFim: `${DEMO_YEAR}-03-31` };
    const numberOf = async (body: object) => (await write('ecd', body)).livros[0]!.numero;
    const half = await numberOf(HALF);
    const last = Math.max(...(await deliveries()).map(({ numeroLivro }) => numeroLivro ?? 0));
    const first = await numberOf(quarter);
    expect(first).toBe(last + 1);
    expect([await numberOf(HALF), await numberOf(quarter)]).toEqual([half, first]);
    expect(await numberOf({ ...quarter, livro: 'G' })).toBe(first + 1);
    expect(await numberOf({ ...quarter, numeroLivro: 70 })).toBe(70);
  });

  test('a book takes the place of an accepted one by its hash, which then stays', async () => {
    const { entrega: replaced } = await write('ecd', HALF);
    const substitute = { ...HALF, substitui: replaced };
    const rejected = async () => rejection(await platform.admin.post('reports', '/regulatory/ecd', substitute));
    expect(await rejected()).toEqual([400, 'DELIVERY_NOT_REPLACEABLE', 'substitui']);
    await record(replaced!, { status: 'ACCEPTED' });
    expect(await rejected()).toEqual([400, 'DELIVERY_WITHOUT_HASH', 'substitui']);
    const hash = 'C0'.repeat(20);
    await record(replaced!, { hashLivro: hash });
    const job = await write('ecd', substitute);
    expect((await downloadFiling(platform, job)).toString('latin1').split('\r\n')[0]).toContain(`|${hash}|`);
    expect((await delivery(job.entrega)).substitui).toBe(replaced);
    expect(rejection(await put(replaced!, { hashLivro: 'D1'.repeat(20) }))).toEqual([
      ...[400, 'DELIVERY_HASH_USED', 'hashLivro'],
    ]);
    await record(job.entrega!, { status: 'ACCEPTED' });
    expect(await delivery(replaced)).toMatchObject({ status: 'REPLACED', hashLivro: hash });
  });

  test('is in the trail: who generated, who downloaded, who recorded what', async () => {
    const job = await write('cosif', JUNE);
    await downloadFiling(platform, job);
    await record(job.entrega!, { status: 'SENT', recibo: 'P-9' });
    const query = `?entity=regulatory_delivery&entityId=${job.entrega}`;
    const { content } = await bodyOf(platform.admin.get('authentication', `/api/admin/audit${query}`));
    const [recorded, , generated] = content;
    expect(content.map((each: { action: string }) => each.action)).toEqual(['UPDATE', 'DOWNLOAD', 'GENERATE']);
    expect(recorded).toMatchObject({ username: 'admin', company, before: { status: 'GENERATED', receipt: null } });
    expect(recorded.after).toMatchObject({ status: 'SENT', receipt: 'P-9' });
    expect(generated.after).toMatchObject({ sha256: job.sha256, isKept: true });
  });
});

describe('who may', () => {
  const ofCompany = async (username: string, routines: readonly 'REGULATORY_FILES'[] = []) => {
    const { password } = await createUser(platform.admin, { username, permissions: [{ company }], routines });
    return platform.as(username, password);
  };

  test('write, download and record: whoever stands on the routine once anybody does; everyone of the company looks', async () => {
    const job = await write('cosif', JUNE);
    const files = await ofCompany('arquivista', ['REGULATORY_FILES']);
    const other = await ofCompany('escriturario');
    for (const [client, status] of [
      [files, 202],
      [other, 403],
    ] as const) {
      expect((await client.post('reports', '/regulatory/cosif', JUNE)).status).toBe(status);
      expect((await client.post('reports', '/regulatory/ecd', HALF)).status).toBe(status);
      const done = status === 202 ? 200 : 403;
      expect((await client.get('reports', `/regulatory/jobs/${job.id}/download`)).status).toBe(done);
      expect((await put(job.entrega!, { recibo: 'x' }, client)).status).toBe(done);
      expect((await client.get('reports', `/regulatory/jobs/${job.id}`)).status).toBe(200);
      expect((await deliveries(client)).map(({ id }) => id)).toContain(job.entrega);
    }
  });

  test('tenants are apart: another company sees no job, no file and no delivery', async () => {
    const job = await write('cosif', JUNE);
    const strange = await createBank(platform.admin, { company: '0999', branch: '0001', chartCode: 'ALHEIO' });
    const { username, password } = await createUser(platform.admin, {
      ...{ username: 'alheio', permissions: [{ company: strange.company }], routines: ['REGULATORY_FILES'] },
    });
    const client = await platform.as(username, password);
    for (const path of [`/regulatory/jobs/${job.id}`, `/regulatory/jobs/${job.id}/download`])
      expect([403, 404]).toContain((await client.get('reports', path)).status);
    expect([403, 404]).toContain((await put(job.entrega!, { status: 'SENT' }, client)).status);
    expect((await client.get('reports', `/regulatory/deliveries?empresa=${company}&ano=${DEMO_YEAR}`)).status).toBe(
      403,
    );
    expect((await client.post('reports', '/regulatory/cosif', JUNE)).status).toBe(403);
    const own = `/regulatory/deliveries?empresa=${strange.company}&ano=${DEMO_YEAR}`;
    expect(await bodyOf(client.get('reports', own))).toEqual([]);
    expect((await delivery(job.entrega)).status).toBe('GENERATED');
  });
});

test('the file goes after a day; its delivery stays', async () => {
  const [old, young] = [await write('cosif', JUNE), await write('cosif', JUNE)];
  await owner(`UPDATE job SET finished_at = now() - interval '25 hours' WHERE id = ${old.id}`);
  await owner(`UPDATE job SET finished_at = now() - interval '23 hours' WHERE id = ${young.id}`);
  const { database, config, metrics } = platform.program.app;
  const authentication = openDatabase(platform.program.logins.auth!, { max: 1 });
  try {
    const { retention } = config;
    const log = { warn: () => {} } as unknown as Parameters<typeof cleanUp>[0]['log'];
    await cleanUp({ database, authentication, retention, now: () => new Date(), log, metrics });
  } finally {
    await authentication.close();
  }
  expect((await platform.admin.get('reports', `/regulatory/jobs/${old.id}/download`)).status).toBe(404);
  expect(await delivery(old.entrega)).toMatchObject({ download: null, sha256: old.sha256 });
  expect((await downloadFiling(platform, young)).length).toBe(young.bytes);
});

test('deliveries are listed by the year that they touch, newest first', async () => {
  const ids = (await deliveries()).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  expect(await deliveries(platform.admin, DEMO_YEAR - 1)).toEqual([]);
});

const owner = (statement: string) => withOwnerConnection(platform.ownerUrl, (client) => client.query(statement));
