import { nationalDay } from '../../src/accounting/holidays.ts';
import { type Day, dayNumberOf, daysOf, type Month } from '../../src/accounting/period.ts';
import { accountIds } from './bank.ts';
import { csvRow } from './bank-entries.ts';
import { codeOf, DAILY_FUND } from './funds.ts';
import { closeMonth, importMonth, openMonth, YEAR } from './months.ts';
import { randomFrom } from './random.ts';
import { fileForm, type Send } from './steps.ts';

// A fund whose quota is published every business day: what it earns, who comes and goes, come-cotas, its fees, and a
// correction of days that had their quota.

const { company, branch } = DAILY_FUND;
const PLACE = `${company}/${branch}`;

const [CASH, TITLES, INCOME] = [codeOf('1120000'), codeOf(DAILY_FUND.asset), codeOf(DAILY_FUND.income)];
const [REDEEMED, TAX] = [codeOf('4999200'), codeOf('4942000')];
const ADMINISTRATION = { code: 'TAXA-ADM', debit: '8178100', credit: '4993000' };
const PERFORMANCE = { code: 'TAXA-PERF', debit: '8178200', credit: '4993500' };

/** What the amounts of movements and fees are posted by. */
const TEMPLATES = [
  { code: 'APLICACAO', debit: '1120000', credit: '6111000', description: 'Aplicação de cotistas' },
  { code: 'RESGATE', debit: '6111000', credit: '4999200', description: 'Resgate de cotas' },
  { code: 'COME-COTAS', debit: '6111000', credit: '4942000', description: 'Come-cotas' },
  { ...ADMINISTRATION, description: 'Taxa de administração' },
  { ...PERFORMANCE, description: 'Taxa de performance' },
] as const;

/** The month of the correction, and the place of its day among the business days. */
const CORRECTED = { month: 7, at: 9 };

export async function setUpDailyFund(send: Send): Promise<void> {
  const accountId = await accountIds(send, DAILY_FUND);
  for (const { code, debit, credit, description } of TEMPLATES) {
    const [contaId, contrapartida] = [accountId(codeOf(debit)), accountId(codeOf(credit))];
    const lines = [{ sequence: 1, debcre: 'D', contaId, contrapartida, valueType: 'INFORMADO' }];
    await send('masterdata', 'POST', `/release/${PLACE}`, { company, branch, code, description, lines });
  }
  await send('masterdata', 'POST', '/quotacalculation/', {
    ...{ company, branch, netEquityAccountId: accountId(codeOf('6000000')), includeOpenResult: true },
    ...{ numberOfQuotas: DAILY_FUND.quotas, redemptionDays: 1 },
    ...{ subscriptionTemplate: 'APLICACAO', redemptionTemplate: 'RESGATE', comeCotasTemplate: 'COME-COTAS' },
  });
  const fee = { company, branch, startDate: `${YEAR}-01-02` };
  await send('masterdata', 'POST', '/fund/fee', {
    ...{ ...fee, kind: 'ADMINISTRATION', template: ADMINISTRATION.code },
    bands: [
      { from: 0, to: 20_000_000, rate: 1.2 },
      { from: 20_000_000, rate: 0.8 },
    ],
  });
  await send('masterdata', 'POST', '/fund/fee', {
    ...{ ...fee, kind: 'PERFORMANCE', template: PERFORMANCE.code, rate: 20 },
    ...{ benchmarkRate: 11.5, crystallizationMonths: [6, 12] },
  });
}

/** A month, day by day: fees, quota, close; then the month itself. Returns how many quotas were confirmed. */
export async function workDailyMonth(send: Send, month: number): Promise<number> {
  const days = businessDays(month);
  await openMonth(send, DAILY_FUND, month);
  await importMonth(send, DAILY_FUND, month, { batch: '1', description: 'Carteira', csv: entriesOf(month, days) });
  await importMovements(send, movementsOf(month, days));
  for (const date of days) {
    await send('masterdata', 'POST', `/feeAccrual/${PLACE}`, { date, confirmed: true });
    await send('masterdata', 'POST', `/quotaCalculation/${PLACE}`, { date, confirmed: true });
    await send('movements', 'POST', `/calendar/closeday/${PLACE}`, {});
  }
  if (month === CORRECTED.month) await correct(send, days);
  await closeMonth(send, DAILY_FUND, month);
  return days.length;
}

