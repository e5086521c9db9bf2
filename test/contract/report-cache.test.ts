import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

// A PDF carries the moment of its making: the same bytes a minute later are the kept file.

let platform: Platform;
let dataDir: string;
let bank: Bank;
let minute = 10;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partidas-cache-'));
  const now = () => new Date(`2026-03-10T10:${minute}:00Z`);
  platform = await startPlatform({ DATA_DIR: dataDir }, { now });
  bank = await createBooks(
    platform.admin,
    book`
    02/01  1.1.2  D  100,00  3.1  "Capital"
  `,
  );
});
afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const asked = () => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, visualizationEnum: 'PDF' });

/** The file, a minute after the one before. */
async function print(more: object = {}): Promise<string> {
  minute++;
  const { status, text, body } = await platform.admin.post('reports', '/reports/monthlyTrialBalance', {
    ...asked(),
    ...more,
  });
  expect(status, text).toBe(200);
  return body.conteudo;
}

test('a month that is open is printed anew each time', async () => {
  expect(await print()).not.toBe(await print());
});

test('over a closed month the same request gets the same file, another request another', async () => {
  await closeMonth(platform.admin, bank, '01/2026');
  const first = await print();
  expect(await print()).toBe(first);
  expect(await print({ showZeroBalances: true })).not.toBe(first);
});

test('a job uses the same file', async () => {
  const kept = Buffer.from(await print(), 'base64');
  minute++;
  const { body: job } = await platform.admin.post('reports', '/reports/monthlyTrialBalance?async=true', asked());
  for (;;) {
    const { body } = await platform.admin.get('reports', `/reports/jobs/${job.id}`);
    expect(body.status).not.toBe('ERROR');
    if (body.status === 'DONE') {
      expect(body).toMatchObject({ bytes: kept.length, paginas: 1 });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

/** Pages of trial balances printed so far. */
async function printedPages(): Promise<number> {
  const text = await freshMetrics(platform.admin, 'reports');
  return Number(/partidas_report_pages_total\{[^}]*monthlyTrialBalance[^}]*\} (\d+)/.exec(text)?.[1]);
}

describe('a combined report', () => {
  const trialBalance = { tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 1 } };
  const combine = async (relatorios: readonly object[]) => {
    minute++;
    const { mes: _mes, ano: _ano, ...all } = asked();
    const before = await printedPages();
    const { status, text, body } = await platform.admin.post('reports', '/reports/combineReport', {
      ...all,
      relatorios,
    });
    expect(status, text).toBe(200);
    return { body, pages: (await printedPages()) - before };
  };

  test('over closed months is kept as a whole', async () => {
    const first = await combine([trialBalance, trialBalance]);
    expect(first.pages).toBe(2);
    const again = await combine([trialBalance, trialBalance]);
    expect(again).toEqual({ body: first.body, pages: 0 });
    expect((await combine([trialBalance])).pages).toBe(1);
  });

  test.each([
    ['is of an open month', { tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 2 } }],
    [
      'was rejected by the books',
      { tipo: 'lancamentos', parametros: { dataInicio: '2026-01-01', dataFim: '2026-01-31', conta: '9.9.9' } },
    ],
  ])('is not kept when one of its parts %s', async (_, part) => {
    for (let time = 0; time < 2; time++) {
      const { body, pages } = await combine([trialBalance, part]);
      expect(body.relatorios.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, false]);
      expect(pages).toBe(1);
    }
  });
});

test('who may not see the branch does not get the kept file', async () => {
  await createUser(platform.admin, { username: 'fora' });
  const stranger = await platform.as('fora', 'uma senha bem comprida');
  expect((await stranger.post('reports', '/reports/monthlyTrialBalance', asked())).status).toBe(403);
});

test('a file that is not whole is printed again', async () => {
  const first = await print();
  const folder = join(dataDir, 'report-cache');
  for (const name of await readdir(folder)) if (!name.endsWith('.json')) await truncate(join(folder, name), 10);
  const again = await print();
  expect(again.length).toBeGreaterThan(first.length / 2);
  expect(again).not.toBe(first);
});

test.each([
  ['the name of the branch', () => change('/branch', { name: 'Outra' })],
  ['the name of an account', () => changeAccount('Caixa e equivalentes')],
  ['a month opened and consolidated again', reopen],
])('%s drops it', async (_, drop) => {
  const first = await print();
  expect(await print()).toBe(first);
  await drop();
  expect(await print()).not.toBe(first);
});

async function change(path: string, fields: object): Promise<void> {
  const { body } = await platform.admin.get('masterdata', `${path}/${bank.branchId}`);
  const answer = await platform.admin.call('masterdata', 'PUT', `${path}/${bank.branchId}`, { ...body, ...fields });
  expect(answer.status, answer.text).toBe(200);
}

async function changeAccount(description: string): Promise<void> {
  const path = `/chartOfAccounts/${bank.accounts.get('1.1.1')}`;
  const { body } = await platform.admin.get('masterdata', path);
  const answer = await platform.admin.call('masterdata', 'PUT', path, { ...body, description });
  expect(answer.status, answer.text).toBe(200);
}

async function reopen(): Promise<void> {
  await openMonth(platform.admin, bank, '01/2026');
  await closeMonth(platform.admin, bank, '01/2026');
}
