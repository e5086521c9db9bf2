import { test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

/** January closed in both branches, February in 0002 alone; a file of 0001 was refused. */
async function makeBooks({ admin }: { readonly admin: Client }) {
  const head = await createBank(admin, { company: '0001', branch: '0001' });
  const { chartCode } = head;
  const second = await createBank(admin, { company: '0001', branch: '0002', existing: true, chartCode, accounts: [] });
  for (const bank of [head, second]) {
    await openMonth(admin, bank, '01/2026');
    await closeMonth(admin, bank, '01/2026');
    await openMonth(admin, bank, '02/2026');
    await post(admin, bank, book`03/02 1.1.2 D 1.000,00 3.1 "Aporte"`);
  }
  await closeMonth(admin, second, '02/2026');
  const { id } = await bodyOf(
    admin.post('movements', '/batch', { empresa: '0001', filial: '0001', ano: 2026, mes: 2, lote: '9' }),
  );
  const form = new FormData();
  const row = 'dia;documento;lancamento;debcre;conta;contrapartida;valor;historico\n03;1;1;D;9.9;3.1;1,00;X';
  form.set('file', new Blob([row]), 'ruim.csv');
  await admin.post('movements', `/batch/${id}/import`, form);
  await createBank(admin, { company: '0002', branch: '0001' });
  return { head, second };
}

inBrowser('Início', makeBooks, (site) => {
  test('shows branches by months, what is to be done and what changed', async () => {
    const page = await site.open('/0001/0001/2026-02/inicio');
    await page
      .getByRole('heading', { level: 1, name: /^Fevereiro acabou há \d+ dias e espera o fechamento$/ })
      .waitFor();
    const grid = page.getByRole('grid', { name: 'Filiais por meses' });
    await eventually(() => grid.getByRole('row').count()).toBe(3);
    for (const cell of [
      '0001, janeiro de 2026: consolidado',
      '0001, fevereiro de 2026: aberto',
      '0002, março de 2026: não aberto',
    ]) {
      await grid.getByRole('gridcell', { name: cell }).waitFor();
    }
    const toDos = page.locator('.panel').filter({ hasText: 'Para fazer' });
    await toDos.getByText('Fechar fevereiro de 2026').waitFor();
    await toDos.getByText('1 importação recusada na filial 0001').waitFor();
    await toDos.getByText('Abrir março de 2026').waitFor();
    const changes = page.locator('.panel').filter({ hasText: 'O que mudou' });
    await changes.getByText('consolidou o mês 02/2026 na filial 0002').waitFor();
    await changes.getByText('abriu o mês 02/2026 na filial 0001').waitFor();
    await shot(page, 'inicio');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
  });

  test('walks the cells by the arrows, and each opens the close of its month', async () => {
    const page = await site.open('/0001/0001/2026-02/inicio');
    const grid = page.getByRole('grid', { name: 'Filiais por meses' });
    await eventually(() => grid.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/0001\/0002\/2026-01\/fechamento$/);
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/0001\/0001\/2026-02\/inicio$/);
    // The way back finds the same cell.
    await eventually(() => page.locator('[data-marked] .visually-hidden').allTextContents()).toEqual([
      '0002, janeiro de 2026: consolidado',
    ]);
  });

  test('says what is missing where nothing was opened, and what failed', async () => {
    const page = await site.open('/0002/0001/2026-01/inicio');
    await page.getByRole('heading', { level: 1, name: 'Nenhum mês aberto' }).waitFor();
    await page.getByText('Nada a fazer').waitFor();
    await page.route('**/api/authentication/audit/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('O servidor não respondeu').waitFor();
    await page.unroute('**/api/authentication/audit/**');
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await page.getByText(/admin/).first().waitFor();
    site.takeFaults();
  });

  test('shows a user of one branch that branch alone', async () => {
    const permissions = [{ company: '0001', branch: '0002' }];
    const { username, password } = await createUser(site.platform.admin, { username: 'rita', permissions });
    const page = await site.open('/0001/0002/2026-02/inicio', { as: { username, password } });
    const grid = page.getByRole('grid', { name: 'Filiais por meses' });
    await grid.waitFor();
    await eventually(() => grid.getByRole('row').count()).toBe(2);
    await page.getByText('consolidou o mês 02/2026').waitFor();
    await eventually(() => page.getByText('na filial 0001').count()).toBe(0);
  });
});
