import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

const LONG = `<b>${'Nome muito comprido '.repeat(9)}</b>`;
const at = (screen: string) => `/0001/0001/2026-01/${screen}`;

/** Nothing that was typed anywhere became an element of the page. */
const markup = (page: Page) => page.locator('main b:has-text("Nome muito"), main i:has-text("markup")').count();

inBrowser(
  'users, audit and health',
  async ({ admin }) => {
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await createBank(admin, {
      company: '0001',
      branch: '0002',
      existing: true,
      chartCode: bank.chartCode,
      accounts: [],
    });
    await openMonth(admin, bank, '01/2026');
    const permissions = [{ company: '0001' }];
    const ana = await createUser(admin, { username: 'ana', permissions, routines: ['PURGING'] });
    await createUser(admin, { username: 'bruno', permissions: [{ company: '0001', branch: '0002' }] });
    const group = { name: 'Contabilidade', users: [ana.id], companies: [{ company: '0001' }] };
    const { id: groupId } = await bodyOf(admin.post('masterdata', '/group', group));
    await grantRoutine(admin, 'REOPENING', { groupId });
    const odd = { username: 'estranha', name: LONG.slice(0, 200), email: 'x@exemplo.com.br', permissions };
    await admin.post('authentication', '/api/admin/users', odd);
    return { ana: { username: ana.username, password: ana.password } };
  },
  (site) => {
    test('a user is made, changed and found, by keyboard', async () => {
      const page = await site.open(at('usuarios'));
      await page.getByRole('grid', { name: 'Usuários' }).getByText('ana', { exact: true }).first().waitFor();
      await eventually(() => markup(page)).toBe(0);
      await expectAccessible(page);
      await shot(page, 'usuarios');
      await page.keyboard.press('n');
      const form = page.getByRole('dialog', { name: 'Novo usuário' });
      await form.getByLabel('Usuário').fill('carla');
      await form.getByLabel('Nome').fill('Carla Dias');
      await form.getByLabel('Senha').fill('123');
      await form.getByRole('button', { name: 'Empresa' }).click();
      await page.keyboard.press('Enter');
      await form.getByLabel('Senha').fill('uma senha bem comprida');
      await expectAccessible(page);
      await shot(page, 'usuario-novo');
      await form.getByLabel('Nome').press('Enter');
      await form.waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.keyboard.type('carla');
      await eventually(() => page.getByRole('grid').getByRole('row').count()).toBe(2);
      await page.getByRole('grid').focus();
      await page.keyboard.press('Enter');
      const change = page.getByRole('dialog', { name: 'carla' });
      await change.getByLabel('E-mail').fill('carla@exemplo.com.br');
      await change.getByLabel('E-mail').press('Enter');
      await change.waitFor({ state: 'detached' });
      const { body } = await site.platform.admin.get('authentication', '/api/admin/users?search=carla');
      expect(body.content[0]).toMatchObject({
        email: 'carla@exemplo.com.br',
        permissions: [{ company: '0001', branch: null }],
      });
    });

    test('the matrix says through what somebody may do something, and changes it', async () => {
      const page = await site.open(`${at('usuarios')}?parte=rotinas`);
      const cell = (name: string) => page.getByRole('button', { name });
      await cell('ana, Reabertura de mês: pelo grupo Contabilidade').waitFor();
      await cell('ana, Expurgo: concedida').waitFor();
      await cell('bruno, Importação: livre para todos').waitFor();
      await cell('admin, Expurgo: administração').waitFor();
      await expectAccessible(page);
      await shot(page, 'rotinas');
      await cell('bruno, Expurgo: não pode').focus();
      await page.keyboard.press('Enter');
      await cell('bruno, Expurgo: concedida').waitFor();
      await page.keyboard.press('ArrowDown');
      // An open routine is closed to the others by its first row: that is asked before.
      await cell('bruno, Importação: livre para todos').click();
      const question = page.getByRole('dialog', { name: 'Restringir Importação?' });
      await question.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await expectFits(page, 390, 844);
      await shot(page, 'rotinas-390');
    });

    test('groups and sessions', async () => {
      const { ana } = site.books;
      const other = await site.open(at('auditoria'), { as: ana });
      await other.getByRole('heading', { name: 'Auditoria' }).waitFor();
      const page = await site.open(`${at('usuarios')}?parte=grupos`, { theme: 'dark' });
      await page.getByRole('grid', { name: 'Grupos' }).getByText('Contabilidade').waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Contabilidade' }).getByLabel('ana', { exact: true }).waitFor();
      await expectAccessible(page);
      await shot(page, 'grupo-escuro');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sessões' }).click();
      const row = page.getByRole('row').filter({ hasText: 'ana' });
      await row.click();
      await expectAccessible(page);
      await shot(page, 'sessoes');
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click();
      await row.waitFor({ state: 'detached' });
      await other.reload();
      await other.waitForURL(/\/entrar/);
    });

    test('the trail shows who did what, with its fields before and after', async () => {
      const page = await site.open(`${at('auditoria')}?onde=tudo&que=user`);
      const grid = page.getByRole('grid', { name: 'Alterações' });
      await grid.getByText('incluiu').first().waitFor();
      await page
        .getByRole('cell', { name: 'usuário', exact: true })
        .or(page.getByRole('rowheader', { name: 'usuário', exact: true }))
        .waitFor();
      await eventually(() => markup(page)).toBe(0);
      await expectAccessible(page);
      await shot(page, 'auditoria');
      await page.getByLabel('O que fez').selectOption({ label: 'alterou' });
      await page.waitForURL(/acao=UPDATE/);
      await page.reload();
      await page.getByLabel('Quem').fill('ninguém');
      await page.keyboard.press('Enter');
      await page.getByText('Nenhuma alteração').waitFor();
      await page.getByRole('button', { name: 'Limpar' }).click();
      await grid.getByRole('row').nth(1).waitFor();
      await expectFits(page, 1280, 720);
      await expectFits(page, 390, 844);
      await shot(page, 'auditoria-390');
    });

    test('whoever is no administrator sees the trail of its branches', async () => {
      const bruno = { username: 'bruno', password: 'uma senha bem comprida' };
      const page = await site.open('/0001/0002/2026-01/auditoria', { as: bruno });
      await page.getByRole('grid', { name: 'Alterações' }).getByText('opções da empresa').first().waitFor();
      await eventually(() => page.getByLabel('Onde').locator('option').allTextContents()).toEqual([
        'nesta filial',
        'na empresa toda',
      ]);
      await page.getByLabel('Onde').selectOption('empresa');
      await page.getByRole('alert').getByText('Sem acesso').waitFor();
      await expectAccessible(page);
    });

    test('health: services, figures and logs', async () => {
      const page = await site.open(at('saude'));
      await page.getByText('tudo no ar').waitFor();
      await eventually(() => page.getByText('no ar', { exact: true }).count()).toBe(7);
      await page.getByText('Tarefas na fila').waitFor();
      await page.getByLabel('Serviço').selectOption('authentication');
      await page.waitForURL(/registro=authentication/);
      await page.getByText('Nada registrado').waitFor();
      await expectAccessible(page);
      await shot(page, 'saude');
      await expectFits(page, 390, 844);
      await shot(page, 'saude-390');
    });
  },
);
