import { amountText, sidedText } from '../amounts.ts';
import { MONTHS } from '../balances.ts';
import type { Book } from '../book.ts';
import { CREDITS, DEBITS } from '../collect.ts';
import { dayOf } from '../dates.ts';
import { atEnd, composed, each, type Rules } from '../rule.ts';
import {
  accountExists,
  accountIsAnalytic,
  costCentreExists,
  hasEntries,
  insidePeriod,
  isMainBook,
  repeated,
} from './shared.ts';

/** Registers I300 to I355: balances of days, and results before they are closed. */
export const RESULTS: Rules = {
  'I300 REGRA_DATA_BALANCETE_DUPLICADO': repeated('Data de balancete repetida.', ['DT_BCTE']),
  'I300 REGRA_DATA_INTERVALO_DO_ARQUIVO': insidePeriod('DT_BCTE'),
  'I310 REGRA_DETALHE_BALANCETE_DUPLICADO': each('Conta e centro de custos repetidos no dia.', (_, book) =>
    book.isRepeatedDetail ? 'COD_CTA' : undefined,
  ),
  'I310 REGRA_VALIDACAO_DC_BALANCETE': atEnd('Os débitos do dia não são iguais aos créditos.', function* (book) {
    for (const { line, totals } of book.days) {
      const [debits, credits] = [totals.of(DEBITS), totals.of(CREDITS)];
      if (debits === credits) continue;
      yield { line: line.number, field: 'VAL_DEBD', value: amountText(debits), expected: amountText(credits) };
    }
  }),
  'I310 REGRA_CONTA_PARA_LANCAMENTO': composed('I310 REGRA_CONTA_NO_PLANO_CONTAS', 'I310 REGRA_CONTA_ANALITICA'),
  'I310 REGRA_CONTA_ANALITICA': accountIsAnalytic(),
  'I310 REGRA_CONTA_NO_PLANO_CONTAS': accountExists(),
  'I310 REGRA_CCUS_NO_CENTRO_CUSTOS': costCentreExists(),
  'I350 REGRA_DT_RES_DUPLICIDADE': repeated('Data de apuração do resultado repetida.', ['DT_RES']),
  'I350 REGRA_ENCERRAMENTO_EXERCICIO': atEnd(
    'O exercício termina no período e faltam os saldos antes do encerramento (I350) nessa data.',
    function* (book) {
      const end = book.given('I030', 'DT_EX_SOCIAL');
      if (!isMainBook(book) || !book.contains(dayOf(end))) return;
      if (!book.rows('I350').some((row) => row.of('DT_RES') === end)) yield { field: 'DT_RES', expected: end };
    },
  ),
  'I350 REGRA_DATA_INTERVALO_DO_ARQUIVO': insidePeriod('DT_RES'),
  'I355 REGRA_COD_CTA_DT_RES_DUPLICIDADE': each('Conta e centro de custos repetidos na data.', (_, book) =>
    book.isRepeatedDetail ? 'COD_CTA' : undefined,
  ),
  'I355 REGRA_REGISTRO_OBRIGATORIO_I350': atEnd(
    'Há saldos de resultado a encerrar e nenhum lançamento de encerramento (E) no arquivo.',
    function* (book) {
      if (!hasEntries(book) || book.closingEntries > 0) return;
      for (const { line, sum } of book.balances.results.all())
        if (sum !== 0n) {
          yield { line, field: 'VL_CTA', value: sidedText(sum) };
          return;
        }
    },
  ),
  'I355 REGRA_VALIDACAO_CONTA_RESULTADO': atEnd(
    'A conta de resultado não ficou zerada no mês do encerramento.',
    function* (book) {
      const { balances } = book;
      for (const row of book.rows('I350')) {
        const month = book.monthIndex(dayOf(row.of('DT_RES')));
        for (let pair = 0; month >= 0 && pair < balances.accounts.length; pair++) {
          if (book.accountList[balances.accounts[pair]!]!.nature !== '04') continue;
          const final = balances.finalOf(pair, month);
          const line = balances.balanceLines[pair * MONTHS + month]!;
          if (final !== 0n) yield { line, field: 'VL_SLD_FIN', value: sidedText(final), expected: '0,00' };
        }
      }
    },
  ),
  'I355 REGRA_VALIDACAO_SALDO_CONTA': atEnd(
    'O saldo antes do encerramento não é o que os lançamentos de encerramento (E) do dia zeraram.',
    function* (book) {
      if (!hasEntries(book) || book.closingEntries === 0) return;
      for (const { account, day, sum, line } of resultsByAccount(book)) {
        const closed = -book.balances.closings.of(account, day);
        if (sum !== closed) yield { line, field: 'VL_CTA', value: sidedText(sum), expected: sidedText(closed) };
      }
    },
  ),
  'I355 REGRA_CONTA_RESULTADO': each('A conta não é de resultado (natureza 04).', (_, { account }) =>
    account !== undefined && account.nature !== '04' ? 'COD_CTA' : undefined,
  ),
  'I355 REGRA_CONTA_PARA_LANCAMENTO': composed('I355 REGRA_CONTA_NO_PLANO_CONTAS', 'I355 REGRA_CONTA_ANALITICA'),
  'I355 REGRA_CONTA_ANALITICA': accountIsAnalytic(),
  'I355 REGRA_CONTA_NO_PLANO_CONTAS': accountExists(),
  'I355 REGRA_CCUS_NO_CENTRO_CUSTOS': costCentreExists(),
};

/** Results of accounts on a date, all cost centres together. */
function resultsByAccount(book: Book): Iterable<{ account: number; day: number; sum: bigint; line: number }> {
  const sums = new Map<string, { account: number; day: number; sum: bigint; line: number }>();
  for (const { owner, day, sum, line } of book.balances.results.all()) {
    const account = book.balances.accounts[owner]!;
    const known = sums.get(`${account}/${day}`);
    if (known === undefined) sums.set(`${account}/${day}`, { account, day, sum, line });
    else known.sum += sum;
  }
  return sums.values();
}
