import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type AccountFixture, type Bank, createBank, createHistories } from './banks.ts';
import { book, newDocument, post } from './books.ts';
import { closeMonth, openMonth } from './months.ts';
import { bodyOf, type Client, type Platform } from './platform.ts';

// A year of two branches with all that a bookkeeping file must put right: texts that Latin-1 has no signs for, a contra account,
// balances that cancel between the branches, narrations by their codes, late entries, an entry of thousands of lines,
// results closed in June and December.

const account = (
  accountClass: AccountFixture['accountClass'],
  type: 'S' | 'A',
  code: string,
  description: string,
  nature: AccountFixture['nature'] = 'M',
): AccountFixture => ({ code, description, type, nature, accountClass });

const CHART: readonly AccountFixture[] = [
  account('01', 'S', '1', 'ATIVO'),
  account('01', 'S', '1.1', 'CIRCULANTE'),
  account('01', 'S', '1.1.1', 'DISPONÍVEL'),
  account('01', 'A', '1.1.1.01', 'CAIXA'),
  account('01', 'A', '1.1.1.02', 'BANCOS – “CONTA” Nº 1'),
  account('01', 'A', '1.1.1.09', '(-) PROVISÃO', 'C'),
  account('02', 'S', '2', 'PASSIVO'),
  account('02', 'S', '2.1', 'EXIGÍVEL'),
  account('02', 'S', '2.1.1', 'CIRCULANTE'),
  account('02', 'A', '2.1.1.01', 'FORNECEDORES'),
  account('03', 'S', '6', 'PATRIMÔNIO LÍQUIDO'),
  account('03', 'S', '6.1', 'PATRIMÔNIO'),
  account('03', 'S', '6.1.1', 'CAPITAL E LUCROS'),
  account('03', 'A', '6.1.1.01', 'CAPITAL'),
  account('03', 'A', '6.1.1.02', 'LUCROS ACUMULADOS'),
  account('04', 'S', '7', 'RECEITAS'),
  account('04', 'A', '7.1', 'RECEITAS'),
  account('04', 'A', '7.9', 'APURAÇÃO DE RECEITAS'),
  account('04', 'S', '8', 'DESPESAS'),
  account('04', 'A', '8.1', 'DESPESAS'),
  account('04', 'A', '8.9', 'APURAÇÃO DE DESPESAS'),
];

const SIGNATORIES = [
  { name: 'Maria Direção', cpf: '52998224725', qualification: '203', legalResponsible: true },
  {
    ...{ name: 'João Souza', cpf: '11144477735', qualification: '900', crc: '1SP214567/O-3', ufCrc: 'SP' },
    ...{ email: 'joao@exemplo.com.br', phone: '1130000000', crcCertificate: 'SP/2025/4567', crcValidTo: '2026-12-31' },
  },
];

/** Lines of the entry that is longer than what is gathered of one. */
export const LONG_ENTRY_LINES = 10_003;

export interface TwoBranches {
  readonly head: Bank;
  readonly agency: Bank;
}

/** The whole year, closed. */
export async function workTwoBranches(platform: Platform): Promise<TwoBranches> {
  const { admin } = platform;
  const common = {
    chartCode: 'DUAS',
    baseYearMonth: '01/2025',
    options: { signatories: SIGNATORIES, diaryBookNumber: 7 },
  };
  const head = await createBank(admin, { ...common, company: '0700', branch: '0001', accounts: CHART });
  const agency = await createBank(admin, { ...common, company: '0700', branch: '00A2', accounts: [], existing: true });
  await createHistories(admin, ['00010']);
  for (const bank of [head, agency]) await bodyOf(admin.post('masterdata', '/closuresettings', closure(bank, head)));
  await defineStatements(admin);
  for (let month = 1; month <= 12; month++) {
    const text = `${String(month).padStart(2, '0')}/2025`;
    for (const bank of [head, agency]) {
      await openMonth(admin, bank, text);
      const entries = (bank === head ? HEAD_BOOK : AGENCY_BOOK).filter(({ day }) => Number(day.slice(5, 7)) === month);
      if (entries.length > 0) await post(admin, bank, entries);
      if (bank === head && month === 4) await postByFields(admin, head);
      if (bank === head && month === 11) await postLongEntry(platform, head);
      await closeMonth(admin, bank, text);
    }
  }
  return { head, agency };
}

export const HEAD_BOOK = book`
  02/01/2025      1.1.1.01  D  1.000.000,00  6.1.1.01  "Integralização — capital “social” à vista"
  10/02/2025      1.1.1.01  D      5.000,10  7.1       "Receita | tarifa… de ‘cobrança’ cafe\u0301"
  11/02/2025  2   8.1       D        900,00            "Despesas 漢 € do mês"
                  8.1       D        100,05            "Despesas do mês"
                  1.1.1.09  C      1.000,05            "Provisão"
  05/03/2025      1.1.1.02  D        100,00  1.1.1.01
  15/03/2025      1.1.1.01  D        100,00  1.1.1.02  "volta"
  20/05/2025      1.1.1.02  D        750,25  2.1.1.01  "fornecedores"
  10/08/2025      8.1       D        333,33  1.1.1.01  "despesa do segundo semestre"`;

