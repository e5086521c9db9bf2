import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf, eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { workTwoBranches } from '../support/two-branches.ts';
import { createUser } from '../support/users.ts';

const PLACE = '/0700/0001/2025-06/obrigacoes';
const panel = (page: Page) => page.getByRole('complementary');
const outcome = (page: Page, name: string) => page.getByRole('region', { name });
const notice = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

/** Presses the key of a screen, away from its fields. */
async function press(page: Page, key: string): Promise<void> {
  await page.locator('main').focus();
  await page.keyboard.press(key);
}

inBrowser('Obrigações', workTwoBranches, (site) => {
  const signatoriesOf = async (admin: Client) => {
    const listed = await bodyOf(admin.get('masterdata', '/company/options'));
    const options = listed.find(({ branch }: { branch: string }) => branch === '0001');
    const put = (signatories: unknown) =>
      bodyOf(admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, signatories }));
    return { id: options.id, put, restore: () => put(options.signatories) };
  };

  test('by keys alone: what stands against a file is found, mended, and the file is written, sent and accepted', async () => {
    const { admin } = site.platform;
    const options = await signatoriesOf(admin);
    await options.put([{ name: 'Maria Direção', cpf: '52998224725', qualification: '203', legalResponsible: true }]);
    const page = await site.open(PLACE);
    await page.getByText('Nada conferido ainda').waitFor();
    await expectAccessible(page);
    await press(page, 'p');
    await outcome(page, 'Resultado da pré-validação').getByText('O arquivo sairia com erros.').waitFor();
    await panel(page).getByText('Corrigir: opções da filial').waitFor();
    await expectAccessible(page);
    await shot(page, 'obrigacoes-achados');
    await page.getByRole('grid', { name: 'Achados' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/cadastros\\?tipo=opcoes&registro=${options.id}$`));
    await page.getByRole('dialog').getByText('Signatários').waitFor();
    await options.restore();
    await page.goto(`${site.address}${PLACE}`);
    await page.getByLabel('Forma').selectOption('B');
    await press(page, 'p');
    await outcome(page, 'Resultado da pré-validação').getByText('O arquivo pode ser gerado.').waitFor();
    await press(page, 'Control+Enter');
    const written = outcome(page, 'Arquivo gerado');
    await written.getByText('ecd-0700-B-2025-01-01-2025-12-31.txt').waitFor();
    await written.getByText('B nº 7').waitFor();
    await expectAccessible(page);
    await shot(page, 'obrigacoes-gerada');
    await expectFits(page, 1280, 720);
    await shot(page, 'obrigacoes-gerada-1280');
    await expectFits(page, 390, 844);
    await shot(page, 'obrigacoes-gerada-390');
    await page.setViewportSize({ width: 1440, height: 900 });
    const download = page.waitForEvent('download');
    await written.getByRole('button', { name: 'Baixar o arquivo' }).click();
    const bytes = await bytesOf(await download);
    expect(bytes.subarray(0, 11).toString('latin1')).toBe('|0000|LECD|');

    await written.getByRole('link', { name: 'Registrar o que o regulador responder' }).click();
    await panel(page).getByText('gerada', { exact: true }).waitFor();
    await expectAccessible(page);
    await press(page, 'r');
    const dialog = page.getByRole('dialog', { name: 'Registrar a entrega: ECD B' });
    await dialog.getByLabel('Situação').selectOption('ACCEPTED');
    await dialog.getByLabel('Recibo').fill('7A.11.22');
    await dialog.getByLabel('Hash do livro').fill('curto');
    await page.keyboard.press('Enter');
    await dialog.getByText('deve ter 40 algarismos hexadecimais').first().waitFor();
    await expectAccessible(page);
    await shot(page, 'obrigacoes-registro');
    await dialog.getByLabel('Hash do livro').fill('8e3f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b');
    await page.keyboard.press('Enter');
    await notice(page, 'Entrega registrada').waitFor();
    await panel(page).getByText('aceita', { exact: true }).waitFor();
    await panel(page).getByText('8E3F0A1B2C3D4E5F60718293A4B5C6D7E8F90A1B').waitFor();
    await shot(page, 'obrigacoes-entregas');
    await expectFits(page, 390, 844);
    await shot(page, 'obrigacoes-entregas-390');

    // What was accepted can be replaced by its hash.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${site.address}${PLACE}`);
    await page.getByText('Substituição, situações especiais e número do livro').click();
    await page.getByLabel('Substitui').selectOption({ label: 'ECD B, 01/01/2025 a 31/12/2025, livro nº 7' });
    await expectAccessible(page);
    await shot(page, 'obrigacoes-substitui');
    await page.getByText('O termo de verificação não é escrito').waitFor();
    await page.getByLabel('Forma').selectOption('B');
    await page.getByLabel('Guardar o arquivo mesmo com erros').check();
    await press(page, 'Control+Enter');
    await page
      .getByRole('grid', { name: 'Achados' })
      .getByText(/exige o termo de verificação/)
      .waitFor();
    const [latest] = await bodyOf(admin.get('reports', '/regulatory/deliveries?empresa=0700&ano=2025'));
    expect(latest).toMatchObject({ status: 'GENERATED', substitui: expect.any(Number), livro: 'B', numeroLivro: 7 });
  });

  test('a file with errors is withheld, unless it is wanted with them', async () => {
    const page = await site.open(`${PLACE}?arquivo=4010`);
    await press(page, 'Control+Enter');
    const written = outcome(page, 'Arquivo gerado');
    await written.getByText('O arquivo não foi guardado: corrija os erros e gere de novo.').waitFor();
    expect(await written.getByRole('button', { name: 'Baixar o arquivo' }).count()).toBe(0);
    await page
      .getByRole('grid', { name: 'Achados' })
      .getByText(/conta 1\.1\.1/)
      .first()
      .waitFor();
    await shot(page, 'obrigacoes-4010');
    // What was written is there after a reload: the address names it.
    await page.reload();
    await written.getByText('O arquivo não foi guardado').waitFor();
    // Another month has another file.
    await press(page, 'Alt+PageDown');
    await page.getByText('4010 de 07/2025').waitFor();
    await page.getByText('Nada conferido ainda').waitFor();
    expect(page.url()).not.toContain('pedido');
    await page.getByLabel('Arquivo', { exact: true }).selectOption('ECD');
    await page.getByLabel('Forma').selectOption('G');
    await page.getByLabel('Guardar o arquivo mesmo com erros').check();
    await press(page, 'Control+Enter');
    await written.getByText('ecd-0700-G-2025-01-01-2025-12-31.txt').waitFor();
    await written.getByText('2 erros').waitFor();
    // Its lines name the entry, which is found where it lies.
    await page.getByRole('grid', { name: 'Achados' }).focus();
    await panel(page)
      .getByText(/Corrigir: lote \d+, documento \S+, lançamento \d+/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/0001\/2025-03\/lancamentos\?procurar=1/);
    const lines = page.getByRole('grid', { name: 'Lançamentos encontrados' });
    await eventually(() => lines.getByText('1.1.1.02', { exact: true }).count()).toBeGreaterThan(0);
    expect(await lines.getByRole('row').count()).toBe(3);
    await expectAccessible(page);
    await expectFits(page, 1280, 720);
    await shot(page, 'obrigacoes-lancamento');
    await expectFits(page, 390, 844);
    await page.setViewportSize({ width: 1440, height: 900 });
    await lines.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/documento=\d+&lancamento=/);
  });

  test('what cannot be asked for is said before it is sent', async () => {
    const page = await site.open('/0700/0001/2025-05/obrigacoes?arquivo=4016');
    await page.getByText('O 4016 é de junho e de dezembro').waitFor();
    expect(await page.getByRole('button', { name: 'Gerar', exact: true }).isDisabled()).toBe(true);
    await page.goto(`${site.address}${PLACE}`);
    await page.getByLabel('Até').fill('30/06/2026');
    await page.keyboard.press('Tab');
    await press(page, 'p');
    await page.getByRole('alert').waitFor();
    await eventually(() => page.locator('.field-wrong').count()).toBe(1);
    await expectAccessible(page);
  });

  test('a file of anyone is checked against the rules of the regulators', async () => {
    const page = await site.open(`${PLACE}?ver=verificar`);
    await page.getByText('Nenhum arquivo escolhido').waitFor();
    await expectAccessible(page);
    const chooser = page.waitForEvent('filechooser');
    await press(page, 'o');
    await (await chooser).setFiles({
      name: 'planilha.zip',
      mimeType: 'text/plain',
      buffer: Buffer.from('PK\u0003\u0004…'),
    });
    await outcome(page, 'Resultado da verificação').getByText('não reconhecido').waitFor();
    await panel(page).getByText('PARTIDAS_ARQUIVO_DESCONHECIDO').waitFor();
    const [{ job }] = await bodyOf(site.platform.admin.get('reports', '/regulatory/deliveries?empresa=0700&ano=2025'));
    const answer = await site.platform.admin.get('reports', `/regulatory/jobs/${job}/download`);
    const wrong = answer.text.replace('|9999|', '|9999|1');
    const input = page.getByLabel('Arquivo para verificar');
    await input.setInputFiles({ name: 'ecd.txt', mimeType: 'text/plain', buffer: Buffer.from(wrong, 'latin1') });
    await outcome(page, 'Resultado da verificação')
      .getByText(/ECD, livro/)
      .waitFor();
    await page.getByRole('grid', { name: 'Achados' }).getByText(/9999/).first().waitFor();
    await expectAccessible(page);
    await expectFits(page, 390, 844);
    await shot(page, 'obrigacoes-verificar');
  });

  test('who may not write files sees what became of them, and no more', async () => {
    const { platform } = site;
    await createUser(platform.admin, {
      username: 'fiscal',
      permissions: [{ company: '0700' }],
      routines: ['REGULATORY_FILES'],
    });
    const { username, password } = await createUser(platform.admin, {
      username: 'leitora',
      permissions: [{ company: '0700' }],
    });
    const page = await site.open(PLACE, { as: { username, password } });
    await page.getByText('REGULATORY_FILES').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Mostrar').selectOption('entregas');
    await page.getByRole('grid', { name: 'Entregas' }).getByText('ECD B').first().click();
    await page.keyboard.press('Enter');
    await panel(page).getByText('SHA-256').waitFor();
    expect(
      await panel(page)
        .getByRole('button', { name: /Baixar|Registrar/ })
        .count(),
    ).toBe(0);
  });

  test('the profile that the files follow is kept in Cadastros', async () => {
    const page = await site.open('/0700/0001/2025-06/cadastros?tipo=perfil-regulatorio&registro=0700');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Forma da ECD').selectOption('B');
    await dialog.getByLabel(/Balanço patrimonial/).fill('BP');
    await expectAccessible(page);
    await shot(page, 'perfil-regulatorio');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Gravar' }).click();
    await dialog.waitFor({ state: 'detached' });
    const profile = await bodyOf(site.platform.admin.get('masterdata', '/regulatory/profile/0700'));
    expect(profile).toMatchObject({ ecdBook: 'B', balanceSheetId: expect.any(Number) });
  });
});
