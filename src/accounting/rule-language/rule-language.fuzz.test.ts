import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastProcessorMs } from '../../../test/support/processor-time.ts';
import { volumeOf } from '../../../test/support/volumes.ts';
import { type BalanceNeeds, balanceNeeds } from './balance-needs.ts';
import type { BalanceReader } from './balance-reader.ts';
import { compileScript } from './compile-script.ts';
import { evaluateScript, type RuleOutcome } from './evaluate-script.ts';
import { EXAMPLE_REFERENCE_MONTH, exampleBranch } from './example-branch.ts';
import { formatScript } from './format-script.ts';
import { FUNCTIONS } from './functions.ts';
import { KEYWORDS } from './keywords.ts';
import type { Script } from './script.ts';

const BRANCH = exampleBranch();
const MILLISECONDS_ALLOWED = 100;
const SOURCES = volumeOf('RULE_SOURCES');

/** Fragments of valid and broken scripts; random sequences of them reach every branch of the parser. */
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...KEYWORDS.keys(), ...FUNCTIONS.map(({ name }) => `${name}(`)) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...['a', 'B', 'ação', '__proto__', 'toString', '1', '0', '2.50', '1.1.1', '99999999999999999999'],
      ...['"1*"', '"1.1"', '"x{a}"', '"{', '}"', '"', '\\', '{', '}', '"2026-01"', '"{1/0}"'],
      ...['+', '-', '*', '/', '=', '==', '<>', '!=', '<', '<=', '>', '>=', '(', ')', ',', ';', '\n', '\n', '\r\n', '#'],
      ...['\u0000', '\ud83d', '😀', '“', '@', '.', '\t', '\u00a0'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const soup = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ', ' ')), { maxLength: 60 })
  .map((parts) => parts.flat().join(''));

const SOUND = [
  'ativo = SOMA_SALDO_CONTAS("1*", "2*", "3*")',
  'passivo = SOMA_SALDO_CONTAS("4*", "6*", "7*", "8*", "9*")',
  'SE ABS(ativo - passivo) > 0.01 E NAO (passivo = 0) ENTAO # tolerância',
  '  ERRO "Ativo {ativo} difere do passivo {passivo} {"em {ativo - passivo}"}"',
  'SENAOSE VARIACAO_PERCENTUAL("1.1", 2) > 30 OU SALDO_DIA("1.1.1", 15) < 0 ENTAO',
  '  x = MIN(1, -2, 3 / 7) * ARREDONDA(ativo / 3, 2)',
  'SENAO',
  '  RETORNA MAX(ativo, SALDO_CONTA("1.1.1", "2026-02"), MOVIMENTO_DEBITO("1.1.2", 1))',
  'FIM',
].join('\n');

const mutated = fc
  .array(fc.tuple(fc.nat({ max: SOUND.length }), fc.nat({ max: 12 }), fc.oneof(piece, fc.constant(''))), {
    maxLength: 6,
  })
  .map((changes) =>
    changes.reduce((text, [at, length, by]) => text.slice(0, at) + by + text.slice(at + length), SOUND),
  );

/** A script that is right by construction. */
const sound = fc.letrec<{ expression: string; statement: string; block: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      '1',
      '0',
      '2.50',
      'a',
      'b',
      '"t"',
      '"1.1*"',
      'VERDADEIRO',
      'falso',
      'SALDO_CONTA("1.1.1")',
      'SALDO_CONTA("1", 2)',
    ),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/'), tie('expression'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('=', '<>', '<', '>='), tie('expression'))
      .map(([a, o, b]) => `(${a}${o}${b})`),
    fc.tuple(tie('expression'), fc.constantFrom('E', 'ou'), tie('expression')).map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('expression').map((x) => `(não ${x})`),
    tie('expression').map((x) => `-(${x})`),
    tie('expression').map((x) => `"t{${x}}\\{"`),
    fc.array(tie('expression'), { minLength: 1, maxLength: 3 }).map((list) => `max(${list.join(',')})`),
    tie('expression').map((x) => `arredonda(${x}, 2)`),
  ),
  statement: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('expression')).map(([name, x]) => `${name}=${x}`),
    tie('expression').map((x) => `erro "{${x}}" # dito`),
    fc
      .tuple(tie('expression'), tie('block'), tie('block'))
      .map(([x, a, b]) => `se (${x}) então\n${a}\nsenão # outro\n${b}\nfim`),
    fc
      .tuple(tie('expression'), tie('block'))
      .map(([x, a]) => `se (${x}) então ${a}\nsenaose verdadeiro entao fim; a = 2`),
  ),
  block: fc.array(tie('statement'), { maxLength: 4 }).map((list) => list.join('\n\n')),
}));
const soundScript = sound.block.map((block) => `a = 1\nb = "t"\n${block}\nRETORNA a`);

