import { expect, test } from 'vitest';
import { closureSettings } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { bytesOf, eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeMonth } from '../support/months.ts';
import { bodyOf } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

const SIGNATORIES = [
  { name: 'Ana Souza', cpf: '52998224725', role: 'Diretora', legalResponsible: true },
  { name: 'Rui Lima', cpf: '52998224725', role: 'Contador', crc: '123456', ufCrc: 'SP' },
];

inBrowser(
  'Demonstrações e livros',
  async ({ admin }) => {
    const bank = await createBooks(
      admin,
      book`
        05/01      1.1.2  D  1.234.567,89  3.1  "Aporte"
        06/01      1.1.1  D        500,00  7.1  "Receita"
        20/01  2   8.1    D         50,00       "Folha"
                   8.2    D          5,00
                   1.1.2  C         55,00
      `,
      { company: '0001', branch: '0001', options: { signatories: SIGNATORIES } },
    );
    await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(bank, [12])));
    await bodyOf(admin.post('masterdata', '/statements/default', { chartCode: bank.chartCode }));
    await closeMonth(admin, bank, '01/2026');
    return bank;
  },
  (site) => {
    const PLACE = '/0001/0001/2026-01/demonstracoes';

    test('a figure of the balance sheet opens its accounts, and an account its ledger', async () => {
      const page = await site.open(PLACE);
      const grid = page.getByRole('treegrid', { name: 'Balanço patrimonial' });
      await grid.getByText('Disponibilidades').waitFor();
      await eventually(() => grid.getByText('1.235.012,89').count()).toBeGreaterThan(0);
      await expectAccessible(page);
      await shot(page, 'balanco');
      await expectFits(page, 1280, 720);
      await expectFits(page, 390, 800);
      await shot(page, 'balanco-390');
      await page.setViewportSize({ width: 1440, height: 900 });
      await grid.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await grid.getByText('1.1.2', { exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/razao\\?conta=${site.books.accounts.get('1.1.1')}`));
      await page.goBack();
      await grid.getByText('1.1.2', { exact: true }).waitFor();
    });

    test('the income statement, the institution and a comparison', async () => {
      const page = await site.open(PLACE);
      await page.getByLabel('Mostrar').selectOption('DRE');
      await page.getByRole('treegrid', { name: 'Resultado do exercício' }).waitFor();
      // A company of one branch is not asked for its institution; an address shows it all the same.
      expect(await page.getByLabel('Instituição').count()).toBe(0);
      await page.goto(`${site.address}${PLACE}?ver=DRE&instituicao=1`);
      expect(await page.getByLabel('Instituição').isChecked()).toBe(true);
      await page.getByLabel('Mostrar').selectOption('BP');
      await page.getByLabel('Comparativo').selectOption('PREVIOUS_YEAR_END');
      await page.getByRole('columnheader', { name: '31/12/2025' }).waitFor();
      await expectAccessible(page);
    });

    test('a statement that is only printed leads to its paper', async () => {
      const page = await site.open(PLACE);
      await page.getByLabel('Mostrar').selectOption('DMPL');
      await page.getByRole('heading', { name: 'Mutações do patrimônio líquido' }).waitFor();
      await expectAccessible(page);
      await expectFits(page, 390, 800);
      await shot(page, 'dmpl');
      await page.getByRole('button', { name: 'Abrir em Relatórios' }).click();
      await page.getByRole('heading', { level: 2, name: 'Demonstração' }).waitFor();
      await eventually(() => page.getByLabel('Tipo').inputValue()).toBe('DMPL');
    });

    test('a book is issued with its terms, listed, and fetched as it was issued', async () => {
      const page = await site.open(`${PLACE}?ver=livros`);
      await page.getByText('Nenhum livro emitido').waitFor();
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'Emitir livro' });
      await dialog.waitFor();
      await expectAccessible(page);
      await dialog.getByLabel('Digite emitir para confirmar').fill('emitir');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary');
      await panel.getByText('01/01/2026 a 31/01/2026').waitFor();
      const file = page.waitForEvent('download');
      await panel.getByRole('button', { name: 'Baixar o livro' }).click();
      const bytes = await bytesOf(await file);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      await expectAccessible(page);
      await shot(page, 'livros');
    });

    test('a month without books says so', async () => {
      const page = await site.open('/0001/0001/2031-05/demonstracoes');
      await page.getByRole('alert').waitFor();
      await expectAccessible(page);
    });

    test('where the chart says no lines, the usual ones are made at a press by who may', async () => {
      const { platform, books } = site;
      const listed = await bodyOf(platform.admin.get('masterdata', `/statements?chart=${books.chartCode}`));
      for (const { id } of listed) await platform.admin.call('masterdata', 'DELETE', `/statements/${id}`);
      const permissions = [{ company: books.company }];
      await createUser(platform.admin, { username: 'chefe', permissions, routines: ['CHART_OF_ACCOUNTS'] });
      const { username, password } = await createUser(platform.admin, { username: 'leitora', permissions });
      const reader = await site.open(PLACE, { as: { username, password } });
      await reader.getByText('Quem cuida do plano de contas pode criá-las.').waitFor();
      expect(await reader.getByRole('button', { name: 'Criar as linhas usuais' }).count()).toBe(0);
      const page = await site.open(PLACE);
      await page.getByText('Esta demonstração ainda não tem linhas').waitFor();
      expect(await page.getByText('POST').count()).toBe(0);
      await expectAccessible(page);
      await expectFits(page, 390, 800);
      await shot(page, 'sem-linhas');
      await page.getByRole('button', { name: 'Criar as linhas usuais' }).click();
      await page.getByRole('treegrid', { name: 'Balanço patrimonial' }).getByText('Disponibilidades').waitFor();
    });
  },
);
