import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf, type Movement, rollUpBalances } from '../../src/accounting/balance.ts';
import { type Centavos, centavosFromDecimal, decimalOf } from '../../src/accounting/money.ts';
import { type Bank, createBank, openMonth, PLAIN_CHART } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const RUNS = Number(process.env.BOOKS_RUNS ?? 12);
const LEAVES = PLAIN_CHART.filter((account) => account.type === 'A').map((account) => account.code);
const MONTHS = ['01/2026', '02/2026'] as const;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

interface Posting {
  readonly month: 0 | 1;
  readonly day: number;
  readonly debit: string;
  readonly credit: string;
  readonly amount: Centavos;
}

const leaf = fc.constantFrom(...LEAVES);
const amount = fc.bigInt(1n, 999_999_999_999n);
const posting: fc.Arbitrary<Posting> = fc
  .record({
    month: fc.constantFrom(0 as const, 1 as const),
    day: fc.integer({ min: 1, max: 28 }),
    debit: leaf,
    credit: leaf,
    amount,
  })
  .filter((each) => each.debit !== each.credit);
const opening = fc.dictionary(leaf, fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n), { maxKeys: 6 });

test('random books: every endpoint shows the plain fold of the lines, open and consolidated', async () => {
  await fc.assert(
    fc.asyncProperty(opening, fc.array(posting, { maxLength: 25 }), async (openings, postings) => {
      const bank = await createBank(platform.admin);
      await saveOpenings(bank, openings);
      for (const month of MONTHS) await openMonth(platform.admin, bank, month);
      await importPostings(bank, postings);
      const expected = fold(bank, balanced(openings), postings);
      await expectEverywhere(bank, expected);
      for (const month of ['01', '02']) {
        await consolidate(bank, month);
        await expectEverywhere(bank, expected);
      }
      await openMonth(platform.admin, bank, '02/2026');
      await expectEverywhere(bank, expected);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

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

async function importPostings(bank: Bank, postings: readonly Posting[]): Promise<void> {
  for (const month of [0, 1] as const) {
    const rows = postings.filter((each) => each.month === month);
    if (rows.length === 0) continue;
    const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: month + 1 };
    const batch = (await platform.admin.post('movements', '/batch', place)).body;
    const csv = [
      'documento;lancamento;dia;debcre;conta;contrapartida;valor',
      ...rows.map((each, at) => `1;${at + 1};${each.day};D;${each.debit};${each.credit};${decimalOf(each.amount)}`),
    ].join('\n');
    const form = new FormData();
    form.set('file', new Blob([csv]), 'rows.csv');
    expect((await platform.admin.post('movements', `/batch/${batch.id}/import?force=true`, form)).body.errors).toEqual(
      [],
    );
  }
}

/** Balances of both months by code, computed in plain code: parents are the sums of their children. */
function fold(bank: Bank, openings: Map<string, Centavos>, postings: readonly Posting[]): Map<string, Movement>[] {
  const id = (code: string) => bank.accounts.get(code)!;
  const accounts = [...bank.accounts].map(([code, accountId]) => ({
    id: accountId,
    ancestors: [...bank.accounts].filter(([above]) => code.startsWith(`${above}.`)).map(([, aboveId]) => aboveId),
  }));
  const codes = new Map([...bank.accounts].map(([code, accountId]) => [accountId, code]));
  let before = new Map([...openings].map(([code, value]) => [id(code), value]));
  return ([0, 1] as const).map((month) => {
    const lines = postings
      .filter((each) => each.month === month)
      .flatMap(({ debit, credit, amount }) => [
        { accountId: id(debit), side: 'D' as const, amount, closing: false },
        { accountId: id(credit), side: 'C' as const, amount, closing: false },
      ]);
    const movements = rollUpBalances(lines, accounts, before);
    before = new Map(LEAVES.map((code) => [id(code), balanceOf(movements.get(id(code)) ?? NOTHING)]));
    return new Map([...movements].map(([accountId, movement]) => [codes.get(accountId)!, movement]));
  });
}

const NOTHING: Movement = { opening: 0n, debit: 0n, credit: 0n, closing: 0n };

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
          opening: cents(each.saldo_anterior!),
          debit: cents(each.valor_debito!),
          credit: cents(each.valor_credito!),
          closing: cents(each.valor_encerramento!),
        },
      ]),
    );
    for (const code of bank.accounts.keys()) {
      const movement = movements.get(code) ?? NOTHING;
      expect(shown.get(code) ?? NOTHING, code).toEqual({ ...NOTHING, ...movement });
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
    ).toEqual(expected.map((movements) => balanceOf(movements.get(code) ?? NOTHING)));
  }
}

async function consolidate(bank: Bank, month: string): Promise<void> {
  const { body: run } = await platform.admin.post('movements', '/runconsolidation', {
    company: bank.company,
    branch: bank.branch,
    year: '2026',
    month,
  });
  for (;;) {
    const { body } = await platform.admin.get('movements', `/runconsolidation/${run.id}`);
    expect(body.status, body.message).not.toBe('ERROR');
    if (body.status === 'DONE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
