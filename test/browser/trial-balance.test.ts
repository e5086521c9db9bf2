import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type AccountFixture, type Bank, createBank, PLAIN_CHART } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import {
  atGrid,
  bytesOf,
  eventually,
  expectAccessible,
  expectFits,
  inBrowser,
  settled,
  shot,
} from '../support/browser.ts';
import { openMonth } from '../support/months.ts';
import type { Platform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

const MARKUP = '<img src=x onerror="document.title=1"> & "aspas" {{7*7}}';
const LONG = `Conta ${'muito comprida '.repeat(13)}`.slice(0, 200).trim();

const HOSTILE: readonly AccountFixture[] = [
  { code: '1.3', description: MARKUP, type: 'A', nature: 'D', accountClass: '01' },
  { code: '1.4', description: LONG, type: 'A', nature: 'D', accountClass: '01' },
];

async function makeBooks({ admin }: Platform): Promise<Bank> {
  const bank = await createBank(admin, { company: '0001', branch: '0001', accounts: [...PLAIN_CHART, ...HOSTILE] });
  const other = await createBank(admin, {
    ...{ company: '0001', branch: '0002', chartCode: bank.chartCode, accounts: [], existing: true },
  });
  for (const each of [bank, other]) for (const month of ['01/2026', '02/2026']) await openMonth(admin, each, month);
  await post(
    admin,
    bank,
    book`
      05/01  1.1.1  D  8.999.999.999.999,99  3.1  "Aporte"
      06/01  8.1    D        1.000,00  1.1.2  "Folha"
      07/01  1.3    D           10,00  2.1.1
      08/01  1.4    D           20,00  2.1.1
      03/02  1.1.2  D        5.000,00  7.1    "Juros"
      04/02  8.1    D          500,00  1.1.1
      05/02  2.1.1  D           15,00  1.1.1
      06/02  8.2    D            1,00  1.1.1
    `,
  );
  await post(admin, other, book`03/02 1.1.2 D 50,00 7.1`);
  return bank;
}

const AT = '/0001/0001/2026-02/balancete';

/** Each row as it stands: name and cells. */
async function rowsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('.grid-body .grid-row').allInnerTexts();
  return texts.map((text) =>
    text
      .split(/\s*\n\s*/)
      .filter(Boolean)
      .join(' | '),
  );
}

const names = async (page: Page) => (await rowsOf(page)).map((row) => row.split(' | ')[2]);
const grid = (page: Page) => page.getByRole('treegrid', { name: 'Balancete' });
const marked = (page: Page) => page.locator('.grid-row[data-marked]').innerText();

