import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { print } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
let owner: pg.Client;
let journal: Record<string, unknown>;
/** A finished report of several pieces. */
let id: number;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const place = { empresa: bank.company, filial: bank.branch };
  const batch = await bodyOf(platform.admin.post('movements', '/batch', { ...place, ano: 2026, mes: 1 }));
  const rows = Array.from(
    { length: 4_000 },
    (_, at) => `1;${at};5;D;1.1.1;3.1;1,00;${randomBytes(150).toString('base64url')};`,
  );
  const form = new FormData();
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
  form.set('file', new File([[header, ...rows].join('\n')], 'janeiro.csv'));
  await bodyOf(platform.admin.post('movements', `/batch/${batch.id}/import`, form));
  journal = { ...place, dataInicio: '2026-01-01', dataFim: '2026-01-31', visualizationEnum: 'CSV' };
  id = await printed();
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

/** A report in the background, when it is done. */
async function printed(): Promise<number> {
  const asked = await platform.admin.post('reports', '/reports/relatorioDiarioGeral?async=true', journal);
  expect(asked.status).toBe(202);
  for (const giveUp = Date.now() + 30_000; Date.now() < giveUp; await sleep(30)) {
    const { body } = await platform.admin.get('reports', `/reports/jobs/${asked.body.id}`);
    if (body.status === 'DONE') return body.id;
    expect(['PENDING', 'RUNNING']).toContain(body.status);
  }
  throw new Error('it is not printed');
}

const download = (of: number) =>
  fetch(`${platform.address('reports')}/reports/jobs/${of}/download`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
  });

const pieces = async (of: number): Promise<number> =>
  (await owner.query('SELECT count(*)::int AS n FROM report_file_piece WHERE job_id = $1', [of])).rows[0].n;

test('the file is kept in pieces in the database, and comes as the report that is answered at once', async () => {
  expect(await pieces(id)).toBeGreaterThanOrEqual(3);
  const answer = await download(id);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.equals((await print(platform.admin, 'relatorioDiarioGeral', journal)).bytes)).toBe(true);
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  expect(existsSync(join(platform.program.app.config.dataDir, 'reports'))).toBe(false);
});

test('a file that was removed is gone; one that lacks a piece is cut off, never short', async () => {
  const other = await printed();
  const last = `SELECT max(piece) FROM report_file_piece WHERE job_id = $1`;
  for (const which of [last, 'SELECT 1']) {
    await owner.query(`DELETE FROM report_file_piece WHERE job_id = $1 AND piece = (${which})`, [other]);
    const cut = await download(other);
    await expect(cut.arrayBuffer(), which).rejects.toThrow();
  }
  await owner.query('DELETE FROM report_file_piece WHERE job_id = $1', [other]);
  const gone = await platform.admin.get('reports', `/reports/jobs/${other}/download`);
  expect(gone).toMatchObject({ status: 404, body: { code: 'REPORT_GONE' } });
  // The one beside it stays.
  expect((await download(id)).status).toBe(200);
});

test('whose report it is not sees none of its pieces', async () => {
  const elsewhere = await createBank(platform.admin);
  const eva = await createUser(platform.admin, { username: 'eva', permissions: [{ company: elsewhere.company }] });
  const stranger = await platform.as(eva.username, eva.password);
  expect((await stranger.get('reports', `/reports/jobs/${id}/download`)).status).toBe(404);
  const reader = new pg.Client({ connectionString: platform.program.logins.reader! });
  await reader.connect();
  const seen = async (companies: string) => {
    await reader.query(`SELECT set_config('app.companies', $1, false)`, [companies]);
    return (await reader.query('SELECT count(*)::int AS n FROM report_file_piece')).rows[0].n;
  };
  expect(await seen(String(elsewhere.companyId))).toBe(0);
  expect(await seen(String(bank.companyId))).toBe(await pieces(id));
  await reader.end();
});

test('a report that fails while it is stored leaves no piece, and its job says why', async () => {
  await owner.query(`
    CREATE FUNCTION refuse_piece() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse_piece AFTER INSERT ON report_file_piece FOR EACH ROW WHEN (NEW.piece = 2)
      EXECUTE FUNCTION refuse_piece()`);
  try {
    const asked = await platform.admin.post('reports', '/reports/relatorioDiarioGeral?async=true', journal);
    const state = async () => (await platform.admin.get('reports', `/reports/jobs/${asked.body.id}`)).body;
    await expect.poll(async () => (await state()).status, { timeout: 30_000 }).toBe('ERROR');
    expect((await state()).mensagem).toMatch(/espaço|disco/i);
    expect(await pieces(asked.body.id)).toBe(0);
  } finally {
    await owner.query('DROP TRIGGER refuse_piece ON report_file_piece');
  }
});
