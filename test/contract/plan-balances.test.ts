import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`05/01 1.1.2 D 12,34 7.1`);
});
afterAll(() => platform?.stop());

const ask = (path: string, more = '') =>
  platform.admin.get('reports', `/api/v1/${path}?empresa=${bank.company}&filial=${bank.branch}${more}`);

test('a page of a month in the order asked, debit-positive with its side', async () => {
  const { body } = await ask('saldos/plano-saldo', '&ano=2026&mes=1&ordenarPor=saldo_atual&direcao=DESC&tamanho=1000');
  const shown = body.conteudo.content.map((each: { saldoAtual: number }) => each.saldoAtual);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
  expect(body.conteudo.content.find((each: { cdContabil: string }) => each.cdContabil === '7.1')).toMatchObject({
    empresa: bank.company,
    filial: bank.branch,
    plano: bank.chartCode,
    saldoAnterior: 0,
    credito: 12.34,
    saldoAtual: -12.34,
    natureza: 'C',
  });
});

test('a day shows what stood at its end', async () => {
  const on = async (day: number) =>
    (await ask('saldos/plano-saldo-dia', `&ano=2026&mes=1&dia=${day}&tamanho=1000`)).body.conteudo.content.find(
      (each: { cdContabil: string }) => each.cdContabil === '1.1.2',
    );
  expect((await on(4))?.saldoAtual ?? 0).toBe(0);
  expect(await on(5)).toMatchObject({ dia: 5, saldoAnterior: 0, debito: 12.34, saldoAtual: 12.34 });
  expect(await on(6)).toMatchObject({ dia: 6, saldoAnterior: 12.34, debito: 0, saldoAtual: 12.34 });
});

test('equity and open result by month', async () => {
  const { body } = await ask('saldos/plsaldos');
  expect(body.conteudo).toMatchObject({
    totalElements: 1,
    content: [{ ano: 2026, mes: 1, patrimonioLiquido: 0, resultado: -12.34, quantidadeCotas: null }],
  });
});

test('months in the order of their quotas; one without is after the others', async () => {
  const fund = await createBank(platform.admin);
  for (const month of ['01/2026', '02/2026', '03/2026']) await openMonth(platform.admin, fund, month);
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(
      `INSERT INTO tax_quota (company_id, branch_id, day, quota_value, net_equity, number_of_quotas, quota_decimals, reference_day,
                              confirmed_by)
       VALUES ($1, $2, '2026-02-02', 10.5, 1050, 100, 8, '2026-01-31', 'test'),
              ($1, $2, '2026-04-01', 9.25, 1110, 120, 8, '2026-03-31', 'test')`,
      [fund.companyId, fund.branchId],
    ),
  );
  const months = async (order: string) => {
    const path = `/api/v1/saldos/plsaldos?empresa=${fund.company}&filial=${fund.branch}&ordenarPor=${order}`;
    return (await platform.admin.get('reports', path)).body.conteudo.content.map((each: { mes: number }) => each.mes);
  };
  expect(await months('valorCota')).toEqual([3, 1, 2]);
  expect(await months('valor_cota&direcao=DESC')).toEqual([2, 1, 3]);
  expect(await months('quantidadeCotas')).toEqual([1, 3, 2]);
  expect(await months('quantidadeCotas&tamanho=1&pagina=1')).toEqual([3]);
});

test('the deprecated listing names its successor, in rejections too', async () => {
  const answer = await ask('lancamentos-contabeis', '&dataInicio=2026-01-01&dataFim=2026-01-31');
  expect(answer.body.conteudo).toMatchObject({ totalElements: 2, content: [{ valor: 12.34, status: 0 }, {}] });
  const path = '/api/v1/lancamentos-contabeis';
  const answers = [
    answer,
    await ask('lancamentos-contabeis', '&dataInicio=x'),
    await platform.admin.get('reports', `${path}?empresa=nada&dataInicio=2026-01-01&dataFim=2026-01-31`),
    await platform.withToken('').get('reports', path),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 401]);
  for (const { headers } of answers) {
    // RFC 9745: an instant of the past in seconds.
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(Number(headers.get('deprecation')!.slice(1)) * 1000).toBeLessThan(Date.now());
    expect(headers.get('link')).toBe(
      `<${platform.address('queries')}/api/v1/legacy-integration/lancamentos-contabeis>; rel="successor-version"`,
    );
  }
  const successor = /^<(.*)>/.exec(answer.headers.get('link')!)![1]!;
  const followed = await fetch(`${successor}?dataInicio=2026-01-01&dataFim=2026-01-31`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
  });
  expect(followed.status).toBe(200);
});

