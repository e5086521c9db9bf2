import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type AccountFixture, type Bank, createBank, createHistories } from '../support/banks.ts';
import { newDocument } from '../support/books.ts';
import { eventually, expectAccessible, expectFits, inBrowser, type Site, settled, shot } from '../support/browser.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Lançamentos: an accountant types all day, by keyboard, and nothing is lost or doubled.

const account = (
  code: string,
  description: string,
  type: 'S' | 'A',
  accountClass: '01' | '02' | '04',
): AccountFixture => ({
  code,
  description,
  type,
  nature: accountClass === '01' ? 'D' : 'C',
  accountClass,
});

/** Codes as long as the regulator's, leaves of the same name below different groups. */
const CHART: readonly AccountFixture[] = [
  account('1', 'ATIVO REALIZÁVEL', 'S', '01'),
  account('1.1', 'DISPONIBILIDADES', 'S', '01'),
  account('1.1.10000008', 'CAIXA', 'A', '01'),
  account('1.1.20000002', 'DEPÓSITOS BANCÁRIOS', 'A', '01'),
  account('1.6', 'OPERAÇÕES DE CRÉDITO', 'S', '01'),
  account('1.6.13001103', 'Saldo Contratual', 'A', '01'),
  account('4', 'PASSIVO EXIGÍVEL', 'S', '02'),
  account('4.1', 'DEPÓSITOS', 'S', '02'),
  account('4.1.1', 'Depósitos à Vista', 'S', '02'),
  account('4.1.1.051000', 'Pessoas Naturais', 'A', '02'),
  account('4.1.1.982000', 'Pessoas Jurídicas', 'A', '02'),
  account('7', 'RECEITAS OPERACIONAIS', 'S', '04'),
  account('7.7011500', 'Tarifa Cheque Especial', 'A', '04'),
];
const CASH = '1.1.10000008';
const PEOPLE = '4.1.1.051000';
const FEES = '7.7011500';

interface Books {
  readonly bank: Bank;
  readonly clerk: { readonly username: string; readonly password: string };
}

async function makeBooks({ admin }: Platform): Promise<Books> {
  const bank = await createBank(admin, { company: '0001', branch: '0001', accounts: CHART });
  for (const month of ['01/2026', '02/2026']) await openMonth(admin, bank, month);
  await createHistories(admin, ['00010'], { description: 'Depósito à vista de cliente' });
  const second = await createBank(admin, {
    company: '0001',
    branch: '0002',
    existing: true,
    chartCode: bank.chartCode,
    accounts: [],
  });
  for (const month of ['01/2026', '02/2026']) await openMonth(admin, second, month);
  // Who stands on the access rows of a routine keeps others out: maria may not delete.
  await createUser(admin, {
    username: 'chefe',
    permissions: [{ company: bank.company }],
    routines: ['DELETE_MOVEMENTS'],
  });
  const user = await createUser(admin, { username: 'maria', permissions: [{ company: bank.company }] });
  return { bank, clerk: { username: 'maria', password: user.password } };
}

/** A document of its own with so many entries of 10,00 and up. */
async function documentWith({ platform, books }: Site<Books>, entries: number): Promise<number> {
  const id = await newDocument(platform.admin, books.bank, '02/2026');
  for (let at = 0; at < entries; at++) await send(platform, books.bank, id, at);
  return id;
}

function send({ admin }: Platform, bank: Bank, id: number, at: number) {
  const line = (debcre: string, conta: string, valor: number) => ({ debcre, contaId: bank.accounts.get(conta), valor });
  const isCompound = at % 5 === 4;
  const partidas = isCompound
    ? [line('D', CASH, 1650 + at), line('C', PEOPLE, 1250 + at), line('C', FEES, 400)]
    : [line('D', CASH, 10 + at), line('C', PEOPLE, 10 + at)];
  const day = String((at % 27) + 1).padStart(2, '0');
  return bodyOf(admin.post('movements', `/document/${id}/entries`, { day, historico: `Depósito ${at + 1}`, partidas }));
}

