import { atEnd, later, type Rules, reading } from '../rule.ts';
import { linesOfBlock, once, repeated } from './shared.ts';

/** Registers I990, K990 and 9001 to 9999: how many lines there are. */
export const COUNTS: Rules = {
  'I990 REGRA_OCORRENCIA_UNITARIA_ARQ': once('I990'),
  'I990 REGRA_QTD_LIN_BLOCOI': linesOfBlock('I', 'QTD_LIN_I'),
  'K990 REGRA_QTD_LIN_BLOCOK': linesOfBlock('K', 'QTD_LIN_K'),
  '9001 REGRA_OCORRENCIA_UNITARIA_ARQ': once('9001'),
  '9900 REGRA_QTD_REG_BLC_OBRIGATORIO': atEnd(
    'Falta o totalizador (9900) de um registro que o arquivo tem.',
    function* (book) {
      const totalled = new Set(book.rows('9900').map((row) => row.of('REG_BLC')));
      for (const register of book.counts.keys())
        if (!totalled.has(register)) yield { field: 'REG_BLC', expected: register };
    },
  ),
  '9900 REGRA_REG_BLC_DUPLICIDADE': repeated('Totalizador repetido.', ['REG_BLC']),
  '9900 REGRA_QTD_REG_BLC': later('A quantidade de registros deste tipo não confere.', (line, book) => {
    const expected = book.countOf(line.of('REG_BLC'));
    return Number(line.of('QTD_REG_BLC')) === expected
      ? undefined
      : { field: 'QTD_REG_BLC', value: `${line.of('REG_BLC')}: ${line.of('QTD_REG_BLC')}`, expected: String(expected) };
  }),
  '9990 REGRA_OCORRENCIA_UNITARIA_ARQ': once('9990'),
  '9990 REGRA_QTD_LIN_BLOCO9': linesOfBlock('9', 'QTD_LIN_9'),
  '9999 REGRA_OCORRENCIA_UNITARIA_ARQ': once('9999'),
  '9999 REGRA_QTD_LIN_ARQUIVO': later('A quantidade de linhas do arquivo não confere.', (line, book) =>
    Number(line.of('QTD_LIN')) === book.lines ? undefined : { field: 'QTD_LIN', expected: String(book.lines) },
  ),
};

/** What holds of every line, and is found while it is read. */
export const EVERYWHERE: Rules = {
  '* REGRA_HIERARQUIA_ARQUIVO': reading('O registro está fora da ordem, ou sem o registro a que pertence antes dele.'),
  '* REGRA_ESTRUTURA_INVALIDA': reading('A linha não começa com | e um registro do leiaute, ou não termina com |.'),
  '* REGRA_REGISTRO_OBRIGATORIO': reading('Falta um registro obrigatório.'),
  '* REGRA_REGISTRO_NAO_SE_APLICA': reading('O registro não existe nesta forma de escrituração.'),
  '* REGRA_CAMPO_INVALIDO': reading(
    'O conteúdo não é do tipo do campo: número sem pontos, vírgula nos centavos, data ddmmaaaa.',
  ),
  '* REGRA_CAMPOS_ADICIONAIS': reading('A linha não tem os campos adicionais que o registro I020 anuncia.'),
  '* REGRA_TAMANHO_CAMPO_INVALIDO': reading('O campo não tem o tamanho do leiaute.'),
  '* REGRA_VALORES_VALIDOS_INVALIDO': reading('O valor não é um dos que o campo aceita.'),
  '* REGRA_CAMPO_OBRIGATORIO': reading('O campo é obrigatório.'),
};
