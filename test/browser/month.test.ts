import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { closureSettings, createBank } from '../support/banks.ts';
import { inBrowser, shot } from '../support/browser.ts';
import { addRuleForAll } from '../support/full-books.ts';
import { ADMIN, bodyOf } from '../support/platform.ts';

// The work of a month, from the password to the printed journal, by keys alone.

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
/** Row 3 names an account that is not there; row 5 a day that January has not. */
const FILE = [
  HEADER,
  'F1;1;20;D;1.1.2;7.1;1.500,00;Juros de janeiro',
  'F1;2;21;D;1.1.9;7.2;80,00;Tarifas',
  'F1;3;22;D;8.1;1.1.2;950,25;Folha',
  'F1;4;32;D;8.2;1.1.2;120,75;Aluguel',
].join('\r\n');

const SIGNATORIES = [
  { name: 'Ana Souza', cpf: '52998224725', role: 'Diretora', legalResponsible: true },
  { name: 'Rui Lima', cpf: '52998224725', role: 'Contador', crc: '123456', ufCrc: 'SP' },
];

const SHEET = [
  ['11', '8.2', '1.1.2', 'Aluguel', '4.500,00'],
  ['12', '1.1.2', '7.1', 'Juros recebidos', '12.345,67'],
  ['13', '1.1.2', '7.2', 'Tarifas recebidas', '890,10'],
  ['14', '2.1.2', '1.1.2', 'Impostos pagos', '1.000,00'],
]
  .map((row) => row.join('\t'))
  .join('\n');

const keysOf = (page: Page) => ({
  press: async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  /** Texts of the fields of a row, each left with Enter. */
  cells: async (...texts: readonly string[]) => {
    for (const text of texts) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
  },
});

