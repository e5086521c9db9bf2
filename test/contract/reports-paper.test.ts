import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sumOf } from '../../src/accounting/money.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { centavos } from '../support/amounts.ts';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { archiveMonth, closeMonth } from '../support/months.ts';
import { testOnOneServer } from '../support/one-server.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// What an accountant looks for on every paper before signing it: titles, unit, position, marks, places to sign.

const BOOK = book`
  02/05  1.1.2  D  1.000,00  3.1    "Capital"
  02/06  1.1.2  D    900,00  7.1    "Juros"
  03/06  8.1    D    350,25  1.1.2  "Folha"
`;

const SIGNATORIES = [
  { name: 'João Souza', role: 'Contador', crc: 'SP-214567/O-3', ufCrc: 'SP' },
  { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909', legalResponsible: true },
];

const OF_JUNE = { ano: 2026, mes: 6 };
const DAYS = { dataInicio: '2026-05-01', dataFim: '2026-06-30' };
/** Papers that are signed. */
const STATEMENTS: Readonly<Record<string, object>> = {
  monthlyTrialBalance: OF_JUNE,
  monthlyTrialCVMBalance: OF_JUNE,
  cosifGeneralBalance: OF_JUNE,
  patrimonialBalance: OF_JUNE,
  patrimonialCVMBalance: OF_JUNE,
  dailyTrialBalance: { dataInicio: '2026-06-29', dataFim: '2026-06-30' },
};
const BOOKS: Readonly<Record<string, object>> = {
  lancamentos: DAYS,
  relatorioRazao: DAYS,
  relatorioDiarioGeral: DAYS,
};

let platform: Platform;
let open: Bank;
let closed: Bank;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-07-10T15:30:00Z') });
  const given = {
    months: ['05/2026', '06/2026'],
    baseYearMonth: '05/2026',
    options: { signatories: SIGNATORIES },
  };
  open = await createBooks(platform.admin, BOOK, given);
  closed = await createBooks(platform.admin, BOOK, given);
  for (const bank of [open, closed]) await closeInJune(bank);
  await closeMonth(platform.admin, open, '05/2026');
  for (const month of ['05/2026', '06/2026']) await closeMonth(platform.admin, closed, month);
});
afterAll(() => platform.stop());

async function closeInJune({ company, branch, accounts }: Bank): Promise<void> {
  const [result, equity] = [accounts.get('3.3'), accounts.get('3.2')];
  await bodyOf(
    platform.admin.post('masterdata', '/closuresettings', {
      ...{ company, branch, closingMonths: [6], revenueGroups: ['7*'], expenseGroups: ['8*'] },
      ...{ creditResultAccountId: result, debitResultAccountId: result },
      ...{ profitAccountId: equity, lossAccountId: equity },
    }),
  );
}

const paper = async (bank: Bank, kind: string, more: object = {}) => {
  const asked = { empresa: bank.company, filial: bank.branch, visualizationEnum: 'TXT' };
  const { text } = await print(platform.admin, kind, { ...asked, ...STATEMENTS[kind], ...BOOKS[kind], ...more });
  return text;
};

const EVERY_PAPER = [...Object.keys(STATEMENTS), ...Object.keys(BOOKS)];

test.each([
  ['monthlyTrialBalance', 'Balancete de verificação em 30 de junho de 2026'],
  ['monthlyTrialCVMBalance', 'Balancete mensal CVM em 30 de junho de 2026'],
  ['cosifGeneralBalance', 'Balancete geral COSIF em 30 de junho de 2026'],
  ['patrimonialBalance', 'Balanço patrimonial em 30 de junho de 2026'],
  ['patrimonialCVMBalance', 'Balanço patrimonial CVM em 30 de junho de 2026'],
])('the title of %s carries its date', async (kind, title) => {
  expect(await paper(closed, kind)).toContain(title);
});

test('columns of balances are dated', async () => {
  expect(await paper(closed, 'monthlyTrialBalance')).toMatch(/Saldo anterior .*\n +31\/05\/2026 .* 30\/06\/2026\n/);
  expect(await paper(closed, 'patrimonialBalance', { comparative: 'PREVIOUS_MONTH' })).toMatch(
    /^Conta +Nome +30\/06\/2026 +31\/05\/2026$/m,
  );
});

test.each(EVERY_PAPER)('every page of %s says its unit', async (kind) => {
  for (const page of (await paper(closed, kind)).split('\f')) expect(page).toContain('Em reais (R$)');
});

