import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeMonth, openMonth } from '../support/months.ts';

const REGRAS = '/0001/0001/2026-01/regras';

inBrowser(
  'Regras',
  async ({ admin }) => {
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, bank, '01/2026');
    await post(admin, bank, book`05/01 1 1.1.1 D 1000,00 3.1 "Aporte"`);
    await closeMonth(admin, bank, '01/2026');
    return bank;
  },
  (site) => {
    test('writes, marks, tries, saves and runs a rule, and compares two runs', async () => {
      const page = await site.open(REGRAS);
      await page.getByText('Nenhuma regra').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('n');
      const facts = page.getByRole('dialog', { name: 'Nova regra' });
      await page.getByRole('button', { name: 'Gravar' }).click();
      await facts.getByRole('alert').waitFor();
      await facts.getByLabel('Nome *').fill('Caixa <b>conferido</b>');
      await facts.getByLabel('Severidade *').selectOption({ index: 1 });
      await facts.getByLabel('Sistema *').selectOption({ index: 1 });
      await facts.getByLabel(/^4010 ·/).check();
      await expectAccessible(page);
      await facts.getByRole('button', { name: 'Gravar' }).click();
      await facts.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Caixa <b>conferido</b>' }).waitFor();

      const editor = page.getByRole('textbox', { name: /^Script de/ });
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('caixa = SALDO_CONTA("1.1.1');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\nERR "Caixa"');
      await page.locator('.cm-lintRange-error').first().waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('caixa = SALDO_CONTA("1.1.1")\nERRO "Caixa: {caixa}"\nRETORNA caixa');
      await page.keyboard.press('Control+Enter');
      const result = page.getByRole('complementary');
      await result.getByText('apontou').waitFor();
      await result.getByText('Caixa: 1.000,00').waitFor();
      await eventually(() => result.getByText('1.1.1', { exact: true }).count()).toBe(1);
      await expectAccessible(page);
      await shot(page, 'regras');
      await page.keyboard.press('Control+s');
      await eventually(() => page.getByText('não salva').count()).toBe(0);

      const run = async () => {
        await page.getByRole('button', { name: 'Rodar', exact: true }).first().click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Control+Enter');
        await page.waitForURL(/processo=\d+/);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await run();
      await page.getByText('É a primeira execução').waitFor();
      await run();
      await page.getByText('Iguais: 1').waitFor();
      await page.getByText('Novos: 0').waitFor();
      await expectAccessible(page);
      await shot(page, 'regras-resultados');
      await expectFits(page, 1280, 720);
      await expectFits(page, 390, 844);
    });

    test('says what failed, in the results and in the dialog that runs them', async () => {
      const page = await site.open('/0001/0001/2026-01/regras?ver=resultados');
      await page.getByRole('button', { name: 'Rodar', exact: true }).waitFor();
      await page.route('**/api/masterdata/**', (route) => route.abort());
      await page.route('**/api/compliance/**', (route) => route.abort());
      await page.reload();
      await page.getByText('O servidor não respondeu').waitFor();
      await page.getByRole('button', { name: 'Rodar', exact: true }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await expectAccessible(page);
      await page.unroute('**/api/masterdata/**');
      await page.unroute('**/api/compliance/**');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Tentar de novo' }).click();
      await eventually(() => page.getByText('O servidor não respondeu').count()).toBe(0);
      expect(site.takeFaults().every((fault) => fault.includes('Failed to load resource'))).toBe(true);
    });
  },
);
