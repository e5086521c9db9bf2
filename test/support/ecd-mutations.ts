import { auxiliary, dailyBalances, type EcdFile, journal, replacement, summary } from './ecd-file.ts';

// For every rule that a file proves: one change to a whole file that breaks it.

export interface Mutation {
  readonly from: () => EcdFile;
  /** A text stands for the file from then on. */
  readonly change: (file: EcdFile) => EcdFile | string;
}

const from = (base: () => EcdFile) => (change: Mutation['change']) => ({ from: base, change });
const g = from(journal);
const b = from(dailyBalances);
const a = from(auxiliary);
const r = from(summary);
const s = from(replacement);

const OTHER_HASH = 'G123456789ABCDEF0123456789ABCDEF01234567';
const set = (register: string, field: string, value: string, nth = 0) => g((f) => f.set(register, field, value, nth));
const twice = (register: string, nth = 0) => g((f) => f.repeat(register, nth));
/** Counts stay as they were. */
const counted = (register: string, field: string, value: string) => g((f) => f.count().set(register, field, value));
const without = (...registers: string[]) => g((f) => f.removeAll(...registers));

/** Rules of J100 and J150 alike: a detail line, its number, and one more detail line. */
const linesOf = (register: 'J100' | 'J150', detail: number, total: number): Record<string, Mutation> => ({
  [`${register} REGRA_COD_AGL_DUPLICIDADE`]: twice(register, detail),
  [`${register} REGRA_OBRIGATORIO_I052`]: set(register, 'COD_AGL', 'X.9', detail),
  [`${register} REGRA_EXISTE_IND_COD_AGLU_DETALHE`]: g((f) => {
    for (const row of f.lines) if (row[0] === register) row[register === 'J100' ? 2 : 3] = 'T';
    return f;
  }),
  [`${register} REGRA_COD_AGL_IGUAL_COD_AGL_SUPERIOR`]: g((f) =>
    f.set(register, 'COD_AGL_SUP', f.row(register, detail)[register === 'J100' ? 1 : 2]!, detail),
  ),
  [`${register} REGRA_MAIOR_QUE_ZERO`]: set(register, 'NIVEL_AGL', '0', detail),
  [`${register} REGRA_VALIDA_NIVEL_AGL`]: set(register, 'IND_COD_AGL', 'D', total),
  [`${register} REGRA_COD_AGL_SUP_OBRIGATORIO`]: set(register, 'COD_AGL_SUP', '', detail),
  [`${register} REGRA_COD_AGL_DE_NIVEL_SUPERIOR_INVALIDO`]: set(register, 'COD_AGL_SUP', 'X', detail),
  [`${register} REGRA_CODIGO_AGL_NIVEL_SUPERIOR_INVALIDO`]: g((f) =>
    f.set(register, 'COD_AGL_SUP', f.row(register, detail)[register === 'J100' ? 1 : 2]!, detail + 1),
  ),
  [`${register} REGRA_NIVEL_AGL_NIVEL_SUPERIOR_INVALIDO`]: set(register, 'NIVEL_AGL', '1', detail),
  [`${register} REGRA_COD_AGL_NAO_SE_APLICA`]: set(register, 'COD_AGL_SUP', 'X', total),
});

const EVERYWHERE: Record<string, Mutation> = {
  '* REGRA_HIERARQUIA_ARQUIVO': g((f) => f.remove('I150', 0)),
  '* REGRA_ESTRUTURA_INVALIDA': g((f) => f.text().replace('|0000|', '0000|')),
  '* REGRA_REGISTRO_OBRIGATORIO': g((f) => f.remove('I010')),
  '* REGRA_REGISTRO_NAO_SE_APLICA': g((f) => f.after('I990', 0, 'I300|10112025').remove('I990')),
  '* REGRA_CAMPO_INVALIDO': set('I250', 'VL_DC', '200.00'),
  '* REGRA_CAMPOS_ADICIONAIS': g((f) => f.after('I010', 0, 'I020|I075|4|TIPO|Tipo do histórico|C')),
  '* REGRA_TAMANHO_CAMPO_INVALIDO': set('0000', 'COD_MUN', '35503'),
  '* REGRA_VALORES_VALIDOS_INVALIDO': set('I250', 'IND_DC', 'X'),
  '* REGRA_CAMPO_OBRIGATORIO': set('0007', 'COD_ENT_REF', ''),
};

