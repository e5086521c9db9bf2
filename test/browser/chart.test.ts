import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { atGrid, eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { openMonth } from '../support/months.ts';
import { createUser } from '../support/users.ts';

const PLANO = '/0001/0001/2026-01/plano';
const HOSTILE = `<b onclick=alert(1)>Outros</b> ${'\u202e'}`.slice(0, 30) + 'x'.repeat(160);
const FILE = 'conta;descricao;natureza;classe\n1.9;Outros ativos;D;01\n1.9.1;Diversos;D;01\n';

inBrowser(
  'Plano de contas',
  async ({ admin }) => {
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, bank, '01/2026');
    await createUser(admin, { username: 'leitora', permissions: [{ company: '0001', branch: '0001' }] });
    return bank;
  },
  (site) => {
    const accountOf = async (code: string) => {
      const path = `/chartOfAccounts/?chart=${site.books.chartCode}`;
      const { body } = await site.platform.admin.get('masterdata', path);
      return body.find((each: { cdAccounting: string }) => each.cdAccounting === code);
    };

    test('walks the tree, makes an account, asks where the server asks, moves, freezes and removes it', async () => {
      const page = await site.open(PLANO);
      const tree = await atGrid(page, 'Contas');
      await eventually(() => tree.getByRole('row').count()).toBe(6);
      await page.keyboard.press('*');
      await page.getByRole('gridcell', { name: 'Fornecedores' }).waitFor();
      await expectAccessible(page);
      await shot(page, 'plano');

      await page.keyboard.press('n');
      const form = page.getByRole('dialog', { name: 'Nova conta' });
      // 1.3 is not there yet: the server makes it when it is told to.
      await form.getByLabel('Código *', { exact: true }).fill('1.3.1');
      await form.getByLabel('Conta acima').fill('');
      await form.getByLabel('Nome *').fill('Conta nova');
      await page.keyboard.press('Control+s');
      const question = page.getByRole('dialog', { name: 'Gravar mesmo assim?' });
      await question.getByText('1.3').waitFor();
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Gravar' }).click();
      await form.waitFor({ state: 'detached' });
      expect(await accountOf('1.3.1')).toMatchObject({ description: 'Conta nova', nature: 'D', active: true });

      await page.keyboard.press('/');
      await page.keyboard.type('conta nova');
      await eventually(() => tree.getByRole('row').count()).toBe(4);
      await tree.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('m');
      const move = page.getByRole('dialog', { name: 'Mover 1.3.1' });
      await move.getByLabel('Para baixo de').fill('Disponib');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await move.waitFor({ state: 'detached' });
      expect((await accountOf('1.3.1')).parentId).toBe(site.books.accounts.get('1.1'));

      await page.keyboard.press('End');
      await page.keyboard.press('f');
      await page.getByRole('dialog', { name: 'Congelar 1.3.1?' }).getByRole('button', { name: 'Congelar' }).click();
      await page.locator('.grid-body').getByText('congelada').waitFor();
      expect((await accountOf('1.3.1')).active).toBe(false);
      await page.keyboard.press('Delete');
      await page.getByRole('dialog', { name: 'Excluir conta?' }).getByRole('button', { name: 'Excluir' }).click();
      await eventually(() => accountOf('1.3.1')).toBeUndefined();
    });

    test('tries a file before it writes it', async () => {
      const page = await site.open(PLANO);
      await atGrid(page, 'Contas');
      await page.keyboard.press('i');
      const dialog = page.getByRole('dialog', { name: /Importar contas/ });
      await dialog.waitFor();
      const choose = (text: string) =>
        dialog
          .getByLabel('Arquivo')
          .setInputFiles({ name: 'plano.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await choose(FILE.replace(';D;01\n1.9.1', ';X;01\n1.9.1'));
      await dialog.getByText('Linha 2').waitFor();
      await eventually(() => dialog.getByRole('button', { name: 'Importar contas' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await choose(FILE);
      await dialog.getByRole('button', { name: 'Importar 2 contas' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await accountOf('1.9.1')).toMatchObject({ description: 'Diversos' });
    });

    test('begins a chart as a copy, maps it, and takes names of any kind', async () => {
      const page = await site.open(PLANO);
      await atGrid(page, 'Contas');
      await page.getByRole('button', { name: 'Novo plano' }).click();
      const dialog = page.getByRole('dialog', { name: 'Novo plano de contas' });
      await dialog.getByLabel('Código do plano').fill('PROPRIO');
      await dialog.getByLabel('Contas', { exact: true }).selectOption(site.books.chartCode);
      await dialog.getByRole('button', { name: 'Criar' }).click();
      await page.waitForURL(/plano=PROPRIO/);
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Mapa referencial' }).click();
      await page.getByText('Nenhum plano referencial').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('treegrid', { name: 'Contas' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: 'Conta · Ativo' });
      await form.getByLabel('Nome *').fill(HOSTILE.replaceAll('\u202e', ''));
      await page.keyboard.press('Control+s');
      await form.waitFor({ state: 'detached' });
      await page.getByText('<b onclick').first().waitFor();
      for (const [width, height] of [
        [1280, 720],
        [390, 844],
      ] as const) {
        await expectFits(page, width, height);
      }
      await shot(page, 'plano-390');
    });

    test('says what went wrong, and shows a reader the chart alone', async () => {
      const reader = { username: 'leitora', password: 'uma senha bem comprida' };
      const page = await site.open(PLANO, { as: reader });
      await page.getByText('só consulta').waitFor();
      await atGrid(page, 'Contas');
      await eventually(() => page.getByRole('button', { name: 'Nova conta' }).count()).toBe(0);
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: 'Conta · Ativo' });
      await form.waitFor();
      await eventually(() => form.getByLabel('Nome *').isDisabled()).toBe(true);
      await expectAccessible(page);
      await page.route('**/api/masterdata/chartOfAccounts/detail/**', (route) => route.abort());
      await page.reload();
      await page.getByRole('button', { name: 'Tentar de novo' }).waitFor();
      site.takeFaults();
    });
  },
);
