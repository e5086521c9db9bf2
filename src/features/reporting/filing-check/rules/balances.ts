import { amountText, sidedText, type Totals } from '../amounts.ts';
import { MONTHS } from '../balances.ts';
import type { Book, Period } from '../book.ts';
import { dayOf, isFirstOfMonth, isLastOfMonth, monthOf, yearOf } from '../dates.ts';
import { atEnd, composed, each, later, type Rule, type Rules, type Wrong } from '../rule.ts';
import {
  accountExists,
  accountIsAnalytic,
  costCentreExists,
  hasEntries,
  insidePeriod,
  isMainBook,
  sideGiven,
} from './shared.ts';

/** Registers I150 to I157: balances of each month. */
export const BALANCES: Rules = {
  'I150 REGRA_CONTINUIDADE_SALDOS_PERIODICOS': atEnd(
    'Falta o saldo periódico (I150 com I155) de um mês da escrituração.',
    function* (book) {
      if (!isMainBook(book) || yearOf(book.from) !== yearOf(book.to)) return;
      const present = new Set(book.periods.filter(({ details }) => details > 0).map(({ month }) => month));
      for (let month = monthOf(book.from); month <= monthOf(book.to); month++)
        if (!present.has(month - 1)) yield { field: 'DT_INI', expected: monthText(month, book) };
    },
  ),
  'I150 REGRA_DATA_MES': later('O início e o fim do saldo periódico devem estar no mesmo mês.', (line) =>
    line.of('DT_INI').slice(2) === line.of('DT_FIN').slice(2) ? undefined : 'DT_FIN',
  ),
  'I150 REGRA_DUPLICIDADE_PERIODO_SALDO_PERIODICO': later(
    'Há mais de um saldo periódico do mesmo mês.',
    (line, book) => {
      const first = book.periods.find((period) => period.line.of('DT_INI').slice(2) === line.of('DT_INI').slice(2));
      return first === undefined || first.line === line ? undefined : 'DT_INI';
    },
  ),
  'I150 REGRA_VALIDA_MES_I157': atEnd(
    'Saldos vindos do plano de contas anterior (I157) só existem no primeiro mês.',
    function* (book) {
      for (const { line, transfers } of book.periods.slice(1))
        if (transfers > 0) yield { line: line.number, field: 'DT_INI', value: line.of('DT_INI') };
    },
  ),
  'I150 REGRA_DATA_INTERVALO_DO_ARQUIVO': insidePeriod('DT_INI', 'DT_FIN'),
  'I150 REGRA_DT_INI_MAIOR_DT_FIN': later('A data inicial é maior que a data final.', (line) =>
    dayOf(line.of('DT_INI')) > dayOf(line.of('DT_FIN')) ? 'DT_INI' : undefined,
  ),
  'I150 REGRA_DT_INI_INICIO_MES': later('O saldo periódico deve começar no primeiro dia do mês.', (line, book) => {
    const day = dayOf(line.of('DT_INI'));
    return isFirstOfMonth(day) || day === book.from ? undefined : 'DT_INI';
  }),
  'I150 REGRA_DT_FIN_FIM_MES': later('O saldo periódico deve terminar no último dia do mês.', (line, book) => {
    const day = dayOf(line.of('DT_FIN'));
    return isLastOfMonth(day) || day === book.to ? undefined : 'DT_FIN';
  }),
  'I155 REGRA_VALIDACAO_SOMA_SALDO_INICIAL': sumOfPeriod(
    'Os saldos iniciais do mês não somam zero.',
    'VL_SLD_INI',
    ({ opening }) => (opening === 0n ? undefined : { value: sidedText(opening), expected: '0,00' }),
  ),
  'I155 REGRA_VALIDACAO_SOMA_SALDO_FINAL': sumOfPeriod(
    'Os saldos finais do mês não somam zero.',
    'VL_SLD_FIN',
    ({ final }) => (final === 0n ? undefined : { value: sidedText(final), expected: '0,00' }),
  ),
  'I155 REGRA_VALIDACAO_DEB_DIF_CRED': sumOfPeriod(
    'O total de débitos do mês não é igual ao de créditos.',
    'VL_DEB',
    ({ debits, credits }) =>
      debits === credits ? undefined : { value: amountText(debits), expected: amountText(credits) },
  ),
  'I155 REGRA_VALIDACAO_SALDO_FINAL': each(
    'Saldo inicial mais débitos menos créditos não dá o saldo final.',
    (_, { balance }) => {
      const { opening, debits, credits, final } = balance!;
      const expected = opening + debits - credits;
      return expected === final ? undefined : { field: 'VL_SLD_FIN', expected: sidedText(expected) };
    },
  ),
  'I155 REGRA_VALIDACAO_VALOR_DEB': againstMovements('débitos', 'VL_DEB', ({ debits }) => debits, isOfEntries),
  'I155 REGRA_VALIDACAO_VALOR_CRED': againstMovements('créditos', 'VL_CRED', ({ credits }) => credits, isOfEntries),
  'I155 REGRA_VALIDACAO_SALDO_INI_DIF_FIN': each(
    'O saldo inicial não é o saldo final do mês anterior.',
    (_, { balance }) => {
      const { before, opening } = balance!;
      return before === undefined || before === opening
        ? undefined
        : { field: 'VL_SLD_INI', expected: sidedText(before) };
    },
  ),
  'I155 REGRA_DUPLICIDADE_CONTA_SALDO_PERIODICO': each(
    'Conta e centro de custos repetidos no mês.',
    (_, { balance }) => (balance!.isRepeated ? 'COD_CTA' : undefined),
  ),
  'I155 REGRA_CAMPOS_SALDOS_PERIODICOS_DIFERENTE_ZERO': atEnd(
    'Saldo sem nenhum valor e sem transferência do plano de contas anterior (I157): a linha é dispensável.',
    function* (book) {
      for (const line of book.emptyBalances) yield { line, field: 'VL_SLD_FIN' };
    },
  ),
  'I155 REGRA_VALIDACAO_VALOR_CRED_BALANCETE': againstMovements(
    'créditos',
    'VL_CRED',
    ({ credits }) => credits,
    isOfDays,
  ),
  'I155 REGRA_VALIDACAO_VALOR_DEB_BALANCETE': againstMovements('débitos', 'VL_DEB', ({ debits }) => debits, isOfDays),
  'I155 REGRA_VALIDA_SLD_INI_SOMA_SLD_INI_I157': atEnd(
    'O saldo inicial não é a soma dos saldos transferidos do plano de contas anterior (I157).',
    function* (book) {
      for (const { line, opening, sum } of book.transfers)
        if (opening !== sum) yield { line, field: 'VL_SLD_INI', value: sidedText(opening), expected: sidedText(sum) };
    },
  ),
  'I155 REGRA_SALDOS_PERIODICOS_DIFERENTE_ZERO': each('Saldo sem nenhum valor.', (_, { balance }) => {
    const { opening, debits, credits, final } = balance!;
    return opening === 0n && debits === 0n && credits === 0n && final === 0n ? 'VL_SLD_FIN' : undefined;
  }),
  'I155 REGRA_CONTA_PARA_LANCAMENTO': composed('I155 REGRA_CONTA_NO_PLANO_CONTAS', 'I155 REGRA_CONTA_ANALITICA'),
  'I155 REGRA_CONTA_ANALITICA': accountIsAnalytic(),
  'I155 REGRA_CONTA_NO_PLANO_CONTAS': accountExists(),
  'I155 REGRA_CCUS_NO_CENTRO_CUSTOS': costCentreExists(),
  'I155 REGRA_IND_DC_INI_OBRIGATORIO': sideGiven('IND_DC_INI'),
  'I155 REGRA_IND_DC_FIN_OBRIGATORIO': sideGiven('IND_DC_FIN'),
  'I157 REGRA_EXISTE_I157_PERIODO_POSTERIOR': each(
    'A transferência do plano de contas anterior só existe no primeiro mês da escrituração.',
    (_, { period, from }) => (period !== undefined && dayOf(period.line.of('DT_INI')) !== from ? 'REG' : undefined),
  ),
  'I157 REGRA_IND_DC_INI_OBRIGATORIO': sideGiven('IND_DC_INI'),
};

