import { afterAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { createBank } from '../support/banks.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { newKey } from '../support/identity-provider.ts';
import { openMonth } from '../support/months.ts';
import { CLIENT_SECRET, freePort, startRealProvider } from '../support/openid-provider.ts';
import { letTimePass } from '../support/passing-time.ts';
import { ADMIN } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

const [port, consolePort] = [await freePort(), await freePort()];
const issuer = `http://127.0.0.1:${port}`;
const provider = {
  name: 'BANCO',
  label: 'Conta do banco',
  issuer,
  audience: 'console',
  jwksUri: `${issuer}/jwks`,
  clientId: 'console',
  clientSecret: CLIENT_SECRET,
};

let real: Awaited<ReturnType<typeof startRealProvider>> | undefined;
afterAll(() => real?.close());

inBrowser(
  'sign-in',
  async ({ admin }) => {
    const redirectUri = `http://127.0.0.1:${consolePort}/entrar/BANCO/volta`;
    real = await startRealProvider({ port, signingKey: await newKey('k1'), clientId: 'console', redirectUri });
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, bank, '01/2026');
    const linked = { username: 'rita', admin: true, identities: [{ provider: 'BANCO', subject: 'rita' }] };
    await admin.post('authentication', '/api/admin/users', linked);
    return createUser(admin, { username: 'paulo', permissions: [{ company: '0001' }] });
  },
  (site) => {
    test('a password, and how long to wait after too many', async () => {
      const page = await site.open('/0001/0001/2026-01/cadastros', { as: null });
      await page.getByLabel('Usuário').fill('paulo');
      await page.evaluate(async () => {
        const body = JSON.stringify({ username: 'paulo', password: 'errada' });
        const attempt = () =>
          fetch('/api/console/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        await Promise.all(Array.from({ length: 10 }, attempt));
      });
      await page.getByLabel('Senha').fill('errada');
      await page.keyboard.press('Enter');
      await eventually(() => page.getByRole('alert').textContent()).toMatch(/Tente de novo em 1\d min \d\d s/);
      await eventually(() => page.getByRole('button', { name: 'Entrar' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await shot(page, 'entrar-espera');
      await withOwnerConnection(site.platform.ownerUrl, (client) => client.query('DELETE FROM signin_failure'));
    });

    test('an institution by its name, there and back to the place', async () => {
      const page = await site.open('/0001/0001/2026-01/cadastros', { as: null });
      await page.getByRole('button', { name: 'Conta do banco' }).waitFor();
      await shot(page, 'entrar-provedor');
      await expectFits(page, 390, 844);
      await shot(page, 'entrar-390');
      await page.getByRole('button', { name: 'Conta do banco' }).click();
      await page.locator('[name=login]').fill('rita');
      await page.locator('[name=password]').fill('x');
      await page.locator('[type=submit]').click();
      await page.locator('[type=submit]').click();
      await page.waitForURL(`${site.address}/0001/0001/2026-01/cadastros`);
      await page.getByRole('heading', { name: 'Cadastros' }).waitFor();
      // The provider's own page asks for a font of the world outside.
      expect(site.takeFaults().filter((fault) => !fault.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
    });

    test('why the way through the institution ended', async () => {
      const page = await site.open('/entrar?erro=NOT_FOUND', { as: null, theme: 'dark' });
      await page.getByText('não está ligada a nenhum usuário').waitFor();
      await expectAccessible(page);
      await shot(page, 'entrar-recusa-escuro');
    });

    test('a session that ends while one types is opened again, and what was typed stays', async () => {
      const page = await site.open('/0001/0001/2026-01/cadastros');
      await page.getByRole('heading', { name: 'Cadastros' }).waitFor();
      await page.keyboard.press('n');
      const field = page.getByRole('dialog').getByRole('textbox').first();
      await field.fill('meio digitado');
      await withOwnerConnection(site.platform.ownerUrl, (client) => client.query('DELETE FROM console_session'));
      letTimePass(5_000);
      await page.keyboard.press('Control+s');
      const dialog = page.getByRole('dialog', { name: 'A sessão terminou' });
      await dialog.waitFor();
      await expectAccessible(page);
      await shot(page, 'sessao-terminou');
      await dialog.getByLabel('Senha').fill(ADMIN.password);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await eventually(() => field.inputValue()).toBe('meio digitado');
    });
  },
  { environment: { CONSOLE_PORT: String(consolePort), IDENTITY_PROVIDERS: JSON.stringify([provider]) } },
);