test('behind a proxy the successor is where the query service is found', async () => {
  const other = await startPlatform({
    SERVICES: 'authentication,reports',
    JOBS: 'off',
    QUERIES_URL: 'https://books.example.com/queries/',
  });
  const { status, headers } = await other.withToken('').get('reports', '/api/v1/lancamentos-contabeis');
  expect([status, headers.get('link')]).toEqual([
    401,
    '<https://books.example.com/queries/api/v1/legacy-integration/lancamentos-contabeis>; rel="successor-version"',
  ]);
  await other.stop();
});

const MONTH = '&ano=2026&mes=1';
const DAY = `${MONTH}&dia=5`;
const PERIOD = '&dataInicio=2026-01-01&dataFim=2026-01-31';
/** Each listing with the parameters that it cannot do without. */
const LISTINGS = [
  ['saldos/plano-saldo', MONTH],
  ['saldos/plano-saldo-dia', DAY],
  ['saldos/plsaldos', ''],
  ['lancamentos-contabeis', PERIOD],
] as const;

test.each(
  LISTINGS.flatMap(([path, base]) =>
    [
      '&pagina=-1',
      '&pagina=x',
      '&pagina=1.5',
      '&pagina=0&pagina=1',
      '&tamanho=0',
      path === 'saldos/plano-saldo' ? '&tamanho=10001' : '&tamanho=1001',
      '&direcao=UP',
      '&direcao=asc',
      '&direcao=',
      '&direcao=ASC;DROP',
      '&ordenarPor=',
      '&ordenarPor=nada',
      '&ordenarPor=__proto__',
      '&ordenarPor=constructor',
      '&ordenarPor=conta;--',
      '&ordenarPor=empresa%20DESC',
      '&ordenarPor=1;DROP%20TABLE%20month',
      '&ordenarPor=(SELECT%20pg_sleep(1))',
      '&ordenarPor=empresa,filial',
      '&outro=1',
    ].map((more) => [path, base + more]),
  ),
)('%s%s is rejected', async (path, query) => {
  const { status, body, text } = await ask(path!, query);
  expect(status, text).toBe(400);
  expect(body.code).toMatch(/^[A-Z_]+$/);
  expect(text).not.toMatch(/SELECT|syntax|relation/);
});

test.each([
  ['saldos/plano-saldo', '&ano=2026'],
  ['saldos/plano-saldo', '&mes=1'],
  ['saldos/plano-saldo', '&ano=2026&mes=13'],
  ['saldos/plano-saldo', '&ano=2026&mes=0'],
  ['saldos/plano-saldo', '&ano=2026&mes=001'],
  ['saldos/plano-saldo', '&ano=x&mes=1'],
  ['saldos/plano-saldo', '&ano=2026.5&mes=1'],
  ['saldos/plano-saldo', '&ano=99999&mes=1'],
  ['saldos/plano-saldo', '&ano=2025&mes=12'],
  ['saldos/plano-saldo', `${MONTH}&ordenarPor=conta`],
  ['saldos/plano-saldo', `${MONTH}&ordenarPor=dia`],
  ['saldos/plano-saldo-dia', MONTH],
  ['saldos/plano-saldo-dia', '&ano=2026&mes=2&dia=31'],
  ['saldos/plano-saldo-dia', `${MONTH}&dia=0`],
  ['saldos/plano-saldo-dia', `${MONTH}&dia=32`],
  ['saldos/plano-saldo-dia', `${MONTH}&dia=1.5`],
  ['saldos/plano-saldo-dia', '&ano=2025&mes=12&dia=31'],
  ['saldos/plano-saldo-dia', `${DAY}&ordenarPor=conta`],
  ['saldos/plsaldos', '&ordenarPor=conta'],
  ['saldos/plsaldos', '&ordenarPor=saldoAtual'],
  ['lancamentos-contabeis', '&dataInicio=2026-02-30&dataFim=2026-03-01'],
  ['lancamentos-contabeis', '&dataInicio=2026-02-01&dataFim=2026-01-01'],
  ['lancamentos-contabeis', '&dataInicio=2026-02-01'],
  ['lancamentos-contabeis', `${PERIOD}&ordenarPor=empresa`],
])('%s%s is rejected', async (path, more) => {
  expect((await ask(path, more)).status).toBe(400);
});