const HEAD: Record<string, Mutation> = {
  '0000 REGRA_PERIODO_MINIMO_ESCRITURACAO': set('0000', 'DT_FIN', '30122025'),
  '0000 REGRA_PERIODO_MAXIMO_ESCRITURACAO': set('0000', 'DT_INI', '01122024'),
  '0000 REGRA_TAMANHO_ARQUIVO': g((f) => f.set('0000', 'NOME', 'GRANDE')),
  '0000 REGRA_OCORRENCIA_UNITARIA_ARQ': g((f) => `${f.text()}${journal().text()}`),
  '0000 REGRA_ERRO_ENTIDADE': set('0007', 'COD_ENT_REF', '05'),
  '0000 REGRA_DATA_INI_MAIOR': g((f) => f.set('0000', 'DT_INI', '01122025').set('0000', 'DT_FIN', '30112025')),
  '0000 REGRA_INICIO_PERIODO': set('0000', 'DT_INI', '02112025'),
  '0000 REGRA_FIM_PERIODO': set('0000', 'DT_FIN', '29122025'),
  '0000 REGRA_VALIDA_CNPJ': set('0000', 'CNPJ', '11222333000182'),
  '0000 REGRA_TABELA_UF': set('0000', 'UF', 'XX'),
  '0000 REGRA_CAMPO_CARACTERE_INVALIDO': set('0000', 'IE', '110.042'),
  '0000 REGRA_TABELA_MUNICIPIO': set('0000', 'COD_MUN', '3599999'),
  '0000 REGRA_COD_MUN_INV_UF': set('0000', 'COD_MUN', '3304557'),
  '0000 REGRA_TABELA_SITUACAO': set('0000', 'IND_SIT_ESP', '9'),
  '0000 REGRA_TABELA_SIT_INICIO_PER': set('0000', 'IND_SIT_INI_PER', '9'),
  '0000 REGRA_HASH_SUBSTITUIDA': s((f) => f.set('0000', 'COD_HASH_SUB', '')),
  '0000 REGRA_VALIDA_HEXADECIMAL': s((f) => f.set('0000', 'COD_HASH_SUB', OTHER_HASH)),
  '0000 REGRA_SCP_OBRIGATORIO': set('0000', 'TIP_ECD', '2'),
  '0000 REGRA_SCP_NAO_PREENCHER': set('0000', 'COD_SCP', '11222333000262'),
  '0000 REGRA_CNPJ_DIFERENTE_SCP': g((f) => f.set('0000', 'TIP_ECD', '2').set('0000', 'COD_SCP', '11222333000181')),
  '0000 REGRA_CONGLOMERADO_MES_12': g((f) => f.set('0000', 'IND_ESC_CONS', 'S').set('0000', 'DT_FIN', '30112025')),
  '0001 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('0001'),
  '0007 REGRA_TABELA_INSTITUICOES_CADASTRO': set('0007', 'COD_ENT_REF', 'ZZ'),
  '0020 REGRA_OCORRENCIA_0020_ARQ': g((f) =>
    f.set('0020', 'IND_DEC', '1').after('0020', 0, '0020|1|11222333000343|RJ||3304557||'),
  ),
  '0020 REGRA_CONGLOMERADO_NA_MATRIZ': g((f) => f.set('0020', 'IND_DEC', '1').set('0000', 'IND_ESC_CONS', 'S')),
  '0020 REGRA_VALIDA_CNPJ': set('0020', 'CNPJ', '11222333000263'),
  '0020 REGRA_VERIFICA_CNPJ_REG_0000_REG_0020': set('0020', 'CNPJ', '00000000000191'),
  '0020 REGRA_REGISTRO_DUPLICADO': twice('0020'),
  '0020 REGRA_DUPLICIDADE_CNPJ_REG_0000_REG_0020': set('0020', 'CNPJ', '11222333000181'),
  '0020 REGRA_TABELA_UF': set('0020', 'UF', 'XX'),
  '0020 REGRA_CAMPO_CARACTERE_INVALIDO': set('0020', 'IM', '1-2'),
  '0020 REGRA_TABELA_MUNICIPIO': set('0020', 'COD_MUN', '3399999'),
  '0150 REGRA_REGISTRO_DUPLICADO': twice('0150', 1),
  '0150 REGRA_TABELA_PAIS': g((f) => f.set('0150', 'COD_PAIS', '99999').set('0150', 'COD_MUN', '')),
  '0150 REGRA_VALIDA_CNPJ': set('0150', 'CNPJ', '11222333000182'),
  '0150 REGRA_VALIDA_CPF': set('0150', 'CPF', '12345678900', 1),
  '0150 REGRA_TABELA_UF': set('0150', 'UF', 'XX'),
  '0150 REGRA_CAMPO_NAO_OBRIGATORIO_PAIS_BRASIL': set('0150', 'COD_PAIS', '00230'),
  '0150 REGRA_CAMPO_CARACTERE_INVALIDO': set('0150', 'SUFRAMA', '1.2'),
  '0150 REGRA_TABELA_MUNICIPIO': set('0150', 'COD_MUN', '3599999'),
  '0180 REGRA_TABELA_RELACIONAMENTO': set('0180', 'COD_REL', '99'),
  '0180 REGRA_DT_INI_MAIOR_DT_FIN_REL': set('0180', 'DT_FIN_REL', '31122019'),
  '0990 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('0990'),
  '0990 REGRA_QTD_LIN_BLOCO0': counted('0990', 'QTD_LIN_0', '99'),
};