test.each(EVERY_PAPER)('every page of %s over an open month is marked as provisional', async (kind) => {
  for (const page of (await paper(open, kind)).split('\f')) expect(page).toContain('PROVISÓRIO – mês não consolidado');
  expect(await paper(closed, kind)).not.toContain('PROVISÓRIO');
});

describe('position', () => {
  const [after, before] = ['Posição após o encerramento do resultado', 'Posição antes do encerramento do resultado'];

  test.each(EVERY_PAPER)('%s says whether it is before or after the closing', async (kind) => {
    expect(await paper(closed, kind)).toContain(after);
    expect(await paper(closed, kind, { considerClosing: false })).toContain(before);
  });

  test('a month that has not been closed yet is before it, whatever is asked', async () => {
    expect(await paper(open, 'patrimonialBalance')).toContain(before);
  });

  test('books of lines without closing entries do not depend on it', async () => {
    expect(await paper(closed, 'relatorioRazao', { dataFim: '2026-06-29' })).not.toContain('encerramento do resultado');
  });
});

describe('signatures', () => {
  test.each(Object.keys(STATEMENTS))('%s ends with the representative and the accountant', async (kind) => {
    const text = await paper(closed, kind);
    expect(text).toMatch(/ _{50} +_{50}\n +Maria da Silva +João Souza\n +Diretora +Contador\n/);
    expect(text.trimEnd()).toMatch(/CPF 123\.456\.789-09 +CRC 1SP214567\/O-3$/);
  });

  test('books have them in their terms only', async () => {
    expect(await paper(closed, 'relatorioRazao')).not.toContain('Maria da Silva');
    expect(await paper(closed, 'relatorioRazao', { includeTerms: true })).toContain('CRC 1SP214567/O-3');
  });

  test('they are those of the month as it was closed', async () => {
    const options = await bodyOf(
      platform.admin.get('masterdata', `/company/options/company/${closed.company}/${closed.branch}`),
    );
    const { id } = options;
    const changed = { ...options, signatories: [{ name: 'Novo Contador', crc: '1SP999999/O-9' }] };
    await bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${id}`, changed));
    expect(await paper(closed, 'monthlyTrialBalance')).toContain('João Souza');
    await bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${id}`, options));
  });
});