test.each([
  ['saldos/plano-saldo', '&ano=2026&mes=01'],
  ['saldos/plano-saldo', '&ano=2026&mes=10'],
  ['saldos/plano-saldo-dia', `${MONTH}&dia=05`],
  ...[
    'empresa',
    'filial',
    'ano',
    'mes',
    'plano',
    'cdContabil',
    'cd_contabil',
    'cdReduzido',
    'descricao',
    'tipo',
    'nivel',
  ]
    .concat('saldoAnterior', 'saldo_anterior', 'debito', 'credito', 'encerramento', 'saldoAtual', 'natureza')
    .flatMap((name) => [
      ['saldos/plano-saldo', `${MONTH}&ordenarPor=${name}&direcao=DESC`],
      ['saldos/plano-saldo-dia', `${DAY}&ordenarPor=${name}`],
    ]),
  ['saldos/plano-saldo-dia', `${DAY}&ordenarPor=dia`],
  ...['empresa', 'filial', 'ano', 'mes', 'patrimonioLiquido', 'patrimonio_liquido', 'resultado']
    .concat('quantidadeCotas', 'valorCota', 'valor_cota')
    .map((name) => ['saldos/plsaldos', `&ordenarPor=${name}&direcao=DESC`]),
  ...['dataContabil', 'data_contabil', 'documento', 'valor', 'conta'].map((name) => [
    'lancamentos-contabeis',
    `${PERIOD}&ordenarPor=${name}&direcao=DESC`,
  ]),
])('%s%s is answered', async (path, more) => {
  const { status, text, body } = await ask(path!, more!);
  expect(status, text).toBe(200);
  expect(body.conteudo.content.length).toBeGreaterThan(0);
});

test('lines of several days, page by page in either direction, are those of one page', async () => {
  await post(
    platform.admin,
    bank,
    book`
      07/01  2.1.1  C  3,00  8.1
      07/01  2.1.1  C  1,00  8.1
      02/01  2.1.1  C  2,00  8.1
      29/01  2.1.1  C  5,00  8.1
    `,
  );
  const keyOf = (each: Record<string, string>) => `${each.dataContabil} ${each.lancamento} ${each.debcre}`;
  for (const order of ['dataContabil', 'valor', 'conta']) {
    for (const direction of ['ASC', 'DESC']) {
      const query = `${PERIOD}&ordenarPor=${order}&direcao=${direction}`;
      const whole = (await ask('lancamentos-contabeis', `${query}&tamanho=1000`)).body.conteudo;
      expect(whole.content).toHaveLength(whole.totalElements);
      const days = whole.content.map((each: { dataContabil: string }) => each.dataContabil);
      if (order === 'dataContabil')
        expect(days).toEqual(direction === 'ASC' ? days.toSorted() : days.toSorted().toReversed());
      const parts: string[] = [];
      for (let page = 0; page * 3 < whole.totalElements; page++) {
        const { conteudo } = (await ask('lancamentos-contabeis', `${query}&tamanho=3&pagina=${page}`)).body;
        parts.push(...conteudo.content.map(keyOf));
      }
      expect(parts, `${order} ${direction}`).toEqual(whole.content.map(keyOf));
    }
  }
});