inBrowser(
  'a month without a mouse',
  async (platform) => {
    const { admin } = platform;
    const bank = await createBank(admin, { company: '0001', branch: '0001', options: { signatories: SIGNATORIES } });
    await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(bank, [1])));
    await bodyOf(admin.post('masterdata', '/statements/default', { chartCode: bank.chartCode }));
    await addRuleForAll(platform);
    return bank;
  },
  (site) => {
    test('from the password to the printed journal', { timeout: 180_000 }, async () => {
      const began = performance.now();
      const page = await site.open('/0001/0001/2026-01/fechamento', { as: null });
      const { press, cells } = keysOf(page);
      const file = { name: 'janeiro.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
      page.on('filechooser', (chooser) => chooser.setFiles(file));
      const goTo = async (screen: string) => {
        await press('Control+k');
        await page.keyboard.type(screen);
        await page
          .getByRole('option', { name: new RegExp(`^${screen}`, 'i') })
          .first()
          .waitFor();
        await press('Enter');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      const tabTo = async (field: Locator) => {
        await field.waitFor();
        for (let presses = 0; !(await field.evaluate((element) => element.matches(':focus'))); presses++) {
          expect(presses, 'Tab leads there').toBeLessThan(80);
          await press('Tab');
        }
      };
      const marked = page.locator('.grid-row[data-marked]');

      // Sign in.
      await page.getByLabel('Usuário').waitFor();
      await page.keyboard.type(ADMIN.username);
      await press('Tab');
      await page.keyboard.type(ADMIN.password);
      await press('Enter');
      await page.getByRole('heading', { name: 'Fechamento' }).waitFor();
      await shot(page, '1-fechamento');

      // Open the month: Enter leads to the step of the marked branch that can be done.
      await marked.waitFor();
      await press('Enter');
      await page.getByRole('button', { name: /^Abrir janeiro/ }).waitFor();
      await press('Enter');
      await marked.getByText('sim').first().waitFor();

      // A batch, its document, and ten entries.
      await goTo('lançamentos');
      await page.getByText('Nenhum lote neste mês').first().waitFor();
      await press('Alt+l');
      await page.getByRole('dialog', { name: 'Novo lote' }).waitFor();
      await press('Enter');
      await page.getByRole('textbox', { name: 'Dia' }).waitFor();
      const saved = (count: number) =>
        page.locator('.document-head').getByText(`Lançamentos${count}`, { exact: true }).waitFor();
      await cells('05', 'D', '1.1.1', '3.1', '', 'Integralização de capital', '100.000,00');
      await cells('06', 'D', '1.1.2', '1.1.1', '', 'Depósito no banco', '60.000+20.000');
      // Two more as the one above.
      await cells('07', '=', '=', '=', '', '=', '5000');
      await cells('08', '=', '=', '=', '', '=', '2500,50');
      // A compound one: each further line gets what is missing.
      await cells('09', 'D', '8.1', '', '', 'Folha e encargos');
      await page.keyboard.type('3000');
      await press('Control+l');
      await cells('1.1.2');
      await page.keyboard.type('2000');
      await press('Control+l');
      await cells('2.1.2', '');
      // Ctrl D means what was typed last, also while it is on its way.
      await press('Control+d');
      await cells('10', '', '', '', '', '', '', '', '', '', '', '');
      await shot(page, '2-lancamentos');
      await saved(6);

      // Four more out of a spreadsheet.
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(SHEET)})`);
      await press('Control+v');
      await page.getByRole('button', { name: 'Gravar 4 lançamentos' }).waitFor();
      await shot(page, '3-planilha');
      await press('Enter');
      await saved(10);

      // A file with two faults, mended and imported.
      await goTo('importar');
      await page.getByText('Nenhuma importação neste mês').waitFor();
      await press('o');
      await page.locator('.screen-head .badge', { hasText: '2 linhas com problemas' }).waitFor();
      await press('F8');
      await page.keyboard.type('1.1.2');
      await press('F8');
      await page.keyboard.type('30');
      await press('Enter');
      await page.locator('.screen-head .badge', { hasText: 'pronto para gravar' }).waitFor();
      await shot(page, '4-importar');
      await press('Control+Enter');
      await page.getByText('janeiro.csv: importado').waitFor();

      // Days, one by one; what is open; the close, as it goes on.
      await goTo('fechamento');
      await marked.waitFor();
      for (let days = 1; days <= 3; days++) {
        await page.locator('.step-actions button:enabled', { hasText: 'Fechar o dia' }).waitFor();
        await press('f');
        await marked.getByText(`${days}/21`).waitFor();
      }
      await page.getByText('Roteiro de fechamento').waitFor();
      await shot(page, '5-roteiro');
      // Keys that follow quicker are taken for a text that went astray.
      await page.waitForTimeout(250);
      await press('g');
      await page.getByText(/^Em .* por admin$/).waitFor();
      await press('r');
      await page.getByText('Regras rodadas na filial 0001').waitFor();
      await shot(page, '6-consolidado');
      // From a figure of the balance sheet to its account, the ledger, the entry and the row of the file it came from.
      await goTo('demonstrações');
      await marked.getByText('ATIVO', { exact: true }).waitFor();
      await press('ArrowDown', 'ArrowRight');
      await page.getByRole('treegrid').getByText('1.1.2', { exact: true }).waitFor();
      await press('ArrowDown', 'ArrowDown', 'Enter');
      await page.getByRole('heading', { name: /Bancos/ }).waitFor();
      await marked.waitFor();
      await press('End');
      await marked.getByText('Aluguel').waitFor();
      await press('Enter');
      await page.getByRole('region', { name: 'Arquivo importado' }).getByText('janeiro.csv').waitFor();
      await shot(page, '7-linha-do-arquivo');

      // The journal of the month with its terms.
      await goTo('relatórios');
      await tabTo(page.getByRole('button', { name: 'Diário geral' }));
      await press('Enter');
      await tabTo(page.getByLabel('Com termos de abertura e encerramento'));
      await press('Space');
      const answer = page.waitForResponse(/relatorioDiarioGeral$/);
      await press('Control+Enter');
      expect((await answer).headers()['content-type']).toBe('application/pdf');
      await shot(page, '8-diario');
      console.log(`a month without a mouse: ${((performance.now() - began) / 1000).toFixed(1)} s`);
    });
  },
);