/** An expense of a day that was forgotten: the quotas since are computed anew, the old ones are kept. */
async function correct(send: Send, days: readonly Day[]): Promise<void> {
  const date = days[CORRECTED.at]!;
  await send('masterdata', 'POST', `/calendar/${PLACE}`, { date, businessDay: true, status: 'A' });
  const csv = csvOf([[date, codeOf('8179900'), CASH, 1_850, 'Despesa de auditoria esquecida']]);
  await importMonth(send, DAILY_FUND, CORRECTED.month, { batch: 'CORRECAO', description: 'Correção', csv });
  await send('movements', 'POST', `/calendar/closeday/${PLACE}`, {});
  const reason = 'Despesa de auditoria lançada com atraso';
  await send('masterdata', 'POST', `/quotaCalculation/${PLACE}/reprocess`, { from: date, to: days.at(-1), reason });
}

async function importMovements(send: Send, rows: readonly string[]): Promise<void> {
  const csv = ['data;tipo;valor;cotistas;dataSolicitacao', ...rows].join('\r\n');
  const path = `/quotaMovement/${PLACE}/import`;
  const { success, errors } = await send<{ success: boolean; errors: string[] }>(
    'masterdata',
    'POST',
    path,
    fileForm('cotas.csv', csv),
  );
  if (!success) throw new Error(errors.slice(0, 3).join('\n'));
}

function businessDays(month: number): Day[] {
  const days = daysOf(`${YEAR}-${String(month).padStart(2, '0')}` as Month);
  return days.filter((day) => nationalDay(day).businessDay);
}

interface Flow {
  readonly day: Day;
  readonly reais: number;
}

/** Amounts of whole reais that come on some days of the month, and that leave a day after they were asked for. */
function flowsOf(
  month: number,
  days: readonly Day[],
): { readonly comes: readonly Flow[]; readonly leaves: readonly Flow[] } {
  const draw = randomFrom(1_000 + month);
  const reais = (typical: number) => Math.round(typical * (0.4 + draw() * 1.2));
  return {
    comes: [1, 6, 11].map((at) => ({ day: days[at]!, reais: reais(180_000) })),
    leaves: [4, 13].map((at) => ({ day: days[at]!, reais: reais(140_000) })),
  };
}

const COME_COTAS_MONTHS = [5, 11];
const COME_COTAS_REAIS = 96_000;

function movementsOf(month: number, days: readonly Day[]): string[] {
  const { comes, leaves } = flowsOf(month, days);
  const holders = 1_180 + 7 * month;
  return [
    ...comes.map(({ day, reais }, at) => `${day};SUBSCRIPTION;${reais},00;${holders + at};`),
    ...leaves.map(({ day, reais }) => `;REDEMPTION;${reais},00;;${day}`),
    ...(COME_COTAS_MONTHS.includes(month) ? [`${days.at(-1)};COME_COTAS;${COME_COTAS_REAIS},00;;`] : []),
  ];
}

type Row = readonly [day: Day, debit: string, credit: string, reais: number, narration: string];

/** What the portfolio earns every day, and titles that are bought and sold for what comes and goes. */
function entriesOf(month: number, days: readonly Day[]): string {
  const draw = randomFrom(2_000 + month);
  const { comes, leaves } = flowsOf(month, days);
  const after = (day: Day, count: number) => days[days.indexOf(day) + count]!;
  return csvOf([
    ...days.map((day): Row => {
      const gain = DAILY_FUND.reais * (0.00046 + 0.0009 * (draw() - 0.35));
      return gain > 0
        ? [day, TITLES, INCOME, gain, 'Rendimento da carteira']
        : [day, INCOME, TITLES, -gain, 'Desvalorização da carteira'];
    }),
    ...comes.map(({ day, reais }): Row => [day, TITLES, CASH, reais, 'Compra de títulos']),
    ...leaves.flatMap(({ day, reais }): Row[] => [
      [after(day, 2), CASH, TITLES, reais, 'Venda de títulos para resgates'],
      [after(day, 2), REDEEMED, CASH, reais, 'Pagamento de resgates'],
    ]),
    ...(COME_COTAS_MONTHS.includes(month - 1)
      ? ([
          [days[2]!, CASH, TITLES, COME_COTAS_REAIS, 'Venda de títulos para o imposto'],
          [days[2]!, TAX, CASH, COME_COTAS_REAIS, 'Recolhimento do come-cotas'],
        ] as const)
      : []),
  ]);
}

function csvOf(rows: readonly Row[]): string {
  return [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico',
    ...rows.map(([day, debit, credit, reais, narration], at) =>
      csvRow('CARTEIRA', at + 1, dayNumberOf(day), debit, credit, reais, narration),
    ),
  ].join('\r\n');
}
