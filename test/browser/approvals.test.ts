import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, newDocument, post, postEntry } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { askToCloseMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let ana: Client;

/** A branch that wants two persons; Ana asks, and who sits before the screen decides. */
async function makeBooks(platform: Platform) {
  const { admin } = platform;
  const fourEyes = { monthClose: true, batchLimit: '1000.00' };
  const bank = await createBank(admin, { company: '0001', branch: '0001', options: { fourEyes } });
  await createUser(admin, { username: 'ana', permissions: [{ company: '0001' }] });
  ana = await platform.as('ana', 'uma senha bem comprida');
  await openMonth(admin, bank, '01/2026');
  await post(admin, bank, book`05/01 1.1.1 D 1.000,00 3.1 "Aporte"`);
  return bank;
}

const waiting = (page: Page) => page.locator('.panel').filter({ hasText: 'Aguardando aprovação' });
const notice = (page: Page, text: RegExp) => page.locator('.toast').filter({ hasText: text });

inBrowser('Aguardando aprovação', makeBooks, (site) => {
  test('is rejected with a reason on Início, and approved on Fechamento', async () => {
    await askToCloseMonth(ana, site.books, '01/2026');
    const page = await site.open('/0001/0001/2026-01/inicio');
    await waiting(page)
      .getByText(/Pedido 1 de ana/)
      .waitFor();
    await expectAccessible(page);
    await shot(page, 'approvals-home');
    await waiting(page).getByRole('button', { name: 'Rejeitar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rejeitar o pedido 1' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Motivo').fill('Falta o rateio');
    await dialog.getByRole('button', { name: 'Rejeitar' }).click();
    await notice(page, /Pedido 1 rejeitado/).waitFor();
    await waiting(page).waitFor({ state: 'detached' });

    await askToCloseMonth(ana, site.books, '01/2026');
    await post(ana, site.books, book`06/01 1.1.1 D 1,00 3.1`);
    const closing = await site.open('/0001/0001/2026-01/fechamento');
    await waiting(closing).getByRole('button', { name: 'Aprovar' }).click();
    const approving = closing.getByRole('dialog', { name: 'Aprovar o pedido 2' });
    await approving.getByRole('button', { name: 'Aprovar' }).click();
    await approving.getByText(/Os livros mudaram desde o pedido/).waitFor();
    await approving.getByLabel('Estou ciente de que os livros mudaram').check();
    await shot(closing, 'approvals-changed');
    await approving.getByRole('button', { name: 'Aprovar' }).click();
    await notice(closing, /Pedido 2 aprovado/).waitFor();
  });

  test('of the own request says that somebody else decides, and takes it back', async () => {
    const { admin } = site.platform;
    await openMonth(admin, site.books, '02/2026');
    const { id } = (await askToCloseMonth(admin, site.books, '02/2026')).body;
    expect(id).toBe(3);
    const page = await site.open('/0001/0001/2026-02/fechamento');
    await waiting(page).getByText('Outra pessoa decide').waitFor();
    await eventually(() => waiting(page).getByRole('button').allTextContents()).toEqual(['Retirar']);
    await expectFits(page, 1280, 800);
    await waiting(page).getByRole('button', { name: 'Retirar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click();
    await notice(page, /Pedido 3 retirado/).waitFor();
  });

  test('shows a draft in Lançamentos until it is approved', async () => {
    const documentId = await newDocument(ana, site.books, '02/2026', { batch: '7' });
    await postEntry(ana, site.books, documentId, book`05/02 1.1.1 D 2.000,00 3.1 "Aporte"`);
    const page = await site.open('/0001/0001/2026-02/lancamentos');
    await waiting(page)
      .getByText(/Rascunho no lote 7: 2\.000,00 no total, limite 1\.000,00/)
      .waitFor();
    await expectAccessible(page);
    await shot(page, 'approvals-drafts');
    await waiting(page).getByRole('button', { name: 'Aprovar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
    await notice(page, /Pedido 4 aprovado/).waitFor();
    expect(await bodyOf(ana.get('movements', `/allentry/${documentId}`))).toHaveLength(2);
  });
});
