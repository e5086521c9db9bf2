import { sidedText, signedCentavos } from '../amounts.ts';
import type { Line } from '../line.ts';
import { later, type Rule, type Rules } from '../rule.ts';
import { accountsOf, amountOf, balanceOfLine, type Column } from './lines-of-statement.ts';
import { hasNotes, repeated } from './shared.ts';

/** Registers J210 and J215: retained earnings (DLPA) and changes in equity (DMPL). */
export const EQUITY: Rules = {
  'J210 REGRA_COD_AGL_DUPLICIDADE': repeated('Código de aglutinação repetido na demonstração.', ['COD_AGL'], 'parent'),
  'J210 REGRA_EXISTE_DLPA_OU_DMPL': later('A demonstração mistura DLPA (0) e DMPL (1).', (line) => {
    const [first] = line.parent?.under('J210') ?? [];
    return first === undefined || first.of('IND_TIP') === line.of('IND_TIP') ? undefined : 'IND_TIP';
  }),
  'J210 REGRA_UNICO_DLPA': later('A DLPA (0) tem uma só linha: a dos lucros ou prejuízos acumulados.', (line) => {
    const retained = line.parent?.under('J210').filter((row) => row.of('IND_TIP') === '0') ?? [];
    return retained.length > 1 && retained[1] === line ? 'IND_TIP' : undefined;
  }),
  'J210 REGRA_VALIDA_DMPL_COM_SALDO_INI': againstBooks(
    'O saldo inicial não é a soma dos saldos iniciais das contas (I155).',
    'INI',
  ),
  'J210 REGRA_VALIDA_DMPL_COM_SALDO_FIN': againstBooks(
    'O saldo final não é a soma dos saldos finais das contas (I155).',
    'FIN',
  ),
  'J210 REGRA_EXISTE_AGL_J210_MESMO_GRUPO': later(
    'A linha tem contas que não são do patrimônio líquido.',
    (line, book) =>
      accountsOf(book, line.of('COD_AGL')).some((row) => row.parent?.of('COD_NAT') !== '03') ? 'COD_AGL' : undefined,
  ),
  'J210 REGRA_EXISTE_NOTA_EXPLICATIVA': hasNotes('NOTAS_EXP_REF'),
  'J210 REGRA_EXISTE_AGLUTINACAO_J210': later(
    'A linha não tem nenhuma conta analítica ligada a ela (I052).',
    (line, book) => (accountsOf(book, line.of('COD_AGL')).length === 0 ? 'COD_AGL' : undefined),
  ),
  'J210 REGRA_VALIDA_TOT_AGLUTINACAO_J215': later('Saldo inicial mais fatos (J215) não dá o saldo final.', (line) => {
    const expected = line.under('J215').reduce((sum, fact) => sum + factOf(fact), amountOf(line, 'INI'));
    return expected === amountOf(line, 'FIN') ? undefined : { field: 'VL_CTA_FIN', expected: sidedText(expected) };
  }),
  'J215 REGRA_DUPLICIDADE_HIST_FAT': repeated('Código do fato contábil repetido.', ['COD_HIST_FAT'], 'parent'),
};

/** P and N are subtotals in the manual's words: they take part in no sum. */
function factOf(fact: Line): bigint {
  const side = fact.of('IND_DC_FAT');
  return side === 'D' || side === 'C' ? signedCentavos(fact.of('VL_FAT_CONT'), side) : 0n;
}

function againstBooks(text: string, column: Column): Rule {
  return later(text, (line, book) => {
    if (accountsOf(book, line.of('COD_AGL')).length === 0) return undefined;
    const expected = balanceOfLine(line, book, column);
    return expected === undefined || expected === amountOf(line, column)
      ? undefined
      : { field: `VL_CTA_${column}`, expected: sidedText(expected) };
  });
}
