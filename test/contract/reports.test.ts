import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../support/amounts.ts';
import type { Bank } from '../support/banks.ts';
import { book, movementOf } from '../support/books.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { day } from '../support/period.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

const JANUARY = book`
  02/01     1.1.2  D  100.000,00  3.1    "Integralização de capital"
  05/01     1.1.1  D    1.234,56  1.1.2  "Saque"
  05/01  2  8.1    D    7.000,07  2.1.1  "Folha"
  20/01  2  1.1.2  D    9.999,99  7.1    "Juros recebidos"
`;
const FEBRUARY = book`
  03/02  2.1.1  D  7.000,07  1.1.2  "Pagamento"
`;
const ALL = [...JANUARY, ...FEBRUARY];

let platform: Platform;
let bank: Bank;
let tenant: { empresa: string; filial: string };

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, ALL, { months: ['01/2026', '02/2026'] });
  tenant = { empresa: bank.company, filial: bank.branch };
});
afterAll(() => platform.stop());

describe('monthly trial balance', () => {
  const january = { ano: 2026, mes: 1 };
  const path = 'monthlyTrialBalance';

  test('every printed figure is what the entries say', async () => {
    const { cells } = await print(platform.admin, path, { ...tenant, ano: 2026, mes: 2, visualizationEnum: 'CSV' });
    const [head, ...lines] = cells;
    expect(head).toEqual([
      'Conta',
      'Reduzida',
      'Nome',
      'Saldo anterior',
      'Débitos',
      'Créditos',
      'Débitos do encerramento',
      'Créditos do encerramento',
      'Encerramento',
      'Saldo atual',
    ]);
    const accounts = lines.filter((line) => line[0] !== '');
    expect(accounts.map((line) => line[0])).toEqual([
      '1',
      '1.1',
      '1.1.1',
      '1.1.2',
      '2',
      '2.1',
      '2.1.1',
      '3',
      '3.1',
      '7',
      '7.1',
      '8',
      '8.1',
    ]);
    for (const [code = '', , , opening, debit, credit, , , closing, balance] of accounts) {
      const before = movementOf(ALL, code, day('2026-01-01'), day('2026-01-31'));
      const during = movementOf(ALL, code, day('2026-02-01'), day('2026-02-28'));
      expect([
        code,
        centavos(opening),
        centavos(debit),
        centavos(credit),
        centavos(closing),
        centavos(balance),
      ]).toEqual([code, before.net, during.debit, during.credit, 0n, before.net + during.net]);
    }
    const total = lines.find((line) => line[2] === 'Total')!;
    expect(total[4]).toBe('7000,07');
    expect(total[5]).toBe('7000,07');
    expect([total[3], total[9]]).toEqual(['0,00', '0,00']);
  });

  test('the response is an envelope whose content is the file', async () => {
    const { status, body, headers, text } = await platform.admin.post('reports', `/reports/${path}`, {
      ...tenant,
      ...january,
      visualizationEnum: 'PDF',
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['sucesso', 'mensagem', 'nomeArquivo', 'tipoConteudo', 'conteudo']);
    expect(body).toMatchObject({
      sucesso: true,
      mensagem: 'Relatório gerado',
      nomeArquivo: `balancete-mensal-${bank.company}-0001-2026-01.pdf`,
      tipoConteudo: 'application/pdf',
    });
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const file = Buffer.from(body.conteudo, 'base64');
    expect(file.toString('base64')).toBe(body.conteudo);
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.subarray(-6).toString().trim()).toBe('%%EOF');
  });

  test('its pages are counted for whoever watches the program', async () => {
    const body = { ...tenant, ...january, visualizationEnum: 'PDF' };
    const counted = async () => {
      const text = await freshMetrics(platform.admin, 'reports');
      return Number(
        /^partidas_report_pages_total\{report="monthlyTrialBalance",format="PDF"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    };
    const before = await counted();
    await print(platform.admin, path, body);
    expect(await counted()).toBe(before + 1);
  });

  test.runIf(hasPoppler)('the PDF carries header, columns and figures as selectable text', async () => {
    const { bytes } = await print(platform.admin, path, { ...tenant, ...january, visualizationEnum: 'PDF' });
    const text = pagesOfPdf(bytes).join('\n').replace(/ +/g, ' ');
    for (const shown of [
      `Banco ${bank.company}`,
      'CNPJ 11.222.333/0001-81 · Filial 0001 Filial 0001',
      'Janeiro de 2026',
      'Emitido em 10/03/2026 12:30',
      'Página 1 de 1',
      'Balancete de verificação em 31 de janeiro de 2026',
      '118.234,62 118.234,62',
      '108.765,43 D',
    ]) {
      expect(text).toContain(shown);
    }
  });

  test('level, range and zero balances choose the lines, not the totals of the range', async () => {
    const codesOf = async (choice: Record<string, unknown>) => {
      const body = { ...tenant, ...january, visualizationEnum: 'CSV', ...choice };
      const { cells } = await print(platform.admin, path, body);
      return cells.slice(1).map((line) => line[0] || line[2]);
    };
    const foot = ['Saldos devedores', 'Saldos credores', 'Total'];
    expect(await codesOf({ level: 1 })).toEqual(['1', '2', '3', '7', '8', ...foot]);
    expect(await codesOf({ accountFrom: '1.1.2', accountTo: '2' })).toEqual(['1.1.2', '2', '2.1', '2.1.1', ...foot]);
    expect(await codesOf({ showZeroBalances: true })).toHaveLength(19 + 3);
  });

  test('rejects what it cannot print', async () => {
    const ask = async (body: Record<string, unknown>) => {
      const answer = await platform.admin.post('reports', `/reports/${path}`, body);
      return [answer.status, answer.body.code, answer.body.errors?.[0]?.field];
    };
    const sound = { ...tenant, ...january, visualizationEnum: 'PDF' };
    expect(await ask({ ...sound, visualizationEnum: 'DOC' })).toEqual([400, 'INVALID_FIELD', 'visualizationEnum']);
    expect(await ask({ ...sound, formato: 'PDF' })).toEqual([400, 'UNKNOWN_FIELD', 'formato']);
    expect(await ask({ ...sound, mes: 13 })).toEqual([400, 'INVALID_FIELD', 'mes']);
    expect(await ask({ ...sound, mes: 3 })).toEqual([400, 'MONTH_NOT_OPEN', 'mes']);
    expect(await ask({ ...sound, ano: 2025, mes: 12 })).toEqual([400, 'BEFORE_BASE_MONTH', undefined]);
    expect(await ask({ ...sound, accountFrom: '2', accountTo: '1' })).toEqual([
      400,
      'ACCOUNT_RANGE_REVERSED',
      'accountFrom',
    ]);
    expect(await ask({ ...sound, accountFrom: 'x' })).toEqual([400, 'INVALID_ACCOUNT_CODE', 'accountFrom']);
    expect(await ask({ ...sound, empresa: 'NOPE' })).toEqual([404, 'NOT_FOUND', undefined]);
    expect(await ask({ ...sound, filial: '9999' })).toEqual([404, 'NOT_FOUND', undefined]);
    const { username, password } = await createUser(platform.admin, { username: 'estranho' });
    const stranger = await platform.as(username, password);
    const denied = await stranger.post('reports', `/reports/${path}`, sound);
    expect([denied.status, denied.body.code]).toEqual([403, 'TENANT_DENIED']);
    expect((await platform.withToken('').post('reports', `/reports/${path}`, sound)).status).toBe(401);
  });
});
