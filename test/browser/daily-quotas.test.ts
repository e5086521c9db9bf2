import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeDay, createFund, earn, type Fund, reopenDay } from '../support/funds.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

/** A fund of 1,000.00 and 100 quotas with an administration fee; 2 January is its first day. */
async function makeBooks({ admin }: { readonly admin: Client }): Promise<Fund> {
  const fund = await createFund(admin, { company: '0001', branch: '0001' });
  const { company, branch, accounts } = fund;
  const [contaId, contrapartida] = [accounts.get('8.2'), accounts.get('2.1.1')];
  const lines = [{ sequence: 1, debcre: 'D', contaId, contrapartida, valueType: 'INFORMADO' }];
  const template = { company, branch, code: 'TAXA-ADM', description: 'Taxa de administração', lines };
  await bodyOf(admin.post('masterdata', `/release/${company}/${branch}`, template));
  const fee = { company, branch, kind: 'ADMINISTRATION', template: 'TAXA-ADM', startDate: '2026-01-05', rate: 25.2 };
  await bodyOf(admin.post('masterdata', '/fund/fee', fee));
  return fund;
}

const PLACE = '/0001/0001/2026-01/cotas';
const panel = (page: Page) => page.locator('.side-panel');
const notice = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });
const rowOf = (page: Page, day: string) => page.getByRole('row').filter({ hasText: day });
const cells = async (page: Page, day: string) =>
  (await rowOf(page, day).getByRole('gridcell').allTextContents()).slice(1);

