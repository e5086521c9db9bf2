import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

const PLACE = '/0001/0001/2026-01/importar';
const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
const MARKUP = '<img src=x onerror=alert(1)>';

const RIGHT = (row: number) =>
  `F${1 + (row % 9)};${row};${1 + (row % 28)};D;1.1.1;3.1;${(row * 137.31).toFixed(2).replace('.', ',')};Folha de janeiro, lançamento ${row}`;
/** Rows 8 and 31 name an account that is not there, row 20 a day, row 24 says too little. */
const WRONG: Readonly<Record<number, string>> = {
  8: `F1;8;5;D;1.1.9;3.1;10,00;${MARKUP}`,
  20: `F1;20;32;D;1.1.1;3.1;10,00;${'Histórico muito longo '.repeat(20)}`,
  24: 'F1;24;5;D;1.1.1;;10,00;sem contrapartida',
  31: 'F1;31;5;D;1.1.9;3.1;10,00;\u202eoãçirav',
};
const rowsOf = (wrong: Readonly<Record<number, string>>) =>
  Array.from({ length: 40 }, (_, at) => wrong[at + 2] ?? RIGHT(at + 2));
const csv = (rows: readonly string[]) => Buffer.from([HEADER, ...rows].join('\r\n'));

const drop = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Arquivo de lançamentos').setInputFiles({ name, mimeType: 'text/plain', buffer });
const badge = (page: Page, text: string | RegExp) => page.locator('.screen-head .badge', { hasText: text }).waitFor();
const newBatch = (admin: Client, mes = 1) =>
  bodyOf(admin.post('movements', '/batch', { empresa: '0001', filial: '0001', ano: 2026, mes, descricao: 'Folha' }));
const linesOf = async (admin: Client, batch: number) =>
  (await admin.get('movements', `/entrysummary/${batch}`)).body.totalEntries;

