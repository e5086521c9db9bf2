import { cosifCheckDigit, maskedCofi } from '../../src/accounting/cosif.ts';
import { accountIds, SIGNATORIES } from './bank.ts';
import { csvRow } from './bank-entries.ts';
import { type Place, YEAR } from './months.ts';
import { randomFrom } from './random.ts';
import { fileForm, type Send } from './steps.ts';

/** A fund of the sample: its own branch of the administrator, its own chart code and what it invests in. */
export interface Fund extends Place {
  readonly name: string;
  readonly cnpj: string;
  readonly cvmCode: string;
  readonly asset: string;
  readonly income: string;
  /** Equity and number of quotas at the start. */
  readonly reais: number;
  readonly quotas: number;
  /** What the assets gain in a month, in parts of them. */
  readonly yield: number;
  /** How far a month's gain strays from it. */
  readonly spread: number;
}

const ADMINISTRATOR = '0002';

/** The fund whose quota is published every business day (daily-fund.ts). */
export const DAILY_FUND: Fund = {
  company: ADMINISTRATOR,
  branch: 'DIARIO',
  name: 'Exemplo Liquidez Diária FIF',
  cnpj: '27865757000102',
  cvmCode: '100003',
  asset: '1311000',
  income: '7151000',
  reais: 30_000_000,
  quotas: 30_000_000,
  yield: 0.0102,
  spread: 0.001,
};

export const FUNDS: readonly Fund[] = [
  {
    company: ADMINISTRATOR,
    branch: 'RF',
    name: 'Exemplo Renda Fixa FIF',
    cnpj: '33000167000101',
    cvmCode: '100001',
    asset: '1311000',
    income: '7151000',
    reais: 24_000_000,
    quotas: 20_000_000,
    yield: 0.0102,
    spread: 0.001,
  },
  {
    company: ADMINISTRATOR,
    branch: 'ACOES',
    name: 'Exemplo Ações FIF',
    cnpj: '60746948000112',
    cvmCode: '100002',
    asset: '1312000',
    income: '7154000',
    reais: 9_000_000,
    quotas: 5_000_000,
    yield: 0.008,
    spread: 0.03,
  },
];

/** Seven digits of each account of the funds' chart; the check digit follows from them. */
const CHART: readonly (readonly [digits: string, name: string, type: 'S' | 'A'])[] = [
  ['1000000', 'ATIVO', 'S'],
  ['1100000', 'DISPONIBILIDADES', 'S'],
  ['1120000', 'Depósitos bancários', 'A'],
  ['1300000', 'TÍTULOS E VALORES MOBILIÁRIOS', 'S'],
  ['1310000', 'Carteira livre', 'S'],
  ['1311000', 'Títulos públicos federais', 'A'],
  ['1312000', 'Ações de companhias abertas', 'A'],
  ['4000000', 'PASSIVO', 'S'],
  ['4900000', 'OUTRAS OBRIGAÇÕES', 'S'],
  ['4940000', 'Fiscais e previdenciárias', 'S'],
  ['4942000', 'Impostos retidos de cotistas', 'A'],
  ['4990000', 'Diversas', 'S'],
  ['4993000', 'Taxa de administração a pagar', 'A'],
  ['4993500', 'Taxa de performance a pagar', 'A'],
  ['4999200', 'Resgates a pagar', 'A'],
  ['6000000', 'PATRIMÔNIO LÍQUIDO', 'S'],
  ['6100000', 'PATRIMÔNIO LÍQUIDO', 'S'],
  ['6110000', 'Patrimônio social', 'S'],
  ['6111000', 'Cotas de investimento', 'A'],
  ['6180000', 'Resultados acumulados', 'A'],
  ['7000000', 'CONTAS DE RESULTADO CREDORAS', 'S'],
  ['7100000', 'RECEITAS OPERACIONAIS', 'S'],
  ['7150000', 'Rendas de títulos e valores mobiliários', 'S'],
  ['7151000', 'Rendas de títulos de renda fixa', 'A'],
  ['7154000', 'Valorização de ações e dividendos', 'A'],
  ['7910000', 'Apuração de resultado', 'A'],
  ['8000000', 'CONTAS DE RESULTADO DEVEDORAS', 'S'],
  ['8100000', 'DESPESAS OPERACIONAIS', 'S'],
  ['8170000', 'Despesas administrativas', 'S'],
  ['8178100', 'Taxa de administração', 'A'],
  ['8178200', 'Taxa de performance', 'A'],
  ['8179900', 'Outras despesas', 'A'],
  ['8910000', 'Apuração de resultado', 'A'],
];

const CLASSES: Readonly<Record<string, string>> = { 1: '01', 4: '02', 6: '03', 7: '04', 8: '04' };

const FUND_CHART = 'FUNDOS';