describe('the trial balance of a month that closes its result', () => {
  const tables = { visualizationEnum: 'CSV' };
  const rowsOf = async (bank: Bank, kind: string, more: object) => {
    const { cells } = await print(platform.admin, kind, {
      empresa: bank.company,
      filial: bank.branch,
      ...tables,
      ...more,
    });
    const [heads = [], ...rows] = cells;
    return rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at] ?? ''])));
  };
  const gross = ({ Débitos: d, Créditos: c, ...row }: Record<string, string>) => [
    centavos(d) + centavos(row['Débitos do encerramento'] ?? '0,00'),
    centavos(c) + centavos(row['Créditos do encerramento'] ?? '0,00'),
  ];

  test('ties to the journal of the month, account by account and in all', async () => {
    const journal = await rowsOf(closed, 'relatorioDiarioGeral', { dataInicio: '2026-06-01', dataFim: '2026-06-30' });
    const inJournal = (side: string, isOf: (row: Record<string, string>) => boolean) =>
      sumOf(journal.filter((row) => row.Conta && isOf(row)).map((row) => centavos(row[side] || '0,00')));
    for (const kind of ['monthlyTrialBalance', 'monthlyTrialCVMBalance', 'cosifGeneralBalance']) {
      const rows = await rowsOf(closed, kind, OF_JUNE);
      for (const row of rows.filter(({ Conta }) => /^\d/.test(Conta ?? ''))) {
        const isOf = (line: Record<string, string>) =>
          line.Conta === row.Conta || line.Conta!.startsWith(`${row.Conta}.`);
        expect([kind, row.Conta, ...gross(row)]).toEqual([
          kind,
          row.Conta,
          inJournal('Débito', isOf),
          inJournal('Crédito', isOf),
        ]);
      }
    }
    const rows = await rowsOf(closed, 'monthlyTrialBalance', OF_JUNE);
    const whole = [inJournal('Débito', () => true), inJournal('Crédito', () => true)];
    expect(gross(rows.find(({ Nome }) => Nome === 'Total')!)).toEqual(whole);
    expect(gross(rows.find(({ Nome }) => Nome === 'Movimento com o encerramento')!)).toEqual(whole);
    // The account that the result passes through: its net is zero, its debits and credits are not.
    expect(rows.find(({ Conta }) => Conta === '3.3')).toMatchObject({
      'Débitos do encerramento': '900,00',
      'Créditos do encerramento': '900,00',
      Encerramento: '0,00',
    });
  });

  test('the last day of the daily trial balance does, too', async () => {
    const days = { dataInicio: '2026-06-30', dataFim: '2026-06-30' };
    const journal = await rowsOf(closed, 'relatorioDiarioGeral', days);
    const daily = await rowsOf(closed, 'dailyTrialBalance', days);
    const total = daily.find(({ Nome }) => Nome === 'Total do dia 30/06/2026')!;
    const whole = journal.find((row) => row.Histórico === 'Total geral')!;
    expect([total['Débitos do dia'], total['Créditos do dia']]).toEqual([whole.Débito, whole.Crédito]);
  });

  test('pages have columns for the closing in that month only', async () => {
    expect(await paper(closed, 'monthlyTrialBalance')).toContain('encerramento');
    expect(await paper(closed, 'monthlyTrialBalance', { mes: 5 })).not.toMatch(/D[ée]bitos do/);
  });

  testOnOneServer('books older than a cluster')(
    'months closed before the figures were kept apart get them from their lines, archived ones too',
    async () => {
      const later = await createBooks(platform.admin, BOOK, {
        months: ['05/2026', '06/2026'],
        baseYearMonth: '05/2026',
      });
      await closeInJune(later);
      for (const month of ['05/2026', '06/2026']) await closeMonth(platform.admin, later, month);
      await archiveMonth(platform.admin, later, '06/2026');
      const file = (name: string) => readFileSync(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8');
      const days = `unnest(days, debits, credits, closing_debits, closing_credits, balances)
                    AS moved (day, debit, credit, closing_debit, closing_credit, balance)`;
      await withOwnerConnection(platform.ownerUrl, async (owner) => {
        const kept = async () =>
          (
            await owner.query(`
            SELECT company_id, account_id, month, NULL::date AS day, closing_debit, closing_credit, balance FROM monthly_balance
            UNION ALL
            SELECT company_id, account_id, month, moved.day, coalesce(moved.closing_debit, 0.00),
                   coalesce(moved.closing_credit, 0.00), moved.balance
              FROM daily_balance CROSS JOIN ${days}
            ORDER BY 1, 2, 3, 4`)
          ).rows;
        const before = await kept();
        expect(
          before.filter((row) => row.company_id === later.companyId && row.closing_debit !== '0.00').length,
        ).toBeGreaterThan(5);
        await owner.query('ALTER TABLE monthly_balance DROP COLUMN closing_debit, DROP COLUMN closing_credit');
        await owner.query(`
        CREATE TABLE by_day AS
        SELECT company_id, branch_id, month, account_id, moved.day, moved.debit, moved.credit,
               coalesce(moved.closing_debit - moved.closing_credit, 0) AS closing, moved.balance
          FROM daily_balance CROSS JOIN ${days};
        DROP TABLE daily_balance;
        ALTER TABLE by_day RENAME TO daily_balance;
        ALTER TABLE daily_balance ADD CONSTRAINT daily_balance_pkey
          PRIMARY KEY (company_id, branch_id, month, account_id, day)`);
        const [daysOfClosedMonths] = file('0021-balances').split('\n-- Sums of the lines', 1);
        await owner.query(`BEGIN; ${file('0012-gross-closing')}; ${daysOfClosedMonths}; COMMIT`);
        expect(await kept()).toEqual(before);
      });
    },
  );
});

