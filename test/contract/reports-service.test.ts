import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { hasPoppler, hasQpdf } from '../support/pdf.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

const BOOK = book`
  02/01  1.1.2  D  100.000,00  3.1    "Capital"
  05/01  1.1.1  D    1.234,56  1.1.2  "Saque 漢"
`;

const templates = mkdtempSync(join(tmpdir(), 'partidas-templates-'));
const spool = mkdtempSync(join(tmpdir(), 'partidas-spool-'));
let platform: Platform;
let bank: Bank;
let month: Record<string, unknown>;
let days: Record<string, unknown>;

beforeAll(async () => {
  platform = await startPlatform(
    { REPORT_TEMPLATES: templates, REPORT_INLINE_LIMIT: '1', REPORT_JOBS_PER_USER: '4' },
    { now: () => new Date('2026-03-10T15:30:00Z') },
  );
  bank = await createBooks(platform.admin, BOOK);
  const tenant = { empresa: bank.company, filial: bank.branch };
  month = { ...tenant, ano: 2026, mes: 1 };
  days = { ...tenant, dataInicio: '2026-01-01', dataFim: '2026-01-31' };
});
afterAll(async () => {
  await platform.stop();
  for (const folder of [templates, spool]) rmSync(folder, { recursive: true, force: true });
});

