import { describe, expect, it } from 'vitest';
import { leastProcessorMs } from '../../../test/support/processor-time.ts';
import { type AccountId, asId } from '../ids.ts';
import { BOUNDS } from './bounds.ts';
import { indexChart } from './chart-index.ts';
import { compileScript } from './compile-script.ts';
import { decimalText } from './decimal.ts';
import { evaluateScript, type RuleOutcome } from './evaluate-script.ts';
import { EXAMPLE_REFERENCE_MONTH, exampleBranch } from './example-branch.ts';
import { formatScript } from './format-script.ts';
import { utf8Length } from './utf8.ts';

const BRANCH = exampleBranch();

function outcomeOf(source: string, fuel?: number): RuleOutcome {
  const { script, diagnostics } = compileScript(source);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const facts = { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: BRANCH };
  return evaluateScript(script!, fuel === undefined ? facts : { ...facts, fuel }).outcome!;
}

function codesOf(source: string): string[] {
  return compileScript(source).diagnostics.map(({ code }) => code);
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

describe('when compiling', () => {
  it('the source takes 64 KiB, counted in UTF-8', () => {
    expect(codesOf(`#${'x'.repeat(BOUNDS.sourceBytes - 1)}`)).toEqual([]);
    expect(compileScript(`#${'x'.repeat(BOUNDS.sourceBytes)}`).diagnostics).toMatchObject([
      { code: 'SOURCE_TOO_LARGE', line: 1, column: BOUNDS.sourceBytes + 1 },
    ]);
    expect(codesOf(`#${'é'.repeat(BOUNDS.sourceBytes / 2)}`)).toEqual(['SOURCE_TOO_LARGE']);
    expect(codesOf(`#${'😀'.repeat(BOUNDS.sourceBytes / 4)}`)).toEqual(['SOURCE_TOO_LARGE']);
    expect(codesOf(`#${'😀'.repeat(BOUNDS.sourceBytes / 4 - 1)}`)).toEqual([]);
  });

  it('numbers take 38 digits', () => {
    expect(codesOf(`RETORNA ${'9'.repeat(38)}`)).toEqual([]);
    expect(codesOf(`RETORNA ${'9'.repeat(37)}.9`)).toEqual([]);
    expect(codesOf(`RETORNA ${'9'.repeat(39)}`)).toEqual(['NUMBER_TOO_LONG']);
    expect(codesOf(`RETORNA 0.${'0'.repeat(38)}`)).toEqual(['NUMBER_TOO_LONG']);
  });

  it('SE nests 64 deep', () => {
    const nested = (depth: number) => `${'SE 1 = 1 ENTAO\n'.repeat(depth)}ERRO "x"\n${'FIM\n'.repeat(depth)}`;
    expect(codesOf(nested(64))).toEqual([]);
    expect(outcomeOf(nested(64)).messages).toHaveLength(1);
    expect(compileScript(nested(65)).diagnostics).toMatchObject([{ code: 'BLOCK_TOO_DEEP', line: 65, column: 1 }]);
    expect(codesOf(`${nested(65)}RETORNA 1 2`)).toEqual(['BLOCK_TOO_DEEP', 'UNEXPECTED']);
  });

  it.each<[string, (depth: number) => string]>([
    ['parentheses', (depth) => `RETORNA ${'('.repeat(depth)}1${')'.repeat(depth)}`],
    ['signs', (depth) => `RETORNA ${'-'.repeat(depth)}1`],
    ['NAO', (depth) => `RETORNA ${'NAO '.repeat(depth)}VERDADEIRO`],
    ['calls', (depth) => `RETORNA ${'ABS('.repeat(depth)}1${')'.repeat(depth)}`],
    ['insertions', (depth) => `RETORNA ${'"{'.repeat(depth)}1${'}"'.repeat(depth)}`],
  ])('expressions nest 64 deep: %s', (_, nested) => {
    expect(codesOf(nested(64))).toEqual([]);
    expect(outcomeOf(nested(64)).status).toBe('PASSED');
    expect(codesOf(nested(65))).toEqual(['EXPRESSION_TOO_DEEP']);
  });

  it('chains are flat', () => {
    for (const operator of ['+', '-', '*', '/'])
      expect(codesOf(`RETORNA 1${`${operator}1`.repeat(20_000)}`)).toEqual([]);
    for (const operator of ['E', 'OU'])
      expect(codesOf(`RETORNA 1 = 1${` ${operator} 1 = 1`.repeat(5_000)}`)).toEqual([]);
    expect(decimalText(outcomeOf(`RETORNA 1${'+1'.repeat(4_000)}`).value as never)).toBe('4001');
  });

  it('MIN and MAX take 50 arguments', () => {
    const list = (count: number) => Array.from({ length: count }, () => '1').join(', ');
    expect(codesOf(`RETORNA MIN(${list(50)}) + MAX(${list(50)})`)).toEqual([]);
    expect(codesOf(`RETORNA MIN(${list(51)}) + MAX(${list(51)})`)).toEqual([
      'WRONG_ARGUMENT_COUNT',
      'WRONG_ARGUMENT_COUNT',
    ]);
  });

  it('a thousand diagnostics are given', () => {
    const codes = codesOf(lines(5_000, () => '@ 1'));
    expect(codes).toHaveLength(BOUNDS.diagnostics);
    expect(codes.filter((code) => code === 'TOO_MANY_DIAGNOSTICS')).toHaveLength(1);
  });

  it('formatting stays within the bound of the source', () => {
    const source = `${'SE 1=1 ENTAO\n'.repeat(60)}${lines(5_000, () => 'ERRO "x"')}\n${'FIM\n'.repeat(60)}`;
    expect(codesOf(source)).toEqual([]);
    expect(formatScript(source).text).toBeUndefined();
    expect(formatScript(source).diagnostics).toMatchObject([{ code: 'SOURCE_TOO_LARGE' }]);
  });
});

describe('when running', () => {
  it('10,000 nodes are evaluated', () => {
    // The statement, the chain and its terms.
    expect(outcomeOf(`RETORNA 1${'+1'.repeat(9_997)}`)).toMatchObject({ status: 'PASSED', evaluatedNodes: 10_000 });
    expect(outcomeOf(`RETORNA 1${'+1'.repeat(9_998)}`)).toMatchObject({
      status: 'BROKEN',
      failure: { code: 'TOO_MANY_NODES', line: 1, column: 9 + 2 * 9_998 },
    });
    expect(outcomeOf('RETORNA 1 + 1', 3).failure?.message.en).toContain('3 steps');
  });

  it('results take 60 digits', () => {
    const nines = '9'.repeat(30);
    expect(outcomeOf(`RETORNA ${nines} * ${nines}`).status).toBe('PASSED');
    expect(outcomeOf(`RETORNA ${nines} * ${nines} + 1`).status).toBe('PASSED');
    expect(outcomeOf(`a = ${nines} * 1${'0'.repeat(30)} + ${nines}\nRETORNA a + 1`).failure).toMatchObject({
      code: 'NUMBER_TOO_LARGE',
      line: 2,
      column: 11,
    });
    expect(outcomeOf(`a = 0.${'0'.repeat(29)}1\nRETORNA a * a`).status).toBe('PASSED');
    expect(outcomeOf(`a = 0.${'0'.repeat(29)}1\nRETORNA a * a * 0.1`).failure).toMatchObject({
      code: 'NUMBER_TOO_LARGE',
      column: 15,
    });
    expect(outcomeOf(`RETORNA 1${'0'.repeat(37)} / 0.${'0'.repeat(36)}1`).failure).toMatchObject({
      code: 'NUMBER_TOO_LARGE',
    });
  });

  it('1,000 balances are read, repeated or not', () => {
    const sum = (count: number) => `RETORNA ${Array.from({ length: count }, () => 'SALDO_CONTA("1")').join(' + ')}`;
    expect(outcomeOf(sum(1_000))).toMatchObject({ status: 'PASSED' });
    expect(outcomeOf(sum(1_000)).reads).toHaveLength(1_000);
    const { failure, reads } = outcomeOf(sum(1_001));
    expect(failure).toMatchObject({
      code: 'TOO_MANY_READS',
      line: 1,
      column: 9 + 1_000 * 'SALDO_CONTA("1") + '.length,
    });
    expect(reads).toHaveLength(1_000);
    expect(outcomeOf(lines(501, (index) => `a${index} = VARIACAO_SALDO("1*")`)).failure).toMatchObject({
      code: 'TOO_MANY_READS',
      line: 501,
    });
  });

  it('1,000 messages are given', () => {
    expect(outcomeOf(lines(1_000, () => 'ERRO "x"')).failure).toBeNull();
    const { status, messages, failure } = outcomeOf(lines(1_001, () => 'ERRO "x"'));
    expect(messages).toHaveLength(1_000);
    expect(failure).toMatchObject({ code: 'TOO_MANY_MESSAGES', line: 1_001, column: 1 });
    expect(status).toBe('FAILED');
  });

  it('a message takes 4 KiB and is cut with an ellipsis', () => {
    const textOf = (source: string) => outcomeOf(source).messages[0]!.text;
    expect(textOf(`ERRO "${'x'.repeat(4_096)}"`)).toBe('x'.repeat(4_096));
    expect(textOf(`ERRO "${'x'.repeat(4_097)}"`)).toBe(`${'x'.repeat(4_093)}…`);
    const cut = textOf(`ERRO "${'😀'.repeat(2_000)}"`);
    expect(cut).toBe(`${'😀'.repeat(1_023)}…`);
    expect(utf8Length(cut)).toBeLessThanOrEqual(BOUNDS.messageBytes);
  });

  it('texts take 64 KiB in all', () => {
    const doubling = (times: number) => `a = "${'x'.repeat(1_024)}"\n${lines(times, () => 'a = "{a}{a}"')}\nRETORNA a`;
    expect(outcomeOf(doubling(5))).toMatchObject({ status: 'PASSED' });
    expect(outcomeOf(doubling(6)).failure).toMatchObject({ code: 'TEXT_TOO_LARGE', line: 7, column: 5 });
    expect(outcomeOf(doubling(60)).failure).toMatchObject({ code: 'TEXT_TOO_LARGE', line: 7 });
    const piecewise = `a = "${'x'.repeat(6_000)}"\n${lines(11, () => 'b = "{a}"')}\nRETORNA b`;
    expect(outcomeOf(piecewise).failure).toMatchObject({ code: 'TEXT_TOO_LARGE', line: 11 });
  });
});

describe('hostile sources answer at once', () => {
  const LIMIT_MS = 100;
  const expectQuick = (work: () => unknown) => expect(leastProcessorMs(work, LIMIT_MS)).toBeLessThan(LIMIT_MS);
  const sources: readonly [string, string][] = [
    ['parentheses 10,000 deep', `RETORNA ${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
    ['open parentheses', '('.repeat(60_000)],
    ['open parentheses on many lines', 'a=(\n'.repeat(16_000)],
    ['10 MB of digits', '9'.repeat(10_000_000)],
    ['10 MB of numbers', `RETORNA ${'1+'.repeat(5_000_000)}1`],
    ['64 KiB of digits', `RETORNA ${'9'.repeat(65_000)}`],
    ['a chain of 32,000 terms', `RETORNA 1${'+1'.repeat(32_000)}`],
    ['a chain of products', `RETORNA 1${'*9'.repeat(32_000)}`],
    ['a chain of comparisons', `RETORNA 1${'=1'.repeat(32_000)}`],
    ['a chain of names that are missing', `RETORNA a${'+a'.repeat(32_000)}`],
    ['signs', `RETORNA ${'-'.repeat(60_000)}1`],
    ['open texts', '"{'.repeat(32_000)],
    ['open texts on many lines', '"{"{"{\n'.repeat(9_000)],
    ['open SE', 'SE 1=1 ENTAO\n'.repeat(5_000)],
    ['SE of one line', 'SE '.repeat(21_000)],
    ['FIM', 'FIM '.repeat(16_000)],
    ['commas', `RETORNA MAX(${','.repeat(65_000)})`],
    ['NUL', '\u0000'.repeat(65_000)],
    ['NUL and names', '\u0000 a '.repeat(16_000)],
    ['backslashes', `ERRO "${'\\'.repeat(65_000)}"`],
    ['calls of unknown functions', 'a=SALDO_CONT(1)\n'.repeat(4_000)],
    ['semicolons between arguments', `a=MAX(${'1;'.repeat(32_000)}1)`],
    ['misspelt words', 'EROO IFF THENN '.repeat(4_000)],
    ['names that nobody assigned', lines(6_000, (index) => `ERRO n${index}`)],
    ['names assigned in vain beside them', lines(2_500, (index) => `nome${index}=nomes${index}`)],
    ['quotes of another kind', "'“".repeat(15_000)],
    ['one quote of another kind on a long line', "a='".repeat(20_000)],
    ['numbers in millions', '1.000.000,00 '.repeat(5_000)],
    ['operands on the next line', `a=1${'+\n1'.repeat(20_000)}`],
    ['one long name', `${'a'.repeat(65_000)} = 1`],
    ['one long name of marks', `a${'\u0301'.repeat(32_000)} = 1`],
    ['prefixes that match nothing', lines(3_000, (index) => `a=SALDO_CONTA("2.${index}*")`)],
    [
      'unknown prefixes in one sum',
      `RETORNA SOMA_SALDO_CONTAS(${lines(5_000, (index) => `"2.${index}*"`).replaceAll('\n', ',')})`,
    ],
    ['a text compared with itself', `a="${'x'.repeat(30_000)}"\nb="{a}"\nRETORNA ${'a=b E '.repeat(5_000)} VERDADEIRO`],
  ];

  it.each(sources)('%s', (_, source) => {
    expectQuick(() => compileScript(source));
    expectQuick(() => formatScript(source));
    const { script } = compileScript(source);
    if (script === undefined) return;
    const facts = { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: BRANCH };
    expectQuick(() => evaluateScript(script, facts));
  });

  it('a broad prefix of a chart without tree, thousands of times', () => {
    const codes = Array.from({ length: 900 }, (_, id) => `1.${id}`);
    const accounts = codes.map((code, id) => ({
      id: asId<AccountId>(id),
      code,
      shortCode: null,
      ancestorIds: [],
      accountClass: '01',
      normalBalance: 'D' as const,
    }));
    const { script } = compileScript(
      `RETORNA SOMA_SALDO_CONTAS(${Array.from({ length: 9_000 }, () => '"1*"').join(',')})`,
    );
    const balances = { ...BRANCH, chart: indexChart(accounts, []) };
    const evaluation = () => evaluateScript(script!, { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances });
    expect(evaluation().outcome?.reads).toHaveLength(900);
    expectQuick(evaluation);
  });
});

describe('speed', () => {
  it('compiles 10,000 rules of 400 characters in two seconds', () => {
    const body = [
      'ativo = SOMA_SALDO_CONTAS("1*", "2*", "3*")',
      'passivo = SOMA_SALDO_CONTAS("4*", "6*", "7*", "8*", "9*")',
      'diferença = ABS(ativo - passivo) # em reais',
      'SE diferença > 0.01 E ativo <> 0 OU NAO (passivo = 0) ENTAO',
      '  ERRO "Ativo {ativo} difere do passivo {passivo} em {ARREDONDA(diferença, 2)}"',
      'SENAO',
      '  RETORNA ativo * 100 / passivo + MAX(1, 2.5, SALDO_CONTA("1.1.1.00.00.00-9", 12))',
      'FIM',
    ].join('\n');
    const rules = Array.from({ length: 10_000 }, (_, index) => `${body}\n# conferido pela contabilidade, ${index}`);
    expect(rules[0]!.length).toBeGreaterThanOrEqual(400);
    const compileAll = () => {
      for (const rule of rules) expect(compileScript(rule).script === undefined).toBe(false);
    };
    expect(leastProcessorMs(compileAll, 2_000)).toBeLessThan(2_000);
  });
});