inBrowser('Cotas diárias', makeBooks, (site) => {
  test('a day is previewed and confirmed by keys alone', async () => {
    const page = await site.open(PLACE);
    await page.getByText('Nenhuma cota neste período').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('p');
    await eventually(() => page.locator(':focus').inputValue()).toBe('02/01/2026');
    await page.keyboard.press('Enter');
    await rowOf(page, '02/01/2026').getByText('prévia').waitFor();
    await panel(page).getByText('Uma cota calculada; nada foi gravado.').waitFor();
    expect(await cells(page, '02/01/2026')).toEqual([
      '1.000,00',
      '100,00000000',
      '10,00000000',
      '–',
      '–',
      '–',
      'prévia',
    ]);
    await page.getByRole('grid').focus();
    await page.keyboard.press('c');
    const question = page.getByRole('dialog', { name: 'Confirmar a cota de 02/01/2026' });
    await question.getByText('10,00000000').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await notice(page, 'Cota confirmada').waitFor();
    await rowOf(page, '02/01/2026').getByText('confirmada').waitFor();
    // The next business day is proposed.
    await eventually(() => panel(page).getByLabel('Do dia').inputValue()).toBe('05/01/2026');
  });

  test('a range is calculated; what stands against it is said, and confirmed with what each day varies', async () => {
    const { admin } = site.platform;
    await earn(admin, site.books, '05/01', '2,50');
    await earn(admin, site.books, '07/01', '7,50');
    const page = await site.open(PLACE);
    await panel(page).getByLabel('Ao dia').fill('7');
    await panel(page).getByRole('button', { name: 'Calcular a prévia' }).click();
    await panel(page)
      .getByRole('alert')
      .getByText(/exige os dias anteriores fechados/)
      .waitFor();
    for (let day = 0; day < 3; day++) await closeDay(admin, site.books);
    await panel(page).getByRole('button', { name: 'Calcular a prévia' }).click();
    await panel(page).getByText('3 cotas calculadas; nada foi gravado.').waitFor();
    await panel(page).getByRole('button', { name: 'Confirmar…' }).click();
    const question = page.getByRole('dialog', { name: 'Confirmar 3 cotas, de 05/01/2026 a 07/01/2026' });
    await question.getByText('10,02500000').first().waitFor();
    await question.getByRole('button', { name: 'Confirmar' }).click();
    await notice(page, '3 cotas confirmadas').waitFor();
    await eventually(() => cells(page, '07/01/2026')).toEqual([
      ...['1.010,00', '100,00000000', '10,10000000', '0,74812967 %', '–', '–', 'confirmada'],
    ]);
    await rowOf(page, '07/01/2026').click();
    await page.getByRole('region', { name: 'Cota de 07/01/2026' }).getByText('Em 12 meses').waitFor();
    await shot(page, 'cotas-diarias');
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
    await shot(page, 'cotas-diarias-telefone');
  });

  test('what the past has changed is stale, and reprocessed with a reason; the old quotas are shown on demand', async () => {
    const { admin } = site.platform;
    await reopenDay(admin, site.books, '2026-01-06');
    await earn(admin, site.books, '06/01', '10,00');
    await closeDay(admin, site.books);
    const page = await site.open(PLACE, { theme: 'dark' });
    await page.getByText('2 cotas, a partir de 06/01/2026, não conferem mais com os livros.').waitFor();
    await rowOf(page, '06/01/2026').getByText('desatualizada').waitFor();
    await shot(page, 'cotas-desatualizadas');
    await page.keyboard.press('r');
    const question = page.getByRole('dialog', { name: 'Reprocessar cotas' });
    await eventually(() => question.getByLabel('Do dia').inputValue()).toBe('06/01/2026');
    await question.getByRole('button', { name: 'Reprocessar' }).click();
    await question.getByText('Falta o motivo.').waitFor();
    await question.getByLabel('Motivo').fill('Juros esquecidos');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await notice(page, 'Cotas reprocessadas').waitFor();
    await eventually(() => rowOf(page, '07/01/2026').count()).toBe(1);
    await eventually(async () => (await cells(page, '07/01/2026'))[2]).toBe('10,20000000');
    await page.getByLabel('Substituídas').check();
    await eventually(() => rowOf(page, '07/01/2026').count()).toBe(2);
    await rowOf(page, '07/01/2026').last().click();
    await page.getByRole('region', { name: 'Cota de 07/01/2026' }).getByText('Juros esquecidos').waitFor();
    await shot(page, 'cotas-substituidas');
    await expectAccessible(page);
  });

  test('the fees of a day are shown with their entry, posted, and reversed with a reason', async () => {
    const page = await site.open(PLACE);
    await page.getByLabel('Mostrar').selectOption('Taxas do fundo');
    await page.getByText('25,2 % ao ano · base 252 dias · desde 05/01/2026 · lançamento padrão TAXA-ADM').waitFor();
    // Its first days are closed already: the 8th is the first that is open.
    const day = panel(page).getByLabel('Dia', { exact: true });
    await eventually(() => day.inputValue()).toBe('05/01/2026');
    await panel(page).getByRole('alert').waitFor();
    await day.fill('08/01/2026');
    // 1,020.00 × 25.2 % ÷ 252 = 1.02
    await panel(page).getByText('8.2 Despesas administrativas').waitFor();
    await panel(page).getByText('1,02').first().waitFor();
    await expectAccessible(page);
    await panel(page).getByRole('button', { name: 'Lançar…' }).click();
    const question = page.getByRole('dialog', { name: 'Lançar as taxas de 08/01/2026' });
    await question.getByRole('button', { name: 'Lançar' }).click();
    await notice(page, 'Taxas de 08/01/2026 lançadas').waitFor();
    await rowOf(page, '08/01/2026').getByText('lançada').waitFor();
    await eventually(() => day.inputValue()).toBe('09/01/2026');
    await shot(page, 'taxas-do-fundo');
    await expectFits(page, 1280, 720);
    await expectFits(page, 390, 844);
    await shot(page, 'taxas-do-fundo-telefone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Estornar o último dia…' }).click();
    const reversal = page.getByRole('dialog', { name: 'Estornar as taxas de 08/01/2026' });
    await reversal.getByLabel('Motivo').fill('Base corrigida');
    await reversal.getByRole('button', { name: 'Estornar' }).click();
    await notice(page, 'Taxas de 08/01/2026 estornadas').waitFor();
    await rowOf(page, '08/01/2026').getByText('estornada').waitFor();
    await expectAccessible(page);
  });

  test('who may not calculate sees the quotas and no way to change them', async () => {
    const { admin } = site.platform;
    const other = await createUser(admin, { username: 'gestora' });
    await grantRoutine(admin, 'TAX_QUOTA', { userId: other.id });
    const permissions = [{ company: '0001', branch: '0001' }];
    const { username, password } = await createUser(admin, { username: 'leitora', permissions });
    const page = await site.open(PLACE, { as: { username, password } });
    await rowOf(page, '02/01/2026').waitFor();
    await panel(page).getByText('TAX_QUOTA').waitFor();
    await eventually(() =>
      page.getByRole('button', { name: /Confirmar|Calcular|Configurar|Reprocessar/ }).count(),
    ).toBe(0);
  });
});