function outcomeOf(source: string): RuleOutcome | undefined {
  const { script } = compileScript(source);
  return script && evaluateScript(script, { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: BRANCH }).outcome;
}

/** What a run said, without where: formatting moves places. */
function meaningOf(outcome: RuleOutcome | undefined): unknown {
  return (
    outcome && {
      ...outcome,
      messages: outcome.messages.map(({ text }) => text),
      failure: outcome.failure?.code,
    }
  );
}

/** The outcome when months are loaded as the evaluation requests them, beginning with those known beforehand. */
function outcomeLoading(script: Script, { months, days }: BalanceNeeds): RuleOutcome | undefined {
  const loaded = [...months];
  let hasDays = days;
  for (let round = 0; round < 100; round++) {
    const balances = exampleBranch(loaded, hasDays);
    const { outcome, needs } = evaluateScript(script, { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances });
    if (outcome !== undefined) return outcome;
    if ('month' in needs) loaded.push(needs.month);
    else hasDays = true;
  }
  return undefined;
}

/** The branch as it is when the balances of nothing but these accounts were loaded. */
function onlyAccounts(texts: readonly string[]): BalanceReader {
  const lookups = texts.map((text) => BRANCH.chart.find(text));
  const ids = new Set(lookups.flatMap((found) => ('accounts' in found ? found.accounts.map(({ id }) => id) : [])));
  return {
    ...BRANCH,
    monthBalance: (id, month) => (ids.has(id) ? BRANCH.monthBalance(id, month) : undefined),
    dayBalance: (id, day) => (ids.has(id) ? BRANCH.dayBalance(id, day) : undefined),
  };
}

function checkAnySource(source: string): void {
  const { script, diagnostics } = compileScript(source);
  let outcome: RuleOutcome | undefined;
  let text: string | undefined;
  const milliseconds = leastProcessorMs(() => {
    outcome = outcomeOf(source);
    text = formatScript(source).text;
  }, MILLISECONDS_ALLOWED);
  expect(milliseconds).toBeLessThan(MILLISECONDS_ALLOWED);

  expect(script !== undefined).toBe(diagnostics.every(({ severity }) => severity === 'warning'));
  for (const { line, column, found, expected, message } of diagnostics) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(column).toBeGreaterThanOrEqual(1);
    for (const { pt, en } of [found, expected, message]) expect(pt !== '' && en !== '').toBe(true);
    expect(message.pt + message.en).not.toMatch(/undefined|\{(found|expected)\}/);
  }
  if (script === undefined) return;
  expect(['PASSED', 'FAILED', 'BROKEN']).toContain(outcome?.status);
  const needs = balanceNeeds(script, EXAMPLE_REFERENCE_MONTH);
  expect(outcomeLoading(script, needs)).toEqual(outcome);
  if (needs.accounts !== null) {
    const facts = { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: onlyAccounts(needs.accounts) };
    expect(evaluateScript(script, facts).outcome).toEqual(outcome);
  }
  expect(formatScript(text!).text).toBe(text);
  expect(meaningOf(outcomeOf(text!))).toEqual(meaningOf(outcome));
}

describe('any source gives diagnostics or an outcome, in time, and its formatting means the same', () => {
  it('whatever characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), checkAnySource), { numRuns: SOURCES });
  });

  it('whatever words', () => {
    fc.assert(fc.property(soup, checkAnySource), { numRuns: 6 * SOURCES });
  });

  it('mutations of a sound script', () => {
    fc.assert(fc.property(mutated, checkAnySource), { numRuns: 4 * SOURCES });
  });

  it('sound scripts', () => {
    let compiled = 0;
    fc.assert(
      fc.property(soundScript, (source) => {
        checkAnySource(source);
        if (compileScript(source).script !== undefined) compiled++;
      }),
      { numRuns: 2 * SOURCES },
    );
    // Otherwise the property would have said nothing about formatting and running.
    expect(compiled).toBeGreaterThan(1.8 * SOURCES);
  });
});