/** '1311000' → '1.3.1.10.00-6' */
export function codeOf(digits: string): string {
  return maskedCofi(digits + cosifCheckDigit(digits));
}

export async function importFundChart(send: Send): Promise<number> {
  const rows = CHART.map(([digits, name, type]) => {
    const group = digits[0]!;
    const nature = group === '1' || group === '8' ? 'D' : 'C';
    return `${codeOf(digits)};${name};${type};${nature};${CLASSES[group]}`;
  });
  const csv = ['cdAccounting;description;accountType;nature;accountClass', ...rows].join('\n');
  const path = `/chartOfAccounts/import?chart=${FUND_CHART}`;
  const { totalRows } = await send<{ totalRows: number }>('masterdata', 'POST', path, fileForm('fundos.csv', csv));
  return totalRows;
}

/** The administrator and its funds, ready for their first month. */
export async function createFunds(send: Send): Promise<void> {
  await send('masterdata', 'POST', '/company', {
    ...{ company: ADMINISTRATOR, name: 'Exemplo DTVM S.A.', cnpj: '19131243000197', institutionType: 'DTVM' },
    ...{ zipCode: '01310100', street: 'Avenida Paulista', number: '1000', city: 'São Paulo', state: 'SP' },
  });
  const fundType = { code: 'FIF', description: 'Fundo de investimento financeiro', regulatoryPlan: 'COFI' };
  const { id } = await send<{ id: number }>('masterdata', 'POST', '/fundType', fundType);
  for (const fund of [...FUNDS, DAILY_FUND]) {
    const { company, branch, name, cnpj } = fund;
    await send('masterdata', 'POST', '/branch', { company, branch, name, cnpj });
    await send('masterdata', 'POST', '/company/options', {
      ...{ company, branch, chartCode: FUND_CHART, baseYearMonth: `01/${YEAR}`, regulatoryLayout: 'CVM' },
      signatories: SIGNATORIES,
    });
    await setUpFund(send, fund, id);
  }
}

/** Settings of the fund, its equity at the start, its closing once a year and its quotas. */
async function setUpFund(send: Send, fund: Fund, fundTypeId: number): Promise<void> {
  const { company, branch, name, cnpj, cvmCode } = fund;
  const accountId = await accountIds(send, fund);
  const idOf = (digits: string) => accountId(codeOf(digits));
  await send('masterdata', 'POST', '/fund/settings', {
    ...{ company, branch, name, cnpj, cvmCode, fundTypeId },
    administrator: { cnpj: '19131243000197', name: 'Exemplo DTVM S.A.' },
    condominium: 'A',
    administrationFee: 1.2,
    quotaDecimals: 8,
    fiscalYearEnd: '31/12',
  });
  await send('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, [
    { cdAccounting: codeOf(fund.asset), balance: fund.reais, dc: 'D' },
    { cdAccounting: codeOf('6111000'), balance: fund.reais, dc: 'C' },
  ]);
  await send('masterdata', 'POST', '/closuresettings', {
    ...{ company, branch, closingMonths: [12], revenueGroups: ['7'], expenseGroups: ['8'] },
    creditResultAccountId: idOf('7910000'),
    debitResultAccountId: idOf('8910000'),
    profitAccountId: idOf('6180000'),
    lossAccountId: idOf('6180000'),
  });
  await send('masterdata', 'POST', '/quotacalculation/', {
    ...{ company, branch, netEquityAccountId: idOf('6000000'), includeOpenResult: true, numberOfQuotas: fund.quotas },
  });
}

/** A month of the fund as a movements CSV: what its assets gained, the fee of the administrator, its payment. */
export function monthOfFund(fund: Fund, month: number): string {
  const draw = randomFrom(month + fund.quotas);
  const gain = fund.reais * (fund.yield + fund.spread * (draw() * 2 - 1));
  const fee = (fund.reais * 0.012) / 12;
  const [asset, income] = [codeOf(fund.asset), codeOf(fund.income)];
  const [cash, payable, expense] = [codeOf('1120000'), codeOf('4993000'), codeOf('8178100')];
  const entries: readonly (readonly [day: number, debit: string, credit: string, reais: number, narration: string])[] =
    [
      gain > 0
        ? [28, asset, income, gain, 'Rendimento da carteira no mês']
        : [28, income, asset, -gain, 'Desvalorização da carteira no mês'],
      [28, expense, payable, fee, 'Taxa de administração do mês'],
      [10, cash, asset, fee, 'Venda de títulos para pagamento da taxa de administração'],
      ...(month > 1 ? [[10, payable, cash, fee, 'Pagamento da taxa de administração'] as const] : []),
    ];
  return [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico',
    ...entries.map(([day, debit, credit, reais, narration], at) =>
      csvRow('MENSAL', at + 1, day, debit, credit, reais, narration),
    ),
  ].join('\r\n');
}
