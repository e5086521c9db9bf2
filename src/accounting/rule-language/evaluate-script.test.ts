import { describe, expect, it } from 'vitest';
import { month } from '../../../test/support/period.ts';
import type { Month } from '../period.ts';
import { balanceNeeds } from './balance-needs.ts';
import type { BalanceReader } from './balance-reader.ts';
import { compileScript } from './compile-script.ts';
import { decimalText } from './decimal.ts';
import { type Evaluation, evaluateScript, type RuleOutcome } from './evaluate-script.ts';
import { EXAMPLE_REFERENCE_MONTH, exampleBranch } from './example-branch.ts';

const BRANCH = exampleBranch();

function evaluate(
  source: string,
  balances: BalanceReader = BRANCH,
  referenceMonth = EXAMPLE_REFERENCE_MONTH,
): Evaluation {
  const { script, diagnostics } = compileScript(source);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return evaluateScript(script!, { referenceMonth, balances });
}

function outcomeOf(source: string): RuleOutcome {
  return evaluate(source).outcome!;
}

/** RETORNA's value as text; a failure as 'CODE line:column'. */
function resultOf(source: string): string | boolean | null {
  const { value, failure } = outcomeOf(source);
  if (failure !== null) return `${failure.code} ${failure.line}:${failure.column}`;
  return value !== null && typeof value === 'object' ? decimalText(value) : value;
}

const valueIn = (expression: string) => resultOf(`RETORNA ${expression}`);

describe('values', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 4 - 3', '3'],
    ['0.1 + 0.2', '0.3'],
    ['1 / 3', '0.33333333333333333333'],
    ['8 / 4 / 2', '1'],
    ['-2 * -3', '6'],
    ['2 - -3', '5'],
    ['VERDADEIRO', true],
    ['1 = 1.00', true],
    ['1 <> 1.00', false],
    ['"a" = "a"', true],
    ['"a" <> "A"', true],
    ['VERDADEIRO = FALSO', false],
    ['1 < 2', true],
    ['2 <= 2', true],
    ['1 > 2', false],
    ['2 >= 3', false],
    ['NAO 1 = 2', true],
    ['FALSO OU VERDADEIRO E FALSO', false],
    ['"a\\"\\\\\\{b}"', 'a"\\{b}'],
    ['"{1234.5} {-0.123} {"x"}"', '1.234,50 -0,123 x'],
    ['ABS(-2)', '2'],
    ['MIN(3, -1, 2)', '-1'],
    ['MAX(3)', '3'],
    ['ARREDONDA(-2.345, 2)', '-2.35'],
    ['ARREDONDA(1234, 0)', '1234'],
  ])('%s', (source, expected) => {
    expect(valueIn(source)).toBe(expected);
  });

  it('are kept under names of any case', () => {
    expect(resultOf('Ação = 1\nação = AÇÃO + 1\nRETORNA Ação')).toBe('2');
    expect(resultOf('__proto__ = 1\nconstructor = 2\nRETORNA __proto__ + constructor')).toBe('3');
  });

  it('short-circuit E and OU', () => {
    expect(valueIn('FALSO E 1 / 0 = 1')).toBe(false);
    expect(valueIn('VERDADEIRO OU 1 / 0 = 1')).toBe(true);
    expect(valueIn('FALSO OU 1 / 0 = 1')).toBe('DIVISION_BY_ZERO 1:20');
    expect(valueIn('VERDADEIRO E VERDADEIRO E 1')).toBe('TYPE_MISMATCH 1:35');
  });
});

