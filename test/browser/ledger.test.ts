import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
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
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform } from '../support/platform.ts';

const MARKUP = '<b onmouseover="document.title=1">negrito</b> & "aspas"';
const RIGHT_TO_LEFT = 'pago \u202Eodagap\u202C por João';
const LONG = 'Pagamento de fornecedores '.repeat(20).slice(0, 500).trim();
/** In February, by a file: more than several pages. */
const IMPORTED = 1_500;

async function makeBooks({ admin }: Platform): Promise<Bank> {
  const bank = await createBank(admin, { company: '0001', branch: '0001' });
  for (const month of ['01/2026', '02/2026']) await openMonth(admin, bank, month);
  await post(
    admin,
    bank,
    book`
      05/01  1.1.1  D  1.000,00  3.1    "Aporte de capital"
      05/01  1.1.1  C    250,00  8.1    "${MARKUP}"
      09/01  1.1.1  C      1,50  1.1.2  "${RIGHT_TO_LEFT}"
      20/01  8.1    D     70,00         "Composto"
             1.1.1  C     60,00
             1.1.2  C     10,00
      28/01  1.1.1  D      0,01  7.1    "${LONG}"
    `,
  );
  await closeMonth(admin, bank, '01/2026');
  await importMany(admin, bank);
  return bank;
}

async function importMany(admin: Client, { company, branch }: Bank): Promise<void> {
  const place = { lote: '9', empresa: company, filial: branch, ano: 2026, mes: 2 };
  const batch = await bodyOf(admin.post('movements', '/batch', place));
  const rows = Array.from({ length: IMPORTED }, (_, at) =>
    [1, at + 1, String(1 + (at % 27)).padStart(2, '0'), 'D', '1.1.1', '7.1', '1,00', `Linha ${at + 1}`].join(';'),
  );
  const form = new FormData();
  const csv = ['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico', ...rows].join('\n');
  form.set('file', new Blob([csv]), 'caixa-fevereiro.csv');
  await bodyOf(admin.post('movements', `/batch/${batch.id}/import`, form));
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Razão' });
const panel = (page: Page) => page.locator('.side-panel');

async function rowsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('.grid-body .grid-row').allInnerTexts();
  return texts.map((text) =>
    text
      .split(/\s*\n\s*/)
      .filter(Boolean)
      .join(' | '),
  );
}