const BOOKS: Record<string, Mutation> = {
  'I001 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('I001'),
  'I010 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('I010'),
  'I010 REGRA_VERSAO_LC': set('I010', 'COD_VER_LC', '8.00'),
  'I012 REGRA_OCORRENCIA_UNITARIA_I012': a((f) => f.after('I015', 0, 'I012|8|DIÁRIO GERAL|0|')),
  'I012 REGRA_MAIOR_QUE_ZERO': r((f) => f.set('I012', 'NUM_ORD', '0')),
  'I012 REGRA_VALIDA_TIPO_LIVRO_AUXILIAR': r((f) => f.set('I012', 'TIPO', '1')),
  'I012 REGRA_CAMPO_COD_HASH_AUX_OBRIGATORIO': r((f) => f.set('I012', 'COD_HASH_AUX', '')),
  'I012 REGRA_VALIDA_HEXADECIMAL': r((f) => f.set('I012', 'COD_HASH_AUX', OTHER_HASH)),
  'I015 REGRA_VALIDA_CONTA_RESUMIDA_AUXILIAR': r((f) => f.set('I015', 'COD_CTA_RES', '9')),
  'I015 REGRA_VALIDA_CONTA_AUXILIAR_RESUMIDA': a((f) => f.set('I015', 'COD_CTA_RES', '1.1.1.01')),
  'I030 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('I030'),
  'I030 REGRA_MAIOR_QUE_ZERO': g((f) => f.set('I030', 'NUM_ORD', '0').set('J900', 'NUM_ORD', '0')),
  'I030 REGRA_VALIDA_CONTEUDO_NAT_LIVR': set('I030', 'NAT_LIVR', 'DIÁRIO'),
  'I030 REGRA_IGUAL_QTD_LIN_REG9999': counted('I030', 'QTD_LIN', '1'),
  'I030 REGRA_IGUAL_NOME_REG0000': set('I030', 'NOME', 'OUTRO BANCO'),
  'I030 REGRA_NIRE_UF': set('I030', 'NIRE', '33300000012'),
  'I030 REGRA_CAMPO_OBRIGATORIO_NIRE': set('I030', 'NIRE', ''),
  'I030 REGRA_IGUAL_CNPJ_REG0000': set('I030', 'CNPJ', '11222333000262'),
  'I030 REGRA_DATA_INI_MAIOR_ADV': set('I030', 'DT_ARQ', '01012026'),
  'I030 REGRA_DATA_INI_MAIOR': set('I030', 'DT_ARQ_CONV', '01012026'),
  'I030 REGRA_PREENCHE_DATA_I030': set('I030', 'DT_ARQ', ''),
  'I030 REGRA_OBRIGATORIA_DT_EX_SOCIAL': set('I030', 'DT_EX_SOCIAL', ''),
};

/** The accounts of the fixture by their place. */
const [CASH, SUPPLIERS, EQUITY] = [3, 8, 9];

const CHART: Record<string, Mutation> = {
  'I050 REGRA_COD_CTA_DUPLICADO': g((f) => f.after('I052', 0, f.row('I050', CASH).join('|'), 'I051||1.01.01.01.01')),
  'I050 REGRA_AGL_CCUS_VAZIO_PREENCHIDO': g((f) => f.after('I052', 0, 'I052|CC1|A.1')),
  'I050 REGRA_I051_OBRIGATORIO': g((f) => f.remove('I051')),
  'I050 REGRA_ANO_ALT_MAIOR_ANO_FIN': set('I050', 'DT_ALT', '01012026'),
  'I050 REGRA_TABELA_NATUREZA': set('I050', 'COD_NAT', '08'),
  'I050 REGRA_MAIOR_QUE_UM': set('I050', 'NIVEL', '0'),
  'I050 REGRA_VALIDA_NIVEL_CONTAS': g((f) => {
    f.after('I050', 2, 'I050|01012025|01|A|3|1.1.2|1.1|TÍTULOS', 'I051||1.01.01.01.01');
    return f;
  }),
  'I050 REGRA_COD_CTA_IGUAL_COD_CTA_SUP': set('I050', 'COD_CTA_SUP', '1.1.1.01', CASH),
  'I050 REGRA_COD_CTA_SUP_OBRIGATORIO': set('I050', 'COD_CTA_SUP', '', CASH),
  'I050 REGRA_CAMPO_OBRIGATORIO': set('I050', 'CTA', '   ', CASH),
  'I050 REGRA_CTA_DE_NIVEL_SUPERIOR_INVALIDA': set('I050', 'COD_CTA_SUP', '1.1.1', 1),
  'I050 REGRA_CODIGO_CONTA_NIVEL_SUPERIOR_INVALIDO': set('I050', 'COD_CTA_SUP', '1.9', CASH),
  'I050 REGRA_CONTA_NIVEL_SUPERIOR_NAO_SINTETICA': g((f) =>
    f.set('I050', 'COD_CTA_SUP', '1.1.1.01', CASH + 1).set('I050', 'NIVEL', '5', CASH + 1),
  ),
  'I050 REGRA_NIVEL_DE_CONTA_NIVEL_SUPERIOR_INVALIDO': set('I050', 'NIVEL', '3', 1),
  'I050 REGRA_NATUREZA_CONTA': set('I050', 'COD_NAT', '03', SUPPLIERS),
  'I050 REGRA_CONTA_SUPERIOR_NAO_SE_APLICA': set('I050', 'COD_CTA_SUP', '2', 0),
  'I051 REGRA_REGISTRO_PARA_CONTA_ANALITICA': g((f) => f.after('I050', 0, 'I051||1.01.01.01.01')),
  'I051 REGRA_NATUREZA_CONTA_DIFERENTE': set('I051', 'COD_CTA_REF', '3.01.01.01.01.02'),
  'I051 REGRA_CCUS_NO_CENTRO_CUSTOS_N3': set('I051', 'COD_CCUS', 'CC9'),
  // The chart of financial institutions begins in 2021.
  'I051 REGRA_VALIDADE_COD_CTA_PAD': g((f) => {
    for (const row of f.lines)
      for (const [place, field] of row.entries()) row[place] = field.replace(/^(\d{4})2025$/, '$12020');
    return f.set('0000', 'COD_PLAN_REF', '3').set('I051', 'COD_CTA_REF', '1.1.0.0.0.00.00');
  }),
  'I051 REGRA_NAO_EXISTE_COD_CTA_PAD': set('I051', 'COD_CTA_REF', '9.99'),
  'I052 REGRA_REGISTRO_PARA_CONTA_ANALITICA': g((f) => f.after('I050', EQUITY, 'I052||A.1')),
  'I052 REGRA_COD_CCUS_COD_AGL_DUPLICIDADE': twice('I052'),
  'I052 REGRA_EXISTE_I052_CTA_SINTETICA': g((f) => f.after('I050', EQUITY, 'I052||P.2')),
  'I052 REGRA_AGLUTINACAO_EM_SINTETICA': g((f) => f.after('I052', 0, 'I052||A')),
  'I052 REGRA_CCUS_NO_CENTRO_CUSTOS_N3': set('I052', 'COD_CCUS', 'CC9'),
  'I075 REGRA_REGISTRO_DUPLICADO': twice('I075'),
  'I100 REGRA_COD_CCUS_DUPLICADO': twice('I100'),
  'I100 REGRA_DT_ALT_DATA_MAIOR': set('I100', 'DT_ALT', '01012026'),
};

