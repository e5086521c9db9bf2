import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { bodyOf } from '../support/platform.ts';

/** The public register, as it answers. */
const REGISTER = await readFile(new URL('../fixtures/lookup/brasilapi_cnpj_example.json', import.meta.url));
const asked: (string | undefined)[] = [];
const register = createServer((request, response) => {
  asked.push(request.url);
  response.writeHead(200, { 'content-type': 'application/json' }).end(REGISTER);
});
await once(register.listen(0, '127.0.0.1'), 'listening');
afterAll(() => {
  register.closeAllConnections();
  register.close();
});
const REGISTER_ADDRESS = `http://127.0.0.1:${(register.address() as AddressInfo).port}/{cnpj}`;

inBrowser(
  'an empty installation',
  async () => {},
  (site) => {
    test('offers a company, which its CNPJ fills, and opens its first month', async () => {
      const began = performance.now();
      const page = await site.open('/');
      await page.getByRole('heading', { name: 'Comece os seus livros' }).waitFor();
      await expectAccessible(page);
      await shot(page, 'comeco');
      await page.getByLabel('CNPJ').fill('19.131.243/0001-97');
      await eventually(() => page.getByLabel('Razão social').inputValue()).toBe('OPEN KNOWLEDGE BRASIL');
      expect(asked).toEqual(['/19131243000197']);
      await page.getByLabel('Plano').selectOption('SIMPLES');
      await page.getByLabel(/Mês em que/).fill('01/2026');
      await page.getByRole('button', { name: 'Criar a empresa' }).click();
      await page.getByRole('heading', { name: 'Os livros estão abertos' }).waitFor();
      await expectAccessible(page);
      await shot(page, 'comeco-pronto');
      const opening = await bodyOf(site.platform.admin.get('masterdata', '/monthOpening/0001/0001'));
      expect(opening.endyearmonth).toBe('01/2026');
      const chart = await bodyOf(site.platform.admin.get('queries', '/chart/0001/0001'));
      expect(chart).toHaveLength(72);
      expect(chart.every((account: { cdReduced: string }) => account.cdReduced !== '')).toBe(true);
      expect(performance.now() - began).toBeLessThan(60_000);
    });
  },
  { environment: { CNPJ_LOOKUP_URL: `brasilapi=${REGISTER_ADDRESS}` } },
);

inBrowser(
  'sample data',
  async () => {},
  (site) => {
    test('is a bank with two months, made at a press; a failure in between is gone on from', async () => {
      const page = await site.open('/');
      await page.route('**/api/masterdata/company/options', (route) => route.abort(), { times: 1 });
      await page.getByRole('button', { name: 'Começar com dados de exemplo' }).click();
      await page.getByRole('alert').waitFor();
      expect(site.takeFaults().join()).toMatch(/ERR_FAILED/);
      await shot(page, 'comeco-falha');
      await expectFits(page, 390, 844);
      await page.getByRole('button', { name: 'Começar com dados de exemplo' }).click();
      await page.getByRole('heading', { name: 'Os livros estão abertos' }).waitFor();
      const batches = await bodyOf(site.platform.admin.get('movements', '/allbatch/0001/0001'));
      expect(batches).toHaveLength(2);
    });
  },
);
