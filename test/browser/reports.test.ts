import { expect, test } from 'vitest';
import { FORMS } from '../../console/generated/forms/reports.ts';
import { book } from '../support/books.ts';
import { bytesOf, eventually, expectAccessible, expectFits, inBrowser, shot } from '../support/browser.ts';
import { closeMonth } from '../support/months.ts';
import { bodyOf } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';

inBrowser(
  'Relatórios',
  async (platform) => {
    const bank = await createBooks(
      platform.admin,
      book`
        05/01      1.1.2  D  1.000,00  3.1  "Aporte"
        20/01  2   8.1    D     50,00       "Folha"
                   8.2    D      5,00
                   1.1.2  C     55,00
      `,
      { company: '0001', branch: '0001' },
    );
    await closeMonth(platform.admin, bank, '01/2026');
    await bodyOf(platform.admin.post('masterdata', '/branch', { company: '0001', branch: '0002', name: 'Agência' }));
    return bank;
  },
  (site) => {
    const place = () => `/${site.books.company}/${site.books.branch}/2026-01/relatorios`;

    test('each has its form; what is wrong with it is said beside the field', async () => {
      const page = await site.open(place());
      const list = page.getByRole('navigation', { name: 'Relatórios' });
      await list.waitFor();
      const reports = await list.getByRole('button').all();
      expect(reports).toHaveLength(14);
      for (const report of reports) {
        await report.click();
        await page.getByRole('heading', { level: 2, name: (await report.textContent())! }).waitFor();
      }
      await list.getByRole('button', { name: 'Termos de livro' }).click();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alert').waitFor();
      await eventually(() => page.locator('.field-problem').count()).toBeGreaterThan(0);
      await expectAccessible(page);
    });

    test('a trial balance is printed, and its PDF is one; what was chosen is remembered', async () => {
      const page = await site.open(`${place()}?relatorio=monthlyTrialBalance`);
      await page.getByLabel('Nível').fill('2');
      const answer = page.waitForResponse(/monthlyTrialBalance$/);
      await page.keyboard.press('Control+Enter');
      const printed = await answer;
      expect(printed.headers()['content-type']).toBe('application/pdf');
      const frame = page.locator('iframe.pdf-frame');
      const saved = page.getByText('O arquivo foi salvo');
      await frame.or(saved).waitFor();
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Salvar' }).click();
      const bytes = await bytesOf(await file);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      await shot(page, 'relatorio');
      await expectFits(page, 1280, 720);
      await shot(page, 'relatorio-1280');
      await expectFits(page, 390, 800);
      await shot(page, 'relatorio-390');
      await page.reload();
      await eventually(() => page.getByLabel('Nível').inputValue()).toBe('2');
    });

    test('the institution is asked for where the report is not of one fund', async () => {
      const page = await site.open(`${place()}?relatorio=monthlyTrialBalance`);
      await page.getByLabel('Instituição').check();
      await page.waitForURL(/instituicao=1/);
      await expectAccessible(page);
      await expectFits(page, 390, 800);
      await page.setViewportSize({ width: 1440, height: 900 });
      const answer = page.waitForResponse(/monthlyTrialBalance$/);
      await page.getByRole('button', { name: 'Imprimir', exact: true }).click();
      const printed = await answer;
      expect(printed.request().postDataJSON()).toMatchObject({ empresa: '0001', filial: '*' });
      expect(printed.headers()['content-disposition']).toContain('instituicao');
      await page.getByRole('button', { name: 'Balancete CVM' }).click();
      await page.getByRole('heading', { level: 2, name: 'Balancete CVM' }).waitFor();
      await eventually(() => page.getByLabel('Instituição').count()).toBe(0);
    });

    test('other forms are saved, and long ones printed in the background', async () => {
      const page = await site.open(`${place()}?relatorio=relatorioDiarioGeral`);
      await page.getByLabel('Formato').selectOption('CSV');
      const file = page.waitForEvent('download');
      await page.keyboard.press('Control+Enter');
      expect((await file).suggestedFilename()).toMatch(/^diario-geral-.*\.csv$/);
      await page.getByRole('button', { name: 'Em segundo plano' }).click();
      const tray = page.getByRole('region', { name: 'Em segundo plano' });
      const later = page.waitForEvent('download');
      await tray.getByRole('button', { name: 'Baixar' }).click();
      expect((await later).suggestedFilename()).toMatch(/\.csv$/);
      await expectAccessible(page);
      await shot(page, 'segundo-plano');
    });
  },
);

test('every field of every report has its label', async () => {
  const { LABELS, VALUE_LABELS } = await import('../../console/screens/reports/labels.ts');
  const hidden = ['empresa', 'filial', 'ano', 'mes', 'parametros', 'relatorios'];
  const fieldsOf = (schema: Field): [string, Field][] =>
    Object.entries(schema.fields ?? {}).flatMap(([name, field]) => [
      [name, field] as [string, Field],
      ...fieldsOf(field),
      ...(name === 'anexos' ? [] : fieldsOf(field.item ?? {})),
    ]);
  const prints = Object.entries(FORMS).filter(([name]) => /^print(?!Combined|Account)/.test(name));
  const fields = prints.flatMap(([, { body }]) => fieldsOf(body as Field)).filter(([name]) => !hidden.includes(name));
  expect(fields.map(([name]) => name).filter((name) => !(name in LABELS))).toEqual([]);
  const values = fields.filter(([name]) => name !== 'visualizationEnum').flatMap(([, { values = [] }]) => values);
  expect(values.filter((value) => !(value in VALUE_LABELS))).toEqual([]);
});

interface Field {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly item?: Field;
  readonly values?: readonly string[];
}
