import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

/** January closed with an equity of 1,234,567.00, February open. */
async function makeBooks({ admin }: { readonly admin: Client }) {
  const fund = await createBank(admin, { company: '0001', branch: '0001' });
  await openMonth(admin, fund, '01/2026');
  await post(admin, fund, book`05/01 1.1.1 D 1.234.567,00 3.1 "Aporte"`);
  await openMonth(admin, fund, '02/2026');
  return fund;
}

const PLACE = '/0001/0001/2026-02/cotas?ver=mes';
const panel = (page: Page) => page.locator('.side-panel');
const notice = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

inBrowser('Cotas', makeBooks, (site) => {
  test('is configured, and says what stands against it with the way there', async () => {
    const page = await site.open(PLACE);
    await panel(page).getByText('Esta filial não calcula cotas').waitFor();
    await panel(page).getByRole('button', { name: 'Configurar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cotas da filial 0001' });
    await expectAccessible(page);
    await dialog.getByLabel('Conta do patrimônio líquido').fill('patrimonio liquido');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Número de cotas').fill('1.000.x');
    await dialog.getByText('Escreva um número como').waitFor();
    await dialog.getByLabel('Número de cotas').fill('1.000.000,5');
    await dialog.getByRole('button', { name: 'Gravar' }).click();
    await notice(page, 'Configuração de cotas gravada').waitFor();

    await panel(page)
      .getByText(/O mês .* não está consolidado/)
      .waitFor();
    await eventually(() => panel(page).getByRole('link').getAttribute('href')).toBe('/0001/0001/2026-02/fechamento');
    await closeMonth(site.platform.admin, site.books, '01/2026');
    await panel(page).getByRole('button', { name: 'Tentar de novo' }).click();
    await panel(page).getByText('1,23456638').waitFor();
  });

  test('is previewed with its figures, and confirmed as it was seen', async () => {
    const page = await site.open(PLACE);
    await panel(page).getByText('1,23456638').waitFor();
    await panel(page).getByText('1.234.567,00').waitFor();
    await panel(page).getByText('1.000.000,50000000').waitFor();
    await page.keyboard.press('c');
    const question = page.getByRole('dialog', { name: 'Confirmar a cota de 02/02/2026' });
    await question.getByText('1,23456638').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Confirmar a cota' }).click();
    await notice(page, 'Cota de 02/02/2026 confirmada').waitFor();
    await page.getByRole('row').filter({ hasText: '02/02/2026' }).getByText('confirmada').waitFor();
    await panel(page).getByText('já está confirmada').waitFor();
    await shot(page, 'cotas');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
  });

  test('lists past quotas by days of the address, with their variation, and says which are stale', async () => {
    const { admin } = site.platform;
    await post(admin, site.books, book`10/02 1.1.1 D 1.000,00 3.1 "Aporte"`);
    await closeMonth(admin, site.books, '02/2026');
    await openMonth(admin, site.books, '03/2026');
    await bodyOf(admin.post('movements', '/taxquotacalculation/0001/0001', {}));
    await bodyOf(admin.post('movements', '/monthOpening/0001/0001', { newyearmonth: '02/2026', ...REOPENING }));
    const page = await site.open('/0001/0001/2026-03/cotas?ver=mes');
    const newest = page.getByRole('row').filter({ hasText: '02/03/2026' });
    await newest.getByText('desatualizada').waitFor();
    await eventually(() => newest.textContent()).toMatch(/0,08\d+ %/);
    await eventually(() => page.getByRole('row').count()).toBe(3);
    await page.getByLabel('De', { exact: true }).fill('01/03/2026');
    await page.waitForURL(/de=2026-03-01/);
    await eventually(() => page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Até').fill('02/03/2025');
    await page.getByRole('alert').waitFor();
  });

  test('a quota that has changed since it was seen is refused, and says so', async () => {
    const { admin } = site.platform;
    await closeMonth(admin, site.books, '02/2026');
    await bodyOf(admin.post('movements', '/calendar/closeday/0001/0001', { day: '2026-03-02' }));
    const page = await site.open('/0001/0001/2026-03/cotas?ver=mes');
    await panel(page).getByRole('button', { name: 'Confirmar a cota…' }).click();
    const question = page.getByRole('dialog', { name: 'Confirmar a cota de 03/03/2026' });
    await openMonth(admin, site.books, '02/2026');
    await post(admin, site.books, book`11/02 1.1.1 D 5.000,00 3.1 "Aporte"`);
    await closeMonth(admin, site.books, '02/2026');
    await question.getByRole('button', { name: 'Confirmar a cota' }).click();
    await question.getByText(/confira a prévia de novo antes de confirmar/).waitFor();
    await eventually(() => page.getByRole('row').filter({ hasText: '03/03/2026' }).count()).toBe(0);
  });

  test('offers only what the user may do', async () => {
    const { admin } = site.platform;
    const other = await createUser(admin, { username: 'gestora' });
    await grantRoutine(admin, 'TAX_QUOTA', { userId: other.id });
    const permissions = [{ company: '0001', branch: '0001' }];
    const { username, password } = await createUser(admin, { username: 'leitora', permissions });
    const page = await site.open('/0001/0001/2026-03/cotas?ver=mes', { as: { username, password } });
    await panel(page).getByText('TAX_QUOTA').waitFor();
    await eventually(() => page.getByRole('button', { name: /Confirmar|Configurar/ }).count()).toBe(0);
  });
});