describe('several reports in one file', () => {
  const parts = () => [
    { tipo: 'monthlyTrialBalance', parametros: month },
    { tipo: 'relatorioDiarioGeral', parametros: { ...days, dataFim: '2026-02-28' } },
    { tipo: 'relatorioRazao', parametros: days },
  ];
  const combine = (visualizationEnum: string, relatorios: unknown = parts()) =>
    platform.admin.post('reports', '/reports/combineReport', { visualizationEnum, relatorios });

  test('a part that fails says why, the others come', async () => {
    const { status, body } = await combine('CSV');
    expect(status).toBe(200);
    expect(body.relatorios.map(({ tipo, sucesso }: { tipo: string; sucesso: boolean }) => [tipo, sucesso])).toEqual([
      ['monthlyTrialBalance', true],
      ['relatorioDiarioGeral', false],
      ['relatorioRazao', true],
    ]);
    expect(body.relatorios[1].mensagem).toContain('O mês 02/2026 não está aberto');
    const text = Buffer.from(body.conteudo, 'base64').toString();
    expect(text.startsWith('\uFEFFBalancete de verificação em 31 de janeiro de 2026\r\nConta;')).toBe(true);
    expect(text.lastIndexOf('\uFEFF')).toBe(0);
    expect(text).toContain('\r\n\r\nLivro razão\r\nData;');
  });

  test.runIf(hasPoppler && hasQpdf)('the PDF holds the pages of all of them, whole and sound', async () => {
    const { body } = await combine('PDF');
    const bytes = Buffer.from(body.conteudo, 'base64');
    const path = join(spool, 'combined.pdf');
    writeFileSync(path, bytes);
    expect(execFileSync('qpdf', ['--check', path]).toString()).toContain('No syntax or stream encoding errors');
    const pages = execFileSync('pdftotext', ['-layout', path, '-']).toString().split('\f').slice(0, -1);
    const printed = body.relatorios.reduce((sum: number, { paginas }: { paginas: number }) => sum + paginas, 0);
    expect(pages).toHaveLength(printed);
    expect(pages[0]).toContain('Balancete de verificação em 31 de janeiro de 2026');
    expect(pages.at(-1)).toContain('Livro razão');
    expect(pages.at(-1)).toContain('98.765,44 D');
    const outline = JSON.parse(execFileSync('qpdf', ['--json', '--json-key=outlines', path]).toString()).outlines;
    expect(outline.map(({ title }: { title: string }) => title)).toEqual(['Balancete de verificação', 'Livro razão']);
    expect(outline[1].kids.length).toBeGreaterThan(0);
  });

  test('XLSX: a workbook with a sheet for each, names once', async () => {
    const { body } = await combine('XLSX', [parts()[0], parts()[1], parts()[0]]);
    expect(body.relatorios.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, false, true]);
    const files = unzipSync(Buffer.from(body.conteudo, 'base64'));
    const names = [...strFromU8(files['xl/workbook.xml']!).matchAll(/sheet name="([^"]+)"/g)].map(([, name]) => name);
    expect(names).toEqual(['Balancete de verificação', 'Balancete de verificação (2)']);

    for (const sheet of [1, 2])
      expect(strFromU8(files[`xl/worksheets/sheet${sheet}.xml`]!)).toContain('<v>98765.44</v>');
  });

  test('in the background: the parts are reported by the job, the file is the same', async () => {
    const asked = { visualizationEnum: 'CSV', relatorios: parts() };
    const { status, body: job } = await platform.admin.post('reports', '/reports/combineReport?async=true', asked);
    expect(status).toBe(202);
    const done = await finished(job.id);
    expect(done).toMatchObject({
      nomeArquivo: `relatorios-${bank.company}-${bank.branch}.csv`,
      relatorios: [{ tipo: 'monthlyTrialBalance', sucesso: true }, { sucesso: false }, { tipo: 'relatorioRazao' }],
    });
    const file = await platform.admin.get('reports', done.download);
    const { body } = await combine('CSV');
    expect(file.text).toBe(Buffer.from(body.conteudo, 'base64').toString().replace('\uFEFF', ''));
  });

  test('in the background only what is of one branch: who sees it may fetch the file', async () => {
    const other = await createBooks(platform.admin, BOOK, { branch: '0002' });
    const relatorios = [
      parts()[0],
      { tipo: 'relatorioRazao', parametros: { ...days, empresa: other.company, filial: '0002' } },
    ];
    const asked = { visualizationEnum: 'CSV', relatorios };
    const { status, body } = await platform.admin.post('reports', '/reports/combineReport?async=true', asked);
    expect([status, body.errors[0].field]).toEqual([400, 'relatorios']);
  });

  test('rejects a request whose parts all fail, unknown kinds and foreign branches', async () => {
    const code = async (relatorios: unknown) => {
      const { status, body } = await combine('PDF', relatorios);
      return [status, body.code];
    };
    const february = { ...month, mes: 2 };
    expect(await code([{ tipo: 'monthlyTrialBalance', parametros: february }])).toEqual([400, 'MONTH_NOT_OPEN']);
    expect(await code([{ tipo: 'nada', parametros: month }])).toEqual([400, 'INVALID_FIELD']);
    expect(await code([])).toEqual([400, 'INVALID_FIELD']);
    expect(await code([{ tipo: 'monthlyTrialBalance', parametros: { ...month, filial: '77' } }])).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const { body } = await combine('CSV', [...parts(), { tipo: 'relatorioRazao', parametros: { ...days, x: 1 } }]);
    expect(body.relatorios[3]).toMatchObject({ sucesso: false, mensagem: 'Campo desconhecido: x' });
  });
});

test('planos lists the codes of the chart in its order', async () => {
  const ask = async (choice: Record<string, unknown>) =>
    (await platform.admin.post('reports', '/reports/planos', { ...days, visualizationEnum: 'PDF', ...choice })).body;
  expect((await ask({})).slice(0, 4)).toEqual(['1', '1.1', '1.1.1', '1.1.2']);
  expect(await ask({})).toHaveLength(19);
  expect(await ask({ onlyWithMovement: true })).toEqual(['1', '1.1', '1.1.1', '1.1.2', '3', '3.1']);
  expect(await ask({ accountFrom: '7', level: 1 })).toEqual(['7', '8']);
});