/** Balances of the fixture by their place: six of November, seven of December. */
const [CASH_DECEMBER, BANKS_DECEMBER] = [6, 7];

const BALANCES: Record<string, Mutation> = {
  'I150 REGRA_CONTINUIDADE_SALDOS_PERIODICOS': set('0000', 'DT_INI', '01102025'),
  'I150 REGRA_DATA_MES': set('I150', 'DT_FIN', '31122025'),
  'I150 REGRA_DUPLICIDADE_PERIODO_SALDO_PERIODICO': g((f) =>
    f.set('I150', 'DT_INI', '01112025', 1).set('I150', 'DT_FIN', '30112025', 1),
  ),
  'I150 REGRA_VALIDA_MES_I157': g((f) => f.after('I155', CASH_DECEMBER, 'I157|101||950,00|D')),
  'I150 REGRA_DATA_INTERVALO_DO_ARQUIVO': set('I150', 'DT_FIN', '31012026', 1),
  'I150 REGRA_DT_INI_MAIOR_DT_FIN': g((f) =>
    f.set('I150', 'DT_INI', '31122025', 1).set('I150', 'DT_FIN', '01122025', 1),
  ),
  'I150 REGRA_DT_INI_INICIO_MES': set('I150', 'DT_INI', '02122025', 1),
  'I150 REGRA_DT_FIN_FIM_MES': set('I150', 'DT_FIN', '29112025'),
  'I155 REGRA_VALIDACAO_SOMA_SALDO_INICIAL': set('I155', 'VL_SLD_INI', '501,00', 1),
  'I155 REGRA_VALIDACAO_SOMA_SALDO_FINAL': set('I155', 'VL_SLD_FIN', '1050,01', CASH_DECEMBER),
  'I155 REGRA_VALIDACAO_DEB_DIF_CRED': set('I155', 'VL_DEB', '100,01', CASH_DECEMBER),
  'I155 REGRA_VALIDACAO_SALDO_FINAL': set('I155', 'IND_DC_FIN', 'C', CASH_DECEMBER),
  'I155 REGRA_VALIDACAO_VALOR_DEB': set('I250', 'COD_CTA', '1.1.1.01', 0),
  'I155 REGRA_VALIDACAO_VALOR_CRED': set('I250', 'COD_CTA', '1.1.1.02', 3),
  'I155 REGRA_VALIDACAO_SALDO_INI_DIF_FIN': set('I155', 'VL_SLD_INI', '951,00', CASH_DECEMBER),
  'I155 REGRA_DUPLICIDADE_CONTA_SALDO_PERIODICO': twice('I155', 2),
  'I155 REGRA_CAMPOS_SALDOS_PERIODICOS_DIFERENTE_ZERO': g((f) =>
    f.after('I155', 5, 'I155|2.3.1.02||0,00|D|0,00|0,00|0,00|D'),
  ),
  'I155 REGRA_VALIDACAO_VALOR_CRED_BALANCETE': b((f) => f.set('I310', 'COD_CTA', '1.1.1.02', 3)),
  'I155 REGRA_VALIDACAO_VALOR_DEB_BALANCETE': b((f) => f.set('I310', 'COD_CTA', '1.1.1.01', 0)),
  'I155 REGRA_VALIDA_SLD_INI_SOMA_SLD_INI_I157': set('I157', 'VL_SLD_INI', '999,00'),
  'I155 REGRA_SALDOS_PERIODICOS_DIFERENTE_ZERO': g((f) => f.after('I155', 5, 'I155|2.3.1.02||0,00|D|0,00|0,00|0,00|D')),
  'I155 REGRA_CONTA_ANALITICA': set('I155', 'COD_CTA', '1.1.1', BANKS_DECEMBER),
  'I155 REGRA_CONTA_NO_PLANO_CONTAS': set('I155', 'COD_CTA', '9', BANKS_DECEMBER),
  'I155 REGRA_CCUS_NO_CENTRO_CUSTOS': set('I155', 'COD_CCUS', 'CC9', 2),
  'I155 REGRA_IND_DC_INI_OBRIGATORIO': set('I155', 'IND_DC_INI', '', 5),
  'I155 REGRA_IND_DC_FIN_OBRIGATORIO': set('I155', 'IND_DC_FIN', '', 12),
  'I157 REGRA_EXISTE_I157_PERIODO_POSTERIOR': g((f) => f.after('I155', CASH_DECEMBER, 'I157|101||950,00|D')),
  'I157 REGRA_IND_DC_INI_OBRIGATORIO': set('I157', 'IND_DC_INI', ''),
};

