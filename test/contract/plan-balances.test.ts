import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank, createUser, openMonth } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const batch = await platform.admin.post('movements', '/batch', place);
  const document = await platform.admin.post('movements', '/document', { batchId: batch.body.id });
  const entry = await platform.admin.post('movements', '/entry', {
    documentId: document.body.id,
    debcre: 'D',
    day: '05',
    contaId: bank.accounts.get('1.1.2'),
    contrapartida: bank.accounts.get('7.1'),
    valor: 12.34,
  });
  expect(entry.status, entry.text).toBe(201);
});
afterAll(() => platform?.stop());

const ask = (path: string, more = '') =>
  platform.admin.get('reports', `/api/v1/${path}?empresa=${bank.company}&filial=${bank.branch}${more}`);

test('a page of a month in the order asked, debit-positive with its side', async () => {
  const { body } = await ask('saldos/plano-saldo', '&ano=2026&mes=1&ordenarPor=saldo_atual&direcao=DESC&tamanho=1000');
  const shown = body.conteudo.content.map((each: { saldoAtual: number }) => each.saldoAtual);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
  expect(body.conteudo.content.find((each: { cdContabil: string }) => each.cdContabil === '7.1')).toMatchObject({
    empresa: bank.company,
    filial: bank.branch,
    plano: bank.chartCode,
    saldoAnterior: 0,
    credito: 12.34,
    saldoAtual: -12.34,
    natureza: 'C',
  });
});

test('a day shows what stood at its end', async () => {
  const on = async (day: number) =>
    (await ask('saldos/plano-saldo-dia', `&ano=2026&mes=1&dia=${day}&tamanho=1000`)).body.conteudo.content.find(
      (each: { cdContabil: string }) => each.cdContabil === '1.1.2',
    );
  expect((await on(4))?.saldoAtual ?? 0).toBe(0);
  expect(await on(5)).toMatchObject({ dia: 5, saldoAnterior: 0, debito: 12.34, saldoAtual: 12.34 });
  expect(await on(6)).toMatchObject({ dia: 6, saldoAnterior: 12.34, debito: 0, saldoAtual: 12.34 });
});

test('equity and open result by month', async () => {
  const { body } = await ask('saldos/plsaldos');
  expect(body.conteudo).toMatchObject({
    totalElements: 1,
    content: [{ ano: 2026, mes: 1, patrimonioLiquido: 0, resultado: -12.34, quantidadeCotas: null }],
  });
});

test('the deprecated listing names its successor', async () => {
  const answer = await ask('lancamentos-contabeis', '&dataInicio=2026-01-01&dataFim=2026-01-31');
  expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(answer.headers.get('link')).toContain('rel="successor-version"');
  expect(answer.body.conteudo).toMatchObject({ totalElements: 2, content: [{ valor: 12.34, status: 0 }, {}] });
});

test.each([
  ['saldos/plano-saldo', '&ano=2026&mes=13'],
  ['saldos/plano-saldo', '&ano=x&mes=1'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&direcao=UP'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&ordenarPor=conta'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&ordenarPor=1;DROP%20TABLE%20month'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&ordenarPor=__proto__'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&pagina=-1'],
  ['saldos/plano-saldo', '&ano=2026&mes=1&tamanho=1001'],
  ['saldos/plano-saldo-dia', '&ano=2026&mes=2&dia=31'],
  ['saldos/plsaldos', '&ordenarPor=conta'],
  ['lancamentos-contabeis', '&dataInicio=2026-02-30&dataFim=2026-03-01'],
  ['lancamentos-contabeis', '&dataInicio=2026-02-01&dataFim=2026-01-01'],
])('%s%s is refused', async (path, more) => {
  expect((await ask(path, more)).status).toBe(400);
});

test('a branch without permission is 403, an unknown one 404', async () => {
  const { username, password } = await createUser(platform.admin, { username: 'sem-acesso' });
  const stranger = await platform.as(username, password);
  const path = '/api/v1/saldos/plano-saldo?ano=2026&mes=1';
  expect((await stranger.get('reports', `${path}&empresa=${bank.company}&filial=${bank.branch}`)).status).toBe(403);
  expect((await platform.admin.get('reports', `${path}&empresa=${bank.company}&filial=nada`)).status).toBe(404);
});