function isOfEntries(book: Book): boolean {
  return hasEntries(book) || book.form === 'A';
}

function isOfDays(book: Book): boolean {
  return book.form === 'B';
}

const monthText = (month: number, book: Book) => `${String(month).padStart(2, '0')}/${yearOf(book.from)}`;

/** Balances of all accounts of a month together; only where a book has them all. */
function sumOfPeriod(text: string, field: string, check: (period: Period) => Wrong | undefined): Rule {
  return atEnd(text, function* (book) {
    if (!hasEntries(book)) return;
    for (const period of book.periods) {
      const wrong = period.details > 0 ? check(period) : undefined;
      if (wrong !== undefined) yield { line: period.line.number, field, ...wrong };
    }
  });
}

/** What a balance says moved is what entries, or days, have moved. */
function againstMovements(
  side: string,
  field: string,
  of: (balances: Book['balances']) => Totals,
  applies: (book: Book) => boolean,
): Rule {
  return atEnd(
    `O total de ${side} da conta no mês não é a soma do que foi lançado; a diferença é o valor informado.`,
    function* (book) {
      if (!applies(book)) return;
      const { balances } = book;
      const totals = of(balances);
      for (let place = 0; place < balances.accounts.length * MONTHS; place++) {
        const line = balances.balanceLines[place];
        // Days without a balance have no rule of their own; entries without one do.
        const at = line || (isOfDays(book) ? balances.movementLines[place] : 0);
        if (!at) continue;
        const difference = totals.of(place);
        if (difference !== 0n) yield { line: at, field, value: amountText(difference) };
      }
    },
  );
}