const ENTRIES: Record<string, Mutation> = {
  'I200 REGRA_VALIDACAO_SALDO_CONTA': g((f) => f.remove('I355', 1)),
  'I200 REGRA_LCTO_4_FORMULA': g((f) =>
    f
      .set('I250', 'VL_DC', '150,00', 0)
      .set('I250', 'VL_DC', '150,00', 1)
      .after('I250', 1, 'I250|1.1.1.02||50,00|D|||PARTE|', 'I250|3.1.01|CC1|50,00|C|||PARTE|'),
  ),
  'I200 REGRA_VALIDACAO_VL_LCTO_DEB': set('I250', 'VL_DC', '201,00', 0),
  'I200 REGRA_REGISTRO_OBRIGATORIO_I350': set('I200', 'IND_LCTO', 'N', 3),
  'I200 REGRA_REGISTRO_DUPLICADO': set('I200', 'NUM_LCTO', '202511.1.1.1', 2),
  'I200 REGRA_DATA_INTERVALO_DO_ARQUIVO': set('I200', 'DT_LCTO', '10102025', 0),
  'I200 REGRA_DATA_ANTIGA': set('I200', 'DT_LCTO', '10101979', 0),
  'I200 REGRA_VALIDACAO_VL_LCTO_CRED': set('I250', 'VL_DC', '199,00', 1),
  'I200 REGRA_VALIDACAO_VL_LCTO_ESC_AUXILIAR': a((f) => f.set('I200', 'VL_LCTO', '199,00')),
  'I200 REGRA_DT_LCTO_EXT_OBRIGATORIA': set('I200', 'IND_LCTO', 'X', 1),
  'I200 REGRA_DT_LCTO_EXT_INDEVIDA': set('I200', 'DT_LCTO_EXT', '01012020', 1),
  'I200 REGRA_DT_LCTO_EXT_INV': g((f) => f.set('I200', 'IND_LCTO', 'X', 1).set('I200', 'DT_LCTO_EXT', '01122025', 1)),
  'I250 REGRA_HISTORICO_OBRIGATORIO': set('I250', 'HIST', '', 0),
  'I250 REGRA_VALIDACAO_VALOR_DEB': g((f) => f.remove('I155', 5)),
  'I250 REGRA_VALIDACAO_VALOR_CRED': g((f) => f.remove('I155', 10)),
  'I250 REGRA_CONTA_ANALITICA': set('I250', 'COD_CTA', '1.1.1', 0),
  'I250 REGRA_CONTA_NO_PLANO_CONTAS': set('I250', 'COD_CTA', '9', 0),
  'I250 REGRA_LANC_EXT_CONTA_RESULTADO': g((f) =>
    f.set('I200', 'IND_LCTO', 'X', 1).set('I200', 'DT_LCTO_EXT', '01122024', 1),
  ),
  'I250 REGRA_CCUS_NO_CENTRO_CUSTOS': set('I250', 'COD_CCUS', 'CC9', 0),
  'I250 REGRA_COD_HIS_PAD_NO_HISTORICO_PADRAO': set('I250', 'COD_HIST_PAD', 'H9', 1),
  'I250 REGRA_CODIGO_PARTICIPANTE': set('I250', 'COD_PART', 'F9', 0),
};