describe('failures', () => {
  it.each([
    ['1 / 0', 'DIVISION_BY_ZERO 1:11'],
    ['1 / (2 - 2)', 'DIVISION_BY_ZERO 1:11'],
    ['1 + "a"', 'TYPE_MISMATCH 1:13'],
    ['"a" + "b"', 'TYPE_MISMATCH 1:9'],
    ['VERDADEIRO + 1', 'TYPE_MISMATCH 1:9'],
    ['-"a"', 'TYPE_MISMATCH 1:10'],
    ['NAO 0', 'TYPE_MISMATCH 1:13'],
    ['1 = "1"', 'TYPE_MISMATCH 1:13'],
    ['"a" < "b"', 'TYPE_MISMATCH 1:9'],
    ['VERDADEIRO > FALSO', 'TYPE_MISMATCH 1:9'],
    ['"{VERDADEIRO}"', 'TYPE_MISMATCH 1:11'],
    ['ABS("1")', 'TYPE_MISMATCH 1:13'],
    ['MAX(1, FALSO)', 'TYPE_MISMATCH 1:16'],
    ['ARREDONDA(1, 13)', 'INVALID_ARGUMENT 1:22'],
    ['ARREDONDA(1, -1)', 'INVALID_ARGUMENT 1:22'],
    ['ARREDONDA(1, 0.5)', 'INVALID_ARGUMENT 1:22'],
  ])('%s', (source, expected) => {
    expect(valueIn(source)).toBe(expected);
  });

  it('come from names assigned on a path not taken, and from wrong types of conditions and messages', () => {
    expect(resultOf('SE 1 = 2 ENTAO\n  a = 1\nFIM\nRETORNA a')).toBe('NAME_NOT_ASSIGNED 4:9');
    expect(resultOf('SE 1 ENTAO\nFIM')).toBe('TYPE_MISMATCH 1:4');
    expect(resultOf('ERRO 5')).toBe('TYPE_MISMATCH 1:6');
  });

  it('speak both languages', () => {
    expect(outcomeOf('RETORNA SALDO_CONTA("5.5")').failure?.message).toEqual({
      pt: 'A conta “5.5” não existe no plano de contas da filial',
      en: 'Account “5.5” does not exist in the chart of the branch',
    });
  });
});

describe('statements', () => {
  it('take the first branch that holds', () => {
    const source = (x: number) =>
      `x = ${x}\nSE x = 1 ENTAO\n  RETORNA "um"\nSENAOSE x = 2 ENTAO\n  RETORNA "dois"\nSENAO SE x = 3 ENTAO\n  RETORNA "três"\nFIM\nFIM\nRETORNA "?"`;
    expect([1, 2, 3, 4].map((x) => resultOf(source(x)))).toEqual(['um', 'dois', 'três', '?']);
  });

  it('RETORNA ends the script, within blocks too', () => {
    expect(outcomeOf('SE 1 = 1 ENTAO\n  RETORNA 1\nFIM\nERRO "x"')).toMatchObject({ status: 'PASSED', messages: [] });
  });

  it('ERRO notes a message and goes on', () => {
    expect(outcomeOf('a = 2\n  ERRO "um"\nERRO "{a}"\nRETORNA a')).toMatchObject({
      status: 'FAILED',
      messages: [
        { text: 'um', line: 2, column: 3 },
        { text: '2,00', line: 3, column: 1 },
      ],
      failure: null,
    });
    expect(resultOf('a = 2\nERRO "um"\nRETORNA a')).toBe('2');
  });
});

describe('status', () => {
  it('is PASSED, FAILED by any ERRO, BROKEN by a failure alone', () => {
    expect(outcomeOf('')).toMatchObject({ status: 'PASSED', value: null, failure: null, reads: [] });
    expect(outcomeOf('RETORNA FALSO').status).toBe('PASSED');
    expect(outcomeOf('ERRO "a"').status).toBe('FAILED');
    expect(outcomeOf('a = 1 / 0')).toMatchObject({
      status: 'BROKEN',
      value: null,
      failure: { code: 'DIVISION_BY_ZERO' },
    });
    expect(outcomeOf('ERRO "a"\nb = 1 / 0\nERRO "c"')).toMatchObject({
      status: 'FAILED',
      messages: [{ text: 'a' }],
      failure: { code: 'DIVISION_BY_ZERO', line: 2 },
    });
  });
});