describe('preferences', () => {
  const path = (user: string, report = 'razao') => `/preferencias?idUsuario=${user}&nomeRelatorio=${report}`;

  test('are a JSON string, the user’s own', async () => {
    const maria = await createUser(platform.admin, { username: 'maria' });
    const joao = await createUser(platform.admin, { username: 'joao' });
    const [asMaria, asJoao] = [
      await platform.as(maria.username, maria.password),
      await platform.as(joao.username, joao.password),
    ];
    expect((await asMaria.get('reports', path('maria'))).text).toBe('"{}"');
    const preferencias = { level: 3, titulo: 'Razão "anual" {{x}}' };
    const saved = await asMaria.post('reports', '/preferencias', {
      idUsuario: 'MARIA',
      nomeRelatorio: 'razao',
      preferencias,
    });
    expect([saved.status, saved.body]).toEqual([200, 'Preferências salvas']);
    const read = await asMaria.get('reports', path(String(maria.id)));
    expect(JSON.parse(read.body)).toEqual(preferencias);
    expect((await asMaria.get('reports', path('maria', 'diario'))).body).toBe('{}');
    expect((await platform.admin.get('reports', path('maria'))).status).toBe(200);
    expect((await platform.admin.get('reports', path('ninguem'))).status).toBe(404);
    expect((await asJoao.get('reports', path('maria'))).status).toBe(403);
    const theft = { idUsuario: 'maria', nomeRelatorio: 'razao', preferencias: {} };
    expect((await asJoao.post('reports', '/preferencias', theft)).status).toBe(403);
  });

  test('JSON that comes as a text comes back as that text; too much is rejected', async () => {
    const save = (preferencias: unknown) =>
      platform.admin.post('reports', '/preferencias', { idUsuario: 'admin', nomeRelatorio: 'x', preferencias });
    expect((await save('{"a": 1}')).status).toBe(200);
    expect((await platform.admin.get('reports', path('admin', 'x'))).body).toBe('{"a": 1}');
    expect((await save('a'.repeat(70_000))).status).toBe(400);
    expect((await save(undefined)).status).toBe(400);
  });
});

describe('a large book', () => {
  let body: Record<string, unknown>;
  beforeAll(async () => {
    const large = await createBooks(platform.admin, [], {
      options: {
        signatories: [
          { name: 'Ana', role: 'Diretora' },
          { name: 'Rui', role: 'Contador', crc: '1SP1' },
        ],
      },
    });
    const made = await platform.admin.post('movements', '/admin/create-entries', {
      company: large.company,
      branch: large.branch,
      quantidadeLotes: 1,
      quantidadeLancamentos: 8_000,
      valorMinimo: 1,
      valorMaximo: 100,
      usaTodoMes: true,
    });
    expect(made.status).toBe(200);
    await closeMonth(platform.admin, large, '01/2026');
    body = { ...days, empresa: large.company, filial: large.branch };
  });

  test('its terms are not counted in a response, but in the background', async () => {
    const terms = { ...body, visualizationEnum: 'PDF', tipo: 'AMBOS', livro: 'DIARIO', numeroOrdem: 1 };
    const asked = { ...terms, quantidadePaginas: 2 };
    const refused = await platform.admin.post('reports', '/reports/reportTermos', asked);
    expect([refused.status, refused.body.code]).toEqual([400, 'REPORT_TOO_LARGE']);
    const { body: job } = await platform.admin.post('reports', '/reports/reportTermos?async=true', asked);
    expect((await finished(job.id)).mensagem).toMatch(/tem \d{3} folhas/);
  });

  test('is rejected in a response, with the way to get it', async () => {
    for (const visualizationEnum of ['TXT', 'CSV', 'PDF']) {
      const refused = await platform.admin.post('reports', '/reports/lancamentos', { ...body, visualizationEnum });
      expect([visualizationEnum, refused.status, refused.body.code]).toEqual([
        visualizationEnum,
        400,
        'REPORT_TOO_LARGE',
      ]);
      expect(refused.body.detail).toContain('?async=true');
    }
  });

  const combine = (visualizationEnum: string, relatorios: unknown) =>
    platform.admin.post('reports', '/reports/combineReport', { visualizationEnum, relatorios });

  test('as a part of a combined report it is left out, and the others come', async () => {
    const small = [
      { tipo: 'monthlyTrialBalance', parametros: month },
      { tipo: 'relatorioRazao', parametros: days },
    ];
    for (const visualizationEnum of ['TXT', 'CSV', 'PDF']) {
      const parts = [small[0], { tipo: 'lancamentos', parametros: body }, small[1]];
      const { status, body: answer } = await combine(visualizationEnum, parts);
      expect([visualizationEnum, status]).toEqual([visualizationEnum, 200]);
      const outcomes = answer.relatorios.map(({ sucesso }: { sucesso: boolean }) => sucesso);
      expect([visualizationEnum, ...outcomes]).toEqual([visualizationEnum, true, false, true]);
      expect(answer.relatorios[1].mensagem).toContain('async=true');
      if (visualizationEnum === 'PDF') continue;
      const { body: alone } = await combine(visualizationEnum, small);
      expect(answer.conteudo).toBe(alone.conteudo);
    }
  });

  test('halves of it together are rejected like the whole', async () => {
    const half = (dataInicio: string, dataFim: string) => ({
      tipo: 'lancamentos',
      parametros: { ...body, dataInicio, dataFim },
    });
    const [first, second] = [half('2026-01-01', '2026-01-15'), half('2026-01-16', '2026-01-31')];
    for (const each of [first, second]) expect((await combine('CSV', [each])).status).toBe(200);
    const { status, body: answer } = await combine('CSV', [first, second]);
    expect([status, answer.code]).toEqual([400, 'REPORT_TOO_LARGE']);
  });
});