const RESULTS: Record<string, Mutation> = {
  'I300 REGRA_DATA_BALANCETE_DUPLICADO': b((f) => f.set('I300', 'DT_BCTE', '10112025', 1)),
  'I300 REGRA_DATA_INTERVALO_DO_ARQUIVO': b((f) => f.set('I300', 'DT_BCTE', '10102025', 0)),
  'I310 REGRA_DETALHE_BALANCETE_DUPLICADO': b((f) => f.repeat('I310', 0)),
  'I310 REGRA_VALIDACAO_DC_BALANCETE': b((f) => f.set('I310', 'VAL_DEBD', '201,00', 0)),
  'I310 REGRA_CONTA_ANALITICA': b((f) => f.set('I310', 'COD_CTA', '1.1.1', 0)),
  'I310 REGRA_CONTA_NO_PLANO_CONTAS': b((f) => f.set('I310', 'COD_CTA', '9', 0)),
  'I310 REGRA_CCUS_NO_CENTRO_CUSTOS': b((f) => f.set('I310', 'COD_CCUS', 'CC9', 0)),
  'I350 REGRA_DT_RES_DUPLICIDADE': g((f) => f.after('I355', 1, 'I350|31122025')),
  'I350 REGRA_ENCERRAMENTO_EXERCICIO': set('I350', 'DT_RES', '30122025'),
  'I350 REGRA_DATA_INTERVALO_DO_ARQUIVO': set('I350', 'DT_RES', '31012026'),
  'I355 REGRA_COD_CTA_DT_RES_DUPLICIDADE': twice('I355', 1),
  'I355 REGRA_REGISTRO_OBRIGATORIO_I350': set('I200', 'IND_LCTO', 'N', 3),
  'I355 REGRA_VALIDACAO_CONTA_RESULTADO': g((f) => f.set('I155', 'VL_SLD_FIN', '1,00', 12)),
  'I355 REGRA_VALIDACAO_SALDO_CONTA': set('I355', 'VL_CTA', '51,00', 1),
  'I355 REGRA_CONTA_RESULTADO': set('I355', 'COD_CTA', '1.1.1.01', 1),
  'I355 REGRA_CONTA_ANALITICA': set('I355', 'COD_CTA', '3.1', 1),
  'I355 REGRA_CONTA_NO_PLANO_CONTAS': set('I355', 'COD_CTA', '9', 1),
  'I355 REGRA_CCUS_NO_CENTRO_CUSTOS': set('I355', 'COD_CCUS', 'CC9', 1),
};

