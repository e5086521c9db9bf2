// Two months of a small business, in either chart: enough to see balances, a ledger and a result.

export type ChartKind = 'COSIF' | 'SIMPLES';

type Role =
  | 'bank'
  | 'cash'
  | 'investments'
  | 'capital'
  | 'loans'
  | 'deposits'
  | 'income'
  | 'fees'
  | 'payroll'
  | 'rent'
  | 'utilities'
  | 'payable'
  | 'equipment'
  | 'depreciation'
  | 'accumulated';

const CODES: Readonly<Record<ChartKind, Readonly<Record<Role, string>>>> = {
  COSIF: {
    cash: '1.1.1.10.00.00-8',
    bank: '1.1.3.10.00.00-2',
    investments: '1.3.1.10.01.10-6',
    loans: '1.6.1.20.01.10-4',
    equipment: '2.2.5.30.20.00-0',
    accumulated: '2.2.5.99.30.00-8',
    deposits: '4.1.1.10.00.00-5',
    payable: '4.9.9.30.50.00-8',
    capital: '6.1.1.10.13.00-7',
    income: '7.1.1.05.99.00-2',
    fees: '7.1.7.01.10.00-5',
    payroll: '8.1.7.33.00.00-0',
    rent: '8.1.7.57.00.00-0',
    utilities: '8.1.7.57.00.00-0',
    depreciation: '8.1.8.20.30.00-0',
  },
  SIMPLES: {
    cash: '1.1.1.01',
    bank: '1.1.1.02',
    investments: '1.1.1.03',
    loans: '1.1.2.01',
    equipment: '1.2.3.01',
    accumulated: '1.2.3.02',
    deposits: '2.1.1.02',
    payable: '2.1.1.01',
    capital: '3.1.1',
    income: '4.2.1',
    fees: '4.1.1',
    payroll: '5.1.1',
    rent: '5.2.1',
    utilities: '5.2.3',
    depreciation: '5.2.4',
  },
};

type Fact = readonly [day: number, debit: Role, credit: Role, amount: string, narration: string];

/** Once, in the first month. */
const BEGINNING: readonly Fact[] = [
  [2, 'bank', 'capital', '2500000,00', 'Integralização do capital social'],
  [3, 'equipment', 'bank', '86400,00', 'Compra de equipamentos de informática'],
  [4, 'cash', 'bank', '30000,00', 'Suprimento de caixa'],
];

const EACH_MONTH: readonly Fact[] = [
  [5, 'bank', 'deposits', '184250,37', 'Recursos recebidos de clientes'],
  [5, 'investments', 'bank', '900000,00', 'Aplicação de disponibilidades'],
  [6, 'loans', 'bank', '420000,00', 'Operações contratadas no dia'],
  [8, 'rent', 'bank', '12800,00', 'Aluguel da sede'],
  [9, 'bank', 'fees', '8435,20', 'Tarifas e serviços prestados'],
  [10, 'utilities', 'bank', '2317,48', 'Energia, água e comunicação'],
  [12, 'deposits', 'bank', '61902,11', 'Resgates de clientes'],
  [15, 'bank', 'loans', '73518,90', 'Parcelas recebidas'],
  [15, 'bank', 'income', '6480,15', 'Juros recebidos'],
  [17, 'utilities', 'payable', '4120,00', 'Serviços de manutenção a pagar'],
  [18, 'cash', 'bank', '5000,00', 'Reforço de caixa'],
  [20, 'utilities', 'cash', '1286,55', 'Despesas miúdas da quinzena'],
  [22, 'bank', 'fees', '9127,80', 'Tarifas e serviços prestados'],
  [25, 'payable', 'bank', '4120,00', 'Pagamento de fornecedores'],
  [26, 'bank', 'deposits', '97331,02', 'Recursos recebidos de clientes'],
  [28, 'payroll', 'bank', '58240,00', 'Folha de pagamento'],
  [28, 'investments', 'income', '10412,66', 'Rendimento das aplicações'],
  [28, 'depreciation', 'accumulated', '1440,00', 'Depreciação do mês'],
];

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';

/** A month of sample entries as a file of movements. */
export function sampleCsv(chart: ChartKind, isFirst: boolean): string {
  const codes = CODES[chart];
  const rows = [...(isFirst ? BEGINNING : []), ...EACH_MONTH].map(
    ([day, debit, credit, amount, narration], at) =>
      `1;${at + 1};${day};D;${codes[debit]};${codes[credit]};${amount};${narration}`,
  );
  return `${[HEADER, ...rows].join('\r\n')}\r\n`;
}
