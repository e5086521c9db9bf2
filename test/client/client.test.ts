import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientOptions } from '../../client/src/create-client.ts';
import type { PartidasProblem } from '../../client/src/problem.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { type BuiltClient, buildClient } from '../support/built-client.ts';
import { openMonth } from '../support/months.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';

// The package as it is published, over real HTTP.

let platform: Platform;
let built: BuiltClient;
let bank: Bank;
let documentId: number;
// biome-ignore lint/suspicious/noExplicitAny: see buildClient
let client: any;

beforeAll(async () => {
  [platform, built] = await Promise.all([startPlatform(), buildClient()]);
  client = clientWith({});
  bank = await createBank(platform.admin, {});
  await openMonth(platform.admin, bank, '01/2026');
  const id = await newBatch('1');
  ({ id: documentId } = await client.movements.createDocument({ body: { batchId: id, documento: '1', diaref: '05' } }));
}, 120_000);
afterAll(() => platform?.stop());

const addresses = (service: string) => platform.address(service as never);
const clientWith = (options: Partial<ClientOptions>) =>
  built.package.createClient({ addresses, ...ADMIN, retries: { firstDelay: 1 }, ...options });

async function newBatch(lote: string): Promise<number> {
  const body = { empresa: bank.company, filial: bank.branch, lote, mes: 1, ano: 2026 };
  return (await client.movements.createBatch({ body })).id;
}

const entryOf = (valor: string) => ({
  documentId,
  debcre: 'D',
  day: '05',
  contaId: bank.accounts.get('1.1.1'),
  contrapartida: bank.accounts.get('3.1'),
  valor,
  historico: 'Aporte',
});

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it was not refused'),
    (error: PartidasProblem) => error,
  );

/** A fetch that answers in the place of the platform where `instead` gives an answer or an error. */
function fetchWith(
  instead: (request: { url: string; init: RequestInit; at: number }) => Promise<Response> | undefined,
) {
  const sent: { url: string; key: string | undefined }[] = [];
  let signIns = 0;
  const custom: typeof fetch = async (url, init = {}) => {
    const headers = init.headers as Record<string, string>;
    if (String(url).includes('signin')) signIns++;
    else sent.push({ url: String(url), key: headers['idempotency-key'] });
    return String(url).includes('signin')
      ? fetch(url, init)
      : (instead({ url: String(url), init, at: sent.length }) ?? fetch(url, init));
  };
  return { sent, fetch: custom, signIns: () => signIns };
}

const refused = (status: number, headers: Record<string, string> = {}) =>
  Promise.resolve(new Response('{"code":"BUSY"}', { status, headers }));

test('amounts go and come as exact decimal text', async () => {
  for (const valor of ['0.10', '1000.00', '9999999999999.99']) {
    const posted = await client.movements.postEntry({ body: entryOf(valor) });
    expect(posted.valor).toBe(valor);
    expect(Number.isInteger(posted.id)).toBe(true);
    expect((await client.movements.getEntry({ path: { id: posted.id } })).valor).toBe(valor);
    await client.movements.deleteEntry({ path: { id: posted.id } });
  }
  for (const wrong of [1000, '1e3', '1.000,00', '']) {
    await expect(client.movements.postEntry({ body: entryOf(wrong as string) })).rejects.toThrow(
      'valor must be decimal',
    );
  }
});

test('a refusal is a typed problem', async () => {
  const problem = await problemOf(client.movements.postEntry({ body: { ...entryOf('1.00'), day: '32', contaId: 0 } }));
  expect(problem).toBeInstanceOf(built.package.PartidasProblem);
  expect(problem).toMatchObject({ name: 'PartidasProblem', status: 400, code: 'INVALID_FIELD', path: '/entry' });
  expect(problem.errors.map(({ field }) => field).sort()).toEqual(['contaId', 'day']);
  expect(problem.requestId).toMatch(/^[\w-]{8,}$/);
  const { fetch: proxy } = fetchWith(() => Promise.resolve(new Response('<html>', { status: 404 })));
  const unknown = await problemOf(clientWith({ fetch: proxy, token: 'x' }).masterdata.listCompanies());
  expect(unknown).toMatchObject({ status: 404, code: 'UNKNOWN' });
});

