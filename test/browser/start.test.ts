import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { journal } from '../support/ecd-file.ts';
import { createEmptyBranch } from '../support/ecd-imports.ts';
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
  'a bookkeeping file',
  async () => {},
  (site) => {
    const fileOf = (name: string, text: string) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') },
    });

    test('names the company, is tried with findings and proof, and becomes its books', async () => {
      const page = await site.open('/');
      await page.getByLabel('Arquivo da ECD').setInputFiles(fileOf('planilha.csv', 'conta;valor\n'));
      await page.getByRole('alert').getByText('planilha.csv não é uma ECD').waitFor();
      await page.getByRole('button', { name: 'Escolher outro arquivo' }).click();

      const wrong = journal().set('I250', 'VL_DC', '201,00', 0).text();
      await page.getByLabel('Arquivo da ECD').setInputFiles(fileOf('errada.txt', wrong));
      await eventually(() => page.getByLabel('Razão social').inputValue()).toBe('BANCO DE PROVA S.A.');
      expect(await page.getByLabel('CNPJ').inputValue()).toBe('11222333000181');
      await page.getByLabel('CEP').fill('01001000');
      await expectAccessible(page);
      await shot(page, 'comeco-ecd-empresa');
      await page.getByRole('button', { name: 'Criar a empresa e conferir' }).click();
      await page.getByText(/^\d+ impedimentos?$/).waitFor();
      await page.getByText('Os débitos do lançamento não são iguais aos créditos').first().waitFor();
      expect(await page.getByRole('button', { name: 'Importar' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await expectFits(page, 390, 844);
      await shot(page, 'comeco-ecd-impedida');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: 'Escolher outro arquivo' }).click();

      await page.getByLabel('Arquivo da ECD').setInputFiles(fileOf('ecd2025.txt', journal().text()));
      await page.getByLabel('CEP').fill('01001000');
      await page.getByRole('button', { name: 'Criar a empresa e conferir' }).click();
      await page.getByText('7 contas em 2 meses comparadas').waitFor();
      await page.getByText('nenhuma diferença').waitFor();
      await page.getByText('Os centros de custos do arquivo são somados').waitFor();
      const options = await bodyOf(site.platform.admin.get('masterdata', '/company/options'));
      expect(options).toEqual([]);
      await expectAccessible(page);
      await shot(page, 'comeco-ecd-conferida');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shot(page, 'comeco-ecd-conferida-escuro');
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('button', { name: 'Importar' }).click();
      await page.getByRole('heading', { name: 'Os livros estão abertos' }).waitFor();
      await expectAccessible(page);
      await shot(page, 'comeco-ecd-pronta');
      const opening = await bodyOf(site.platform.admin.get('masterdata', '/monthOpening/0001/0001'));
      expect(opening.endyearmonth).toBe('12/2025');
      await page.getByRole('button', { name: 'Ver o balancete' }).click();
      await page.waitForURL('**/0001/0001/2025-12/balancete');
      await page.getByRole('treegrid').getByText('ATIVO').first().waitFor();
      await shot(page, 'comeco-ecd-balancete');
    });

    test('is recognized where files are imported, into a branch that has no books yet', async () => {
      const { company, branch } = await createEmptyBranch(site.platform.admin);
      const page = await site.open(`/${company}/${branch}/2025-12/importar`);
      await page.getByLabel('Arquivo de lançamentos').setInputFiles(fileOf('ecd2025.txt', journal().text()));
      await page.getByText('7 contas em 2 meses comparadas').waitFor();
      await page.getByLabel('O que importar').selectOption('SALDOS');
      await page.getByText('pode ser importada').waitFor();
      await eventually(() => page.getByRole('definition').nth(1).innerText()).toBe('5');
      await page.getByRole('button', { name: 'Importar', exact: true }).click();
      await page.getByText('ecd2025.txt foi importado e provado').waitFor();
      const options = await bodyOf(site.platform.admin.get('masterdata', '/company/options'));
      expect(options).toContainEqual(expect.objectContaining({ company, baseYearMonth: '01/2026' }));
      await page.waitForURL(`**/${company}/${branch}/2026-01/importar`);
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
