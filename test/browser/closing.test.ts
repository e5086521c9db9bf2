import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { runAdmin } from '../support/admin-command.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, type Site, shot } from '../support/browser.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

const HOSTILE = `<script>document.title='tomado'</script> Agência ${'de nome comprido '.repeat(8)}`;

async function addBranch(admin: Client, head: Bank, branch: string): Promise<Bank> {
  const { company, chartCode, accounts } = head;
  return {
    ...(await createBank(admin, { company, branch, existing: true, chartCode, accounts: [] })),
    accounts,
  };
}

/** January is closed in 0001 and 0003, February open everywhere; 0002 has not closed January. */
async function makeBooks({ admin }: { readonly admin: Client }) {
  const head = await createBank(admin, { company: '0001', branch: '0001' });
  const branches = [head, await addBranch(admin, head, '0002'), await addBranch(admin, head, '0003')];
  await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(head, [2])));
  for (const bank of branches) {
    await openMonth(admin, bank, '01/2026');
    await post(admin, bank, book`05/01 1.1.2 D 1.000,00 3.1 "Aporte"`);
    if (bank.branch !== '0002') await closeMonth(admin, bank, '01/2026');
    await openMonth(admin, bank, '02/2026');
    await post(admin, bank, book`03/02 1.1.2 D 1.234.567,89 7.1 "Juros"`);
  }
  return { head, second: branches[1]!, third: branches[2]! };
}

/** Holds the month of the branch, so that its close waits until it is released. */
async function holdMonth(ownerUrl: string, { companyId, branchId }: Bank, month: string) {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('BEGIN');
  const key = [companyId, branchId, month];
  await owner.query('SELECT 1 FROM month WHERE company_id = $1 AND branch_id = $2 AND month = $3 FOR SHARE', key);
  return { release: () => owner.end() };
}

const FEBRUARY = '/0001/0001/2026-02/fechamento';

const rowOf = (page: Page, branch: string) => page.getByRole('row').filter({ hasText: branch });
const step = (page: Page, title: string) => page.locator('.step').filter({ hasText: title }).first();
const notice = (page: Page, text: string | RegExp) => page.locator('.toast').filter({ hasText: text });

interface KeptSeal {
  readonly seal: string;
  readonly lines: number;
  readonly balances: number;
}

const sealsOf = (site: Site<unknown>): Promise<readonly KeptSeal[]> =>
  bodyOf(site.platform.admin.get('queries', '/seals/0001/0001'));
const shortOf = ({ seal }: KeptSeal) => `${seal.slice(0, 8)}…${seal.slice(-8)}`;

/** A proof is checked without books. */
const NO_DATABASE = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: '/nonexistent' };

const folder = await mkdtemp(join(tmpdir(), 'partidas-saved-'));
afterAll(() => rm(folder, { recursive: true }));

/** The file that a button saves. */
async function saved(page: Page, button: Locator): Promise<{ readonly name: string; readonly path: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const name = download.suggestedFilename();
  const path = join(folder, `${randomUUID()}-${name}`);
  await download.saveAs(path);
  return { name, path };
}