export const AGENCY_BOOK = book`
  07/02/2025  X/ç7  1.1.1.01  D   10,00  7.1       "receita da agência"
  21/05/2025        2.1.1.01  D  750,25  1.1.1.02  "o mesmo, ao contrário"
  22/09/2025        1.1.1.01  D   40,00  7.1       "receita"`;

function closure({ company, branch }: Bank, { accounts }: Bank) {
  return {
    ...{ company, branch, closingMonths: [6, 12], revenueGroups: ['7'], expenseGroups: ['8'] },
    creditResultAccountId: accounts.get('7.9'),
    debitResultAccountId: accounts.get('8.9'),
    profitAccountId: accounts.get('6.1.1.02'),
    lossAccountId: accounts.get('6.1.1.02'),
  };
}

const LINES = {
  BP: [
    { code: 'A', indicator: 'T', group: 'A', description: 'ATIVO' },
    {
      code: 'A1',
      indicator: 'D',
      parentCode: 'A',
      group: 'A',
      description: 'Disponível',
      selectors: [{ pattern: '1*' }],
    },
    { code: 'P', indicator: 'T', group: 'P', description: 'PASSIVO' },
    {
      code: 'P1',
      indicator: 'D',
      parentCode: 'P',
      group: 'P',
      description: 'Exigível',
      selectors: [{ pattern: '2*' }],
    },
    {
      code: 'P2',
      indicator: 'D',
      parentCode: 'P',
      group: 'P',
      description: 'Patrimônio',
      selectors: [{ pattern: '6*' }],
    },
  ],
  DRE: [
    { code: 'R', indicator: 'T', group: 'R', description: 'RESULTADO' },
    {
      code: 'R1',
      indicator: 'D',
      parentCode: 'R',
      group: 'R',
      description: 'Receitas',
      selectors: [{ pattern: '7*' }],
    },
    {
      code: 'R2',
      indicator: 'D',
      parentCode: 'R',
      group: 'D',
      description: 'Despesas',
      selectors: [{ pattern: '8*' }],
    },
  ],
  DMPL: [
    { code: 'M', indicator: 'T', group: 'P', description: 'PATRIMÔNIO' },
    {
      code: 'M1',
      indicator: 'D',
      parentCode: 'M',
      group: 'P',
      description: 'Capital',
      selectors: [{ pattern: '6.1.1.01' }],
    },
    {
      code: 'M2',
      indicator: 'D',
      parentCode: 'M',
      group: 'P',
      description: 'Lucros',
      selectors: [{ pattern: '6.1.1.02' }],
    },
  ],
} as const;

async function defineStatements(admin: Client): Promise<void> {
  for (const [kind, lines] of Object.entries(LINES)) {
    const head = { chartCode: 'DUAS', kind, code: 'PADRAO', name: kind, validFrom: '2025-01-01' };
    const { id } = await bodyOf(admin.post('masterdata', '/statements', head));
    await bodyOf(admin.call('masterdata', 'PUT', `/statements/${id}/lines`, lines));
  }
}

/** A standard narration alone, and late entries: one of them touches the result. */
async function postByFields(admin: Client, head: Bank): Promise<void> {
  const documentId = await newDocument(admin, head, '04/2025', { batch: 'CAMPOS' });
  const [cash, supplier, expense] = ['1.1.1.01', '2.1.1.01', '8.1'].map((code) => head.accounts.get(code));
  const entry = { documentId, debcre: 'D', day: '08', valor: 12.5 };
  for (const more of [
    { contaId: supplier, contrapartida: cash, cdhistorico: '00010' },
    { contaId: supplier, contrapartida: cash, historico: 'de outro ano', dataFato: '2024-12-20' },
    { contaId: expense, contrapartida: cash, historico: 'despesa de outro ano', dataFato: '2024-12-21' },
  ])
    await bodyOf(admin.post('movements', '/entry', { ...entry, ...more }));
}

/** Longer than what a request may bring. */
async function postLongEntry({ ownerUrl, admin }: Platform, head: Bank): Promise<void> {
  const documentId = await newDocument(admin, head, '11/2025', { batch: 'LONGO' });
  await withOwnerConnection(ownerUrl, (owner) =>
    owner.query(
      `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id, side, amount, narration)
       SELECT $1, $2, $3, '2025-11-01', '2025-11-12', '1', number, CASE WHEN number = $4 THEN $6::bigint ELSE $5::bigint END,
              (CASE WHEN number = $4 THEN 'C' ELSE 'D' END)::"char",
              CASE WHEN number = $4 THEN ($4 - 1) * 0.01 ELSE 0.01 END, 'longo'
         FROM generate_series(1, $4::integer) AS number`,
      [
        head.companyId,
        head.branchId,
        documentId,
        LONG_ENTRY_LINES,
        head.accounts.get('1.1.1.02'),
        head.accounts.get('2.1.1.01'),
      ],
    ),
  );
}
