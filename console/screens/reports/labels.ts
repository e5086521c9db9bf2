// What people read of the requests. Every field of every report has its label here (reports-labels.test.ts).

export const LABELS: Readonly<Record<string, string>> = {
  visualizationEnum: 'Formato',
  dataInicio: 'De',
  dataFim: 'Até',
  considerClosing: 'Considerar o encerramento',
  showZeroBalances: 'Mostrar contas sem saldo',
  level: 'Nível',
  accountFrom: 'Da conta',
  accountTo: 'Até a conta',
  lote: 'Lote',
  documento: 'Documento',
  conta: 'Conta',
  contas: 'Contas',
  orderBy: 'Ordem',
  comparative: 'Comparativo',
  comparativo: 'Comparativo',
  tipo: 'Tipo',
  periodo: 'Período',
  periodos: 'Períodos lado a lado',
  demonstracao: 'Definição',
  meses: 'Meses lado a lado',
  valores: 'Valores',
  onlyWithMovement: 'Só contas com movimento',
  numeroLivro: 'Número do livro',
  paginaInicial: 'Folha inicial',
  includeTerms: 'Com termos de abertura e encerramento',
  paginasPorVolume: 'Folhas por volume',
  anexos: 'Anexar antes do termo',
  livro: 'Livro',
  numeroOrdem: 'Número de ordem',
  quantidadePaginas: 'Quantidade de folhas',
  paginasAnexas: 'Folhas anexas',
  nire: 'NIRE',
  dataArquivamento: 'Data do arquivamento',
  municipio: 'Município',
  uf: 'UF',
  dataTermo: 'Data do termo',
  signatarios: 'Signatários',
  name: 'Nome',
  cpf: 'CPF',
  role: 'Cargo',
  crc: 'CRC',
  ufCrc: 'UF do CRC',
  email: 'E-mail',
  legalResponsible: 'Representante legal',
};

export const VALUE_LABELS: Readonly<Record<string, string>> = {
  PREVIOUS_MONTH: 'mês anterior',
  PREVIOUS_YEAR_END: 'fim do exercício anterior',
  PREVIOUS_YEAR: 'mesmo período do ano anterior',
  NONE: 'sem comparativo',
  DATE: 'por data',
  BATCH: 'por lote',
  ACCOUNT: 'por conta',
  BP: 'Balanço patrimonial',
  DRE: 'Resultado do exercício',
  DLPA: 'Lucros ou prejuízos acumulados',
  DMPL: 'Mutações do patrimônio líquido',
  MES: 'do mês',
  SEMESTRE: 'do semestre',
  ANO: 'do ano',
  SALDO: 'saldo no fim do mês',
  MOVIMENTO: 'movimento do mês',
  ABERTURA: 'de abertura',
  ENCERRAMENTO: 'de encerramento',
  AMBOS: 'de abertura e de encerramento',
  DIARIO: 'Diário',
  RAZAO: 'Razão',
  BALANCETES: 'Balancetes',
};

const HINTS: Readonly<Record<string, string>> = {
  contas: 'códigos com espaços entre eles; sem nenhum, todas',
  paginasPorVolume: 'vazio: um só volume',
  signatarios: 'vazio: os das opções da filial',
};

export function labelOf(field: string): string {
  return LABELS[field] ?? field;
}

export function valueLabelOf(_field: string, value: string): string {
  return VALUE_LABELS[value] ?? value;
}

export function hintOf(field: string): string | undefined {
  return HINTS[field];
}