describe('balances', () => {
  it.each([
    ['SALDO_CONTA("1.1.1")', '1100'],
    ['SALDO_CONTA("101")', '1100'],
    ['SALDO_CONTA("111")', '1100'],
    ['SALDO_CONTA("1.1.1", 1)', '800'],
    ['SALDO_CONTA("1.1.1", "2026-02")', '800'],
    ['SALDO_CONTA("1.1.1", 0)', '1100'],
    ['SALDO_CONTA("1.1.2", 3)', '9000'],
    ['SALDO_CONTA("1*")', '12500'],
    ['SALDO_CONTA("5*")', '0'],
    ['SALDO_CONTA("abc*")', '0'],
    ['SALDO_ANTES_ENCERRAMENTO("7")', '800'],
    ['SALDO_ANTES_ENCERRAMENTO("8")', '-300'],
    ['SALDO_CONTA("7")', '0'],
    ['SALDO_ANTES_ENCERRAMENTO("1.1.1", 3)', '1000'],
    ['MOVIMENTO_DEBITO("1.1.1")', '300'],
    ['MOVIMENTO_CREDITO("1.1.1", 1)', '200'],
    ['MOVIMENTO_CREDITO("7.1")', '300'],
    ['MOVIMENTO_DEBITO("7.1")', '0'],
    ['VARIACAO_SALDO("1.1.1")', '300'],
    ['VARIACAO_SALDO("1.1.1", 3)', '100'],
    ['VARIACAO_SALDO("1.1.1", 0)', '0'],
    ['VARIACAO_PERCENTUAL("1.1.1")', '37.5'],
    ['VARIACAO_PERCENTUAL("4", 3)', '33.33333333333333333333'],
    ['SALDO_DIA("1.1.1", 14)', '800'],
    ['SALDO_DIA("1.1.1", 15)', '1100'],
    ['SALDO_DIA("7*", 30)', '800'],
    ['SOMA_SALDO_CONTAS("1*", "2*", "3*")', '17500'],
    ['SOMA_SALDO_CONTAS("4*", "6*", "7*", "8*", "9*")', '17500'],
    ['SOMA_SALDO_CONTAS("1.1.1", "1.1", "11", "1.1*", "1.1.2")', '12500'],
    ['SOMA_SALDO_CONTAS("1.1.1", "1.1.1")', '1100'],
  ])('%s', (source, expected) => {
    expect(valueIn(source)).toBe(expected);
  });

  it('carry the published sign', () => {
    expect(valueIn('SALDO_CONTA("1.1.9")')).toBe('-100');
    expect(valueIn('SALDO_CONTA("3.1")')).toBe('5000');
    expect(valueIn('SALDO_CONTA("9.1")')).toBe('5000');
    expect(valueIn('SALDO_CONTA("4.1")')).toBe('8000');
    expect(valueIn('SALDO_CONTA("6.2")')).toBe('500');
  });

  it.each([
    ['SALDO_CONTA("5.5")', 'ACCOUNT_NOT_FOUND 1:21'],
    ['SALDO_CONTA("*")', 'INVALID_ACCOUNT 1:21'],
    ['SALDO_CONTA("1*1")', 'INVALID_ACCOUNT 1:21'],
    ['SALDO_CONTA(11)', 'TYPE_MISMATCH 1:21'],
    ['SALDO_CONTA("1", -1)', 'INVALID_ARGUMENT 1:26'],
    ['SALDO_CONTA("1", 0.5)', 'INVALID_ARGUMENT 1:26'],
    ['SALDO_CONTA("1", 99999999999999999999)', 'INVALID_ARGUMENT 1:26'],
    ['SALDO_CONTA("1", "03/2026")', 'INVALID_MONTH 1:26'],
    ['SALDO_CONTA("1", "2026-04")', 'AFTER_REFERENCE_MONTH 1:26'],
    ['SALDO_CONTA("1", 4)', 'BEFORE_BASE_MONTH 1:26'],
    ['SALDO_CONTA("1", 12000)', 'BEFORE_BASE_MONTH 1:26'],
    ['SALDO_CONTA("1", 12001)', 'INVALID_ARGUMENT 1:26'],
    ['SALDO_CONTA("5*", 4)', 'BEFORE_BASE_MONTH 1:27'],
    ['VARIACAO_SALDO("1", 4)', 'BEFORE_BASE_MONTH 1:29'],
    ['VARIACAO_SALDO("1", "2026-02")', 'TYPE_MISMATCH 1:29'],
    ['MOVIMENTO_DEBITO("1", 3)', 'NO_MOVEMENT_BEFORE_BASE_MONTH 1:31'],
    ['VARIACAO_PERCENTUAL("3")', 'DIVISION_BY_ZERO 1:9'],
    ['SALDO_DIA("1", 32)', 'INVALID_DAY 1:24'],
    ['SALDO_DIA("1", 0)', 'INVALID_DAY 1:24'],
    ['SALDO_DIA("1", 1.5)', 'INVALID_DAY 1:24'],
  ])('%s fails', (source, expected) => {
    expect(valueIn(source)).toBe(expected);
  });

  it('of a month that is not consolidated fail', () => {
    const { outcome } = evaluate('RETORNA SALDO_CONTA("1")', BRANCH, month('2026-04'));
    expect(outcome?.failure).toMatchObject({ code: 'MONTH_NOT_CONSOLIDATED', line: 1, column: 9 });
    expect(evaluate('RETORNA SALDO_DIA("1", 1)', BRANCH, month('2026-04')).outcome?.failure?.code).toBe(
      'MONTH_NOT_CONSOLIDATED',
    );
  });

  it('that are not stored count as zero', () => {
    const empty = { ...BRANCH, monthBalance: () => undefined, dayBalance: () => undefined };
    expect(evaluate('RETORNA SALDO_CONTA("1") + SALDO_DIA("1", 1)', empty).outcome).toMatchObject({ status: 'PASSED' });
  });

  it('are noted as they are read, each time', () => {
    const source =
      'a = SOMA_SALDO_CONTAS("1.1.1", "4*")\nb = VARIACAO_SALDO("4.1", 3)\nRETORNA a + b + SALDO_DIA("9", 31) + MOVIMENTO_DEBITO("1.1.1") + SALDO_CONTA("1.1.1")';
    const month = '2026-03';
    expect(outcomeOf(source).reads).toEqual([
      { account: '1.1.1', month, kind: 'ACCUMULATED', balance: 1_100_00n },
      { account: '4', month, kind: 'ACCUMULATED', balance: 8_000_00n },
      { account: '4.1', month, kind: 'ACCUMULATED', balance: 8_000_00n },
      { account: '4.1', month: '2025-12', kind: 'ACCUMULATED', balance: 6_000_00n },
      { account: '9', month, kind: 'DAY', day: '2026-03-31', balance: 5_000_00n },
      { account: '1.1.1', month, kind: 'DEBITS', balance: 300_00n },
      { account: '1.1.1', month, kind: 'ACCUMULATED', balance: 1_100_00n },
    ]);
  });
});

