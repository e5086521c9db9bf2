import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { eventually, expectAccessible, expectFits, inBrowser, settled, shot } from '../support/browser.ts';
import { signedInBrowser } from '../support/browser-client.ts';
import { openMonth } from '../support/months.ts';
import { ADMIN, bodyOf, type Client } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

const FOREIGN = ['https://example.com/', '//example.com/', '/\\example.com', '/\t/example.com', 'javascript:alert(1)'];

const HOSTILE_NAME = `<img src=x onerror="document.title='harm'"> ${'Nome comprido '.repeat(10).trim()}`;

async function createHostileCompany(admin: Client): Promise<void> {
  const name = HOSTILE_NAME;
  const company = { company: 'H', name, cnpj: '11222333000181', zipCode: '01001000' };
  await bodyOf(admin.post('masterdata', '/company', company));
  await bodyOf(admin.post('masterdata', '/branch', { company: 'H', branch: '0001', name }));
}

inBrowser(
  'the shell',
  async ({ admin }) => {
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, bank, '01/2026');
    await openMonth(admin, bank, '02/2026');
    await createHostileCompany(admin);
    return createBank(admin, {
      company: '0001',
      branch: '0002',
      existing: true,
      chartCode: bank.chartCode,
      accounts: [],
    });
  },
  (site) => {
    test('asks who it is, and goes on where the user wanted to', async () => {
      const page = await site.open('/0001/0002/2026-02/plano', { as: null });
      await page.waitForURL(/\/entrar\?volta=/);
      await expectAccessible(page);
      await shot(page, 'entrar');
      await page.getByLabel('Usuário').fill(ADMIN.username);
      await page.getByLabel('Senha').fill('errada');
      await page.keyboard.press('Enter');
      await eventually(() => page.getByRole('alert').textContent()).not.toBe('');
      await page.getByLabel('Senha').fill(ADMIN.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/0001\/0002\/2026-02\/plano$/);
    });

    test('whoever is signed in sees where, and ends what was left open elsewhere', async () => {
      const permissions = [{ company: '0001', branch: '0001' }];
      const { username, password } = await createUser(site.platform.admin, { username: 'maria', permissions });
      const maria = { username, password };
      const elsewhere = await signedInBrowser(site.platform, maria);
      const page = await site.open('/0001/0001/2026-02/plano', { as: maria });
      await page.getByRole('button', { name: /maria/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Minhas sessões' });
      await eventually(() => dialog.getByRole('listitem').count()).toBe(2);
      await eventually(() => dialog.getByRole('listitem').filter({ hasText: 'esta' }).count()).toBe(1);
      await expectAccessible(page);
      await expectFits(page, 1280, 720);
      await shot(page, 'minhas-sessoes');
      await dialog.getByRole('button', { name: /^Encerrar a sessão/ }).click();
      await eventually(() => dialog.getByRole('listitem').count()).toBe(1);
      expect((await elsewhere.call('GET', '/api/console/session')).status).toBe(401);
      await page.keyboard.press('Escape');
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
    });

    test('on a phone the own sessions are reached, and left', async () => {
      const page = await site.open('/0001/0001/2026-02/plano', { width: 390, height: 844 });
      await page.getByRole('button', { name: 'Minhas sessões' }).click();
      const dialog = page.getByRole('dialog', { name: 'Minhas sessões' });
      await dialog.getByText('esta', { exact: true }).waitFor();
      // One below the other, each as wide as the dialog.
      const rows = await dialog.getByRole('listitem').evaluateAll((items) => items.map(({ offsetLeft }) => offsetLeft));
      expect(new Set(rows).size).toBe(1);
      await expectAccessible(page);
      await expectFits(page, 390, 844);
      await shot(page, 'minhas-sessoes-390');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Saúde' }).scrollIntoViewIfNeeded();
      await shot(page, 'celular-390');
      await page.getByRole('button', { name: 'Minhas sessões' }).click();
      await dialog.getByRole('button', { name: 'Sair' }).waitFor();
    });

    test('does not go where a foreign address leads', async () => {
      const page = await site.open('/');
      for (const foreign of FOREIGN) {
        await page.goto(`${site.address}/entrar?volta=${encodeURIComponent(foreign)}`);
        await page.waitForURL(/\/0001\/0001\/\d{4}-\d\d\//);
        expect(new URL(page.url()).origin).toBe(site.address);
      }
    });

    test('runs no script that was not built', async () => {
      const page = await site.open('/');
      await page.locator('body').evaluate((body) => {
        const script = body.ownerDocument.createElement('script');
        script.append('document.title = "injected"');
        body.append(script);
      });
      await eventually(() => page.title()).not.toBe('injected');
      expect(site.takeFaults().join()).toMatch(/TrustedScript/);
    });

    test('walks months and branches by keys', async () => {
      const page = await site.open('/0001/0001/2026-02/plano');
      await page.getByRole('navigation', { name: 'Meses' }).waitFor();
      const press = async (key: string, address: RegExp) => {
        await page.keyboard.press(key);
        await page.waitForURL(address);
        await settled(page);
      };
      await press('Alt+PageDown', /2026-03/);
      await press('Alt+PageUp', /2026-02/);
      await press('Alt+PageUp', /2026-01/);
      await press('Alt+ArrowDown', /0001\/0002\/2026-01/);
      await press('Escape', /0001\/0001\/2026-01/);
      const january = page.getByRole('button', { name: 'janeiro de 2026: aberto' });
      await eventually(() => january.getAttribute('aria-current')).toBe('date');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Atalhos' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
    });

    test('finds a month by a part of its name', async () => {
      const page = await site.open('/0001/0001/2026-02/plano');
      await page.getByRole('navigation', { name: 'Meses' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('nove');
      await page.getByRole('option', { name: /novembro de 2026/ }).waitFor();
      await expectAccessible(page);
      await shot(page, 'busca');
      await page.keyboard.press('Enter');
      await page.waitForURL(/2026-11\/plano$/);
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
    });

    test('finds accounts by code and by words of their path, amounts and narrations', async () => {
      const page = await site.open('/0001/0001/2026-02/plano');
      await page.getByRole('navigation', { name: 'Meses' }).waitFor();
      const asked: readonly (readonly [text: string, address: RegExp])[] = [
        ['disponib caixa', /razao\?conta=\d+$/],
        ['212', /razao\?conta=\d+$/],
        ['1.234,50', /lancamentos\?procurar=1&valor=1234\.50$/],
        ['emprestimo', /lancamentos\?procurar=1&texto=emprestimo$/],
        ['bala', /\/balancete$/],
      ];
      for (const [text, address] of asked) {
        await page.keyboard.press('Control+k');
        const field = page.getByRole('dialog', { name: 'Busca' }).getByRole('combobox');
        await field.and(page.locator(':focus')).waitFor();
        await page.keyboard.type(text);
        await eventually(() => field.inputValue()).toBe(text);
        // What it finds is among the accounts, which may still be on their way.
        await settled(page);
        await page.getByRole('dialog').getByRole('option').first().waitFor();
        await page.keyboard.press('Enter');
        await eventually(() => page.url()).toMatch(address);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await settled(page);
      }
    });

    test('shows names of any length and content as they are, and fits', async () => {
      const page = await site.open('/H/0001/2026-01/plano');
      await page.getByRole('option', { name: HOSTILE_NAME }).first().waitFor({ state: 'attached' });
      await eventually(() => page.title()).not.toBe('harm');
      await expectFits(page, 1280, 720);
      await expectFits(page, 390, 844);
      await expectAccessible(page);
    });

    test('asks for the password over the screen when the session has ended, and goes on', async () => {
      const page = await site.open('/0001/0001/2026-02/plano', { as: ADMIN });
      await page.getByRole('navigation', { name: 'Meses' }).waitFor();
      await page.evaluate(() => fetch('/api/console/session', { method: 'DELETE' }));
      await page.keyboard.press('Alt+ArrowDown');
      const dialog = page.getByRole('dialog', { name: 'A sessão terminou' });
      await dialog.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await dialog.getByLabel('Senha').fill(ADMIN.password);
      await page.keyboard.press('Enter');
      await eventually(() => dialog.count()).toBe(0);
      await page.getByRole('button', { name: 'fevereiro de 2026: não aberto' }).waitFor();
    });
  },
);