const place = (id: number, month = '2026-02') => `/0001/0001/${month}/lancamentos?documento=${id}`;
const cell = (page: Page, name: string) => page.locator(`[data-cell="${name}"] input`);
const focused = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement.closest("[data-cell]")?.dataset.cell');

async function entriesOf({ platform }: Site<Books>, id: number) {
  return (await bodyOf(platform.admin.get('movements', `/document/${id}/entries?size=1000`))).content;
}

/** The row is there and has the focus. */
async function openRow(site: Site<Books>, id: number, as?: Books['clerk']): Promise<Page> {
  const page = await site.open(place(id), as ? { as } : {});
  await cell(page, 'day').waitFor();
  await eventually(() => focused(page)).toBe('day');
  return page;
}

/** Types a whole simple entry and ends it with Enter. */
async function typeEntry(page: Page, day: string, amount: string, text: string, delay = 0): Promise<void> {
  for (const typed of [day, '', 'caixa', 'pessoas', '', text, amount]) {
    if (typed !== '') await page.keyboard.type(typed, { delay });
    await page.keyboard.press('Enter');
  }
}

const texts = (entries: { historico: string }[]) => entries.map(({ historico }) => historico);
const amounts = (entries: { partidas: { valor: number }[] }[]) =>
  entries.map(({ partidas }) => partidas.map(({ valor }) => valor));

