import { amountText, centavosOf, sidedText, type Totals } from '../amounts.ts';
import { MONTHS } from '../balances.ts';
import type { Book } from '../book.ts';
import { CREDITS, DEBITS } from '../collect.ts';
import { dayOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { atEnd, composed, each, ofEntry, type Rule, type Rules } from '../rule.ts';
import { accountExists, accountIsAnalytic, costCentreExists, hasEntries } from './shared.ts';

/** Dates before it are taken for slips. */
export const OLDEST = 1980_01_01;
const AMOUNT = 4;

/** Registers I200 and I250: entries and their lines. */
export const ENTRIES: Rules = {
  'I200 REGRA_VALIDACAO_SALDO_CONTA': atEnd(
    'A conta de resultado foi encerrada no dia sem saldo antes do encerramento (I355); o valor é o encerrado.',
    function* (book) {
      if (!hasEntries(book)) return;
      const { closings, results } = book.balances;
      for (const { owner, day, sum, line } of closings.all()) {
        const hasResult = book.balances.pairsOf(owner).some((pair) => results.has(pair, day));
        if (sum !== 0n && !hasResult)
          yield { line, field: 'VL_LCTO', value: `${book.accountList[owner]!.code} ${sidedText(sum)}` };
      }
    },
  ),
  'I200 REGRA_LCTO_4_FORMULA': ofEntry(
    'Lançamento de quarta fórmula: vários débitos contra vários créditos.',
    (_, { entry }) => (entry!.kind === 'N' && entry!.debits > 1 && entry!.credits > 1 ? 'IND_LCTO' : undefined),
  ),
  'I200 REGRA_VALIDACAO_VL_LCTO_DEB': ofEntry('A soma dos débitos não é o valor do lançamento.', (line, book) =>
    book.form === 'A' ? undefined : unlessEqual(line, book, DEBITS),
  ),
  'I200 REGRA_REGISTRO_OBRIGATORIO_I350': atEnd(
    'Há saldos antes do encerramento na data do fim do exercício, mas nenhum lançamento de encerramento (E).',
    function* (book) {
      const end = book.given('I030', 'DT_EX_SOCIAL');
      const closing = book.rows('I350').find((row) => row.of('DT_RES') === end);
      if (hasEntries(book) && closing !== undefined && book.closingEntries === 0)
        yield { line: closing.number, field: 'IND_LCTO' };
    },
  ),
  'I200 REGRA_REGISTRO_DUPLICADO': each('Número de lançamento repetido.', (line, book) =>
    book.entryNumbers.add(line.fields[2] ?? '') ? undefined : 'NUM_LCTO',
  ),
  'I200 REGRA_DATA_INTERVALO_DO_ARQUIVO': each(
    'A data do lançamento está fora do período da escrituração (0000.DT_INI a DT_FIN).',
    (_, book) => (book.contains(book.entry!.day) ? undefined : 'DT_LCTO'),
  ),
  'I200 REGRA_DATA_ANTIGA': each('A data do lançamento é anterior a 1980.', (_, { entry }) =>
    entry!.day !== 0 && entry!.day <= OLDEST ? 'DT_LCTO' : undefined,
  ),
  'I200 REGRA_VALIDACAO_VL_LCTO_CRED': ofEntry('A soma dos créditos não é o valor do lançamento.', (line, book) =>
    book.form === 'A' ? undefined : unlessEqual(line, book, CREDITS),
  ),
  'I200 REGRA_VALIDACAO_VL_LCTO_ESC_AUXILIAR': ofEntry(
    'Nem os débitos nem os créditos do lançamento somam o seu valor.',
    (line, book) =>
      book.form === 'A' && unlessEqual(line, book, DEBITS) ? unlessEqual(line, book, CREDITS) : undefined,
  ),
  'I200 REGRA_DT_LCTO_EXT_OBRIGATORIA': each('O lançamento extemporâneo (X) exige a data do fato.', (line) =>
    line.fields[5] === 'X' && !line.fields[6] ? 'DT_LCTO_EXT' : undefined,
  ),
  'I200 REGRA_DT_LCTO_EXT_INDEVIDA': each('A data do fato só se informa em lançamento extemporâneo (X).', (line) =>
    line.fields[5] !== 'X' && line.fields[6] ? 'DT_LCTO_EXT' : undefined,
  ),
  'I200 REGRA_DT_LCTO_EXT_INV': each(
    'O fato extemporâneo deve ser anterior ao período da escrituração.',
    (line, book) =>
      line.fields[5] === 'X' && line.fields[6] && dayOf(line.fields[6]) >= book.from ? 'DT_LCTO_EXT' : undefined,
  ),
  'I250 REGRA_HISTORICO_OBRIGATORIO': each('Informe o histórico ou o histórico padronizado.', (line) =>
    line.fields[7] || line.fields[8] ? undefined : 'HIST',
  ),
  'I250 REGRA_VALIDACAO_VALOR_DEB': withoutBalance('débitos', ({ debits }) => debits),
  'I250 REGRA_VALIDACAO_VALOR_CRED': withoutBalance('créditos', ({ credits }) => credits),
  'I250 REGRA_CONTA_PARA_LANCAMENTO': composed('I250 REGRA_CONTA_NO_PLANO_CONTAS', 'I250 REGRA_CONTA_ANALITICA'),
  'I250 REGRA_CONTA_ANALITICA': accountIsAnalytic(),
  'I250 REGRA_CONTA_NO_PLANO_CONTAS': accountExists(),
  'I250 REGRA_LANC_EXT_CONTA_RESULTADO': each(
    'Lançamento extemporâneo não pode usar conta de resultado: o resultado daquele ano já foi encerrado.',
    (_, { entry, account }) => (entry?.kind === 'X' && account?.nature === '04' ? 'COD_CTA' : undefined),
  ),
  'I250 REGRA_CCUS_NO_CENTRO_CUSTOS': costCentreExists(),
  'I250 REGRA_COD_HIS_PAD_NO_HISTORICO_PADRAO': each(
    'O histórico padronizado não existe no registro I075.',
    (line, book) => (line.fields[7] && !book.narrations.has(line.fields[7]) ? 'COD_HIST_PAD' : undefined),
  ),
  'I250 REGRA_CODIGO_PARTICIPANTE': each(
    'O participante não existe no registro 0150, ou não tem relacionamento na data do lançamento (0180).',
    (line, book) => (!line.fields[9] || isRelated(line.fields[9], book) ? undefined : 'COD_PART'),
  ),
};

function unlessEqual(line: Line, book: Book, side: number) {
  const sum = book.entryTotals.of(side);
  return sum === centavosOf(line.fields[AMOUNT] ?? '') ? undefined : { field: 'VL_LCTO', expected: amountText(sum) };
}

function isRelated(code: string, book: Book): boolean {
  const participant = book.participants.get(code);
  const day = book.entry?.day ?? 0;
  if (participant === undefined) return false;
  const relations = participant.under('0180');
  if (relations.length === 0) return true;
  return relations.some((relation) => {
    const to = dayOf(relation.of('DT_FIN_REL'));
    return dayOf(relation.of('DT_INI_REL')) <= day && (to === 0 || day <= to);
  });
}

/** Accounts that moved in a month in which they have no balance. */
function withoutBalance(side: string, of: (balances: Book['balances']) => Totals): Rule {
  return atEnd(`A conta tem ${side} no mês e nenhum saldo periódico (I155); o valor é o lançado.`, function* (book) {
    if (book.form === 'B') return;
    const { balances } = book;
    const hasBalances = book.periods.length > 0;
    for (let place = 0; hasBalances && place < balances.accounts.length * MONTHS; place++) {
      const line = balances.movementLines[place];
      if (!line || balances.balanceLines[place]) continue;
      const moved = -of(balances).of(place);
      if (moved !== 0n) yield { line, field: 'VL_DC', value: amountText(moved) };
    }
  });
}