const STATEMENTS: Record<string, Mutation> = {
  'J005 REGRA_OBRIGATORIA_DEMONSTRACAO': without('J150'),
  'J005 REGRA_REGISTRO_OBRIGATORIO_J005_FIM_EXERCICIO': set('J005', 'DT_FIN', '30122025'),
  'J005 REGRA_PERIODO_SUP_UM_ANO': set('J005', 'DT_INI', '01112024'),
  'J005 REGRA_ENC_OBRIGATORIO': g((f) => f.set('J005', 'DT_FIN', '30112025')),
  'J005 REGRA_DATA_INI_MAIOR': g((f) => f.set('J005', 'DT_INI', '01012026')),
  'J005 REGRA_DT_INI_MAIOR_DT_FIN': g((f) => f.set('J005', 'DT_INI', '31122025').set('J005', 'DT_FIN', '01122025')),
  'J005 REGRA_DATA_ANTIGA': set('J005', 'DT_INI', '01111979'),
  'J005 REGRA_CAB_DEM_OBRIGATORIO': set('J005', 'ID_DEM', '2'),
  'J100 REGRA_SOMA_DAS_PARCELAS_BALANCO_INI': set('J100', 'VL_CTA_INI', '1501,00', 0),
  'J100 REGRA_SOMA_DAS_PARCELAS_BALANCO_FIN': set('J100', 'VL_CTA_FIN', '1751,00', 0),
  'J100 REGRA_VALIDA_ATIVO_PASSIVO_INI': set('J100', 'IND_DC_CTA_INI', 'D', 2),
  'J100 REGRA_VALIDA_ATIVO_PASSIVO_FIN': set('J100', 'IND_DC_CTA_FIN', 'D', 2),
  'J100 REGRA_BALANCO_SALDO_INI': set('J100', 'VL_CTA_INI', '1499,00', 1),
  'J100 REGRA_BALANCO_SALDO_FIN': set('J100', 'VL_CTA_FIN', '1749,00', 1),
  'J100 REGRA_VALIDA_BALANCO_SALDO_INI': g((f) =>
    f.set('J100', 'VL_CTA_INI', '301,00', 3).set('J100', 'VL_CTA_INI', '1199,00', 4),
  ),
  'J100 REGRA_VALIDA_BALANCO_SALDO_FIN': g((f) =>
    f.set('J100', 'VL_CTA_FIN', '301,00', 3).set('J100', 'VL_CTA_FIN', '1199,00', 4),
  ),
  'J100 REGRA_EXISTE_NOTA_EXPLICATIVA': set('J800', 'TIPO_DOC', '001'),
  'J100 REGRA_OBRIGATORIO_I052_MESMO_GRUPO': set('J100', 'IND_GRP_BAL', 'P', 1),
  'J100 REGRA_EXISTEM_2_NIVEIS_1': set('J100', 'IND_GRP_BAL', 'A', 2),
  'J100 REGRA_EXISTEM_MAIS_DE_2_NIVEIS_1': g((f) => f.after('J100', 5, 'J100|Z|T|1||P|OUTRO|0,00|D|0,00|D|')),
  ...linesOf('J100', 3, 0),
  'J150 REGRA_SOMA_NIVEIS_DRE': set('J150', 'VL_CTA_FIN', '251,00', 0),
  'J150 REGRA_VALIDA_SALDO_COM_DRE': g((f) =>
    f.set('J150', 'VL_CTA_FIN', '301,00', 1).set('J150', 'VL_CTA_FIN', '51,00', 2),
  ),
  'J150 REGRA_EXISTE_NOTA_EXPLICATIVA': g((f) => f.set('J150', 'NOTA_EXP_REF', '2').set('J800', 'TIPO_DOC', '001')),
  'J150 REGRA_OBRIGATORIO_I052_MESMO_GRUPO': set('J150', 'COD_AGL', 'A.1', 1),
  'J150 REGRA_NU_ORDEM_DUPLICADO': set('J150', 'NU_ORDEM', '2', 2),
  'J150 REGRA_NIVEL_1_INEXISTENTE': set('J150', 'NIVEL_AGL', '2', 0),
  'J150 REGRA_OCO_UNICA_NIVEL_1': g((f) => f.after('J150', 2, 'J150|4|S|T|1||OUTRO|||0,00|C|R|')),
  ...linesOf('J150', 1, 0),
  'J210 REGRA_COD_AGL_DUPLICIDADE': twice('J210', 0),
  'J210 REGRA_EXISTE_DLPA_OU_DMPL': set('J210', 'IND_TIP', '0', 1),
  'J210 REGRA_UNICO_DLPA': g((f) => f.set('J210', 'IND_TIP', '0', 0).set('J210', 'IND_TIP', '0', 1)),
  'J210 REGRA_VALIDA_DMPL_COM_SALDO_INI': g((f) =>
    f.set('J210', 'VL_CTA_INI', '1,00', 1).set('J210', 'IND_DC_CTA_INI', 'C', 1).set('J215', 'VL_FAT_CONT', '249,00'),
  ),
  'J210 REGRA_VALIDA_DMPL_COM_SALDO_FIN': g((f) =>
    f.set('J210', 'VL_CTA_FIN', '251,00', 1).set('J215', 'VL_FAT_CONT', '251,00'),
  ),
  'J210 REGRA_EXISTE_AGL_J210_MESMO_GRUPO': g((f) =>
    f.set('J210', 'COD_AGL', 'P.1').set('J210', 'VL_CTA_INI', '300,00').set('J210', 'VL_CTA_FIN', '300,00'),
  ),
  'J210 REGRA_EXISTE_NOTA_EXPLICATIVA': set('J800', 'TIPO_DOC', '002'),
  'J210 REGRA_EXISTE_AGLUTINACAO_J210': set('J210', 'COD_AGL', 'X', 0),
  'J210 REGRA_VALIDA_TOT_AGLUTINACAO_J215': set('J215', 'VL_FAT_CONT', '249,00'),
  'J215 REGRA_DUPLICIDADE_HIST_FAT': g((f) => f.set('J215', 'VL_FAT_CONT', '125,00').repeat('J215')),
};

