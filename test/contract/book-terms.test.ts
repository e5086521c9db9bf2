import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Terms are around books only, and say whose registration is meant. January is closed, February open.

let platform: Platform;
let bank: Bank;
let january: Record<string, unknown>;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBooks(
    platform.admin,
    book`
    02/01  1.1.2  D  100,00  3.1
    05/01  1.1.1  D   10,00  7.1
  `,
  );
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  january = { empresa: bank.company, filial: bank.branch, dataInicio: '2026-01-01', dataFim: '2026-01-31' };
});
afterAll(() => platform?.stop());

const REPRESENTATIVE = { name: 'Maria da Silva', role: 'Diretora', legalResponsible: true };
const ACCOUNTANT = { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' };
const TERMS = { tipo: 'AMBOS', livro: 'BALANCETES', numeroOrdem: 1, quantidadePaginas: 10 };

const ask = (path: string, more: object) =>
  platform.admin.post('reports', `/reports/${path}`, { ...january, visualizationEnum: 'PDF', ...more });

/** Code and field of every reason. */
async function reasons(path: string, more: object): Promise<string[]> {
  const { status, body } = await ask(path, more);
  if (status === 200) return [];
  expect(status).toBe(400);
  return body.errors.map((each: { field: string; code?: string }) => each.field).toSorted();
}

async function setSignatories(signatories: readonly object[]): Promise<void> {
  const { body } = await platform.admin.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`);
  const path = `/company/options/${body.id}`;
  const answer = await platform.admin.call('masterdata', 'PUT', path, { ...body, signatories });
  expect(answer.status, answer.text).toBe(200);
}

describe('what is no book has no terms', () => {
  const both = { signatarios: [REPRESENTATIVE, ACCOUNTANT] };

  test('a consolidated period with its two signatories has them', async () => {
    expect(await reasons('reportTermos', { ...TERMS, ...both })).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['an open month', { dataFim: '2026-02-28' }, ['dataFim']],
    ['a month that is not opened yet', { dataInicio: '2026-06-01', dataFim: '2026-06-30' }, ['dataFim']],
    ['without the closing', { considerClosing: false }, ['considerClosing']],
    ['some accounts', { accountFrom: '1', accountTo: '2' }, ['accountFrom', 'accountTo']],
    ['upper levels', { level: 2 }, ['level']],
    ['without an accountant', { signatarios: [REPRESENTATIVE] }, ['signatarios']],
    ['without a representative', { signatarios: [ACCOUNTANT] }, ['signatarios']],
    [
      'several at once',
      { dataFim: '2026-02-28', considerClosing: false, level: 1 },
      ['considerClosing', 'dataFim', 'level'],
    ],
  ])('%s', async (_, more, fields) => {
    expect(await reasons('reportTermos', { ...TERMS, ...both, ...more })).toEqual(fields);
  });

  test('the books themselves are held to the same; without terms they are previews, of open months too', async () => {
    const open = { dataFim: '2026-02-28' };
    await setSignatories([REPRESENTATIVE, ACCOUNTANT]);
    for (const path of ['relatorioDiarioGeral', 'relatorioRazao']) {
      expect(await reasons(path, { ...open, includeTerms: true })).toEqual(['dataFim']);
      expect(await reasons(path, { ...open, paginasPorVolume: 3 })).toEqual(['dataFim']);
      expect(await reasons(path, { ...open, considerClosing: false, accountFrom: '1' })).toEqual([]);
    }
    expect(await reasons('relatorioRazao', { includeTerms: true, contas: ['1.1.1'], onlyWithMovement: true })).toEqual([
      'contas',
      'onlyWithMovement',
    ]);
  });

  test('each missing capacity is named', async () => {
    const detail = async (signatarios: object[]) => {
      const { body } = await platform.admin.call(
        'reports',
        'POST',
        '/reports/reportTermos',
        { ...january, ...TERMS, visualizationEnum: 'PDF', signatarios },
        { 'accept-language': 'pt-BR' },
      );
      return body.detail;
    };
    expect(await detail([REPRESENTATIVE])).toContain('Nenhum signatário dos termos tem CRC');
    expect(await detail([ACCOUNTANT])).toContain('Nenhum signatário dos termos é o representante legal');
    // Where nobody is marked, who signs without a CRC represents the company.
    const { legalResponsible: _, ...unmarked } = REPRESENTATIVE;
    expect(await reasons('reportTermos', { ...TERMS, signatarios: [unmarked, ACCOUNTANT] })).toEqual([]);
  });
});

describe.runIf(hasPoppler)('whose registration the terms name', () => {
  let agency: Bank;
  beforeAll(async () => {
    const { body: company } = await platform.admin.get('masterdata', `/companies/bycompany/${bank.company}`);
    const registered = { ...company, nire: '35300000001', nireDate: '1999-05-06' };
    const answer = await platform.admin.call('masterdata', 'PUT', `/companies/${company.id}`, registered);
    expect(answer.status, answer.text).toBe(200);
    const { company: code, chartCode } = bank;
    agency = await createBank(platform.admin, {
      company: code,
      branch: '0002',
      existing: true,
      chartCode,
      accounts: [],
    });
    await openMonth(platform.admin, agency, '01/2026');
    await closeMonth(platform.admin, agency, '01/2026');
  });

  /** Closed anew with these fields of the agency: a month prints what held then. */
  async function opening(fields: object, request: object = {}): Promise<string> {
    const path = `/branch/${agency.branchId}`;
    const { body } = await platform.admin.get('masterdata', path);
    const cleared = { cnpj: undefined, nire: undefined, nireDate: undefined };
    const answer = await platform.admin.call('masterdata', 'PUT', path, { ...body, ...cleared, ...fields });
    expect(answer.status, answer.text).toBe(200);
    await openMonth(platform.admin, agency, '01/2026');
    await closeMonth(platform.admin, agency, '01/2026');
    const signatarios = [REPRESENTATIVE, ACCOUNTANT];
    const asked = { ...january, filial: '0002', ...TERMS, signatarios, visualizationEnum: 'PDF', ...request };
    const [page = ''] = pagesOfPdf((await print(platform.admin, 'reportTermos', asked)).bytes);
    return page.replace(/\s+/g, ' ');
  }

  const own = { cnpj: '11222333000262', nire: '35900000002' };

  test.each<[string, object, object, string]>([
    ['a branch under the CNPJ of the company', {}, {}, 'sob o NIRE 35300000001 em 06/05/1999.'],
    ['an agency', { ...own, nireDate: '2010-07-08' }, {}, 'sob o NIRE 35900000002 em 08/07/2010.'],
    ['an agency without its date', own, {}, 'sob o NIRE 35900000002, sem data de arquivamento informada.'],
    ['an agency without its NIRE', { cnpj: own.cnpj }, {}, '11.222.333/0002-62, sem NIRE informado.'],
    [
      'an agency whose request names it',
      { cnpj: own.cnpj },
      { nire: '35911111111', dataArquivamento: '2011-01-02' },
      'sob o NIRE 35911111111 em 02/01/2011.',
    ],
  ])('%s', async (_, fields, request, expected) => {
    expect(await opening(fields, request)).toContain(expected);
  });
});