inBrowser('the ledger', makeBooks, (site) => {
  const at = (account: string, month = '2026-01') =>
    `/0001/0001/${month}/razao?conta=${site.books.accounts.get(account)}`;

  test('lines with the balance after each; what people typed is text and nothing else', async () => {
    const page = await site.open(at('1.1.1'));
    await grid(page).waitFor();
    await eventually(async () => (await rowsOf(page)).map((row) => row.replace(/^(\d\d) \| \S+ \| /, '$1 | '))).toEqual(
      [
        '05 | 3.1 Capital | Aporte de capital | 1.000,00 | 1.000,00 | D',
        `05 | 8.1 Despesas de pessoal | ${MARKUP} | 250,00 | 750,00 | D`,
        `09 | 1.1.2 Bancos | ${RIGHT_TO_LEFT} | 1,50 | 748,50 | D`,
        '20 | diversas | 60,00 | 688,50 | D',
        `28 | 7.1 Receitas de juros | ${LONG} | 0,01 | 688,51 | D`,
      ],
    );
    await page.getByRole('heading', { name: '1.1.1 Caixa' }).waitFor();
    await eventually(() => page.locator('.ledger-figures').innerText()).toMatch(/Saldo atual\s+688,51\s+D/);
    await eventually(() => page.title()).toBe('1.1.1 Caixa · Partidas');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await shot(page, 'razao');
    await expectFits(page, 390, 844);
    await shot(page, 'razao-390');
  });

  test('from a line to its entry, its counterpart and back, and to its document', async () => {
    const page = await site.open(at('1.1.1'));
    await atGrid(page, 'Razão');
    await eventually(async () => (await rowsOf(page)).at(-1)).toContain('688,51');
    for (let line = 0; line < 3; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => panel(page).innerText()).toMatch(
      /D\s+8\.1\s+70,00\s+C\s+1\.1\.1\s+60,00\s+C\s+1\.1\.2\s+10,00/,
    );
    await eventually(() => panel(page).innerText()).toMatch(/Lançado\s+admin, /);
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await page.keyboard.press('Escape');
    await eventually(() => panel(page).count()).toBe(0);
    await page.keyboard.press('C');
    await page.getByText('São diversas as contrapartidas').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('C');
    await page.getByRole('heading', { name: '1.1.2 Bancos' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: '1.1.1 Caixa' }).waitFor();
    await eventually(() => page.locator('.grid-row[data-marked]').innerText()).toContain('09');
    await page.keyboard.press('D');
    await page.waitForURL(/\/lancamentos\?documento=\d+/);
  });

  test('a line of a file says which row it came from; any day and the last line are one key away', async () => {
    const page = await site.open(at('1.1.1', '2026-02'));
    await eventually(async () => (await rowsOf(page))[0]).toBe(
      '01 | 9·1·1 | 7.1 Receitas de juros | Linha 1 | 1,00 | 689,51 | D',
    );
    await page.getByText('1.500 lançamentos').waitFor();
    await atGrid(page, 'Razão');
    await page.keyboard.press('End');
    await eventually(async () => (await rowsOf(page)).at(-1)).toMatch(/^27 \| .* \| 2\.188,51 \| D$/);
    await page.getByRole('button', { name: '15', exact: true }).click();
    await eventually(() => page.locator('.grid-row[data-marked]').innerText()).toMatch(/^15\s+9·1·15\s/);
    await page.keyboard.press('Enter');
    await eventually(() => panel(page).innerText()).toMatch(/Importação caixa-fevereiro\.csv, linha 16/);
    await eventually(() => panel(page).innerText()).toMatch(/historico\s+Linha 15/);
    await eventually(() => page.locator('.grid-body .grid-row').count()).toBeLessThan(60);
  });

  test('filters by days, text and amount, with sums; and saves what is shown', async () => {
    const page = await site.open(at('1.1.1', '2026-02'));
    await grid(page).waitFor();
    await page.keyboard.press('F');
    await page.getByLabel('Do dia').fill('3');
    await page.getByLabel('Até o dia').fill('2');
    await page.getByText('É antes do primeiro dia.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Até o dia').fill('4');
    await page.getByLabel('Texto do histórico').fill('linha 3');
    await page.keyboard.press('Enter');
    await page.waitForURL(/de=2026-02-03&ate=2026-02-04&texto=linha(\+|%20)3/);
    await page.getByRole('grid', { name: 'Lançamentos encontrados' }).waitFor();
    await settled(page);
    const rows = await rowsOf(page);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.every((row) => /^0[34] \| .* \| Linha 3\d* \| 1,00$/.test(row))).toBe(true);
    await eventually(() => page.locator('.ledger-bar').innerText()).toContain(`${rows.length} lançamentos`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = (await bytesOf(await saved)).toString();
    expect(text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1);
    await page.getByRole('button', { name: 'Tirar o filtro' }).click();
    await grid(page).waitFor();
    await page.goto(`${site.address}${at('1.1.1', '2026-02')}&valor=77.00`);
    await page.getByText('Nenhum lançamento com este filtro').waitFor();
  });

  test('reverses an entry once, on an open day, with a reason', async () => {
    const page = await site.open(at('1.1.2'));
    await grid(page).waitFor();
    await atGrid(page, 'Razão');
    await eventually(async () => (await rowsOf(page)).at(-1)).toContain('8,50');
    await page.keyboard.press('E');
    await page.getByLabel('Motivo').fill('Lançado em duplicidade');
    await page.keyboard.press('Enter');
    // January is closed: the server says so beside the day.
    await eventually(() => page.getByRole('dialog').innerText()).toMatch(/01\/2026/);
    await expectAccessible(page);
    await page.getByLabel('No dia').fill('10/02/2026');
    await page.keyboard.press('Enter');
    await page.getByText('estornado em 10/02/2026').waitFor();
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Enter');
    await eventually(() => panel(page).innerText()).toMatch(/Estornado\s+lote/);
    await page.goto(`${site.address}${at('1.1.2', '2026-02')}`);
    await eventually(async () => (await rowsOf(page)).join('\n')).toMatch(/^10 \| .* \| 1\.1\.1 Caixa \| .*1,50 \| /);
  });

  test('the balances of the months, as bars and as figures, lead to their months', async () => {
    const page = await site.open(at('1.1', '2026-02'));
    await grid(page).waitFor();
    await page.getByRole('button', { name: 'Números' }).click();
    await eventually(() => page.locator('.bars-table').innerText()).toMatch(/janeiro de 2026\s+680,01\s+D/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Gráfico' }).click();
    await page.getByRole('button', { name: 'jan, janeiro de 2026: 680,01 D' }).click();
    await page.waitForURL(/2026-01\/razao/);
    // A summary account shows which account each line is of.
    await eventually(() => page.getByRole('columnheader').allInnerTexts()).toContain('Conta');
  });

  test('asks for the account, says when nothing is there, and what failed', async () => {
    const page = await site.open('/0001/0001/2026-01/razao');
    await page.getByRole('combobox', { name: 'Conta' }).fill('bancos');
    await page.getByRole('option', { name: 'Bancos' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1.1.2 Bancos' }).waitFor();
    await page.goto(`${site.address}${at('2.1.1')}`);
    await page.getByText('Nenhum lançamento nesta conta neste mês').waitFor();
    await expectAccessible(page);
    await page.goto(`${site.address}/0001/0001/2026-01/razao?conta=999999`);
    await page.getByText('Não foi possível').waitFor();
    await page.route('**/ledger/**', (route) => route.abort());
    await page.goto(`${site.address}${at('1.1.1', '2026-02')}`);
    await page.getByText('O servidor não respondeu').waitFor();
    await page.unroute('**/ledger/**');
    await page.route('**/ledger/**/lines*', (route) => route.abort());
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await eventually(async () => (await rowsOf(page))[0]).toContain('689,51');
    await page.keyboard.press('End');
    await page.getByText('O servidor não respondeu').waitFor();
    await page.unroute('**/ledger/**/lines*');
    // Of the two pages at the end the later one may try again by itself before.
    const again = page.getByRole('button', { name: 'Tentar de novo' });
    await again.click({ timeout: 1_000 }).catch(() => {});
    await eventually(async () => (await rowsOf(page)).at(-1)).toMatch(/^27 \| /);
    expect(site.takeFaults().every((fault) => fault.includes('Failed to load resource'))).toBe(true);
  });
});
