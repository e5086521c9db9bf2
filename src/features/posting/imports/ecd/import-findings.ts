import { type Finding, Findings, type Severity } from '../../../reporting/filing-check/findings.ts';
import type { EcdImportOptions } from './ecd-import.ts';

/** Rules that nothing but an import has. */
const OWN = {
  PARTIDAS_LEIAUTE_ANTERIOR: [
    'AVISO',
    'O leiaute do arquivo é anterior ao 9: os campos foram lidos pelas diferenças conhecidas, não conferidas com o programa oficial.',
  ],
  PARTIDAS_LEIAUTE_DESCONHECIDO: ['ERRO', 'O leiaute do arquivo (I010) não é um dos que se importam: 5 a 9.'],
  PARTIDAS_ARQUIVO_CORTADO: ['ERRO', 'O arquivo termina antes do registro 9999.'],
  PARTIDAS_LIVRO_NAO_IMPORTADO: ['ERRO', 'Só se importam livros G, R e B: os outros não têm saldos próprios.'],
  PARTIDAS_PERIODO_NAO_IMPORTADO: ['ERRO', 'O período do arquivo não é de meses de um mesmo ano.'],
  PARTIDAS_OUTRO_CNPJ: ['ERRO', 'O arquivo é de outra pessoa jurídica: o CNPJ não é o da empresa.'],
  PARTIDAS_OUTRO_ESTABELECIMENTO: ['AVISO', 'O CNPJ é da mesma pessoa jurídica, de outro estabelecimento.'],
  PARTIDAS_LANCAMENTO_DESBALANCEADO: ['ERRO', 'Os débitos do lançamento não são iguais aos créditos.'],
  PARTIDAS_LANCAMENTO_RECUSADO: ['ERRO', 'As regras de lançamento não aceitam a partida ou o lançamento.'],
  PARTIDAS_PARTIDA_ZERADA: ['AVISO', 'A partida tem valor zero e fica de fora.'],
  PARTIDAS_PARTIDA_SEM_CAMPOS: ['AVISO', 'Participante (COD_PART) e número de arquivo (NUM_ARQ) não são guardados.'],
  PARTIDAS_CENTRO_DE_CUSTOS: ['ERRO', 'O arquivo tem centros de custos, e o pedido é de recusá-los.'],
  PARTIDAS_CENTRO_DE_CUSTOS_SOMADO: ['AVISO', 'Os centros de custos do arquivo são somados em cada conta.'],
  PARTIDAS_CONTA_SUPERIOR: ['AVISO', 'A conta superior não é a que o código indica.'],
  PARTIDAS_CODIGO_GERADO: [
    'AVISO',
    'Os códigos das contas não formam níveis: a plataforma os gerou pela árvore, e o código do arquivo fica como reduzido.',
  ],
  PARTIDAS_CONTA_NAO_CABE: ['ERRO', 'A conta não pode ser criada no plano.'],
  PARTIDAS_CONTA_DIFERENTE: ['AVISO', 'A conta já existe e é diferente no arquivo: fica como está.'],
  PARTIDAS_CONTA_DE_OUTRO_TIPO: ['ERRO', 'A conta já existe no plano como sintética, e o arquivo a movimenta.'],
  PARTIDAS_DATA_DA_CONTA: [
    'AVISO',
    'A conta tem saldo antes da data em que foi incluída ou alterada (DT_ALT): fica sem data de início.',
  ],
  PARTIDAS_TEXTO_CORTADO: ['AVISO', 'O texto é mais longo do que o campo e foi cortado.'],
  PARTIDAS_HISTORICO_DIFERENTE: [
    'AVISO',
    'O histórico padronizado já existe e é diferente no arquivo: fica como está.',
  ],
  PARTIDAS_HISTORICO_EM_TEXTO: [
    'AVISO',
    'O código do histórico padronizado tem mais de 5 caracteres: o texto passa para cada partida.',
  ],
  PARTIDAS_PLANO_REFERENCIAL: [
    'AVISO',
    'O plano referencial do arquivo não está na instalação: as contas ficam sem ele.',
  ],
  PARTIDAS_CONTA_REFERENCIAL: ['AVISO', 'A conta referencial não existe no plano referencial: a conta fica sem ela.'],
  PARTIDAS_CONTA_REFERENCIAL_DIFERENTE: ['AVISO', 'A conta já tem outra conta referencial: fica como está.'],
  PARTIDAS_DEMONSTRACAO: ['AVISO', 'A demonstração do arquivo não foi criada.'],
  PARTIDAS_DEMONSTRACAO_DIFERENTE: ['AVISO', 'A demonstração já existe e é diferente no arquivo: fica como está.'],
  PARTIDAS_SIGNATARIO_DIFERENTE: [
    'AVISO',
    'Os signatários já estão cadastrados e são diferentes no arquivo: ficam como estão.',
  ],
  PARTIDAS_MES_NAO_LIVRE: ['ERRO', 'O mês não está livre para receber o arquivo.'],
  PARTIDAS_SALDOS_INICIAIS: ['ERRO', 'A filial já tem saldos iniciais diferentes dos do arquivo.'],
  // The check finds it in the first 12 million entries.
  PARTIDAS_NUMERO_DE_LANCAMENTO: ['ERRO', 'Dois lançamentos do mesmo dia têm o mesmo número.'],
  PARTIDAS_LOTE_ACIMA_DO_LIMITE: [
    'ERRO',
    'O lote passa do limite a partir do qual a filial exige segunda pessoa: uma ECD não espera por aprovação.',
  ],
  PARTIDAS_PROVA: ['ERRO', 'O que ficou nos livros não é o que o arquivo diz.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;

export type OwnRule = keyof typeof OWN;

/**
 * What makes books impossible, by register; '*' is any. Everything else that a file breaks is listed and does not stop
 * its import.
 */
const STOPS: ReadonlySet<string> = new Set([
  ...['PARTIDAS_LIMITE', 'PARTIDAS_LINHA_LONGA', 'PARTIDAS_ARQUIVO_DESCONHECIDO', 'PARTIDAS_SEM_LINHAS'].map(
    (rule) => `* ${rule}`,
  ),
  ...['* REGRA_ESTRUTURA_INVALIDA', '0000 REGRA_OCORRENCIA_UNITARIA_ARQ', '9999 REGRA_OCORRENCIA_UNITARIA_ARQ'],
  ...['I050 REGRA_COD_CTA_DUPLICADO', 'I050 REGRA_TABELA_NATUREZA'],
  ...[
    ...['REGRA_VALIDACAO_SALDO_FINAL', 'REGRA_VALIDACAO_SALDO_INI_DIF_FIN', 'REGRA_VALIDACAO_SOMA_SALDO_INICIAL'],
    ...['REGRA_VALIDACAO_VALOR_DEB', 'REGRA_VALIDACAO_VALOR_CRED', 'REGRA_DUPLICIDADE_CONTA_SALDO_PERIODICO'],
    ...['REGRA_CONTA_NO_PLANO_CONTAS', 'REGRA_CONTA_ANALITICA'],
  ].map((rule) => `I155 ${rule}`),
  ...['REGRA_REGISTRO_DUPLICADO', 'REGRA_DATA_INTERVALO_DO_ARQUIVO'].map((rule) => `I200 ${rule}`),
  ...[
    ...['REGRA_VALIDACAO_VALOR_DEB', 'REGRA_VALIDACAO_VALOR_CRED', 'REGRA_CONTA_NO_PLANO_CONTAS'],
    'REGRA_CONTA_ANALITICA',
  ].map((rule) => `I250 ${rule}`),
  ...['REGRA_DUPLICIDADE_PERIODO_SALDO_PERIODICO', 'REGRA_CONTINUIDADE_SALDOS_PERIODICOS', 'REGRA_DATA_MES'].map(
    (rule) => `I150 ${rule}`,
  ),
]);

/** Where the superior accounts of the file count. */
const STOPS_OF_TREE: ReadonlySet<string> = new Set(
  [
    ...['REGRA_COD_CTA_IGUAL_COD_CTA_SUP', 'REGRA_CODIGO_CONTA_NIVEL_SUPERIOR_INVALIDO'],
    ...['REGRA_CTA_DE_NIVEL_SUPERIOR_INVALIDA', 'REGRA_CONTA_NIVEL_SUPERIOR_NAO_SINTETICA'],
  ].map((rule) => `I050 ${rule}`),
);

/** Registers whose fields books are made of: what cannot be read in them stops. */
const READ: ReadonlySet<string> = new Set(['0000', 'I010', 'I050', 'I150', 'I155', 'I200', 'I250']);
const UNREADABLE: ReadonlySet<string> = new Set([
  ...['REGRA_CAMPO_INVALIDO', 'REGRA_CAMPO_OBRIGATORIO', 'REGRA_VALORES_VALIDOS_INVALIDO', 'REGRA_HIERARQUIA_ARQUIVO'],
  ...['PARTIDAS_NUMERO_DE_CAMPOS', 'REGRA_TAMANHO_CAMPO_INVALIDO', 'REGRA_REGISTRO_OBRIGATORIO'],
]);
/** What 0000 has of little use here. */
const OF_HEAD: ReadonlySet<string> = new Set(['DT_INI', 'DT_FIN', 'CNPJ']);

type Place = Partial<Pick<Finding, 'line' | 'register' | 'field' | 'value'>> & { readonly detail?: string };
type Listed = Finding & { readonly stops?: boolean };

/** What an import found: what the checker says, what the platform says, and how much of it stands against the import. */
export class ImportFindings {
  stops = 0;
  readonly #findings = new Findings();
  readonly #hierarchy: EcdImportOptions['hierarchy'];

  constructor(hierarchy: EcdImportOptions['hierarchy']) {
    this.#hierarchy = hierarchy;
  }

  /** A finding of the checker. */
  readonly add = (finding: Finding): void => {
    const stops = isStop(finding) || (this.#hierarchy === 'ARQUIVO' && isStopOfTree(finding));
    if (stops) this.stops++;
    const listed: Listed = stops ? { ...finding, stops } : finding;
    this.#findings.add(listed);
  };

  own(rule: OwnRule, { detail, ...place }: Place = {}): void {
    const [severity, message] = OWN[rule];
    const stops = severity === 'ERRO';
    if (stops) this.stops++;
    const text = detail === undefined ? message : `${message} ${detail}`;
    const listed: Listed = { rule, severity, message: text, ...place, ...(stops ? { stops } : {}) };
    this.#findings.add(listed);
  }

  result() {
    const { errors, warnings, findings, counts } = this.#findings.result();
    return { errors, warnings, findings: findings as readonly Listed[], counts, stops: this.stops };
  }
}

function isStopOfTree({ rule, register }: Finding): boolean {
  return STOPS_OF_TREE.has(`${register} ${rule}`);
}

function isStop({ rule, severity, register = '*', field }: Finding): boolean {
  if (severity !== 'ERRO') return false;
  if (STOPS.has(`${register} ${rule}`) || STOPS.has(`* ${rule}`)) return true;
  if (!UNREADABLE.has(rule) || !READ.has(register)) return false;
  return register !== '0000' || field === undefined || OF_HEAD.has(field);
}