describe('files', () => {
  const place = () => ({ empresa: closed.company, filial: closed.branch });
  const asked = (kind: string, more: object, query = '') =>
    bodyOf(
      platform.admin.post('reports', `/reports/${kind}${query}`, {
        ...{ ...place(), visualizationEnum: 'CSV' },
        ...STATEMENTS[kind],
        ...BOOKS[kind],
        ...more,
      }),
    );
  const textOf = ({ conteudo }: { conteudo: string }) => Buffer.from(conteudo, 'base64').toString();

  test('names carry company, branch, kind and period', async () => {
    const at = `${closed.company}-${closed.branch}`;
    const nameOf = async (kind: string, more: object) => (await asked(kind, more)).nomeArquivo;
    expect(await nameOf('patrimonialBalance', {})).toBe(`balanco-patrimonial-${at}-2026-06.csv`);
    expect(await nameOf('relatorioRazao', {})).toBe(`razao-${at}-2026-05-01-2026-06-30.csv`);
    const part = { tipo: 'monthlyTrialBalance', parametros: OF_JUNE };
    const same = { tipo: 'patrimonialBalance', parametros: OF_JUNE };
    const other = { tipo: 'lancamentos', parametros: DAYS };
    expect(await nameOf('combineReport', { relatorios: [part, same] })).toBe(`relatorios-${at}-2026-06.csv`);
    expect(await nameOf('combineReport', { relatorios: [part, other] })).toBe(`relatorios-${at}.csv`);
    const answer = await platform.admin.post('reports', '/reports/monthlyTrialBalance?async=true', {
      ...{ ...place(), ...OF_JUNE, visualizationEnum: 'PDF' },
    });
    expect(answer.body.nomeArquivo).toBe(`balancete-mensal-${at}-2026-06.pdf`);
  });

  test('a CSV says what it is only when that is asked for', async () => {
    const plain = textOf(await asked('monthlyTrialBalance', {}));
    expect(plain.startsWith('\uFEFFConta;')).toBe(true);
    const headed = textOf(await asked('monthlyTrialBalance', {}, '?head=true'));
    const [head, ...rest] = headed.split('\r\n');
    expect(head).toBe(
      `\uFEFF# Banco ${closed.company};CNPJ 11.222.333/0001-81 · Filial 0001 Filial 0001;` +
        'Balancete de verificação em 30 de junho de 2026;Junho de 2026;' +
        'Posição após o encerramento do resultado · Em reais (R$)',
    );
    expect(`\uFEFF${rest.join('\r\n')}`).toBe(plain);
  });

  test('a file of a job, and of several reports in one, say it too where that is asked for', async () => {
    const part = { tipo: 'monthlyTrialBalance', parametros: OF_JUNE };
    const other = { tipo: 'patrimonialBalance', parametros: OF_JUNE };
    const headsOf = (text: string) => text.split(/\r\n|\uFEFF/).filter((line) => line.startsWith('# '));
    const single = headsOf(textOf(await asked('monthlyTrialBalance', {}, '?head=true')));
    const balance = headsOf(textOf(await asked('patrimonialBalance', {}, '?head=true')));
    expect([single.length, balance.length]).toEqual([1, 1]);

    expect(headsOf(await jobFile('monthlyTrialBalance', OF_JUNE))).toEqual([]);
    expect(headsOf(await jobFile('monthlyTrialBalance', OF_JUNE, '&head=true'))).toEqual(single);
    const relatorios = [part, other];
    expect(headsOf(textOf(await asked('combineReport', { relatorios })))).toEqual([]);
    const both = headsOf(textOf(await asked('combineReport', { relatorios }, '?head=true')));
    expect(both).toEqual([...single, ...balance]);
    expect(headsOf(await jobFile('combineReport', { relatorios }, '&head=true'))).toEqual(both);
  });

  /** The file of a report that was asked for as a job. */
  async function jobFile(kind: string, more: object, query = ''): Promise<string> {
    const body = { ...place(), visualizationEnum: 'CSV', ...more };
    const { id } = (await platform.admin.post('reports', `/reports/${kind}?async=true${query}`, body)).body;
    await expect
      .poll(async () => (await platform.admin.get('reports', `/reports/jobs/${id}`)).body.status, { timeout: 20_000 })
      .toBe('DONE');
    return (await platform.admin.get('reports', `/reports/jobs/${id}/download`)).text;
  }

  test('its columns have the same names every month', async () => {
    const heads = async (mes: number) => textOf(await asked('monthlyTrialBalance', { mes })).split('\r\n')[0];
    expect(await heads(5)).toBe(await heads(6));
  });

  test('a workbook begins with its head, and holds dates and numbers as such', async () => {
    const body = await asked('relatorioRazao', { visualizationEnum: 'XLSX' });
    const files = unzipSync(Buffer.from(body.conteudo, 'base64'));
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
    const rows = [...sheet.matchAll(/<row>(.*?)<\/row>|<row\/>/g)].map(([, cells = '']) =>
      [...cells.matchAll(/<t [^>]*>([^<]*)<|<v>([^<]*)</g)].map(([, text, value]) => text ?? Number(value)),
    );
    expect(rows.slice(0, 5)).toEqual([
      [`Banco ${closed.company}`],
      ['CNPJ 11.222.333/0001-81 · Filial 0001 Filial 0001'],
      ['Livro razão'],
      ['01/05/2026 a 30/06/2026'],
      ['Posição após o encerramento do resultado · Em reais (R$)'],
    ]);
    expect(rows[6]).toEqual(expect.arrayContaining(['Data', 'Saldo', 'Conta', 'Nome']));
    // 2 May 2026 in the days of a spreadsheet.
    expect(rows.find((row) => row[0] === 46_144)).toEqual([
      46_144,
      ...['1', '1', '1', '3.1', 'Capital'],
      1000,
      1000,
      '1.1.2',
      'Bancos',
    ]);
    expect(sheet).toContain('<pane ySplit="7" topLeftCell="A8" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('orientation="landscape" fitToWidth="1" fitToHeight="0"');
    expect(strFromU8(files['xl/workbook.xml']!)).toContain("'Livro razão'!$1:$7");
  });
});

describe('offset accounts', () => {
  const COMPOUND = book`
    02/05  1.1.2  D  100,00
           3.1    C  100,00
    03/05  8.1    D   50,00
           8.2    D   10,00
           1.1.2  C   60,00
    04/05  1.1.1  D    5,00  1.1.2
  `;

  test('that of an entry of two lines is the other one, that of others is several', async () => {
    const bank = await createBooks(platform.admin, COMPOUND, { months: ['05/2026'], baseYearMonth: '05/2026' });
    const may = { dataInicio: '2026-05-01', dataFim: '2026-05-31', visualizationEnum: 'CSV' };
    const { cells: ledger } = await print(platform.admin, 'relatorioRazao', {
      ...{ empresa: bank.company, filial: bank.branch, ...may, contas: ['1.1.2'] },
    });
    expect(ledger.filter((line) => /^\d\d\//.test(line[0] ?? '')).map((line) => line[4])).toEqual([
      '3.1',
      'Diversos',
      '1.1.1',
    ]);
    const { cells: listing } = await print(platform.admin, 'lancamentos', {
      ...{ empresa: bank.company, filial: bank.branch, ...may },
    });
    expect(listing.slice(1, -1).map((line) => [line[4], line[6]])).toEqual([
      ['1.1.2', '3.1'],
      ['3.1', '1.1.2'],
      ['8.1', 'Diversos'],
      ['8.2', 'Diversos'],
      ['1.1.2', 'Diversos'],
      ['1.1.1', '1.1.2'],
      ['1.1.2', '1.1.1'],
    ]);
  });
});

describe('a fund', () => {
  let fund: Bank;

  beforeAll(async () => {
    fund = await createBooks(platform.admin, BOOK, {
      ...{ months: ['05/2026', '06/2026'], baseYearMonth: '05/2026' },
      options: { signatories: SIGNATORIES },
    });
    const { company, branch } = fund;
    const { id: fundTypeId } = await bodyOf(
      platform.admin.post('masterdata', '/fundType', { code: 'FIF', description: 'Fundo', regulatoryPlan: 'COFI' }),
    );
    await bodyOf(
      platform.admin.post('masterdata', '/fund/settings', {
        ...{ company, branch, fundTypeId, cnpj: '19131243000197', name: 'Fundo Horizonte FIF' },
        ...{ cvmCode: '123456', administrator: { name: 'Administradora S.A.', cnpj: '11222333000181' } },
      }),
    );
    for (const month of ['05/2026', '06/2026']) await closeMonth(platform.admin, fund, month);
  });

  test.each(EVERY_PAPER)('%s carries its name, CNPJ, CVM code and administrator', async (kind) => {
    const [first, second] = (await paper(fund, kind)).split('\n');
    expect(first).toMatch(/^Fundo Horizonte FIF /);
    expect(second).toContain(
      'CNPJ 19.131.243/0001-97 · Código CVM 123456 · Administrador: Administradora S.A., CNPJ 11.222.333/0001-81',
    );
  });

  test('the terms of its books name no commercial registry', async () => {
    const text = (await paper(fund, 'relatorioDiarioGeral', { includeTerms: true })).replace(/\s+/g, ' ');
    for (const verb of ['servirá', 'serviu']) {
      expect(text).toContain(`${verb} de Livro Diário número 1 do fundo Fundo Horizonte FIF,`);
    }
    expect(text).toContain(
      'inscrito no CNPJ sob o número 19.131.243/0001-97, registrado na CVM sob o código 123456, administrado por ' +
        'Administradora S.A., CNPJ 11.222.333/0001-81',
    );
    expect(text).not.toContain('NIRE');
    expect(text).not.toContain('sociedade');
  });
});