inBrowser('the trial balance', makeBooks, (site) => {
  test('is a tree, walked, opened and closed by keys; Enter opens the ledger, Esc comes back to the row', async () => {
    const page = await site.open(AT);
    await grid(page).waitFor();
    await eventually(() => rowsOf(page)).toContain(
      '1.1.2 | 6 | Bancos | 1.000,00 | C | 5.000,00 | – | 4.000,00 | D'.replace(
        '| 6 |',
        `| ${await reducedOf('1.1.2')} |`,
      ),
    );
    await page.getByText('Débitos = créditos').waitFor();
    await page.keyboard.press('-');
    await eventually(() => names(page)).toEqual(['Ativo', 'Passivo', 'Patrimônio líquido', 'Receitas', 'Despesas']);
    await page.keyboard.press('ArrowRight');
    await eventually(() => names(page)).toContain('Disponibilidades');
    await page.keyboard.press('ArrowLeft');
    await eventually(() => names(page)).not.toContain('Disponibilidades');
    await page.keyboard.press('*');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(() => marked(page)).toContain('Caixa');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/razao\?conta=\d+$/);
    await page.getByRole('heading', { name: '1.1.1 Caixa' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/balancete$/);
    await eventually(() => marked(page)).toContain('Caixa');
    await eventually(() => names(page)).toContain('Disponibilidades');
    await eventually(() => grid(page).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );

    async function reducedOf(code: string): Promise<string> {
      const { body } = await site.platform.admin.get('queries', '/chart/0001/0001');
      return body.find((each: { cdAccounting: string }) => each.cdAccounting === code).cdReduced;
    }
  });

  test('compares with another month: on its own side a balance grew or shrank, else it turned', async () => {
    const page = await site.open(AT);
    await grid(page).waitFor();
    await page.keyboard.press('C');
    await page.waitForURL(/comparar=2026-01/);
    await settled(page);
    await atGrid(page, 'Balancete');
    await page.keyboard.press('*');
    const variationOf = async (name: string) =>
      (await rowsOf(page))
        .find((row) => row.includes(`| ${name} |`))
        ?.split(' | ')
        .at(-1);
    await eventually(() => variationOf('Bancos')).toBe('virou');
    await eventually(() => variationOf('Despesas de pessoal')).toBe('+50,0 %');
    await eventually(() => variationOf('Fornecedores')).toBe('-50,0 %');
    await eventually(() => variationOf('Despesas administrativas')).toBe('novo');
    await eventually(() => page.getByRole('columnheader').allInnerTexts()).toContain('Saldo em jan');
    await expectFits(page, 1280, 720);
    await shot(page, 'balancete-comparado');
    await page.keyboard.press('C');
    await eventually(() => page.getByRole('columnheader').count()).toBe(7);
  });

  test('finds accounts by words without accents, and shows those without a balance', async () => {
    const page = await site.open(AT);
    await grid(page).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('patrimonio liq');
    await eventually(() => names(page)).toEqual(['Patrimônio líquido']);
    await page.keyboard.press('Escape');
    await eventually(async () => (await names(page)).length).toBeGreaterThan(5);
    await eventually(() => names(page)).not.toContain('Impostos a pagar');
    await page.keyboard.press('S');
    await settled(page);
    await page.keyboard.press('*');
    await eventually(() => names(page)).toContain('Impostos a pagar');
    await page.keyboard.press('/');
    await page.keyboard.type('nada disto');
    await page.getByText('Nenhuma conta com este texto').waitFor();
  });

  test('shows all branches together, to whoever may see all of them', async () => {
    const page = await site.open(AT);
    await page.getByRole('checkbox', { name: 'Instituição' }).check();
    await page.waitForURL(/instituicao=1/);
    await settled(page);
    await grid(page).focus();
    await page.keyboard.press('*');
    await eventually(async () => (await rowsOf(page)).find((row) => row.includes('| Bancos |'))).toMatch(
      /4\.050,00 \| D$/,
    );
    const { username, password } = await createUser(site.platform.admin, {
      username: 'so-a-matriz',
      permissions: [{ company: '0001', branch: '0001' }],
    });
    const denied = await site.open(`${AT}?instituicao=1`, { as: { username, password } });
    await denied.getByText('Sem acesso').waitFor();
    await expectAccessible(denied);
  });

  test('says when nothing is there, waits in grey, and offers to repeat what failed', async () => {
    const page = await site.open(AT);
    await grid(page).waitFor();
    const balances = '**/api/reports/api/v1/saldos/plano-saldo*';
    await page.route(balances, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.goto(`${site.address}/0001/0001/2026-01/balancete`);
    await page.getByText('Não foi possível').waitFor();
    await expectAccessible(page);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.unroute(balances);
    await page.route(balances, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await page.getByRole('status', { name: 'Carregando' }).waitFor();
    go();
    site.takeFaults();
    await grid(page).waitFor();
    await page.goto(`${site.address}/0001/0002/2026-01/balancete`);
    await page.getByText('Nenhuma conta com saldo ou movimento neste mês').waitFor();
    await expectAccessible(page);
  });

  test('is read aloud, in both themes, at 1280×720 and at 390 px; names give way to numbers', async () => {
    const page = await site.open(`${AT}?comparar=2026-01`);
    await grid(page).waitFor();
    await page.keyboard.press('*');
    await eventually(() => names(page)).toContain(MARKUP);
    await eventually(() => page.title()).toBe('Balancete · Partidas');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
    await shot(page, 'balancete-390');
    const shown = await page.locator('.grid-head [role=columnheader]:visible').allInnerTexts();
    expect(shown).toEqual(['Nome', 'Saldo atual']);
  });

  test('is printed with all its rows, and saved as CSV', async () => {
    const page = await site.open(AT, { height: 400 });
    await grid(page).waitFor();
    await page.keyboard.press('*');
    await page.emulateMedia({ media: 'print' });
    await eventually(() => names(page)).toContain(LONG);
    expect(
      await page
        .locator('.rail, .top, .screen-actions')
        .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length),
    ).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = (await bytesOf(await saved)).toString();
    expect(text).toMatch(/codigo_conta;.*\r\n.*;1\.1\.1;/s);
  });
});
