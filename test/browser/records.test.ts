import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TYPE_LABELS } from '../../console/screens/records/labels.ts';
import { RECORD_TYPES } from '../../console/screens/records/record-types.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { createBank } from '../support/banks.ts';
import { atGrid, eventually, expectAccessible, expectFits, inBrowser, settled, shot } from '../support/browser.ts';
import { openMonth } from '../support/months.ts';
import { createUser } from '../support/users.ts';

const CADASTROS = '/0001/0001/2026-01/cadastros';
const NARRATIONS = 5_000;
const FILTERED_WITHIN_MS = 1_000;
/** Of a right-to-left script, and of markup, and as long as a narration may be. */
const HOSTILE = `<img src=x onerror="document.title='injetado'"> ${'\u05d0\u05d1 '}{{7*7}} `.padEnd(500, 'x');

inBrowser(
  'Cadastros',
  async (platform) => {
    const { admin } = platform;
    const bank = await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, bank, '01/2026');
    await platform.program.database.transaction(SYSTEM_SCOPE, (sql) =>
      sql.run(SQL`INSERT INTO standard_narration (code, description)
        SELECT lpad(n::text, 5, '0'), 'Histórico de número ' || n FROM generate_series(1, ${NARRATIONS}) AS n`),
    );
    await createUser(admin, { username: 'leitora', permissions: [{ company: '0001' }] });
    return bank;
  },
  (site) => {
    test('has a list and a form for every type', async () => {
      const page = await site.open(CADASTROS);
      await page.getByRole('grid', { name: 'Empresas' }).waitFor();
      for (const type of RECORD_TYPES.filter(({ screen }) => screen === undefined)) {
        const { title, aNew, one } = TYPE_LABELS[type.slug]!;
        await page
          .getByRole('navigation', { name: 'Tipos de cadastro' })
          .getByRole('button', { name: title, exact: true })
          .click();
        await page.locator('.screen-subtitle').getByText(title, { exact: true }).waitFor();
        await page.locator('.grid, .state').first().waitFor();
        await settled(page);
        expect([type.slug, await page.locator('.state-failure').count()]).toEqual([type.slug, 0]);
        const create = page.locator('.screen-actions').getByRole('button', { name: `${aNew} ${one}` });
        const isOffered = (await create.count()) > 0;
        // Rows of a sheet need the record that the sheet is of.
        if (type.parent === undefined) {
          expect([type.slug, isOffered]).toEqual([type.slug, type.create !== undefined || type.isSheet === true]);
        }
        if (!isOffered) continue;
        await create.click();
        const dialog = page.getByRole('dialog', { name: `${aNew} ${one}` });
        await dialog.waitFor();
        expect(await dialog.locator('label').count(), type.slug).toBeGreaterThan(0);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
    });

    test('keeps a company by keys: filled by its CNPJ, refused at its field, saved, changed and removed', async () => {
      const page = await site.open(CADASTROS);
      await answerRegister(page);
      await atGrid(page, 'Empresas');
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'Nova empresa' });
      await dialog.getByLabel('Código', { exact: true }).fill('0002');
      await page.keyboard.press('Control+s');
      await dialog.getByRole('alert').waitFor();
      await eventually(() => problemAt(page, 'Razão social *')).not.toBe('');
      // What was typed stays; the register fills what is empty.
      await dialog.getByLabel('Município').fill('Campinas');
      await dialog.getByLabel('CNPJ *').pressSequentially('11.444.777/0001-61');
      await eventually(() => dialog.getByLabel('Razão social *').inputValue()).toBe('Banco do Registro S.A.');
      await eventually(() => dialog.getByLabel('Município').inputValue()).toBe('Campinas');
      await expectAccessible(page);
      await dialog.getByLabel('CEP *').fill('01001-000');
      await eventually(() => dialog.getByLabel('Bairro').inputValue()).toBe('Sé');
      await dialog.getByLabel('Data do NIRE').fill('31/02/2026');
      await page.keyboard.press('Control+s');
      await eventually(() => problemAt(page, 'Data do NIRE')).toMatch(/dia como/);
      await dialog.getByLabel('Data do NIRE').fill('28/02/2026');
      await shot(page, 'empresa');
      await page.keyboard.press('Control+s');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('gridcell', { name: 'Banco do Registro S.A.' }).waitFor();
      expect((await site.platform.admin.get('masterdata', '/companies/bycompany/0002')).body).toMatchObject({
        ...{ cnpj: '11444777000161', city: 'Campinas', district: 'Sé', nireDate: '2026-02-28', active: true },
      });

      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const changed = page.getByRole('dialog', { name: 'Empresa · Banco do Registro S.A.' });
      await changed.getByLabel('Nome fantasia').fill('Registro');
      await page.keyboard.press('Escape');
      await page
        .getByRole('dialog', { name: 'Descartar o que foi digitado?' })
        .getByRole('button', { name: 'Cancelar' })
        .click();
      await page.keyboard.press('Control+s');
      await changed.waitFor({ state: 'detached' });
      await page.keyboard.press('Delete');
      const question = page.getByRole('dialog', { name: 'Excluir empresa?' });
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Excluir' }).click();
      await eventually(() => page.getByRole('gridcell', { name: 'Banco do Registro S.A.' }).count()).toBe(0);
      expect((await site.platform.admin.get('masterdata', '/companies/bycompany/0002')).status).toBe(404);
    });

    test('saves the rows of a sheet together, and says what the server refuses of them', async () => {
      const page = await site.open(`${CADASTROS}?tipo=saldos-base`);
      await page.getByText('Saldos base: nada cadastrado').waitFor();
      const add = async (account: string, amount: string, side: string) => {
        await page.keyboard.press('n');
        const dialog = page.getByRole('dialog', { name: 'Novo saldo base' });
        await dialog.getByRole('combobox', { name: 'Conta' }).fill(account);
        await dialog.getByRole('combobox', { name: 'Conta' }).press('Tab');
        await dialog.getByLabel('Saldo').fill(amount);
        await dialog.getByLabel('D/C').selectOption(side);
        await page.keyboard.press('Control+s');
        await dialog.waitFor({ state: 'detached' });
      };
      await add('1.1.1', '1.234,56', 'D');
      await page.getByText('não gravado').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByRole('alert').waitFor();
      await expectAccessible(page);
      await add('3.1', '1.234,56', 'C');
      await page.getByRole('button', { name: 'Gravar tudo' }).click();
      await eventually(() => page.getByText('não gravado').count()).toBe(0);
      const kept = (await site.platform.admin.get('masterdata', '/baseBalance/0001/0001')).body;
      expect(kept).toMatchObject([
        { cdAccounting: '1.1.1', balance: 1234.56, dc: 'D' },
        { cdAccounting: '3.1', balance: 1234.56, dc: 'C' },
      ]);
    });

    test('stays quick on thousands, and takes texts of any kind', async () => {
      const page = await site.open(`${CADASTROS}?tipo=historicos`);
      const grid = page.getByRole('grid', { name: 'Históricos padrão' });
      await grid.waitFor();
      expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(NARRATIONS + 1);
      await eventually(() => grid.getByRole('row').count()).toBeLessThan(80);
      await page.keyboard.press('End');
      await page.getByRole('gridcell', { name: `Histórico de número ${NARRATIONS}` }).waitFor();
      // What else the machine does makes some turns slow: the least of three.
      let leastMs = Number.POSITIVE_INFINITY;
      for (let turn = 0; turn < 3 && leastMs >= FILTERED_WITHIN_MS; turn++) {
        await page.keyboard.press('/');
        await page.keyboard.type(`numero ${NARRATIONS - 1}`);
        const typed = performance.now();
        await eventually(() => grid.getByRole('row').count()).toBe(2);
        leastMs = Math.min(leastMs, performance.now() - typed);
        await page.getByLabel('Filtrar').fill('');
        await eventually(() => grid.getByRole('row').count()).toBeGreaterThan(2);
      }
      expect(leastMs).toBeLessThan(FILTERED_WITHIN_MS);

      await page.getByRole('button', { name: 'Novo histórico' }).click();
      const dialog = page.getByRole('dialog', { name: 'Novo histórico' });
      await dialog.getByLabel('Código *').fill('ZZZ');
      await dialog.getByLabel('Texto *').fill(HOSTILE);
      await page.keyboard.press('Control+s');
      await dialog.waitFor({ state: 'detached' });
      await page.getByLabel('Filtrar').fill('onerror');
      await page.getByText('<img src=x').first().waitFor();
      await shot(page, 'historicos');
      await eventually(() => page.title()).toBe('Cadastros · Partidas');
      for (const [width, height] of [
        [1280, 720],
        [390, 844],
      ] as const) {
        await expectFits(page, width, height);
      }
    });

    test('can be read by everybody, in every state', async () => {
      const page = await site.open(`${CADASTROS}?tipo=fundos`, { width: 1280, height: 720 });
      await page.getByText('Fundos: nada cadastrado').waitFor();
      await expectAccessible(page);
      await page.route('**/api/masterdata/release/all', (route) => route.abort());
      await page.goto(`${site.address}${CADASTROS}?tipo=lancamentos-padrao`);
      const repeat = page.getByRole('button', { name: 'Tentar de novo' });
      await repeat.waitFor();
      await expectAccessible(page);
      await page.unroute('**/api/masterdata/release/all');
      await repeat.click();
      await page.getByText('Lançamentos padrão: nada cadastrado').waitFor();
      await page.goto(`${site.address}${CADASTROS}?tipo=opcoes`);
      await page.getByRole('gridcell', { name: '01/2026' }).waitFor();
      await expectFits(page, 390, 844);
      await shot(page, 'cadastros-390');
      // The request that was cut off.
      expect(site.takeFaults().join()).toMatch(/ERR_FAILED/);
    });

    test('offers nothing that the user may not do', async () => {
      const page = await site.open(`${CADASTROS}?tipo=grupos`, {
        as: { username: 'leitora', password: 'uma senha bem comprida' },
      });
      await page.locator('.state, .grid').first().waitFor();
      await eventually(() => page.locator('.screen-actions').getByRole('button').count()).toBe(0);
      await page.keyboard.press('n');
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
    });
  },
);

/** The public registers answer what the test knows. */
async function answerRegister(page: Page): Promise<void> {
  const empty = { street: null, number: null, complement: null, district: null, state: 'SP', ibgeCode: null };
  await page.route('**/api/masterdata/companies/cnpj/*', (route) =>
    route.fulfill({
      json: { ...empty, name: 'Banco do Registro S.A.', city: 'São Paulo', phone: null, source: 'registro' },
    }),
  );
  await page.route('**/api/masterdata/companies/cep/*', (route) =>
    route.fulfill({ json: { ...empty, district: 'Sé', city: 'São Paulo', source: 'registro' } }),
  );
}

/** What stands below a field as its problem. */
async function problemAt(page: Page, label: string): Promise<string> {
  const field = page.locator('.field', { has: page.getByLabel(label, { exact: true }) });
  const problem = field.locator('.field-problem');
  return (await problem.count()) === 0 ? '' : ((await problem.textContent()) ?? '');
}