const SIGNATORIES: Record<string, Mutation> = {
  'J001 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('J001'),
  'J801 REGRA_REGISTRO_NAO_DEVE_EXISTIR_NORTF': s((f) =>
    f.text().replace('{\\rtf1 TERMO}', '{\\rtf1 TERMO\r\n|J900|\r\n}'),
  ),
  'J900 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('J900'),
  'J900 REGRA_IGUAL_NUM_ORD_REGI030': set('J900', 'NUM_ORD', '8'),
  'J900 REGRA_VALIDA_CONTEUDO_NAT_LIVR': set('J900', 'NAT_LIVRO', 'DIÁRIO'),
  'J900 REGRA_IGUAL_NOME_REG0000': set('J900', 'NOME', 'OUTRO BANCO'),
  'J900 REGRA_IGUAL_QTD_LIN_REG9999': counted('J900', 'QTD_LIN', '1'),
  'J900 REGRA_IGUAL_DT_INI_REG0000': set('J900', 'DT_INI_ESCR', '01122025'),
  'J900 REGRA_IGUAL_DT_FIN_REG0000': set('J900', 'DT_FIN_ESCR', '30112025'),
  'J930 REGRA_OBRIGATORIO_ASSIN_CONTADOR': g((f) => f.remove('J930', 1)),
  'J930 REGRA_IDENT_CPF_CNPJ_COD_ASSIN_DUPLICIDADE': twice('J930', 1),
  'J930 REGRA_OBRIGATORIO_UM_RESP_LEGAL': set('J930', 'IND_RESP_LEGAL', 'N', 0),
  'J930 REGRA_VALIDA_CPF': set('J930', 'IDENT_CPF_CNPJ', '12345678900', 0),
  'J930 REGRA_VALIDA_CNPJ': set('J930', 'IDENT_CPF_CNPJ', '11222333000182', 0),
  'J930 REGRA_TABELA_ASSINANTE_DESC': set('J930', 'IDENT_QUALIF', 'Diretor', 1),
  'J930 REGRA_QUALIF_INV_RESP_LEGAL': g((f) =>
    f.set('J930', 'IND_RESP_LEGAL', 'N', 0).set('J930', 'IND_RESP_LEGAL', 'S', 1),
  ),
  'J930 REGRA_OBRIGATORIO_CONTADOR': set('J930', 'EMAIL', '', 1),
  'J930 REGRA_AVISO_ASSIN_CNPJ': g((f) => f.set('J930', 'COD_ASSIN', '001', 0).set('J930', 'IND_CRC', '1SP1', 0)),
  'J930 REGRA_TABELA_UF': set('J930', 'UF_CRC', 'XX', 1),
  'J930 REGRA_VALIDA_FORMATO_SEQUENCIAL_CRC': set('J930', 'NUM_SEQ_CRC', '123', 1),
  'J930 REGRA_ADVERTENCIA_CONTADOR': set('J930', 'DT_CRC', '', 1),
  'J932 REGRA_OBRIGATORIO_CONTADOR_ASS_TERMO': s((f) =>
    f.repeat('J932').set('J932', 'IDENT_CPF_CNPJ_T', '12345678909', 1),
  ),
  'J932 REGRA_IDENT_CPF_CNPJ_COD_ASSIN_DUPLICIDADE': s((f) => f.repeat('J932')),
  'J932 REGRA_VALIDA_CPF': s((f) => f.set('J932', 'IDENT_CPF_CNPJ_T', '11144477736')),
  'J932 REGRA_VALIDA_CNPJ': s((f) => f.after('J932', 0, 'J932|AUDITORES|11222333000182|Auditor|920|||||||')),
  'J932 REGRA_TABELA_ASSINANTE_DESC': s((f) => f.set('J932', 'IDENT_QUALIF_T', 'Auditor')),
  'J932 REGRA_QUALIF_INVALIDA_ASS_TERMO': s((f) => f.set('J932', 'IDENT_CPF_CNPJ_T', '11222333000181')),
  'J932 REGRA_OBRIGATORIO_ASS_TERMO': s((f) => f.set('J932', 'FONE_T', '')),
  'J932 REGRA_TABELA_UF': s((f) => f.set('J932', 'UF_CRC_T', 'XX')),
  'J932 REGRA_VALIDA_FORMATO_SEQUENCIAL_CRC': s((f) => f.set('J932', 'NUM_SEQ_CRC_T', 'SP-2026-1')),
  'J932 REGRA_ADV_ASS_CONTADOR_TERMO': s((f) => f.set('J932', 'DT_CRC_T', '')),
  'J935 REGRA_VALIDA_CPF': set('J935', 'NI_CPF_CNPJ', '12345678900'),
  'J935 REGRA_VALIDA_CNPJ': set('J935', 'NI_CPF_CNPJ', '11222333000182'),
  'J935 REGRA_COD_CVM_AUD_OBRIGATORIO': g((f) =>
    f.set('J935', 'NI_CPF_CNPJ', '12345678909').set('J935', 'COD_CVM_AUDITOR', ''),
  ),
  'J990 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('J990'),
  'J990 REGRA_QTD_LIN_BLOCOJ': counted('J990', 'QTD_LIN_J', '1'),
};

const COUNTS: Record<string, Mutation> = {
  'I990 REGRA_OCORRENCIA_UNITARIA_ARQ': twice('I990'),
  'I990 REGRA_QTD_LIN_BLOCOI': counted('I990', 'QTD_LIN_I', '1'),
  'K990 REGRA_QTD_LIN_BLOCOK': g((f) =>
    f.set('0000', 'IND_ESC_CONS', 'S').after('J990', 0, 'K001|1', 'K990|').count().set('K990', 'QTD_LIN_K', '9'),
  ),
  '9001 REGRA_OCORRENCIA_UNITARIA_ARQ': g((f) => f.count().repeat('9001')),
  '9900 REGRA_QTD_REG_BLC_OBRIGATORIO': g((f) => f.count().remove('9900', 3)),
  '9900 REGRA_REG_BLC_DUPLICIDADE': g((f) => f.count().repeat('9900', 3)),
  '9900 REGRA_QTD_REG_BLC': g((f) => f.count().set('9900', 'QTD_REG_BLC', '77', 3)),
  '9990 REGRA_OCORRENCIA_UNITARIA_ARQ': g((f) => f.count().repeat('9990')),
  '9990 REGRA_QTD_LIN_BLOCO9': counted('9990', 'QTD_LIN_9', '1'),
  '9999 REGRA_OCORRENCIA_UNITARIA_ARQ': g((f) => f.count().repeat('9999')),
  '9999 REGRA_QTD_LIN_ARQUIVO': counted('9999', 'QTD_LIN', '1'),
};

/** By register and code of the rule that each breaks. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  ...EVERYWHERE,
  ...HEAD,
  ...BOOKS,
  ...CHART,
  ...BALANCES,
  ...ENTRIES,
  ...RESULTS,
  ...STATEMENTS,
  ...SIGNATORIES,
  ...COUNTS,
};
