import { sidedText } from '../amounts.ts';
import { dayOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { atEnd, later, type Rule, type Rules } from '../rule.ts';
import { OLDEST } from './entries.ts';
import {
  accountsOf,
  amountOf,
  balanceOfLine,
  type Column,
  isDetail,
  isOwn,
  levelOf,
  ofStatements,
  resultOfLine,
  rulesOfLines,
  sumsOfTotals,
} from './lines-of-statement.ts';
import { hasNotes, isMainBook, repeated } from './shared.ts';

const period = (line: Line) => [dayOf(line.of('DT_INI')), dayOf(line.of('DT_FIN'))] as const;

/** Registers J005 to J150: balance sheet and income statement. */
export const STATEMENTS: Rules = {
  'J005 REGRA_OBRIGATORIA_DEMONSTRACAO': later(
    'Faltam o balanço (J100) ou a demonstração do resultado (J150).',
    (line) => (line.under('J100').length > 0 && line.under('J150').length > 0 ? undefined : 'REG'),
  ),
  'J005 REGRA_REGISTRO_OBRIGATORIO_J005_FIM_EXERCICIO': atEnd(
    'O exercício termina no período e falta a demonstração contábil (J005) até essa data.',
    function* (book) {
      const end = book.given('I030', 'DT_EX_SOCIAL');
      if (!isMainBook(book) || !book.contains(dayOf(end))) return;
      if (!book.rows('J005').some((row) => row.of('DT_FIN') === end)) yield { field: 'DT_FIN', expected: end };
    },
  ),
  'J005 REGRA_PERIODO_SUP_UM_ANO': later('A demonstração passa de um ano.', (line) => {
    const [from, to] = period(line);
    return to >= from + 10_000 ? 'DT_FIN' : undefined;
  }),
  'J005 REGRA_ENC_OBRIGATORIO': later(
    'Faltam os saldos antes do encerramento (I350) na data final da demonstração.',
    (line, book) => {
      const hasBoth = line.under('J100').length > 0 && line.under('J210').length > 0;
      const [from, to] = period(line);
      if (!isOwn(line) || !hasBoth || !book.contains(from) || !book.contains(to)) return undefined;
      return book.rows('I350').some((row) => row.of('DT_RES') === line.of('DT_FIN')) ? undefined : 'DT_FIN';
    },
  ),
  'J005 REGRA_DATA_INI_MAIOR': later('A demonstração começa depois do fim da escrituração.', (line, book) =>
    period(line)[0] > book.to ? 'DT_INI' : undefined,
  ),
  'J005 REGRA_DT_INI_MAIOR_DT_FIN': later('A data inicial é maior que a data final.', (line) => {
    const [from, to] = period(line);
    return from > to ? 'DT_INI' : undefined;
  }),
  'J005 REGRA_DATA_ANTIGA': later('A data é anterior a 1980.', (line) =>
    ['DT_INI', 'DT_FIN'].find((field) => dayOf(line.of(field)) <= OLDEST),
  ),
  'J005 REGRA_CAB_DEM_OBRIGATORIO': later(
    'A demonstração consolidada ou de outra empresa (2) exige o cabeçalho.',
    (line) => (line.of('ID_DEM') === '2' && line.of('CAB_DEM') === '' ? 'CAB_DEM' : undefined),
  ),
  'J100 REGRA_SOMA_DAS_PARCELAS_BALANCO_INI': sumsOfTotals(
    'O saldo inicial do total não é a soma das linhas abaixo dele.',
    ...(['J100', 'INI'] as const),
  ),
  'J100 REGRA_SOMA_DAS_PARCELAS_BALANCO_FIN': sumsOfTotals(
    'O saldo final do total não é a soma das linhas abaixo dele.',
    ...(['J100', 'FIN'] as const),
  ),
  'J100 REGRA_VALIDA_ATIVO_PASSIVO_INI': sheetBalances(
    'O ativo e o passivo iniciais não são iguais.',
    'INI',
    isOfLevelOne,
  ),
  'J100 REGRA_VALIDA_ATIVO_PASSIVO_FIN': sheetBalances(
    'O ativo e o passivo finais não são iguais.',
    'FIN',
    isOfLevelOne,
  ),
  'J100 REGRA_BALANCO_SALDO_INI': sheetBalances('As linhas de detalhe do saldo inicial não fecham.', 'INI', isDetail),
  'J100 REGRA_BALANCO_SALDO_FIN': sheetBalances('As linhas de detalhe do saldo final não fecham.', 'FIN', isDetail),
  'J100 REGRA_VALIDA_BALANCO_SALDO_INI': againstBooks(
    'O saldo inicial da linha não é a soma dos saldos iniciais das contas (I155).',
    'INI',
  ),
  'J100 REGRA_VALIDA_BALANCO_SALDO_FIN': againstBooks(
    'O saldo final da linha não é a soma dos saldos finais das contas (I155).',
    'FIN',
  ),
  'J100 REGRA_EXISTE_NOTA_EXPLICATIVA': hasNotes('NOTA_EXP_REF'),
  'J100 REGRA_OBRIGATORIO_I052_MESMO_GRUPO': later('A linha tem contas de outra natureza.', (line, book) => {
    const natures = line.of('IND_GRP_BAL') === 'A' ? ['01'] : ['02', '03'];
    return isDetail(line) && isOwn(line.parent) && hasOtherNature(accountsOf(book, line.of('COD_AGL')), natures)
      ? 'COD_AGL'
      : undefined;
  }),
  'J100 REGRA_EXISTEM_2_NIVEIS_1': ofStatements(
    'O balanço deve ter uma linha de nível 1 do ativo e uma do passivo.',
    'J100',
    function* (rows, { number }) {
      const groups = new Set(rows.filter(isOfLevelOne).map((row) => row.of('IND_GRP_BAL')));
      if (!groups.has('A') || !groups.has('P')) yield { line: number, field: 'NIVEL_AGL' };
    },
  ),
  'J100 REGRA_EXISTEM_MAIS_DE_2_NIVEIS_1': ofStatements(
    'O balanço tem mais de duas linhas de nível 1.',
    'J100',
    function* (rows) {
      const third = rows.filter(isOfLevelOne)[2];
      if (third !== undefined) yield { line: third.number, field: 'NIVEL_AGL' };
    },
  ),
  ...rulesOfLines('J100'),
  'J150 REGRA_SOMA_NIVEIS_DRE': sumsOfTotals(
    'O valor do total não é a soma das linhas abaixo dele.',
    ...(['J150', 'FIN'] as const),
  ),
  'J150 REGRA_VALIDA_SALDO_COM_DRE': later(
    'O valor da linha não é a soma dos saldos das contas antes do encerramento (I355).',
    (line, book) => {
      const expected = isDetail(line) ? resultOfLine(line, book) : undefined;
      return expected === undefined || expected === amountOf(line, 'FIN')
        ? undefined
        : { field: 'VL_CTA_FIN', expected: sidedText(expected) };
    },
  ),
  'J150 REGRA_EXISTE_NOTA_EXPLICATIVA': hasNotes('NOTA_EXP_REF'),
  'J150 REGRA_OBRIGATORIO_I052_MESMO_GRUPO': later('A linha tem contas que não são de resultado.', (line, book) =>
    isDetail(line) && isOwn(line.parent) && hasOtherNature(accountsOf(book, line.of('COD_AGL')), ['04'])
      ? 'COD_AGL'
      : undefined,
  ),
  'J150 REGRA_NU_ORDEM_DUPLICADO': repeated('Número de ordem repetido na demonstração.', ['NU_ORDEM'], 'parent'),
  'J150 REGRA_NIVEL_1_INEXISTENTE': ofStatements(
    'A demonstração do resultado não tem linha de nível 1.',
    'J150',
    function* (rows, { number }) {
      if (!rows.some(isOfLevelOne)) yield { line: number, field: 'NIVEL_AGL' };
    },
  ),
  'J150 REGRA_OCO_UNICA_NIVEL_1': ofStatements(
    'A demonstração do resultado tem mais de uma linha de nível 1.',
    'J150',
    function* (rows) {
      const second = rows.filter(isOfLevelOne)[1];
      if (second !== undefined) yield { line: second.number, field: 'NIVEL_AGL' };
    },
  ),
  ...rulesOfLines('J150'),
};

function isOfLevelOne(row: Line): boolean {
  return levelOf(row) === 1;
}

function hasOtherNature(accounts: readonly Line[], natures: readonly string[]): boolean {
  return accounts.some((row) => !natures.includes(row.parent?.of('COD_NAT') ?? ''));
}

/** Assets and liabilities, with their signs, are zero together. */
function sheetBalances(text: string, column: Column, counts: (row: Line) => boolean): Rule {
  return ofStatements(text, 'J100', function* (rows, { number }) {
    const sum = rows.filter(counts).reduce((total, row) => total + amountOf(row, column), 0n);
    if (sum !== 0n) yield { line: number, field: `VL_CTA_${column}`, value: sidedText(sum), expected: '0,00' };
  });
}

function againstBooks(text: string, column: Column): Rule {
  return later(text, (line, book) => {
    const expected = isDetail(line) ? balanceOfLine(line, book, column) : undefined;
    return expected === undefined || expected === amountOf(line, column)
      ? undefined
      : { field: `VL_CTA_${column}`, expected: sidedText(expected) };
  });
}
