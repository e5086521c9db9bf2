import { expect, test } from 'vitest';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { bodyOf } from '../support/platform.ts';

const REGISTER = {
  cnpj: '11222333000181',
  razao_social: 'BANCO HORIZONTE S.A.',
  cep: '01001000',
  logradouro: 'PRACA DA SE',
  municipio: 'SAO PAULO',
  uf: 'SP',
};

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
      await page.route('**/companies/cnpj/**', (route) =>
        route.fulfill({
          json: { ...REGISTER, name: REGISTER.razao_social, zipCode: REGISTER.cep, street: 'Praça da Sé' },
        }),
      );
      await page.getByLabel('CNPJ').fill('11.222.333/0001-81');
      await eventually(() => page.getByLabel('Razão social').inputValue()).toBe('BANCO HORIZONTE S.A.');
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