describe('the file itself', () => {
  const printed = async (path: string, body: object, accept: string) => {
    const response = await fetch(`${platform.address('reports')}/reports/${path}`, {
      method: 'POST',
      headers: { accept, authorization: `Bearer ${platform.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const FILES = [
    ['PDF', 'application/pdf', '%PDF-'],
    ['CSV', 'text/csv', '\uFEFF'],
    ['XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ] as const;

  test.each(FILES)('%s is sent as it is to who accepts %s', async (visualizationEnum, accept, start) => {
    const body = { ...days, visualizationEnum };
    const { response, bytes } = await printed('relatorioDiarioGeral', body, accept);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')!.split(';')[0]).toBe(accept);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="diario-geral-/);
    expect(decodeURIComponent(response.headers.get('x-report-message')!)).toMatch(/^Relatório gerado/);
    expect(bytes.toString('utf8').startsWith(start)).toBe(true);
  });

  test('another media type, or a refusal, is JSON', async () => {
    const csv = { ...days, visualizationEnum: 'CSV' };
    const { response, bytes } = await printed('relatorioDiarioGeral', csv, 'application/pdf, */*');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(bytes.toString())).toMatchObject({ sucesso: true, tipoConteudo: 'text/csv; charset=utf-8' });
    const both = await printed(
      'relatorioDiarioGeral',
      { ...days, visualizationEnum: 'TXT' },
      'application/json, text/plain',
    );
    expect(both.response.headers.get('content-type')).toContain('application/json');
    const wrong = await printed('relatorioDiarioGeral', { visualizationEnum: 'PDF' }, 'application/pdf');
    expect(wrong.response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('of several reports as well', async () => {
    const body = {
      ...{ empresa: bank.company, filial: bank.branch, visualizationEnum: 'PDF' },
      relatorios: [
        { tipo: 'relatorioDiarioGeral', parametros: { dataInicio: days.dataInicio, dataFim: days.dataFim } },
      ],
    };
    const { bytes } = await printed('combineReport', body, 'application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

describe('jobs', () => {
  test('an asynchronous report is a job with a file to download', async () => {
    const body = { ...days, visualizationEnum: 'CSV' };
    const asked = await platform.admin.post('reports', '/reports/relatorioDiarioGeral?async=true', body);
    expect(asked.status).toBe(202);
    expect(asked.headers.get('location')).toBe(`/reports/jobs/${asked.body.id}`);
    let job = asked;
    for (let turn = 0; turn < 100 && !['DONE', 'ERROR'].includes(job.body.status); turn++) {
      await sleep(50);
      job = await platform.admin.get('reports', `/reports/jobs/${asked.body.id}`);
    }
    expect(job.body).toMatchObject({ status: 'DONE', mensagem: 'Relatório gerado' });
    const file = await platform.admin.get('reports', job.body.download);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain(`diario-geral-${bank.company}-0001-2026-`);
    const direct = await print(platform.admin, 'relatorioDiarioGeral', body);
    // fetch takes the byte order mark away.
    expect(`\uFEFF${file.text}`).toBe(direct.text);
    const maria = await createUser(platform.admin, { username: 'estranha' });
    const stranger = await platform.as(maria.username, maria.password);
    expect((await stranger.get('reports', job.body.download)).status).toBe(404);
  });

  test('are listed for who asked, followed as events, and shown or saved', async () => {
    const user = await createUser(platform.admin, {
      username: 'leitora',
      permissions: [{ company: bank.company, branch: bank.branch }],
    });
    const client = await platform.as(user.username, user.password);
    const ask = async () =>
      (await client.post('reports', '/reports/relatorioDiarioGeral?async=true', { ...days, visualizationEnum: 'PDF' }))
        .body;
    const [first, second] = [await ask(), await ask()];
    const events = await client.get('reports', `/reports/jobs/${second.id}/events`);
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    const states = [...events.text.matchAll(/^event: report\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
    expect(states.at(-1)).toMatchObject({ id: second.id, status: 'DONE' });

    await finished(first.id);
    const own = await client.get('reports', '/reports/jobs');
    expect(own.headers.get('x-total-count')).toBe('2');
    expect(own.body.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(own.body[0]).toEqual(states.at(-1));
    expect((await client.get('reports', '/reports/jobs?page=1&size=1')).body).toEqual([own.body[1]]);
    expect((await client.get('reports', '/reports/jobs?size=201')).status).toBe(400);
    const others = (await platform.admin.get('reports', '/reports/jobs')).body;
    expect(others.filter(({ id }: { id: number }) => id === first.id)).toEqual([]);

    const download = (query: string) => client.get('reports', `${own.body[0].download}${query}`);
    expect((await download('')).headers.get('content-disposition')).toMatch(/^attachment; filename="diario-geral-/);
    expect((await download('?inline=true')).headers.get('content-disposition')).toMatch(/^inline; filename="diario/);
    expect(await download('?inline=yes')).toMatchObject({ status: 400, body: { errors: [{ field: 'inline' }] } });
    expect((await client.get('reports', '/reports/jobs/999999/events')).status).toBe(404);
  });

  test('nobody fills the queue alone', async () => {
    const user = await createUser(platform.admin, {
      username: 'apressada',
      permissions: [{ company: bank.company, branch: bank.branch }],
    });
    const client = await platform.as(user.username, user.password);
    const body = { ...days, visualizationEnum: 'CSV' };
    const ask = () => client.post('reports', '/reports/relatorioDiarioGeral?async=true', body);
    // Held back, so that none of them is done meanwhile.
    const answers = await withOwnerConnection(platform.ownerUrl, async (owner) => {
      await owner.query('BEGIN');
      await owner.query('LOCK TABLE batch IN ACCESS EXCLUSIVE MODE');
      const all = await Promise.all(Array.from({ length: 9 }, ask));
      await owner.query('ROLLBACK');
      return all;
    });
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    expect([accepted.length, refused.length]).toEqual([4, 5]);
    for (const { status, body: details, headers } of refused) {
      expect([status, details.code, headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REPORTS', '10']);
      expect(details.detail).toBe('You have 4 reports waiting or being printed; wait until one of them is done');
    }
    for (const { body: job } of accepted) expect((await finished(job.id)).status).toBe('DONE');
    expect((await ask()).status).toBe(202);
  });

  test('a job that is rejected says why', async () => {
    const asked = await platform.admin.post('reports', '/reports/monthlyTrialBalance?async=true', {
      ...month,
      mes: 5,
      visualizationEnum: 'PDF',
    });
    let job = asked;
    for (let turn = 0; turn < 100 && !['DONE', 'ERROR'].includes(job.body.status); turn++) {
      await sleep(50);
      job = await platform.admin.get('reports', `/reports/jobs/${asked.body.id}`);
    }
    expect(job.body).toMatchObject({ status: 'ERROR', mensagem: 'O mês 05/2026 não está aberto', download: null });
    expect((await platform.admin.get('reports', `/reports/jobs/${asked.body.id}/download`)).status).toBe(400);
  });
});

test('an installation overrides a template; a broken one is named and the built-in stays', async () => {
  const body = { ...month, visualizationEnum: 'CSV' };
  const ask = async () => (await platform.admin.post('reports', '/reports/monthlyTrialBalance', body)).body;
  const file = join(templates, 'monthlyTrialBalance.json');
  const own = {
    title: 'Meu balancete',
    columns: [
      { key: 'account', title: 'Código', width: 10 },
      { key: 'balance', title: 'Saldo', width: 10, kind: 'balance' },
    ],
  };
  writeFileSync(file, JSON.stringify(own));
  expect(
    Buffer.from((await ask()).conteudo, 'base64')
      .toString()
      .split('\r\n')[0],
  ).toBe('\uFEFFCódigo;Saldo');
  writeFileSync(file, JSON.stringify({ ...own, columns: [{ key: 'saldo', title: 'x', width: 1 }] }, null, 1));
  const broken = await ask();
  expect(broken.mensagem).toContain(
    'monthlyTrialBalance.json: linha 5, columns.0.key: o relatório não tem a coluna saldo',
  );
  expect(Buffer.from(broken.conteudo, 'base64').toString()).toContain('Conta;Reduzida;Nome');
  rmSync(file);
});

test('characters that the font lacks are reported, not turned into others', async () => {
  const { body } = await platform.admin.post('reports', '/reports/lancamentos', { ...days, visualizationEnum: 'PDF' });
  expect(body.mensagem).toContain('漢');
});

test('a client that goes away takes its reports along', async () => {
  const printed = async () => {
    const text = await freshMetrics(platform.admin, 'reports');
    return Number(/partidas_report_pages_total\{report="ledgerBook",format="CSV"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  const before = await printed();
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    const reading = async () => {
      // A transaction sees the sessions of its first look.
      await owner.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await owner.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'partidas-printer' AND state <> 'idle'`,
      );
      return rows[0]!.count;
    };
    // Held back where they read their lines.
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE batch IN ACCESS EXCLUSIVE MODE');
    const client = new AbortController();
    const parts = Array.from({ length: 12 }, () => ({ tipo: 'relatorioRazao', parametros: days }));
    const asked = fetch(`${platform.address('reports')}/reports/combineReport`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ visualizationEnum: 'CSV', relatorios: parts }),
      signal: client.signal,
    });
    await expect.poll(reading, { timeout: 20_000 }).toBe(1);
    client.abort();
    await expect(asked).rejects.toThrow();
    // A moment for the news to arrive.
    await sleep(200);
    await owner.query('ROLLBACK');
    await expect.poll(reading, { timeout: 20_000 }).toBe(0);
  });
  // After whatever still waits.
  expect(
    (await platform.admin.post('reports', '/reports/lancamentos', { ...days, visualizationEnum: 'CSV' })).status,
  ).toBe(200);
  expect(await printed()).toBe(before);
});

test('printing for a response leaves no file, rejected and abandoned reports included', async () => {
  const files = () => readdirSync(tmpdir()).filter((name) => name.startsWith('partidas-report-'));
  const earlier = files();
  const body = { ...days, visualizationEnum: 'CSV' };
  for (const choice of [{}, { accountFrom: '2', accountTo: '1' }, { dataFim: '2026-03-01' }]) {
    await platform.admin.post('reports', '/reports/dailyTrialBalance', { ...body, ...choice });
  }
  for (const patience of [1, 5, 20, 50]) {
    await fetch(`${platform.address('reports')}/reports/relatorioRazao`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    }).catch(() => {});
  }
  // Other test files print at the same time; theirs go too.
  await expect.poll(() => files().filter((name) => !earlier.includes(name)), { timeout: 5_000 }).toEqual([]);
});

/** The job when it has ended. */
async function finished(id: number) {
  for (;;) {
    const { body } = await platform.admin.get('reports', `/reports/jobs/${id}`);
    if (body.status === 'DONE' || body.status === 'ERROR') return body;
    await sleep(20);
  }
}
