import type { Line } from '../line.ts';
import { atEnd, later, type Rule, type Rules, reading } from '../rule.ts';
import {
  firstWrong,
  knownState,
  linesOfBlock,
  once,
  repeated,
  sameAs,
  sameNumberAs,
  validCnpj,
  validCpf,
} from './shared.ts';

const ACCOUNTANT = '900';
const VERIFIER = '910';
const AUDITOR = '920';

/** Registers J001, J801 to J990: the closing term and who signs. */
export const SIGNATORIES: Rules = {
  'J001 REGRA_OCORRENCIA_UNITARIA_ARQ': once('J001'),
  'J801 REGRA_REGISTRO_NAO_DEVE_EXISTIR_NORTF': reading(
    'O texto anexado contém o que parece um registro da escrituração.',
  ),
  'J900 REGRA_OCORRENCIA_UNITARIA_ARQ': once('J900'),
  'J900 REGRA_IGUAL_NUM_ORD_REGI030': sameNumberAs(
    'O número de ordem não é o do termo de abertura (I030).',
    ...(['NUM_ORD', 'I030', 'NUM_ORD'] as const),
  ),
  'J900 REGRA_VALIDA_CONTEUDO_NAT_LIVR': sameAs(
    'A natureza do livro não é a do termo de abertura (I030).',
    ...(['NAT_LIVRO', 'I030', 'NAT_LIVR'] as const),
  ),
  'J900 REGRA_IGUAL_NOME_REG0000': sameAs('O nome não é o do registro 0000.', 'NOME', '0000', 'NOME'),
  'J900 REGRA_IGUAL_QTD_LIN_REG9999': sameNumberAs(
    'A quantidade de linhas do termo de encerramento não é a do registro 9999.',
    ...(['QTD_LIN', '9999', 'QTD_LIN'] as const),
  ),
  'J900 REGRA_IGUAL_DT_INI_REG0000': sameAs(
    'A data inicial não é a do registro 0000.',
    'DT_INI_ESCR',
    '0000',
    'DT_INI',
  ),
  'J900 REGRA_IGUAL_DT_FIN_REG0000': sameAs('A data final não é a do registro 0000.', 'DT_FIN_ESCR', '0000', 'DT_FIN'),
  'J930 REGRA_OBRIGATORIO_ASSIN_CONTADOR': atEnd(
    'A escrituração é assinada por um contador (900) e por mais alguém.',
    function* (book) {
      const rows = book.rows('J930');
      const accountants = rows.filter((row) => row.of('COD_ASSIN') === ACCOUNTANT).length;
      if (accountants === 0 || accountants === rows.length) yield { line: rows[0]?.number ?? 1, field: 'COD_ASSIN' };
    },
  ),
  'J930 REGRA_IDENT_CPF_CNPJ_COD_ASSIN_DUPLICIDADE': repeated('Signatário repetido.', ['IDENT_CPF_CNPJ', 'COD_ASSIN']),
  'J930 REGRA_OBRIGATORIO_UM_RESP_LEGAL': atEnd('Um signatário, e só um, é o responsável legal (S).', function* (book) {
    const rows = book.rows('J930');
    const responsible = rows.filter((row) => row.of('IND_RESP_LEGAL') === 'S');
    if (rows.length > 0 && responsible.length !== 1)
      yield { line: (responsible[1] ?? rows[0]!).number, field: 'IND_RESP_LEGAL' };
  }),
  'J930 REGRA_VALIDA_CPF': validCpf('IDENT_CPF_CNPJ'),
  'J930 REGRA_VALIDA_CNPJ': validCnpj('IDENT_CPF_CNPJ'),
  'J930 REGRA_TABELA_ASSINANTE_DESC': namedAs('COD_ASSIN', ACCOUNTANT, 'IDENT_QUALIF', /^conta(?:dor|bilista)/i),
  'J930 REGRA_QUALIF_INV_RESP_LEGAL': later('O contador (900) não pode ser o responsável legal.', (line) =>
    line.of('IND_RESP_LEGAL') === 'S' && line.of('COD_ASSIN') === ACCOUNTANT ? 'COD_ASSIN' : undefined,
  ),
  'J930 REGRA_OBRIGATORIO_CONTADOR': required('Informe os dados do contador.', ACCOUNTANT, 'COD_ASSIN', [
    ...['IND_CRC', 'EMAIL', 'FONE', 'UF_CRC'],
  ]),
  'J930 REGRA_AVISO_ASSIN_CNPJ': later('A assinatura da pessoa jurídica (001) não tem dados de CRC.', (line) =>
    line.of('COD_ASSIN') === '001'
      ? ['IND_CRC', 'UF_CRC', 'NUM_SEQ_CRC', 'DT_CRC'].find((field) => line.of(field) !== '')
      : undefined,
  ),
  'J930 REGRA_TABELA_UF': knownState('UF_CRC'),
  'J930 REGRA_VALIDA_FORMATO_SEQUENCIAL_CRC': certificate('NUM_SEQ_CRC'),
  'J930 REGRA_ADVERTENCIA_CONTADOR': required('Informe a certidão do CRC e a sua validade.', ACCOUNTANT, 'COD_ASSIN', [
    ...['NUM_SEQ_CRC', 'DT_CRC'],
  ]),
  'J932 REGRA_OBRIGATORIO_CONTADOR_ASS_TERMO': atEnd(
    'A substituição (IND_FIN_ESC 1) exige o termo de verificação assinado pelo contador (910).',
    function* (book) {
      if (book.given('0000', 'IND_FIN_ESC') !== '1') return;
      const rows = book.rows('J932');
      const accountants = rows.filter((row) => row.of('COD_ASSIN_T') === VERIFIER).length;
      if (accountants !== 1) yield { line: rows[0]?.number ?? 1, field: 'COD_ASSIN_T' };
    },
  ),
  'J932 REGRA_IDENT_CPF_CNPJ_COD_ASSIN_DUPLICIDADE': repeated('Signatário repetido.', [
    'IDENT_CPF_CNPJ_T',
    'COD_ASSIN_T',
  ]),
  'J932 REGRA_VALIDA_CPF': validCpf('IDENT_CPF_CNPJ_T'),
  'J932 REGRA_VALIDA_CNPJ': validCnpj('IDENT_CPF_CNPJ_T'),
  'J932 REGRA_TABELA_ASSINANTE_DESC': namedAs('COD_ASSIN_T', VERIFIER, 'IDENT_QUALIF_T', /^conta(?:dor|bilista)/i),
  'J932 REGRA_QUALIF_INVALIDA_ASS_TERMO': later('A pessoa jurídica só assina o termo como auditor (920).', (line) =>
    line.of('IDENT_CPF_CNPJ_T').length === 14 && line.of('COD_ASSIN_T') !== AUDITOR ? 'COD_ASSIN_T' : undefined,
  ),
  'J932 REGRA_OBRIGATORIO_ASS_TERMO': required('Informe os dados do contador.', VERIFIER, 'COD_ASSIN_T', [
    ...['IND_CRC_T', 'EMAIL_T', 'FONE_T', 'UF_CRC_T'],
  ]),
  'J932 REGRA_TABELA_UF': knownState('UF_CRC_T'),
  'J932 REGRA_VALIDA_FORMATO_SEQUENCIAL_CRC': certificate('NUM_SEQ_CRC_T'),
  'J932 REGRA_ADV_ASS_CONTADOR_TERMO': required(
    'Informe a certidão do CRC e a sua validade.',
    VERIFIER,
    'COD_ASSIN_T',
    [...['NUM_SEQ_CRC_T', 'DT_CRC_T']],
  ),
  'J935 REGRA_VALIDA_CPF': validCpf('NI_CPF_CNPJ'),
  'J935 REGRA_VALIDA_CNPJ': validCnpj('NI_CPF_CNPJ'),
  'J935 REGRA_COD_CVM_AUD_OBRIGATORIO': later('O auditor pessoa física informa o seu registro na CVM.', (line) =>
    line.of('NI_CPF_CNPJ').length === 11 && line.of('COD_CVM_AUDITOR') === '' ? 'COD_CVM_AUDITOR' : undefined,
  ),
  'J990 REGRA_OCORRENCIA_UNITARIA_ARQ': once('J990'),
  'J990 REGRA_QTD_LIN_BLOCOJ': linesOfBlock('J', 'QTD_LIN_J'),
};

/** A code and the text beside it say the same. */
function namedAs(field: string, code: string, name: string, text: RegExp): Rule {
  return later('A qualificação por extenso não é a do código do signatário.', (line) =>
    (line.of(field) === code) === text.test(line.of(name)) ? undefined : name,
  );
}

/** What a signatory of a kind must say. */
function required(text: string, code: string, field: string, fields: readonly string[]): Rule {
  return later(text, (line: Line) =>
    line.of(field) === code ? fields.find((each) => line.of(each) === '') : undefined,
  );
}

function certificate(field: string): Rule {
  return later('A certidão do CRC tem a forma UF/AAAA/número.', (line) =>
    firstWrong(line, [field], (text) => /^[A-Z]{2}\/\d{4}\/\d+$/.test(text)),
  );
}