inBrowser('Fechamento', makeBooks, (site) => {
  test('shows branches by steps, and those of the marked branch', async () => {
    const page = await site.open(FEBRUARY);
    await rowOf(page, '0001').waitFor();
    await eventually(() => page.getByRole('row').count()).toBe(4);
    await eventually(() => rowOf(page, '0003').textContent()).toMatch(/sim.*0\/\d\d.*1 arquivo.*batem.*não/s);
    await step(page, 'Débitos = créditos').getByText('1.234.567,89 de cada lado').waitFor();
    await step(page, 'Regras').getByText('Só rodam em mês consolidado.').waitFor();
    await step(page, 'Selo').getByText('A consolidação sela o mês').waitFor();
    await eventually(() => step(page, 'Selo').locator('.badge').count()).toBe(0);
    await shot(page, 'fechamento');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Filial 0002' }).waitFor();
    // What blocks a step is named, with the way there.
    await step(page, 'Consolidado').getByRole('link', { name: 'janeiro de 2026' }).waitFor();
    await eventually(() => step(page, 'Consolidado').getByRole('button', { name: 'Consolidar' }).isDisabled()).toBe(
      true,
    );
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
  });

  test('closes the day by F, once, and opens it again', async () => {
    const page = await site.open(FEBRUARY);
    await rowOf(page, '0001').waitFor();
    await page.keyboard.press('f');
    await notice(page, 'Dia 02/02/2026 fechado na filial 0001').waitFor();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/1\/\d\d/);
    await step(page, 'Dias fechados').getByRole('button', { name: 'Fechar o dia 3' }).click();
    await notice(page, 'Dia 03/02/2026 fechado').getByRole('button', { name: 'Reabrir' }).click();
    await notice(page, 'Dia 03/02/2026 reaberto').waitFor();
    await step(page, 'Dias fechados').getByRole('button', { name: 'Fechar o dia 3' }).waitFor();
  });

  test('shows what a close would do without doing it', async () => {
    const page = await site.open(FEBRUARY);
    await rowOf(page, '0001').waitFor();
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog', { name: /Prévia/ });
    await dialog.getByText('consolidaria').waitFor();
    await dialog.getByText('Lançamentos de encerramento').waitFor();
    await eventually(() => dialog.getByRole('row', { name: /Lucro/ }).textContent()).toMatch(/1\.234\.567,89\s*C/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('says why a close is refused', async () => {
    const options = await bodyOf(site.platform.admin.get('masterdata', '/company/options/company/0001/0003'));
    const put = (blockOn: string[] | null) =>
      bodyOf(site.platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, blockOn }));
    await put(['DAYS_OPEN']);
    const page = await site.open('/0001/0003/2026-02/fechamento');
    await step(page, 'Consolidado')
      .getByText(/Impedido por: Dias úteis sem fechamento/)
      .waitFor();
    await page.keyboard.press('g');
    await step(page, 'Consolidado')
      .getByRole('alert')
      .getByText(/não é consolidado enquanto houver/)
      .waitFor();
    await eventually(() => rowOf(page, '0003').textContent()).toMatch(/não/);
    await put(null);
  });

  test('consolidates by G with live progress, also after a reload in the middle; then rules, reports and the next month', async () => {
    const { platform, books } = site;
    const page = await site.open(FEBRUARY);
    await rowOf(page, '0001').waitFor();
    // Whoever holds the month lets the close wait, so that it is seen under way.
    const held = await holdMonth(platform.ownerUrl, books.head, '2026-02-01');
    await page.keyboard.press('g');
    await step(page, 'Consolidado').getByRole('progressbar').waitFor();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/em curso/);
    // A stream that ends before the close, as with its token, is opened again.
    const streams: string[] = [];
    await page.route('**/runconsolidation/*/events', async (route) => {
      streams.push(route.request().url());
      if (streams.length > 1) return route.continue();
      const state = { status: 'RUNNING', progress: { percent: 7, linesRead: 1, accountsWritten: 0 } };
      const body = `event: progress\ndata: ${JSON.stringify(state)}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    await page.reload();
    await step(page, 'Consolidado').getByRole('progressbar').waitFor();
    await eventually(() => streams.length).toBeGreaterThan(1);
    await held.release();
    await notice(page, 'Fevereiro de 2026 consolidado na filial 0001').waitFor();
    await step(page, 'Consolidado')
      .getByText(/por admin/)
      .waitFor();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/sim.*sim.*selado/s);
    await step(page, 'Selo').locator('.badge').waitFor();
    await page.getByRole('button', { name: 'fevereiro de 2026: consolidado' }).waitFor();

    await page.keyboard.press('r');
    await notice(page, 'Nenhuma regra cadastrada').waitFor();

    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: /Imprimir/ });
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Imprimir' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/4 de 4/);

    await step(page, 'Consolidado').getByRole('button', { name: 'Abrir março de 2026' }).click();
    await notice(page, 'Março de 2026 aberto na filial 0001').waitFor();
  });

  test('asks for the month typed before it opens a closed month again', async () => {
    const page = await site.open(FEBRUARY);
    await step(page, 'Consolidado').getByRole('button', { name: 'Reabrir…' }).click();
    const dialog = page.getByRole('dialog', { name: /Reabrir fevereiro/ });
    await expectAccessible(page);
    const button = dialog.getByRole('button', { name: 'Reabrir o mês' });
    await eventually(() => button.isDisabled()).toBe(true);
    await dialog.getByLabel('Digite 02/2026').fill('02/2026');
    await button.click();
    await dialog
      .getByText(/exige um motivo/)
      .first()
      .waitFor();
    await dialog.getByLabel('Motivo').fill('Juros esquecidos');
    await button.click();
    await notice(page, 'Fevereiro de 2026 reaberto na filial 0001').waitFor();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/não/);
    await step(page, 'Selo').getByText('O mês foi reaberto').waitFor();
    await eventually(() => step(page, 'Selo').locator('.badge').count()).toBe(0);
  });

  test('consolidates all ready branches, and leaves the others out', async () => {
    const page = await site.open(FEBRUARY);
    await page.getByRole('button', { name: 'Consolidar as 2 filiais prontas' }).click();
    const dialog = page.getByRole('dialog', { name: 'Consolidar fevereiro de 2026' });
    await eventually(() => dialog.getByRole('listitem').count()).toBe(2);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Consolidar 2 filiais' }).click();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/sim.*sim/s);
    await eventually(() => rowOf(page, '0003').textContent()).toMatch(/sim.*sim/s);
    await eventually(() => rowOf(page, '0002').textContent()).toMatch(/não/);

    // The new seal names the one before, and why the month was opened.
    const [, replaced, inForce] = await sealsOf(site);
    const seal = step(page, 'Selo');
    await seal.getByText(shortOf(inForce!)).waitFor();
    await seal.getByRole('list').getByText(shortOf(replaced!)).waitFor();
    await seal.getByText('Motivo: Juros esquecidos').waitFor();
    await shot(page, 'fechamento-selo');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
  });

  test('gives the seal of a closed month, and all of the branch as an auditor keeps them', async () => {
    const page = await site.open('/0001/0001/2026-01/fechamento');
    const seal = step(page, 'Selo');
    const [first] = await sealsOf(site);
    await seal.getByText(shortOf(first!)).waitFor();
    await seal.getByText(`${first!.lines} partidas e ${first!.balances} saldos`).waitFor();
    await seal.getByText('O selo inteiro').click();
    await seal.getByText(first!.seal.replace(/.{8}(?=.)/g, '$& ')).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await seal.getByRole('button', { name: 'Copiar o selo' }).click();
    await notice(page, 'Selo copiado').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first!.seal);
    const file = await saved(page, seal.getByRole('button', { name: 'Baixar selos da filial' }));
    expect(file.name).toBe('selos-0001-0001.json');
    expect(JSON.parse(await readFile(file.path, 'utf8'))).toEqual(await sealsOf(site));
  });

  test('gives proofs of an entry and of a balance that hold against the seals kept', async () => {
    const page = await site.open('/0001/0001/2026-01/fechamento');
    const seals = await saved(page, step(page, 'Selo').getByRole('button', { name: 'Baixar selos da filial' }));
    const proves = async (proof: { readonly path: string }) => {
      const words = ['verify-proof', proof.path, '--seal', seals.path];
      const { code, out, err } = await runAdmin(site.platform, words, NO_DATABASE);
      expect(code, err).toBe(0);
      return out;
    };

    await page.goto(`${site.address}/0001/0001/2026-01/balancete`);
    const row = page.getByRole('row', { name: /^1\.1\.2 / });
    await row.click();
    await eventually(() => row.getAttribute('aria-selected')).toBe('true');
    const balance = await saved(page, page.getByRole('button', { name: 'Prova do saldo' }));
    expect(balance.name).toBe('prova-0001-2026-01-1.1.2.json');
    expect(await proves(balance)).toContain('account 1.1.2 stands with opening 0.00, debits 1000.00');
    await row.dblclick();

    await page.getByRole('row').filter({ hasText: 'Aporte' }).dblclick();
    const entry = await saved(page, page.getByRole('button', { name: 'Baixar prova' }));
    expect(await proves(entry)).toContain('stands with 2 lines, debits 1000.00 and credits 1000.00');
    await page.getByRole('button', { name: 'Abrir documento' }).click();
    const same = await saved(page, page.getByRole('button', { name: 'Baixar prova do lançamento' }));
    expect(await readFile(same.path)).toEqual(await readFile(entry.path));

    // An open month has no seal, and no proofs.
    await page.goto(`${site.address}/0001/0001/2026-03/balancete`);
    await page.getByRole('button', { name: 'CSV' }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Prova do saldo' }).count()).toBe(0);
  });

  test('purges and brings back with the month typed', async () => {
    const page = await site.open('/0001/0001/2026-01/fechamento');
    await step(page, 'Consolidado').getByRole('button', { name: 'Expurgar…' }).click();
    const dialog = page.getByRole('dialog', { name: /Expurgar/ });
    await dialog.getByLabel('Digite 01/2026').fill('01/2026');
    await dialog.getByRole('button', { name: 'Expurgar' }).click();
    await eventually(() => rowOf(page, '0001').textContent()).toMatch(/expurgado/);
    await step(page, 'Consolidado').getByRole('button', { name: 'Trazer do expurgo…' }).click();
    await page.getByLabel('Digite 01/2026').fill('01/2026');
    await page.getByRole('button', { name: 'Trazer de volta' }).click();
    await eventually(() => rowOf(page, '0001').textContent()).not.toMatch(/expurgado/);
  });

  test('offers only what the user may do, and says what is wrong', async () => {
    const { platform } = site;
    const permissions = [{ company: '0001', branch: '0002' }];
    const { username, password } = await createUser(platform.admin, { username: 'leitora', permissions });
    for (const routine of ['CONSOLIDATION', 'CALENDAR_CLOSE', 'MONTH_OPENING'] as const) {
      await grantRoutine(platform.admin, routine, {
        userId: (await createUser(platform.admin, { username: routine })).id,
      });
    }
    const page = await site.open('/0001/0002/2026-02/fechamento', { as: { username, password } });
    await rowOf(page, '0002').waitFor();
    await eventually(() => page.getByRole('row').count()).toBe(2);
    await eventually(() => page.getByRole('button', { name: /Consolidar|Fechar o dia/ }).count()).toBe(0);
    await eventually(() => page.locator('.key-bar').textContent()).not.toMatch(/consolida|fecha o dia/);

    await page.route('**/api/queries/months/**', (route) => route.abort());
    await page.getByRole('button', { name: /janeiro/ }).click();
    await page.getByRole('alert').getByText('O servidor não respondeu').waitFor();
    await page.unroute('**/api/queries/months/**');
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await rowOf(page, '0002').waitFor();
    site.takeFaults();
  });

  test('texts of others do no harm', async () => {
    const { platform, books } = site;
    const path = `/branch/${books.third.branchId}`;
    const branch = await bodyOf(platform.admin.get('masterdata', path));
    await bodyOf(platform.admin.call('masterdata', 'PUT', path, { ...branch, name: HOSTILE }));
    const page = await site.open('/0001/0003/2026-02/fechamento');
    await rowOf(page, '0003').getByText('<script>').waitFor();
    await eventually(() => page.title()).toBe('Fechamento · Partidas');
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
  });
});