test('many calls at a time sign in once; a refused token is renewed; a refused sign-in is told', async () => {
  const { fetch: counting, signIns } = fetchWith(() => undefined);
  const own = clientWith({ fetch: counting });
  await Promise.all(Array.from({ length: 20 }, () => own.masterdata.listCompanies()));
  expect(signIns()).toBe(1);
  await own.authentication.signOutEverywhere();
  await expect
    .poll(async () => (await platform.admin.get('masterdata', '/companies')).status, { timeout: 10_000 })
    .toBe(401);
  await Promise.all(Array.from({ length: 20 }, () => own.masterdata.listCompanies()));
  expect(signIns()).toBe(2);
  const wrong = await problemOf(clientWith({ password: 'outra senha comprida' }).masterdata.listCompanies());
  expect(wrong).toMatchObject({ status: 401, code: 'BAD_CREDENTIALS' });
  platform = { ...platform, admin: await platform.as(ADMIN.username, ADMIN.password) };
  const given = clientWith({ token: () => platform.admin.token });
  expect((await given.authentication.getOwnUser()).username).toBe(ADMIN.username);
});

test('an entry whose answer was lost is posted once: the same key goes with every try', async () => {
  const before = (await client.movements.listEntries({ path: { documentId } })).length;
  const { fetch: losing, sent } = fetchWith(({ url, init, at }) =>
    url.endsWith('/entry') && at < 3
      ? fetch(url, init).then(() => Promise.reject(new TypeError('connection lost')))
      : undefined,
  );
  await clientWith({ fetch: losing }).movements.postEntry({ body: entryOf('7.00') });
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect((await client.movements.listEntries({ path: { documentId } })).length).toBe(before + 2);
});

test('what is busy is waited for as long as it says; what may not be done twice is not repeated; tries end', async () => {
  const busy = fetchWith(({ at }) => (at < 2 ? refused(503, { 'retry-after': '1' }) : undefined));
  const began = performance.now();
  await clientWith({ fetch: busy.fetch }).masterdata.listCompanies();
  expect(performance.now() - began).toBeGreaterThan(990);
  const group = { body: { name: 'Contabilidade' } };
  const unsafe = fetchWith(({ at }) => (at < 2 ? refused(503) : undefined));
  expect(await problemOf(clientWith({ fetch: unsafe.fetch }).masterdata.createGroup(group))).toMatchObject({
    status: 503,
  });
  expect(unsafe.sent).toHaveLength(1);
  const tooMany = fetchWith(({ at }) => (at < 3 ? refused(429) : undefined));
  await clientWith({ fetch: tooMany.fetch }).masterdata.createGroup(group);
  expect(tooMany.sent).toHaveLength(3);
  const never = fetchWith(() => refused(503));
  const bounded = clientWith({ fetch: never.fetch, token: 'x', retries: { firstDelay: 1, attempts: 4 } });
  expect(await problemOf(bounded.masterdata.listCompanies())).toMatchObject({ status: 503, code: 'BUSY' });
  expect(never.sent).toHaveLength(4);
});

test('a signal ends a call, also one that waits for its next try', async () => {
  const control = new AbortController();
  const { fetch: busy } = fetchWith(() => refused(503, { 'retry-after': '20' }));
  const call = clientWith({ fetch: busy, token: 'x' }).masterdata.listCompanies({}, { signal: control.signal });
  setTimeout(() => control.abort(new Error('enough')), 50);
  await expect(call).rejects.toThrow('enough');
});

test('the rows of a list come page after page, by number and by key', async () => {
  for (let at = 1; at <= 5; at++) await client.movements.postEntry({ body: entryOf(`${at}.25`) });
  const all = await client.movements.listEntries({ path: { documentId } });
  const lines = await rowsOf(client.movements.getEntryPage.pages({ path: { documentId }, query: { size: 4 } }));
  expect(lines.map(({ id }) => id)).toEqual(
    all.filter((_: unknown, at: number) => at % 2 === 0).map(({ id }: Row) => id),
  );
  const path = { company: bank.company, branch: bank.branch };
  const query = { dataInicio: '2026-01-01', dataFim: '2026-01-31', tamanho: 3 };
  const found = await rowsOf(client.queries.findEntries.pages({ path, query }));
  expect(found).toHaveLength(all.length);
  expect(found.map(({ valor }) => valor)).toContain('5.25');
  const visible = await rowsOf(client.masterdata.listVisibleEntries.pages({ query: { size: 5 } }));
  expect(visible).toHaveLength(all.length);
});

