import type { Account, Book } from '../book.ts';
import { dayOf, yearOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { remember } from '../remember.ts';
import { later, type Rules } from '../rule.ts';
import { codesOf } from '../tables.ts';
import { REFERENCE } from './reference.ts';
import { costCentreExistsLater, isMainBook, repeated } from './shared.ts';

const accountOf = (line: Line, book: Book): Account | undefined => book.accounts.get(line.of('COD_CTA'));
const superiorOf = (line: Line, book: Book): Account | undefined => book.accounts.get(line.of('COD_CTA_SUP'));
const isAnalytic = (line: Line | undefined) => line?.of('IND_CTA') === 'A';
/** Natures whose accounts the reference chart and the statements have: assets, liabilities, equity, results. */
const REPORTED: ReadonlySet<string> = new Set(['01', '02', '03', '04']);

/** Registers I050 to I100: accounts, their mapping, narrations and cost centres. */
export const CHART: Rules = {
  'I050 REGRA_COD_CTA_DUPLICADO': later('Conta repetida no plano de contas.', (line, book) =>
    accountOf(line, book)?.line === line ? undefined : 'COD_CTA',
  ),
  'I050 REGRA_AGL_CCUS_VAZIO_PREENCHIDO': later(
    'O mesmo código de aglutinação está na conta com e sem centro de custos.',
    (line) => {
      const rows = line.under('I052');
      const withCentre = new Set(rows.flatMap((row) => (row.of('COD_CCUS') === '' ? [] : [row.of('COD_AGL')])));
      const both = rows.find((row) => row.of('COD_CCUS') === '' && withCentre.has(row.of('COD_AGL')));
      return both && { field: 'COD_CTA', value: both.of('COD_AGL') };
    },
  ),
  'I050 REGRA_I051_OBRIGATORIO': later('A conta analítica não tem conta referencial (I051).', (line, book) => {
    if (book.given('0000', 'COD_PLAN_REF') === '' || !isAnalytic(line)) return undefined;
    return REPORTED.has(line.of('COD_NAT')) && line.under('I051').length === 0 ? 'COD_CTA' : undefined;
  }),
  'I050 REGRA_ANO_ALT_MAIOR_ANO_FIN': later('A conta foi alterada depois do ano da escrituração.', (line, book) =>
    yearOf(dayOf(line.of('DT_ALT'))) > yearOf(book.to) ? 'DT_ALT' : undefined,
  ),
  'I050 REGRA_TABELA_NATUREZA': later('Natureza de conta desconhecida.', (line) =>
    codesOf('COD_NAT').has(line.of('COD_NAT')) ? undefined : 'COD_NAT',
  ),
  'I050 REGRA_MAIOR_QUE_UM': later('O nível da conta deve ser 1 ou maior.', (line) =>
    Number(line.of('NIVEL')) >= 1 ? undefined : 'NIVEL',
  ),
  'I050 REGRA_VALIDA_NIVEL_CONTAS': later(
    'A conta analítica patrimonial deve estar no nível 4 ou abaixo dele.',
    (line, book) => {
      const isOfBalanceSheet = line.of('COD_NAT') < '04' && REPORTED.has(line.of('COD_NAT'));
      return isMainBook(book) && isAnalytic(line) && isOfBalanceSheet && Number(line.of('NIVEL')) < 4
        ? 'NIVEL'
        : undefined;
    },
  ),
  'I050 REGRA_COD_CTA_IGUAL_COD_CTA_SUP': later('A conta é superior de si mesma.', (line) =>
    line.of('COD_CTA') === line.of('COD_CTA_SUP') ? 'COD_CTA_SUP' : undefined,
  ),
  'I050 REGRA_COD_CTA_SUP_OBRIGATORIO': later('A conta de nível maior que 1 exige a conta superior.', (line) =>
    Number(line.of('NIVEL')) > 1 && line.of('COD_CTA_SUP') === '' ? 'COD_CTA_SUP' : undefined,
  ),
  'I050 REGRA_CAMPO_OBRIGATORIO': later('O campo só tem espaços.', (line) =>
    ['COD_CTA', 'CTA'].find((field) => line.of(field) !== '' && line.of(field).trim() === ''),
  ),
  'I050 REGRA_CTA_DE_NIVEL_SUPERIOR_INVALIDA': later(
    'As contas superiores formam um círculo: seguindo-as, volta-se à própria conta.',
    (line, book) => (isInCircle(line, book) ? 'COD_CTA_SUP' : undefined),
  ),
  'I050 REGRA_CODIGO_CONTA_NIVEL_SUPERIOR_INVALIDO': later(
    'A conta superior não existe no plano de contas.',
    (line, book) => (line.of('COD_CTA_SUP') !== '' && superiorOf(line, book) === undefined ? 'COD_CTA_SUP' : undefined),
  ),
  'I050 REGRA_CONTA_NIVEL_SUPERIOR_NAO_SINTETICA': later('A conta superior é analítica.', (line, book) =>
    superiorOf(line, book)?.isAnalytic && superiorOf(line, book)?.line !== line ? 'COD_CTA_SUP' : undefined,
  ),
  'I050 REGRA_NIVEL_DE_CONTA_NIVEL_SUPERIOR_INVALIDO': later(
    'O nível deve ser maior que o da conta superior.',
    (line, book) => {
      const superior = superiorOf(line, book);
      return superior !== undefined && superior.line !== line && Number(line.of('NIVEL')) <= superior.level
        ? 'NIVEL'
        : undefined;
    },
  ),
  'I050 REGRA_NATUREZA_CONTA': later('A natureza não é a da conta superior.', (line, book) => {
    const superior = superiorOf(line, book);
    if (superior === undefined || Number(line.of('NIVEL')) <= 2) return undefined;
    return superior.nature === line.of('COD_NAT') ? undefined : { field: 'COD_NAT', expected: superior.nature };
  }),
  'I050 REGRA_CONTA_SUPERIOR_NAO_SE_APLICA': later('A conta de nível 1 não tem conta superior.', (line) =>
    Number(line.of('NIVEL')) === 1 && line.of('COD_CTA_SUP') !== '' ? 'COD_CTA_SUP' : undefined,
  ),
  'I051 REGRA_REGISTRO_PARA_CONTA_ANALITICA': later('A conta referencial só se informa em conta analítica.', (line) =>
    isAnalytic(line.parent) ? undefined : 'REG',
  ),
  ...REFERENCE,
  'I051 REGRA_CCUS_NO_CENTRO_CUSTOS_N3': costCentreExistsLater(),
  'I052 REGRA_REGISTRO_PARA_CONTA_ANALITICA': later('A aglutinação só se informa em conta analítica.', (line) =>
    isAnalytic(line.parent) ? undefined : 'REG',
  ),
  'I052 REGRA_COD_CCUS_COD_AGL_DUPLICIDADE': repeated(
    'Centro de custos e código de aglutinação repetidos na conta.',
    ...([['COD_CCUS', 'COD_AGL'], 'parent'] as const),
  ),
  'I052 REGRA_EXISTE_I052_CTA_SINTETICA': later('A conta é sintética e não pode ter código de aglutinação.', (line) =>
    line.parent?.of('IND_CTA') === 'S' && line.parent.under('I052')[0] === line
      ? { field: 'COD_AGL', line: line.parent.number }
      : undefined,
  ),
  'I052 REGRA_AGLUTINACAO_EM_SINTETICA': later(
    'O código de aglutinação é de uma linha de total (T) das demonstrações: contas só se ligam a linhas de detalhe.',
    (line, book) => (totalLines(book).has(line.of('COD_AGL')) ? 'COD_AGL' : undefined),
  ),
  'I052 REGRA_CCUS_NO_CENTRO_CUSTOS_N3': costCentreExistsLater(),
  'I075 REGRA_REGISTRO_DUPLICADO': repeated('Histórico padronizado repetido.', ['COD_HIST']),
  'I100 REGRA_COD_CCUS_DUPLICADO': repeated('Centro de custos repetido.', ['COD_CCUS']),
  'I100 REGRA_DT_ALT_DATA_MAIOR': later('O centro de custos foi alterado depois do período.', (line, book) =>
    dayOf(line.of('DT_ALT')) > book.to ? 'DT_ALT' : undefined,
  ),
};

/** Deeper charts do not exist; a longer way up does not end. */
const DEEPEST = 100;

function isInCircle(line: Line, book: Book): boolean {
  const own = line.of('COD_CTA');
  if (own === line.of('COD_CTA_SUP')) return false;
  let above = superiorOf(line, book);
  for (let steps = 0; above !== undefined && steps < DEEPEST; steps++) {
    if (above.code === own) return true;
    above = book.accounts.get(above.parentCode);
  }
  return false;
}

const totals = new WeakMap<Book, ReadonlySet<string>>();

function totalLines(book: Book): ReadonlySet<string> {
  return remember(totals, book, () => {
    const rows = [...book.rows('J100'), ...book.rows('J150')].filter((row) => row.of('IND_COD_AGL') === 'T');
    return new Set(rows.map((row) => row.of('COD_AGL')));
  });
}