inBrowser('Lançamentos', makeBooks, (site) => {
  test('entries are typed without a pause: no key is lost, and each is written once, in order', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    // Twenty keys a second, then as fast as the browser takes them.
    await typeEntry(page, '05', '1234,56', 'Depósito um', 50);
    for (const at of [2, 3, 4, 5, 6, 7, 8]) await typeEntry(page, '06', `${at}00,0${at}`, `Depósito ${at}`);
    await eventually(async () => texts(await entriesOf(site, id))).toEqual([
      'Depósito um',
      ...[2, 3, 4, 5, 6, 7, 8].map((at) => `Depósito ${at}`),
    ]);
    expect(amounts(await entriesOf(site, id))[0]).toEqual([1234.56, 1234.56]);
    await eventually(() => focused(page)).toBe('day');
    await page.getByText('4.734,91').first().waitFor();
    await expectFits(page, 1280, 720);
    await shot(page, '1280');
  });

  test('a compound entry: the missing amount comes by itself, amounts add up, the cell above is repeated', async () => {
    const id = await documentWith(site, 1);
    const page = await openRow(site, id);
    await page.getByText('Depósito 1').waitFor();
    // Tab goes where Enter goes.
    await page.keyboard.type('=');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('=');
    await page.keyboard.press('Tab');
    await page.keyboard.type('pessoas nat');
    await shot(page, 'conta');
    await page.keyboard.press('Tab');
    await page.keyboard.type('10');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Depósitos do dia');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1.000+650');
    await page.getByText('soma 1.650,00').waitFor();
    await page.keyboard.press('Control+l');
    await eventually(() => focused(page)).toBe('amount.1');
    await eventually(() => cell(page, 'amount.0').inputValue()).toBe('1.650,00');
    await page.keyboard.type('1250');
    await page.keyboard.press('Control+l');
    await page.keyboard.type('tarifa cheque');
    await page.keyboard.press('Enter');
    await eventually(() => cell(page, 'amount.2').inputValue()).toBe('400,00');
    await shot(page, 'claro');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, 'escuro');
    await page.keyboard.type('310,40');
    await page.getByText('89,60 D').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Faltam 89,60 a crédito.').waitFor();
    await eventually(() => focused(page)).toBe('amount.2');
    await page.keyboard.type('400');
    await page.keyboard.press('Enter');
    await eventually(async () => amounts(await entriesOf(site, id))).toEqual([
      [10, 10],
      [1650, 1250, 400],
    ]);
    const [, compound] = await entriesOf(site, id);
    expect(compound).toMatchObject({ day: '01', cdhistorico: '00010', historico: 'Depósitos do dia' });
    // Ctrl D copies the entry above; only the amount is typed anew.
    await page.keyboard.press('Control+d');
    await eventually(() => cell(page, 'amount.2').inputValue()).toBe('400,00');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => amounts(await entriesOf(site, id))).toHaveLength(3);
  });

  test('what is missing is said in the row, which stays', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    await page.keyboard.type('31');
    await page.keyboard.press('Control+Enter');
    await page.getByText('O mês não tem este dia.').waitFor();
    await eventually(() => focused(page)).toBe('day');
    await cell(page, 'account.0').fill('conta que não existe');
    await page.keyboard.press('Tab');
    await page.getByText('Nenhuma conta analítica com isto.').waitFor();
    await eventually(() => focused(page)).toBe('account.0');
    await cell(page, 'account.0').fill('');
    // What the server alone knows comes back into the row.
    await cell(page, 'day').fill('05');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    for (const typed of ['caixa', 'pessoas', '', '']) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.type('99999999999999');
    await page.keyboard.press('Enter');
    await page.getByText('O valor é grande demais.').waitFor();
    expect(await entriesOf(site, id)).toEqual([]);
  });

  test('the network is cut while a row is saved: nothing is doubled, nothing is lost', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    const keys: (string | undefined)[] = [];
    let cut = true;
    // The first request reaches the server, its answer does not come back; later ones do not even leave.
    await page.route(`**/document/${id}/entries`, async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key']);
      if (!cut) return route.continue();
      if (keys.length === 1) await route.fetch({ headers: { ...request.headers(), 'sec-fetch-site': 'same-origin' } });
      return route.abort('connectionreset');
    });
    await typeEntry(page, '05', '10', 'Cortado');
    await page.getByText('sem resposta').waitFor({ timeout: 20_000 });
    expect(texts(await entriesOf(site, id))).toEqual(['Cortado']);
    await page.keyboard.type('06');
    await page.keyboard.press('Enter');
    site.takeFaults();
    await expectAccessible(page);
    await shot(page, 'sem-resposta');
    const tried = keys.length;
    await page.getByRole('button', { name: 'Enviar agora' }).click();
    await eventually(() => keys.length).toBeGreaterThan(tried);
    // From now on it may leave; the row tries again by itself, too.
    cut = false;
    await eventually(() => page.getByText('sem resposta').count()).toBe(0);
    expect(texts(await entriesOf(site, id))).toEqual(['Cortado']);
    expect(new Set(keys).size).toBe(1);
    // The row that was begun meanwhile is as it was left.
    await eventually(() => cell(page, 'day').inputValue()).toBe('06');
    site.takeFaults();
  });

  test('rows typed without a network go out in their order when it is back', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    await page.context().setOffline(true);
    await typeEntry(page, '05', '10', 'Primeiro');
    await typeEntry(page, '06', '20', 'Segundo');
    await page.getByText('sem resposta').waitFor();
    await page.context().setOffline(false);
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Primeiro', 'Segundo']);
    site.takeFaults();
  });

  test('a reload loses nothing: what was on its way goes out once, what was begun stands where it was', async () => {
    const id = await documentWith(site, 1);
    const page = await openRow(site, id);
    page.on('dialog', (dialog) => dialog.accept());
    const keys: (string | undefined)[] = [];
    let cut = true;
    await page.route(`**/document/${id}/entries`, async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key']);
      return cut ? route.abort('connectionreset') : route.continue();
    });
    await typeEntry(page, '05', '10', 'Sem rede');
    await page.getByText('sem resposta').waitFor();
    await page.keyboard.type('06');
    await page.keyboard.press('Enter');
    await cell(page, 'narration').fill('Começado');
    await page.reload();
    await page.getByText('o que não estava gravado voltou').waitFor();
    await page.getByText('sem resposta').waitFor();
    expect(await cell(page, 'day').inputValue()).toBe('06');
    expect(await cell(page, 'narration').inputValue()).toBe('Começado');
    await expectAccessible(page);
    await shot(page, 'recarregada');
    // Nothing of the session is kept beside the rows.
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(
      /token|password|partidas-session/i,
    );
    cut = false;
    await page.reload();
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Depósito 1', 'Sem rede']);
    expect(new Set(keys).size).toBe(1);
    await eventually(() => page.getByText('sem resposta').count()).toBe(0);
    await page.keyboard.press('Escape');
    site.takeFaults();
  });

  test('an entry being changed is still that change after a reload; saved or signed out, nothing is kept', async () => {
    const id = await documentWith(site, 1);
    const { clerk } = site.books;
    const page = await openRow(site, id, clerk);
    page.on('dialog', (dialog) => dialog.accept());
    const kept = () => page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('partidas.unsent '))");
    await page.keyboard.press('F2');
    await cell(page, 'amount.0').fill('99');
    await page.reload();
    await eventually(() => cell(page, 'amount.0').inputValue()).toMatch(/^99(?:,00)?$/);
    expect(await kept()).toEqual([`partidas.unsent 0001/0001/${id}`]);
    await cell(page, 'amount.0').focus();
    await page.keyboard.press('Control+Enter');
    await eventually(async () => amounts(await entriesOf(site, id))).toEqual([[99, 99]]);
    await eventually(kept).toEqual([]);
    expect(await page.getByText('o que não estava gravado voltou').count()).toBe(0);

    await cell(page, 'narration').fill('De maria');
    await eventually(kept).toHaveLength(1);
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.waitForURL(/entrar/);
    expect(await kept()).toEqual([]);
  });

  test('the session ends while a row is typed: it is signed in over the row, which is sent', async () => {
    const id = await documentWith(site, 0);
    const { clerk } = site.books;
    const page = await site.open('/entrar', { as: null });
    await page.getByLabel('Usuário').fill(clerk.username);
    await page.getByLabel('Senha').fill(clerk.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/0001\/0001\//);
    await settled(page);
    await page.goto(site.address + place(id));
    await settled(page);
    await page.evaluate(() => fetch('/api/console/session', { method: 'DELETE' }));
    await cell(page, 'day').focus();
    await typeEntry(page, '05', '10', 'Depois da sessão');
    const dialog = page.getByRole('dialog', { name: 'A sessão terminou' });
    await dialog.getByLabel('Senha').fill(clerk.password);
    await page.keyboard.press('Enter');
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Depois da sessão']);
  });

  test('two users on one document: each sees the other, and a stale change is told, not lost', async () => {
    const id = await documentWith(site, 2);
    const mine = await openRow(site, id);
    const theirs = await openRow(site, id, site.books.clerk);
    await mine.getByText('Depósito 2').waitFor();
    await theirs.getByText('Depósito 2').waitFor();
    // Both change the last entry.
    for (const page of [mine, theirs]) {
      await page.keyboard.press('F2');
      await page.getByText('Alterando o lançamento 2.').waitFor();
    }
    await cell(theirs, 'narration').fill('De Maria');
    await theirs.keyboard.press('Control+Enter');
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Depósito 1', 'De Maria']);
    await cell(mine, 'amount.0').fill('77');
    await mine.keyboard.press('Control+Enter');
    await mine.getByText('foi alterado por maria').waitFor();
    expect(amounts(await entriesOf(site, id))[1]).toEqual([11, 11]);
    await mine.getByText('De Maria').first().waitFor();
    await eventually(() => cell(mine, 'amount.0').inputValue()).toBe('77,00');
    await mine.keyboard.press('Control+Enter');
    await eventually(async () => amounts(await entriesOf(site, id))[1]).toEqual([77, 77]);
    await eventually(() => cell(mine, 'amount.0').inputValue()).toBe('');
    await eventually(() => focused(mine)).toBe('day');
    // What one posts, the other sees without doing anything.
    await typeEntry(mine, '08', '5', 'De outro');
    await theirs.getByText('De outro').waitFor();
  });

  test('two tabs of one user keep their rows apart, and show what the other has posted', async () => {
    const id = await documentWith(site, 0);
    const first = await openRow(site, id);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await settled(second);
    await cell(second, 'narration').fill('Meio digitado');
    await typeEntry(first, '05', '10', 'Da primeira');
    await second.getByText('Da primeira').waitFor();
    await eventually(() => cell(second, 'narration').inputValue()).toBe('Meio digitado');
    await cell(second, 'narration').fill('');
    await cell(second, 'day').focus();
    await typeEntry(second, '06', '20', 'Da segunda');
    await first.getByText('Da segunda').waitFor();
    expect(texts(await entriesOf(site, id))).toEqual(['Da primeira', 'Da segunda']);
  });

  test('Ctrl Z takes back what was posted; who may not delete is offered a reversal', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    await typeEntry(page, '05', '10', 'Engano');
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Engano']);
    await page.getByText('Engano').first().waitFor();
    await page.keyboard.press('Control+z');
    await eventually(() => entriesOf(site, id)).toEqual([]);
    // It stands in the row again.
    await eventually(() => cell(page, 'narration').inputValue()).toBe('Engano');
    await cell(page, 'narration').fill('Certo');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => texts(await entriesOf(site, id))).toEqual(['Certo']);
    const written = page.getByRole('grid', { name: 'Lançamentos do documento' });
    await written.getByText('Certo').waitFor();
    // A change is taken back, too.
    await page.keyboard.press('F2');
    await cell(page, 'amount.0').fill('99');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => amounts(await entriesOf(site, id))).toEqual([[99, 99]]);
    await written.getByText('99,00').first().waitFor();
    await page.keyboard.press('Control+z');
    await eventually(async () => amounts(await entriesOf(site, id))).toEqual([[10, 10]]);
    // Who may not delete is offered a reversal.
    const theirs = await openRow(site, id, site.books.clerk);
    await typeEntry(theirs, '06', '20', 'De quem não exclui');
    await theirs.getByText('De quem não exclui').first().waitFor();
    await theirs.keyboard.press('Control+z');
    const dialog = theirs.getByRole('dialog', { name: 'Estornar o lançamento 2' });
    await dialog.getByText('Excluir pede a rotina DELETE_MOVEMENTS').waitFor();
    await theirs.keyboard.press('Escape');
    await eventually(() => focused(theirs)).toBe('day');
  });

  test('a reversal asks for day and reason; a consolidated month is only read', async () => {
    const { platform, books } = site;
    const january = await newDocument(platform.admin, books.bank, '01/2026');
    await send(platform, books.bank, january, 0);
    await closeMonth(platform.admin, books.bank, '01/2026');
    const page = await site.open(place(january, '2026-01'));
    await page.getByText('O mês está consolidado').waitFor();
    await eventually(() => cell(page, 'day').count()).toBe(0);
    await page.getByText('Depósito 1').waitFor();
    await page.getByRole('grid', { name: 'Lançamentos do documento' }).focus();
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog', { name: 'Estornar o lançamento 1' });
    await dialog.waitFor();
    await eventually(() => dialog.getByLabel('Dia do estorno').inputValue()).toBe('01/02/2026');
    await expectAccessible(page);
    await shot(page, 'estorno');
    await page.keyboard.type('Em duplicidade');
    await page.keyboard.press('Enter');
    await page.getByText('O lançamento 1 foi estornado.').waitFor();
    await page.getByText('estornado', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ver estorno' }).click();
    await page.waitForURL(/2026-02\/lancamentos\?documento=/);
    await page.getByText('Estorno do lançamento').first().waitFor();
  });

  test('rows of a spreadsheet: seen before they are posted, with what is wrong by cell', async () => {
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    const sheet = [
      `05\tD\t${CASH}\t${PEOPLE}\t\tDa planilha\t1.234,56`,
      `06/02/2026\tD\t${CASH}\t\t00010\tComposto\t1.650,00`,
      `\tC\t${PEOPLE}\t\t\t\t1.250,00`,
      `\tC\t${FEES}\t\t\t\t400`,
      `31\tX\t9.9.9\t${PEOPLE}\t\tErrado\tdez`,
    ];
    await paste(page, sheet.join('\n'));
    const dialog = page.getByRole('dialog', { name: 'Colar da planilha' });
    await dialog.getByText('Conta não encontrada.').waitFor();
    for (const problem of ['Não é um dia do mês.', 'D ou C.', 'Não é um valor.'])
      await dialog.getByText(problem).waitFor();
    await eventually(() => dialog.getByRole('button', { name: /Gravar/ }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await shot(page, 'planilha');
    await page.keyboard.press('Escape');
    await eventually(() => focused(page)).toBe('day');
    await paste(page, sheet.slice(0, 4).join('\r\n'));
    await eventually(() => dialog.getByRole('button', { name: /Gravar 2/ }).isEnabled()).toBe(true);
    await page.keyboard.press('Enter');
    await eventually(async () => amounts(await entriesOf(site, id))).toEqual([
      [1234.56, 1234.56],
      [1650, 1250, 400],
    ]);
    await page.getByText('2 lançamentos gravados.').waitFor();
  });

  test('a closed day is said before the row is sent', async () => {
    const { platform } = site;
    await bodyOf(platform.admin.post('masterdata', '/calendar/0001/0001', { date: '2026-02-27', status: 'F' }));
    const id = await documentWith(site, 0);
    const page = await openRow(site, id);
    await typeEntry(page, '27', '10', 'Tarde');
    await page.getByText('O dia 27 está fechado.').waitFor();
    await bodyOf(platform.admin.post('masterdata', '/calendar/0001/0001', { date: '2026-02-27', status: 'A' }));
  });

  test('a month begins: first batch, document, template and search', async () => {
    const page = await site.open('/0001/0002/2026-02/lancamentos');
    await page.getByRole('button', { name: 'Criar o primeiro lote' }).click();
    await expectAccessible(page);
    await page.getByLabel('Descrição').fill('Folha e <b>despesas</b>');
    await page.keyboard.press('Enter');
    await eventually(() => focused(page)).toBe('day');
    await page.getByText('Folha e <b>despesas</b>').waitFor();
    await page.keyboard.press('Alt+n');
    await page.getByLabel('Número do documento').fill('NF-1');
    await page.keyboard.press('Enter');
    await page.getByText('NF-1').first().waitFor();
    await page.keyboard.press('Alt+m');
    await page.getByText('Nenhum lançamento padrão nesta filial').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+p');
    await page.getByLabel('Histórico').waitFor();
    await page.getByText('Nada encontrado com estes filtros').waitFor();
    await expectAccessible(page);
  });

  test('an entry is found by text and amount, and its document opens at it', async () => {
    const id = await documentWith(site, 12);
    const page = await site.open('/0001/0001/2026-02/lancamentos?procurar=1');
    await page.getByLabel('Histórico').fill('deposito 7');
    await page.getByRole('textbox', { name: 'Valor' }).fill('16,00');
    await page.keyboard.press('Enter');
    await page.waitForURL(/valor=16.00/);
    const grid = page.getByRole('grid', { name: 'Lançamentos encontrados' });
    await grid.getByText('Depósito 7').first().waitFor();
    await expectFits(page, 1280, 720);
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/documento=\d+&lancamento=7/);
    await page.locator('[data-marked] >> text=Depósito 7').waitFor();
    await page.goto(`${site.address}${place(id)}&lancamento=3`);
    await page.locator('[data-marked] >> text=Depósito 3').waitFor();
  });

  test('texts of others do no harm, and a phone reads them', async () => {
    const { platform, books } = site;
    const id = await documentWith(site, 3);
    const line = (debcre: string, conta: string) => ({
      debcre,
      contaId: books.bank.accounts.get(conta),
      valor: 9999999999999.99,
    });
    const historico = `<img src=x onerror=alert(1)>\u202Eoãçamrof ${'muito longo '.repeat(38)}`.slice(0, 500);
    const partidas = [line('D', CASH), line('C', PEOPLE)];
    await bodyOf(platform.admin.post('movements', `/document/${id}/entries`, { day: '20', historico, partidas }));
    const page = await openRow(site, id);
    await page.getByText('<img src=x').first().waitFor();
    await expectFits(page, 1280, 720);
    await shot(page, 'hostil');
    await expectFits(page, 390, 800);
    await shot(page, '390');
    await eventually(() => cell(page, 'day').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Voltar aos lotes' }).click();
    await page.getByRole('treegrid', { name: 'Lotes' }).waitFor();
    await expectFits(page, 390, 800);
  });

  test('a document that is not there, and rows of others, are said', async () => {
    const page = await site.open(place(999_999_999));
    await page.getByRole('alert').waitFor();
  });
});

/** As Ctrl V does, with the clipboard's text. */
function paste(page: Page, text: string): Promise<void> {
  return page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
}
