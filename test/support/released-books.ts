import { expect } from 'vitest';
import { type Bank, createBank } from './banks.ts';
import { book, post } from './books.ts';
import { closeMonth, openMonth } from './months.ts';
import { bodyOf, type Client } from './platform.ts';
import { createUser } from './users.ts';

// Books that a release keeps, for later ones to go on with: January closed and sealed, February open, an imported file,
// quotas, a user.

const PLACE = { company: '0001', branch: '0001' };
const PATH = `${PLACE.company}/${PLACE.branch}`;
export const KEPT_USER = { username: 'maria', password: 'uma senha bem comprida' };

export async function makeReleasedBooks(admin: Client): Promise<void> {
  const bank = await createBank(admin, { ...PLACE, chartCode: 'PLANO' });
  await openMonth(admin, bank, '01/2026');
  await post(
    admin,
    bank,
    book`
    05/01      1.1.2  D  1.000,00  3.1  "Integralização de capital"
    20/01  2   8.1    D     50,00       "Folha"
               8.2    D      5,00
               1.1.2  C     55,00
    30/01      1.1.1  D     80,10  7.1  "Juros recebidos"
    `,
  );
  await importFile(admin);
  await closeMonth(admin, bank, '01/2026');
  await openMonth(admin, bank, '02/2026');
  await post(admin, bank, book`03/02 1.1.2 D 12,34 7.2 "Tarifa de fevereiro"`);
  await calculateQuotas(admin, bank);
  await createUser(admin, { ...KEPT_USER, permissions: [{ company: PLACE.company }] });
}

async function importFile(admin: Client): Promise<void> {
  const { id } = await bodyOf(
    admin.post('movements', '/batch', { empresa: PLACE.company, filial: PLACE.branch, ano: 2026, mes: 1, lote: '77' }),
  );
  const form = new FormData();
  const rows = [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico',
    '9;1;06;D;1.2;3.1;250,50;Aporte',
  ];
  form.set('file', new Blob([rows.join('\n')]), 'aportes.csv');
  await bodyOf(admin.post('movements', `/batch/${id}/import`, form));
}

async function calculateQuotas(admin: Client, { accounts }: Bank): Promise<void> {
  await bodyOf(
    admin.post('masterdata', '/quotacalculation/', {
      ...PLACE,
      netEquityAccountId: accounts.get('3'),
      numberOfQuotas: 100,
    }),
  );
  await bodyOf(admin.get('movements', `/taxquotacalculation/${PATH}?confirmed=true`));
}

/** What every later version must answer of these books, and may add to. */
export async function figuresOf(admin: Client): Promise<object> {
  const accounts: { id: number; cdAccounting: string }[] = await bodyOf(
    admin.get('masterdata', `/chartOfAccounts/getallcoa/${PATH}`),
  );
  const balances: Record<string, unknown> = {};
  for (const { id, cdAccounting } of accounts) {
    for (const month of ['01/2026', '02/2026']) {
      const [answer] = await bodyOf(
        admin.post('queries', '/balanceInquiryDetails', {
          empresa: PLACE.company,
          filial: PLACE.branch,
          contaId: id,
          anomesini: month,
          anomesfim: month,
        }),
      );
      const { openingBalance, movdeb, movcred, accumulatedBalance } = answer;
      balances[`${cdAccounting} ${month}`] = [openingBalance, movdeb, movcred, accumulatedBalance];
    }
  }
  const users = await bodyOf(admin.get('authentication', '/api/admin/users'));
  return {
    balances,
    seals: await bodyOf(admin.get('queries', `/seals/${PATH}`)),
    imports: await bodyOf(admin.get('movements', `/imports/${PATH}`)),
    quota: await bodyOf(admin.get('masterdata', `/taxquotacalculation/${PATH}`)),
    users: (users.content ?? users).map(({ username }: { username: string }) => username),
  };
}

/** February is posted to, closed, and followed by March. */
export async function expectGoesOn(admin: Client): Promise<void> {
  const accounts: { id: number; cdAccounting: string }[] = await bodyOf(
    admin.get('masterdata', `/chartOfAccounts/getallcoa/${PATH}`),
  );
  const bank = { ...PLACE, accounts: new Map(accounts.map(({ id, cdAccounting }) => [cdAccounting, id])) } as Bank;
  await post(admin, bank, book`04/02 1.1.2 D 1,00 7.2 "Depois da atualização"`);
  expect((await closeMonth(admin, bank, '02/2026')).status).toBe('DONE');
  await openMonth(admin, bank, '03/2026');
}
