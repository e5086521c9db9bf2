import { dayOf } from '../dates.ts';
import { atEnd, later, type Rules } from '../rule.ts';
import { statesByNire } from '../tables.ts';
import { hexadecimal, once, positive, sameAs, sameNumberAs } from './shared.ts';

/** Registers I001 to I030: the book and its opening term. */
export const BOOKS: Rules = {
  'I001 REGRA_OCORRENCIA_UNITARIA_ARQ': once('I001'),
  'I010 REGRA_OCORRENCIA_UNITARIA_ARQ': once('I010'),
  'I010 REGRA_VERSAO_LC': later('A versão do leiaute deve ser 9.00.', (line) =>
    line.of('COD_VER_LC') === '9.00' ? undefined : { field: 'COD_VER_LC', expected: '9.00' },
  ),
  'I012 REGRA_OCORRENCIA_UNITARIA_I012': atEnd(
    'O livro auxiliar (A ou Z) cita um só livro: o resumido a que pertence.',
    function* (book) {
      const second = book.rows('I012')[1];
      if ((book.form === 'A' || book.form === 'Z') && second !== undefined) yield { line: second.number, field: 'REG' };
    },
  ),
  'I012 REGRA_MAIOR_QUE_ZERO': positive('NUM_ORD'),
  'I012 REGRA_VALIDA_TIPO_LIVRO_AUXILIAR': later(
    'Com registro na junta comercial (IND_NIRE 1), o livro associado deve ser digital (TIPO 0).',
    (line, book) => (book.given('0000', 'IND_NIRE') === '1' && line.of('TIPO') !== '0' ? 'TIPO' : undefined),
  ),
  'I012 REGRA_CAMPO_COD_HASH_AUX_OBRIGATORIO': later('Informe o hash do livro auxiliar digital.', (line, book) => {
    const isSummary = book.form === 'R' || book.form === 'B';
    return isSummary && line.of('TIPO') === '0' && line.of('COD_HASH_AUX') === '' ? 'COD_HASH_AUX' : undefined;
  }),
  'I012 REGRA_VALIDA_HEXADECIMAL': hexadecimal('COD_HASH_AUX'),
  'I015 REGRA_VALIDA_CONTA_RESUMIDA_AUXILIAR': later('A conta não existe no plano de contas (I050).', (line, book) => {
    const isSummary = book.form === 'R' || book.form === 'B';
    return isSummary && !book.accounts.has(line.of('COD_CTA_RES')) ? 'COD_CTA_RES' : undefined;
  }),
  'I015 REGRA_VALIDA_CONTA_AUXILIAR_RESUMIDA': later(
    'No livro auxiliar, a conta do livro resumido deve ser uma conta sintética do plano de contas.',
    (line, book) => {
      if (book.form !== 'A' && book.form !== 'Z') return undefined;
      const account = book.accounts.get(line.of('COD_CTA_RES'));
      return account === undefined || account.isAnalytic ? 'COD_CTA_RES' : undefined;
    },
  ),
  'I030 REGRA_OCORRENCIA_UNITARIA_ARQ': once('I030'),
  'I030 REGRA_MAIOR_QUE_ZERO': positive('NUM_ORD'),
  'I030 REGRA_VALIDA_CONTEUDO_NAT_LIVR': sameAs(
    'A natureza do livro não é a do termo de encerramento (J900).',
    ...(['NAT_LIVR', 'J900', 'NAT_LIVRO'] as const),
  ),
  'I030 REGRA_IGUAL_QTD_LIN_REG9999': sameNumberAs(
    'A quantidade de linhas do termo de abertura não é a do registro 9999.',
    ...(['QTD_LIN', '9999', 'QTD_LIN'] as const),
  ),
  'I030 REGRA_IGUAL_NOME_REG0000': sameAs('O nome não é o do registro 0000.', 'NOME', '0000', 'NOME'),
  'I030 REGRA_NIRE_UF': later('O NIRE não é da UF informada no registro 0000.', (line, book) => {
    const expected = statesByNire().get(book.given('0000', 'UF'));
    const nire = line.of('NIRE');
    return nire === '' || expected === undefined || nire.startsWith(expected) ? undefined : { field: 'NIRE', expected };
  }),
  'I030 REGRA_CAMPO_OBRIGATORIO_NIRE': later(
    'O NIRE é informado por quem tem registro na junta comercial (IND_NIRE 1), e só por ele.',
    (line, book) => ((book.given('0000', 'IND_NIRE') === '1') === (line.of('NIRE') !== '') ? undefined : 'NIRE'),
  ),
  'I030 REGRA_IGUAL_CNPJ_REG0000': sameAs('O CNPJ não é o do registro 0000.', 'CNPJ', '0000', 'CNPJ'),
  'I030 REGRA_DATA_INI_MAIOR_ADV': later('O arquivamento do ato constitutivo é posterior ao período.', (line, book) =>
    dayOf(line.of('DT_ARQ')) > book.to ? 'DT_ARQ' : undefined,
  ),
  'I030 REGRA_DATA_INI_MAIOR': later('O arquivamento da conversão é posterior ao período.', (line, book) =>
    dayOf(line.of('DT_ARQ_CONV')) > book.to ? 'DT_ARQ_CONV' : undefined,
  ),
  'I030 REGRA_PREENCHE_DATA_I030': later(
    'Informe a data do arquivamento do ato constitutivo ou da conversão.',
    (line) => (line.of('DT_ARQ') === '' && line.of('DT_ARQ_CONV') === '' ? 'DT_ARQ' : undefined),
  ),
  'I030 REGRA_OBRIGATORIA_DT_EX_SOCIAL': later('Informe a data de encerramento do exercício social.', (line) =>
    line.of('DT_EX_SOCIAL') === '' ? 'DT_EX_SOCIAL' : undefined,
  ),
};
