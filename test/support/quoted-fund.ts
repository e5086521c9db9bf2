import { setOpenings } from './balances.ts';
import { type Bank, closureSettings } from './banks.ts';
import { type BookEntry, book } from './books.ts';
import { configureFund } from './funds.ts';
import { closeMonth } from './months.ts';
import { bodyOf, type Client } from './platform.ts';
import { createBooks } from './report-books.ts';

// A fund of two closed months with results on most business days, a subscription, a redemption and a quota of every day.

const FLOWS = book`
  14/01  1.1.2  D    250.000,00  3.1    "Cotas emitidas"
  10/02  3.1    D    100.000,00  1.1.2  "Cotas resgatadas"
`;

/** What each business day earned, in reais; losses are expenses. */
const EARNED: Readonly<Record<string, string>> = {
  '05/01': '412,37',
  '06/01': '388,02',
  '07/01': '-1.250,40',
  '08/01': '502,11',
  '09/01': '690,55',
  '13/01': '455,00',
  '15/01': '512,90',
  '16/01': '-2.033,15',
  '20/01': '1.802,44',
  '22/01': '640,08',
  '27/01': '955,31',
  '30/01': '1.104,27',
  '03/02': '-780,60',
  '05/02': '1.311,92',
  '11/02': '870,45',
  '20/02': '1.650,73',
  '26/02': '433,18',
};

export async function createQuotedFund(client: Client): Promise<Bank> {
  const results = Object.entries(EARNED).flatMap(([day, amount]): readonly BookEntry[] =>
    amount.startsWith('-')
      ? book`${day} 8.2 D ${amount.slice(1)} 1.1.2 "Ajuste a mercado"`
      : book`${day} 1.1.2 D ${amount} 7.1 "Rendimentos"`,
  );
  const fund = await createBooks(client, [...FLOWS, ...results], {
    company: 'PRATA',
    months: ['01/2026', '02/2026'],
    options: {
      signatories: [
        { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909', legalResponsible: true },
        { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
      ],
    },
  });
  const { company, branch } = fund;
  const of = { company, branch };
  const post = (path: string, body: object) => bodyOf(client.post('masterdata', path, body));
  const type = (await bodyOf(client.get('masterdata', '/fundType'))).find(
    (each: { code: string }) => each.code === 'RF',
  );
  await post('/fund/settings', {
    ...of,
    fundTypeId: type.id,
    cnpj: '00017024000153',
    name: 'Prata Renda Fixa FIF',
    cvmCode: '123456',
    fiscalYearStart: '01/01',
    fiscalYearEnd: '31/12',
    condominium: 'A',
    administrator: { cnpj: '11222333000181', name: 'Banco Exemplo S.A.' },
  });
  await post('/closuresettings', closureSettings(fund, [12]));
  await post('/statements/default', { chartCode: fund.chartCode, kinds: ['BP', 'DRE'] });
  await setOpenings(
    client,
    fund,
    `
    1.1.2  1.000.000,00 D
    3.1    1.000.000,00 C
    `,
  );
  await configureFund(client, fund, { numberOfQuotas: 1_000_000 });
  await post('/quotaMovement', { ...of, date: '2026-01-14', kind: 'SUBSCRIPTION', amount: 250_000, holders: 5 });
  await post('/quotaMovement', { ...of, date: '2026-02-10', kind: 'REDEMPTION', amount: 100_000, holders: 4 });
  for (const month of ['01/2026', '02/2026']) await closeMonth(client, fund, month);
  await post(`/quotaCalculation/${company}/${branch}`, { from: '2026-01-02', to: '2026-02-28', confirmed: true });
  // The last day of February is a Saturday: a paper of it shows the quota of that day alone.
  await post(`/quotaCalculation/${company}/${branch}`, { date: '2026-02-28', confirmed: true });
  return fund;
}