interface Row {
  readonly id: number;
  readonly valor: string;
}

async function rowsOf(pages: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of pages) rows.push(row);
  return rows;
}

test('files go up and come down; a job is followed to its end', async () => {
  const { company, branch } = bank;
  const batchId = await newBatch('2');
  const head = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
  const csv = `${head}\n1;1;05;D;1.1.1;3.1;10,50;Arquivo;\n`;
  const file = new File([csv], 'lancamentos.csv', { type: 'text/csv' });
  const imported = await client.movements.importEntriesCsv({ path: { batchId }, body: { file } });
  expect(imported).toMatchObject({ success: true, totalRows: 1 });
  const query = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
  const listing = await client.queries.findEntries.response(
    { path: { company, branch }, query },
    { accept: 'text/csv' },
  );
  expect(listing.headers.get('content-type')).toContain('text/csv');
  expect(await listing.text()).toContain('10,50');
  const job = await client.reports.printMonthlyTrialBalance({
    query: { async: true },
    body: { empresa: company, filial: branch, ano: 2026, mes: 1, visualizationEnum: 'PDF' },
  });
  const states: string[] = [];
  const done = await built.package.waitForJob<{ status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR' }>(
    () => client.reports.getReportJob({ path: { id: job.id } }),
    { interval: 20, onProgress: ({ status }) => states.push(status) },
  );
  expect([done.status, states.at(-1)]).toEqual(['DONE', 'DONE']);
  const download: Response = await client.reports.downloadReport({ path: { id: job.id } });
  expect(download.headers.get('content-disposition')).toContain('.pdf');
  expect(
    Buffer.from(await download.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('what happens is told as a stream of events', async () => {
  const { company, branch } = bank;
  const close = await client.movements.closeMonth({ body: { company, branch, year: '2026', month: '01' } });
  const states: string[] = [];
  for await (const { event, data } of client.movements.followMonthClose.events({ path: { id: close.id } })) {
    expect(event).toBe('consolidation');
    states.push((data as { status: string }).status);
  }
  expect(states.at(-1)).toBe('DONE');
});

test('its types let right calls through and refuse wrong ones', async () => {
  const lib = ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'];
  const modules = {
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    paths: { 'partidas-client': ['./dist/index.d.ts'] },
  };
  const compilerOptions = { ...modules, target: 'ES2022', lib, strict: true, noEmit: true, types: ['node'] };
  const files = ['../../../client/types.check.ts', '../../../client/examples/post-and-reconcile.ts'];
  const options = { ...compilerOptions, noUncheckedIndexedAccess: true, skipLibCheck: false };
  await writeFile(`${built.folder}tsconfig.json`, JSON.stringify({ compilerOptions: options, files }));
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', built.folder], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
}, 60_000);

test('a browser needs nothing of Node', async () => {
  const bundle = await rolldown({ input: `${built.folder}dist/index.js`, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'partidas', minify: true });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  expect(output[0].code.length).toBeLessThan(200_000);
  // What a page has, and nothing else.
  const page = {
    fetch,
    URLSearchParams,
    AbortSignal,
    crypto,
    FormData,
    Blob,
    File,
    Response,
    ReadableStream,
    setTimeout,
  };
  const context = createContext({ ...page, clearTimeout, TextDecoderStream });
  runInContext(`${output[0].code};globalThis.partidas = partidas`, context);
  const inPage = (context.partidas as BuiltClient['package']).createClient({ addresses, ...ADMIN });
  expect((await inPage.masterdata.listCompanies()).map((each: Bank) => each.company)).toContain(bank.company);
});

test('a service account signs in with its secret, and again when its token is refused', async () => {
  const fields = { clientId: 'cliente', permissions: [{ company: bank.company, branch: bank.branch }] };
  const account = await client.authentication.createServiceAccount({ body: fields });
  const path = { id: account.id };
  const { secret } = await client.authentication.addServiceAccountSecret({ path, body: {} });
  const machine = built.package.createClient({ addresses, clientId: 'cliente', clientSecret: secret }) as typeof client;
  const name = async () => (await machine.authentication.getOwnUser()).username;
  expect(await name()).toBe('cliente');
  await client.authentication.signUserOutEverywhere({ path });
  expect(await name()).toBe('cliente');
  await client.authentication.deactivateServiceAccount({ path });
  expect(await problemOf(name())).toMatchObject({ status: 401 });
});