inBrowser(
  'Importar',
  async ({ admin }) => {
    await createBank(admin, { company: '0001', branch: '0001' });
    await openMonth(admin, { company: '0001', branch: '0001' }, '01/2026');
    await openMonth(admin, { company: '0001', branch: '0001' }, '02/2026');
    return (await newBatch(admin)).id as number;
  },
  (site) => {
    test('a file with errors is mended in the screen by keys and imported; it can be undone', async () => {
      const { admin } = site.platform;
      const page = await site.open(PLACE);
      await page.getByText('Nenhuma importação neste mês').waitFor();
      await expectAccessible(page);
      await shot(page, 'vazio');
      await drop(page, 'folha-janeiro.csv', csv(rowsOf(WRONG)));
      await badge(page, '4 linhas com problemas');
      await eventually(() => page.locator('.sheet-cell-wrong').count()).toBe(4);
      await eventually(() => page.getByRole('button', { name: /Gravar/ }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await expectFits(page, 1280, 720);
      await shot(page, 'problemas-1280');
      await expectFits(page, 390, 800);
      await shot(page, 'problemas-390');
      await page.setViewportSize({ width: 1440, height: 900 });

      // Nothing is saved, whatever is pressed.
      await page.keyboard.press('Control+Enter');
      expect(await linesOf(admin, site.books)).toBe(0);
      await page.keyboard.press('F8');
      await eventually(() => page.getByLabel('Conta, linha 8').inputValue()).toBe('1.1.9');
      await page.keyboard.type('1.1.1');
      await page.keyboard.press('Enter');
      await page.getByLabel('Dia, linha 20').waitFor();
      await page.keyboard.type('30');
      await page.keyboard.press('F8');
      // An unbalanced entry is reported at its amount; what it lacks stands two cells before.
      await page.getByLabel('Valor, linha 24').waitFor();
      await page.keyboard.press('Shift+Tab');
      await page.getByLabel('Contrapartida, linha 24').waitFor();
      await page.keyboard.type('3.1');
      await page.keyboard.press('F8');
      await page.getByLabel('Conta, linha 31').waitFor();
      await page.keyboard.type('1.1.2');
      await page.keyboard.press('Escape');
      await page.keyboard.press('F8');
      await page.getByLabel('Conta, linha 31').fill('1.1.2');
      await page.keyboard.press('Enter');
      await badge(page, 'pronto para gravar');
      await page.getByText(/^Débitos .* conferem\.$/).waitFor();
      await shot(page, 'pronto');
      await page.keyboard.press('Control+Enter');
      await page.getByText('folha-janeiro.csv: importado').waitFor();
      expect(await linesOf(admin, site.books)).toBe(80);

      const list = page.getByRole('grid', { name: 'Importações do mês' });
      await list.getByText('importado').waitFor();
      await list.focus();
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary');
      await panel.getByRole('button', { name: 'Desfazer' }).waitFor();
      await expectAccessible(page);
      await shot(page, 'importado');
      const file = page.waitForEvent('download');
      await panel.getByRole('button', { name: 'Arquivo' }).click();
      expect((await file).suggestedFilename()).toBe('folha-janeiro.csv');
      await panel.getByRole('button', { name: 'Desfazer' }).click();
      await expectAccessible(page);
      const word = (await page.getByLabel(/^Digite/).getAttribute('id'))!;
      const label = await page.locator(`label[for="${word}"]`).textContent();
      await page.keyboard.type(/\d+/.exec(label!)![0]);
      await page.keyboard.press('Enter');
      await list.getByText('desfeito').waitFor();
      expect(await linesOf(admin, site.books)).toBe(0);
    });

    test('one row opens from a line of the ledger, among its neighbours', async () => {
      const { admin } = site.platform;
      const batch = await newBatch(admin, 2);
      const form = new FormData();
      form.set('file', new Blob([csv(Array.from({ length: 60 }, (_, at) => RIGHT(at + 2)))]), 'fevereiro.csv');
      await bodyOf(admin.post('movements', `/batch/${batch.id}/import`, form));
      const [document] = (await admin.get('movements', `/alldocument/${batch.id}`)).body;
      const lines = (await admin.get('movements', `/allentry/${document.id}`)).body;
      const { id, historico } = lines.at(-1);
      const page = await site.open(`/0001/0001/2026-02/importar?partida=${id}`);
      const marked = page.locator('.grid-row[data-marked]');
      await marked.getByText(historico).waitFor();
      await eventually(() => page.title()).toContain('fevereiro.csv');
      await expectAccessible(page);
      await shot(page, 'linha');
      await page.keyboard.press('Escape');
      await page.getByText('Solte aqui o arquivo de lançamentos').waitFor();
    });

    test('IPL and JSON are tried and saved as well; the same file twice is asked about', async () => {
      const page = await site.open('/0001/0001/2026-02/importar');
      const place = `2${'0001'.padEnd(5)}${'0001'.padEnd(5)}000900`;
      const entry = (account: string) =>
        `${place}${'1'.padEnd(10)}20260205000001D${account.padEnd(20)}${'3.1'.padEnd(20)}00000000000010000${' '.repeat(57)}`;
      await drop(page, 'sistema.txt', Buffer.from(`${entry('1.1.9')}\n`));
      await badge(page, '1 linha com problema');
      await page.keyboard.press('F8');
      await page.getByLabel('Conta, linha 1').fill('1.1.1');
      await page.keyboard.press('Enter');
      await badge(page, 'pronto para gravar');
      await page.keyboard.press('Control+Enter');
      await page.getByText('sistema.txt: importado').waitFor();

      const line = { debcre: 'D', day: '05', conta: '1.1.9', contrapartida: '3.1', valor: 12345678901234.56 };
      const documentos = [{ documento: '1', lancamentos: [line] }];
      const body = { empresa: '0001', filial: '0001', lote: '901', ano: 2026, mes: 2, documentos };
      // More digits than a double holds.
      const text = JSON.stringify(body).replace(/"valor":[\d.]+/, '"valor":9000000000000.01');
      await drop(page, 'lote.json', Buffer.from(text));
      await badge(page, '1 linha com problema');
      await page.keyboard.press('F8');
      await page.getByLabel('Conta, linha 1').fill('1.1.2');
      await page.keyboard.press('Enter');
      await badge(page, 'pronto para gravar');
      await page.keyboard.press('Control+Enter');
      await page.getByText('lote.json: importado').waitFor();
      await page.getByRole('grid').getByText('9.000.000.000.000,01').waitFor();

      await drop(page, 'sistema.txt', Buffer.from(`${entry('1.1.1')}\n`));
      await page.getByText('Este mesmo arquivo já foi importado').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByText('Solte aqui o arquivo de lançamentos').waitFor();
    });

    test('cells of a spreadsheet are pasted; what is no file of entries says so', async () => {
      const page = await site.open(PLACE);
      await page.getByText('Solte aqui').waitFor();
      const cells = `${HEADER}\n${RIGHT(5)}`.replaceAll(';', '\t');
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(cells)});
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      })()`);
      await badge(page, 'pronto para gravar');
      await page.keyboard.press('Escape');
      await drop(page, 'estranho.json', Buffer.from('{"documentos": ['));
      await page.getByText(/estranho\.json não pode ser lido/).waitFor();
      await drop(page, 'foto.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
      await page
        .getByRole('alert')
        .getByText(/imagem/i)
        .waitFor();
    });

    test('a file of 20,000 rows draws only those in sight', async () => {
      const page = await site.open(PLACE);
      const rows = Array.from({ length: 20_000 }, (_, at) => RIGHT(at + 2));
      await drop(page, 'grande.csv', csv(rows));
      await badge(page, 'pronto para gravar');
      await eventually(() => page.locator('.grid-row').count()).toBeLessThan(80);
    });

    test('without the routine there is no way in', async () => {
      const { admin } = site.platform;
      const permissions = [{ company: '0001' }];
      const { username, password } = await createUser(admin, { username: 'leitor', permissions });
      // Whoever stands on no row of a routine that has rows may not use it.
      await createUser(admin, { username: 'importa', permissions, routines: ['IMPORT'] });
      const page = await site.open(PLACE, { as: { username, password } });
      await page.getByText('Sem acesso').waitFor();
      await eventually(() => page.getByRole('button', { name: 'Escolher arquivo' }).count()).toBe(0);
      await expectAccessible(page);
    });
  },
);
