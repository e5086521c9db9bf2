import type { Book } from '../book.ts';
import { isFirstOfMonth, isLastOfMonth, monthOf, yearOf } from '../dates.ts';
import { atEnd, later, type Rules } from '../rule.ts';
import { codesOf } from '../tables.ts';
import {
  firstWrong,
  hexadecimal,
  knownMunicipality,
  knownState,
  lettersAndDigits,
  linesOfBlock,
  once,
  repeated,
  validCnpj,
} from './shared.ts';

const isSpecial = (book: Book) => book.given('0000', 'IND_SIT_ESP') !== '';

/** Registers 0000 to 0990: who the file is of, and of when. */
export const HEAD: Rules = {
  '0000 REGRA_PERIODO_MINIMO_ESCRITURACAO': later(
    'O período deve ter meses inteiros: do primeiro dia de um mês ao último dia de um mês.',
    (line, book) => {
      if (isSpecial(book)) return undefined;
      if (line.of('IND_SIT_INI_PER') === '0' && !isFirstOfMonth(book.from)) return 'DT_INI';
      return isLastOfMonth(book.to) ? undefined : 'DT_FIN';
    },
  ),
  '0000 REGRA_PERIODO_MAXIMO_ESCRITURACAO': later('O período deve estar dentro de um só ano.', (_, book) =>
    yearOf(book.from) === yearOf(book.to) ? undefined : 'DT_FIN',
  ),
  '0000 REGRA_TAMANHO_ARQUIVO': atEnd(
    'O arquivo passa do tamanho máximo e o período tem mais de um mês: divida-o em arquivos mensais.',
    function* (book) {
      const isMonth = monthOf(book.from) === monthOf(book.to);
      if (book.bytes > book.largestFile && !isMonth) yield { line: 1, value: String(book.bytes) };
    },
  ),
  '0000 REGRA_OCORRENCIA_UNITARIA_ARQ': once('0000'),
  '0000 REGRA_ERRO_ENTIDADE': later(
    'Inscrito no Tribunal Superior Eleitoral (0007 com entidade 05), o plano referencial deve ser o 9.',
    (line, book) => {
      const isParty = book.rows('0007').some((row) => row.of('COD_ENT_REF') === '05');
      return isParty && line.of('COD_PLAN_REF') !== '9' ? 'COD_PLAN_REF' : undefined;
    },
  ),
  '0000 REGRA_DATA_INI_MAIOR': later('A data inicial é maior que a data final.', (_, book) =>
    book.from > book.to ? 'DT_INI' : undefined,
  ),
  '0000 REGRA_INICIO_PERIODO': later(
    'Sem situação especial de início, a data inicial deve ser o primeiro dia de um mês.',
    (line, book) => (line.of('IND_SIT_INI_PER') === '0' && !isFirstOfMonth(book.from) ? 'DT_INI' : undefined),
  ),
  '0000 REGRA_FIM_PERIODO': later('Sem situação especial, a data final deve ser o último dia de um mês.', (_, book) =>
    isSpecial(book) || isLastOfMonth(book.to) ? undefined : 'DT_FIN',
  ),
  '0000 REGRA_VALIDA_CNPJ': validCnpj('CNPJ', 'COD_SCP'),
  '0000 REGRA_TABELA_UF': knownState('UF'),
  '0000 REGRA_CAMPO_CARACTERE_INVALIDO': lettersAndDigits('IE', 'IM'),
  '0000 REGRA_TABELA_MUNICIPIO': knownMunicipality(),
  '0000 REGRA_COD_MUN_INV_UF': later('O município não é da UF informada.', (line) => {
    const place = line.of('COD_MUN');
    const state = STATE_CODES[line.of('UF')];
    return place === '' || state === undefined || place.startsWith(state) ? undefined : 'COD_MUN';
  }),
  '0000 REGRA_TABELA_SITUACAO': later('Situação especial desconhecida.', (line) =>
    firstWrong(line, ['IND_SIT_ESP'], (text) => codesOf('IND_SIT_ESP').has(text)),
  ),
  '0000 REGRA_TABELA_SIT_INICIO_PER': later('Situação de início do período desconhecida.', (line) =>
    firstWrong(line, ['IND_SIT_INI_PER'], (text) => codesOf('IND_SIT_INI_PER').has(text)),
  ),
  '0000 REGRA_HASH_SUBSTITUIDA': later(
    'O hash da escrituração substituída é informado na substituição (IND_FIN_ESC 1), e só nela.',
    (line) => ((line.of('IND_FIN_ESC') === '1') === (line.of('COD_HASH_SUB') !== '') ? undefined : 'COD_HASH_SUB'),
  ),
  '0000 REGRA_VALIDA_HEXADECIMAL': hexadecimal('COD_HASH_SUB'),
  '0000 REGRA_SCP_OBRIGATORIO': later('A escrituração de SCP (TIP_ECD 2) exige o código da SCP.', (line) =>
    line.of('TIP_ECD') === '2' && line.of('COD_SCP') === '' ? 'COD_SCP' : undefined,
  ),
  '0000 REGRA_SCP_NAO_PREENCHER': later('O código da SCP só se informa na escrituração de SCP (TIP_ECD 2).', (line) =>
    line.of('TIP_ECD') !== '2' && line.of('COD_SCP') !== '' ? 'COD_SCP' : undefined,
  ),
  '0000 REGRA_CNPJ_DIFERENTE_SCP': later('O código da SCP não pode ser o CNPJ da empresa.', (line) =>
    line.of('COD_SCP') !== '' && line.of('COD_SCP') === line.of('CNPJ') ? 'COD_SCP' : undefined,
  ),
  '0000 REGRA_CONGLOMERADO_MES_12': later(
    'Com escrituração consolidada, o período deve terminar em dezembro.',
    (line, book) =>
      line.of('IND_ESC_CONS') === 'S' && !isSpecial(book) && monthOf(book.to) !== 12 ? 'IND_ESC_CONS' : undefined,
  ),
  '0001 REGRA_OCORRENCIA_UNITARIA_ARQ': once('0001'),
  '0007 REGRA_TABELA_INSTITUICOES_CADASTRO': later('A entidade não existe na tabela de instituições.', (line) =>
    codesOf('COD_ENT_REF').has(line.of('COD_ENT_REF')) ? undefined : 'COD_ENT_REF',
  ),
  '0020 REGRA_OCORRENCIA_0020_ARQ': later(
    'A escrituração de filial traz um só registro 0020, o da matriz.',
    (line, book) => (line.of('IND_DEC') === '1' && book.countOf('0020') > 1 ? 'IND_DEC' : undefined),
  ),
  '0020 REGRA_CONGLOMERADO_NA_MATRIZ': later('A escrituração consolidada só é informada pela matriz.', (line, book) =>
    line.of('IND_DEC') === '1' && book.given('0000', 'IND_ESC_CONS') === 'S' ? 'IND_DEC' : undefined,
  ),
  '0020 REGRA_VALIDA_CNPJ': validCnpj('CNPJ'),
  '0020 REGRA_VERIFICA_CNPJ_REG_0000_REG_0020': later(
    'O CNPJ não é da mesma empresa do registro 0000.',
    (line, book) => (line.of('CNPJ').slice(0, 8) === book.given('0000', 'CNPJ').slice(0, 8) ? undefined : 'CNPJ'),
  ),
  '0020 REGRA_REGISTRO_DUPLICADO': repeated('Estabelecimento repetido.', ['CNPJ', 'IND_DEC']),
  '0020 REGRA_DUPLICIDADE_CNPJ_REG_0000_REG_0020': later('O CNPJ é o mesmo do registro 0000.', (line, book) =>
    line.of('CNPJ') === book.given('0000', 'CNPJ') ? 'CNPJ' : undefined,
  ),
  '0020 REGRA_TABELA_UF': knownState('UF'),
  '0020 REGRA_CAMPO_CARACTERE_INVALIDO': lettersAndDigits('IE', 'IM'),
  '0020 REGRA_TABELA_MUNICIPIO': knownMunicipality(),
  '0990 REGRA_OCORRENCIA_UNITARIA_ARQ': once('0990'),
  '0990 REGRA_QTD_LIN_BLOCO0': linesOfBlock('0', 'QTD_LIN_0'),
};

/** The first two digits of the municipalities of a state, by the IBGE. */
const STATE_CODES: Readonly<Record<string, string>> = {
  ...{ RO: '11', AC: '12', AM: '13', RR: '14', PA: '15', AP: '16', TO: '17', MA: '21', PI: '22', CE: '23', RN: '24' },
  ...{ PB: '25', PE: '26', AL: '27', SE: '28', BA: '29', MG: '31', ES: '32', RJ: '33', SP: '35', PR: '41', SC: '42' },
  ...{ RS: '43', MS: '50', MT: '51', GO: '52', DF: '53' },
};
