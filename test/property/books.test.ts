import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf, type Movement, NO_MOVEMENT, rollUpBalances } from '../../src/accounting/balance.ts';
import { type Centavos, centavosFromDecimal, decimalOf } from '../../src/accounting/money.ts';
import { monthOfDay, slashOf } from '../../src/accounting/period.ts';
import { printedAmount } from '../support/amounts.ts';
import { type Bank, createBank, PLAIN_CHART } from '../support/banks.ts';
import { type BookEntry, book, debitsAndCredits, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';

const RUNS = volumeOf('BOOKS_RUNS');
const LEAVES = PLAIN_CHART.filter((account) => account.type === 'A').map((account) => account.code);
const MONTHS = ['01/2026', '02/2026'] as const;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const leaf = fc.constantFrom(...LEAVES);
const entry = fc
  .record({
    month: fc.constantFrom(...MONTHS),
    day: fc.integer({ min: 1, max: 28 }),
    debit: leaf,
    credit: leaf,
    amount: fc.bigInt(1n, 999_999_999_999n),
  })
  .filter(({ debit, credit }) => debit !== credit)
  .map(({ month, day, debit, credit, amount }) => {
    return `${String(day).padStart(2, '0')}/${month}  ${debit}  D  ${printedAmount(amount)}  ${credit}`;
  });
const opening = fc.dictionary(leaf, fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n), { maxKeys: 6 });

test('random books: every endpoint shows the plain fold of the lines, open and consolidated', async () => {
  await fc.assert(
    fc.asyncProperty(opening, fc.array(entry, { maxLength: 25 }), async (openings, written) => {
      const bank = await createBank(platform.admin);
      await saveOpenings(bank, openings);
      for (const month of MONTHS) await openMonth(platform.admin, bank, month);
      const entries = book`${written.join('\n')}`;
      await post(platform.admin, bank, entries);
      const expected = fold(bank, balanced(openings), entries);
      await expectEverywhere(bank, expected);
      for (const month of MONTHS) {
        await closeMonth(platform.admin, bank, month);
        await expectEverywhere(bank, expected);
      }
      await openMonth(platform.admin, bank, '02/2026');
      await expectEverywhere(bank, expected);
    }),
    { numRuns: RUNS },
  );
}, 900_000);

/** Openings sum to zero: the first leaf takes the rest. */
function balanced(openings: Record<string, Centavos>): Map<string, Centavos> {
  const given = new Map(Object.entries(openings));
  const rest = [...given].reduce((sum, [code, value]) => (code === LEAVES[0] ? sum : sum + value), 0n);
  return given.set(LEAVES[0]!, -rest);
}

async function saveOpenings(bank: Bank, openings: Record<string, Centavos>): Promise<void> {
  const body = [...balanced(openings)]
    .filter(([, value]) => value !== 0n)
    .map(([cdAccounting, value]) => ({
      cdAccounting,
      balance: Number(decimalOf(value < 0n ? -value : value)),
      dc: value < 0n ? 'C' : 'D',
    }));
  const answer = await platform.admin.call('masterdata', 'PUT', `/baseBalance/${bank.company}/${bank.branch}`, body);
  expect(answer.status, answer.text).toBe(200);
}

/** Balances of both months by code, computed in plain code: parents are the sums of their children. */
function fold(bank: Bank, openings: Map<string, Centavos>, entries: readonly BookEntry[]): Map<string, Movement>[] {
  const id = (code: string) => bank.accounts.get(code)!;
  const accounts = [...bank.accounts].map(([code, accountId]) => ({
    id: accountId,
    ancestors: [...bank.accounts].filter(([above]) => code.startsWith(`${above}.`)).map(([, aboveId]) => aboveId),
  }));
  const codes = new Map([...bank.accounts].map(([code, accountId]) => [accountId, code]));
  let before = new Map([...openings].map(([code, value]) => [id(code), value]));
  return MONTHS.map((month) => {
    const lines = entries
      .filter(({ day }) => slashOf(monthOfDay(day)) === month)
      .flatMap(debitsAndCredits)
      .map(({ account, side, amount }) => ({ accountId: id(account), side, amount, closing: false }));
    const movements = rollUpBalances(lines, accounts, before);
    before = new Map(LEAVES.map((code) => [id(code), balanceOf(movements.get(id(code)) ?? NO_MOVEMENT)]));
    return new Map([...movements].map(([accountId, movement]) => [codes.get(accountId)!, movement]));
  });
}

async function expectEverywhere(bank: Bank, expected: Map<string, Movement>[]): Promise<void> {
  const cents = (value: number) => centavosFromDecimal(value.toFixed(2))!;
  for (const [month, movements] of expected.entries()) {
    const range = `dataInicio=2026-0${month + 1}-01&dataFim=2026-0${month + 1}-28&tamanho=1000`;
    const path = `/api/v1/legacy-integration/consulta-contabil?empresa=${bank.company}&filial=${bank.branch}&${range}`;
    const listed = (await platform.admin.get('queries', path)).body.conteudo.content;
    const plan = (
      await platform.admin.get(
        'reports',
        `/api/v1/saldos/plano-saldo?empresa=${bank.company}&filial=${bank.branch}&ano=2026&mes=${month + 1}&tamanho=1000`,
      )
    ).body.conteudo.content;
    const daily = (await platform.admin.get('queries', `${path}&tipoSaldo=D`)).body.conteudo;
    expect(daily.totalElements).toBeGreaterThanOrEqual(listed.length);
    const shown = new Map<string, Movement>(
      listed.map((each: Record<string, number>) => [
        each.codigo_conta,
        {
          ...NO_MOVEMENT,
          opening: cents(each.saldo_anterior!),
          debit: cents(each.valor_debito!),
          credit: cents(each.valor_credito!),
          closing: cents(each.valor_encerramento!),
        },
      ]),
    );
    for (const code of bank.accounts.keys()) {
      const movement = movements.get(code) ?? NO_MOVEMENT;
      expect(shown.get(code) ?? NO_MOVEMENT, code).toEqual(movement);
      const planned = plan.find((each: { cdContabil: string }) => each.cdContabil === code);
      expect(planned ? cents(planned.saldoAtual) : 0n, code).toBe(balanceOf(movement));
    }
  }
  for (const code of ['1', '1.1', '1.1.1', '3.2']) {
    const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', {
      contaId: bank.accounts.get(code),
      empresa: bank.company,
      filial: bank.branch,
      anomesini: MONTHS[0],
      anomesfim: MONTHS[1],
    });
    expect(
      body.map((each: { accumulatedBalance: number }) => cents(each.accumulatedBalance)),
      code,
    ).toEqual(expected.map((movements) => balanceOf(movements.get(code) ?? NO_MOVEMENT)));
  }
}