test('several months, one after the other, are those of one request each; of one account where it is named', async () => {
  await openMonth(platform.admin, bank, '02/2026');
  await post(platform.admin, bank, book`03/02 1.1.2 D 1,00 8.2`);
  const contentOf = async (more: string) => (await ask('saldos/plano-saldo', `${more}&tamanho=1000`)).body.conteudo;
  const [january, february] = [await contentOf('&ano=2026&mes=1'), await contentOf('&ano=2026&mes=02')];
  const both = await contentOf('&ano=2026&mes=1&anoFim=2026&mesFim=2');
  expect(both.content).toEqual([...january.content, ...february.content]);
  expect(both.totalElements).toBe(january.totalElements + february.totalElements);
  for (const code of ['1.1.2', '1.1', '1', '8.2']) {
    const ofAccount = (each: { cdContabil: string }) => each.cdContabil === code;
    const named = `&contaId=${bank.accounts.get(code)}`;
    expect((await contentOf(`&ano=2026&mes=1${named}`)).content).toEqual(january.content.filter(ofAccount));
    const of = await contentOf(`&ano=2026&mes=1&anoFim=2026&mesFim=2${named}`);
    expect(of.content).toEqual(both.content.filter(ofAccount));
    const { conteudo } = (
      await ask('saldos/plano-saldo', `&ano=2026&mes=1&anoFim=2026&mesFim=2${named}&tamanho=1&pagina=1`)
    ).body;
    expect([conteudo.totalElements, conteudo.content]).toEqual([of.totalElements, of.content.slice(1, 2)]);
    const whole = `/api/v1/saldos/plano-saldo?empresa=${bank.company}&filial=*&ano=2026&mes=1&anoFim=2026&mesFim=2${named}`;
    const sums = (await platform.admin.get('reports', whole)).body.conteudo.content;
    expect(sums).toEqual(of.content.map((row: object) => ({ ...row, filial: '*' })));
  }
});

test.each([
  ['&ano=2026&mes=1&anoFim=2026', 'anoFim', 'mesFim'],
  ['&ano=2026&mes=1&mesFim=2', 'mesFim', 'anoFim'],
  ['&ano=2026&mes=2&anoFim=2026&mesFim=1', 'backwards', 'mesFim'],
  ['&ano=2026&mes=2&anoFim=2036&mesFim=2', 'too long', 'mesFim'],
  ['&ano=2026&mes=1&anoFim=2026&mesFim=2&ordenarPor=debito', 'ordered', 'ordenarPor'],
  ['&ano=2026&mes=1&contaId=x', 'no id', 'contaId'],
])('%s is refused', async (query, _why, field) => {
  const { status, body } = await ask('saldos/plano-saldo', query);
  expect(status).toBe(400);
  expect(body.errors.map((each: { field: string }) => each.field)).toEqual([field]);
});

test('an account of another chart is not found', async () => {
  const stranger = await createBank(platform.admin);
  for (const branch of [bank.branch, '*']) {
    const place = `empresa=${bank.company}&filial=${branch}&ano=2026&mes=1`;
    const path = `/api/v1/saldos/plano-saldo?${place}&contaId=${stranger.accounts.get('1.1.1')}`;
    expect((await platform.admin.get('reports', path)).body).toMatchObject({ status: 404, code: 'ACCOUNT_NOT_FOUND' });
  }
});

test('403 without permission, 404 where nothing is, 400 where no chart is', async () => {
  const { username, password } = await createUser(platform.admin, { username: 'sem-acesso' });
  const stranger = await platform.as(username, password);
  const bare = { company: bank.company, branch: 'NUA', name: 'Sem opções' };
  expect((await platform.admin.post('masterdata', '/branch', bare)).status).toBe(201);
  for (const [path, base] of LISTINGS) {
    const at = (company: string, branch: string) => `/api/v1/${path}?empresa=${company}&filial=${branch}${base}`;
    const of = async (company: string, branch: string) =>
      (await platform.admin.get('reports', at(company, branch))).status;
    expect((await stranger.get('reports', at(bank.company, bank.branch))).body, path).toMatchObject({
      code: 'TENANT_DENIED',
      status: 403,
    });
    expect(await of('nada', bank.branch), path).toBe(404);
    expect(await of(bank.company, 'nada'), path).toBe(404);
    // Lines need no chart: a branch without one has none.
    expect(await of(bank.company, 'NUA'), path).toBe(path.includes('saldos') ? 400 : 200);
  }
  for (const query of ['?filial=1&ano=2026&mes=1', '?empresa=1&ano=2026&mes=1', '?empresa=&filial=1&ano=2026&mes=1']) {
    expect((await platform.admin.get('reports', `/api/v1/saldos/plano-saldo${query}`)).status).toBe(400);
  }
});