describe('loading', () => {
  const needsOf = (source: string) => balanceNeeds(compileScript(source).script!, month('2026-03'));

  it('is known beforehand where the source tells', () => {
    expect(needsOf('RETORNA 1')).toEqual({ months: [], days: false, accounts: [] });
    expect(needsOf('RETORNA SALDO_CONTA("1") + SALDO_CONTA("1", (12)) + SALDO_CONTA("1", "2024-06")')).toEqual({
      months: ['2024-06', '2025-03', '2026-03'],
      days: false,
      accounts: ['1'],
    });
    expect(needsOf('SE VARIACAO_SALDO("1") > 0 ENTAO\n  ERRO "{VARIACAO_PERCENTUAL("1", 3)}"\nFIM').months).toEqual([
      '2025-12',
      '2026-02',
      '2026-03',
    ]);
    expect(needsOf('RETORNA VARIACAO_SALDO("1", 2)').months).toEqual(['2026-01', '2026-03']);
    expect(needsOf('RETORNA SALDO_DIA("1", 5)')).toMatchObject({ months: ['2026-03'], days: true });
    expect(needsOf('RETORNA SOMA_SALDO_CONTAS("1*", ("2"), "1*") + SALDO_CONTA("3", "2026-02")').accounts).toEqual([
      '1*',
      '2',
      '3',
    ]);
    expect(needsOf('RETORNA SALDO_CONTA("1", "2026-04")').months).toEqual([]);
  });

  it('is not known where the month is computed', () => {
    expect(needsOf('n = 2\nRETORNA SALDO_CONTA("1", n)')).toMatchObject({ months: [] });
    expect(needsOf('n = 2\nRETORNA VARIACAO_SALDO("1", n)').months).toEqual(['2026-03']);
  });

  it('is of all accounts where one is computed', () => {
    expect(needsOf('n = 2\nRETORNA SALDO_CONTA("1") + SALDO_CONTA("1.{n}")').accounts).toBeNull();
    expect(needsOf('c = "1"\nRETORNA SOMA_SALDO_CONTAS("2", c)').accounts).toBeNull();
    expect(needsOf('RETORNA SALDO_CONTA(1)').accounts).toBeNull();
  });

  it('is requested by the evaluation, month by month, until it has all', () => {
    const source = 'n = 1\nRETORNA SALDO_CONTA("1.1.1", n) + SALDO_CONTA("1.1.1", n + 1) + SALDO_DIA("1.1.1", 1)';
    const months: Month[] = [];
    let hasDays = false;
    let evaluation = evaluate(source, exampleBranch(months, hasDays));
    for (let round = 0; evaluation.needs !== undefined && round < 10; round++) {
      if ('month' in evaluation.needs) months.push(evaluation.needs.month);
      else hasDays = true;
      evaluation = evaluate(source, exampleBranch(months, hasDays));
    }
    expect(months).toEqual(['2026-02', '2026-01', '2026-03']);
    expect(evaluation.outcome).toMatchObject({ status: 'PASSED', value: { coefficient: 2600n, scale: 0 } });
  });
});
