import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkFile } from '../../src/features/reporting/filing-check/check-file.ts';
import type { Checked } from '../../src/features/reporting/filing-check/findings.ts';
import { ECD_RULES, provableRules } from '../../src/features/reporting/filing-check/rules/index.ts';
import { auxiliary, dailyBalances, journal, replacement, summary } from '../support/ecd-file.ts';
import { MUTATIONS } from '../support/ecd-mutations.ts';

// The checker of the bookkeeping file (ECD): whole files pass, and for every rule that a file proves there is a change
// that breaks it. A rule without one fails here.

const check = (text: string | Buffer, pieceBytes = 1 << 16, largestFile?: number): Promise<Checked> => {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return checkFile(pieces(), { largestFile });
};

const keyOf = (rule: { register: string; code: string }) => `${rule.register} ${rule.code}`;
const provable = provableRules().map(keyOf);
const partsOf = (key: string) => {
  const rule = ECD_RULES[key];
  return rule?.when === 'parts' ? rule.parts : undefined;
};
const whole = provable.filter((key) => partsOf(key) === undefined);

/** What each change breaks: the rule that it is for, and those that the same facts break. */
const FIRED = new URL('../fixtures/filing-check/fired.json', import.meta.url);

describe('a whole file passes', () => {
  test.each([
    ['a journal', journal],
    ['daily balances', dailyBalances],
    ['a summary journal', summary],
    ['an auxiliary journal', auxiliary],
    ['a replacement', replacement],
  ])('%s', async (_, file) => {
    const text = file().text();
    const answer = await check(text);
    expect(answer).toMatchObject({ kind: 'ECD', errors: 0, warnings: 0, findings: [] });
    expect(answer.lines).toBe(text.split('\r\n').length - 1);
  });

  test('however its bytes come', async () => {
    const text = journal().text();
    for (const pieceBytes of [1, 7, 4_096]) expect((await check(text, pieceBytes)).findings).toEqual([]);
  });
});

describe('the rules of the manual', () => {
  test('that a file proves have a function each, and nothing else has', () => {
    expect(provable.length).toBe(281);
    expect(Object.keys(ECD_RULES).sort()).toEqual([...provable].sort());
    for (const key of provable) for (const part of partsOf(key) ?? []) expect(whole).toContain(part);
  });

  test('have a change each that breaks them', () => {
    expect(Object.keys(MUTATIONS).sort()).toEqual([...whole].sort());
  });

  test.each(whole)('%s', async (key) => {
    const { from, change } = MUTATIONS[key]!;
    const changed = change(from());
    const isLarge = key === '0000 REGRA_TAMANHO_ARQUIVO';
    const answer = await check(
      typeof changed === 'string' ? changed : changed.text(),
      1 << 16,
      isLarge ? 1_000 : undefined,
    );
    const [register, code] = key.split(' ');
    const found = answer.findings.filter(
      ({ rule, register: of }) => rule === code && (register === '*' || of === register),
    );
    expect(found).not.toEqual([]);
    for (const { message, line, severity } of found) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(line ?? 1).toBeGreaterThan(0);
      expect(['ERRO', 'AVISO']).toContain(severity);
    }
    expect(answer.counts[code!]).toBeGreaterThan(0);
  });

  test('break with the change no others than they did', async () => {
    const fired: Record<string, string[]> = {};
    for (const [key, { from, change }] of Object.entries(MUTATIONS)) {
      const changed = change(from());
      const { findings } = await check(typeof changed === 'string' ? changed : changed.text());
      fired[key] = [...new Set(findings.map(({ rule, register }) => `${register} ${rule}`))].sort();
    }
    expect(fired).toEqual(JSON.parse(readFileSync(FIRED, 'utf8')));
  });

  test('have the severity of the table', async () => {
    const severities = new Map(provableRules().map((rule) => [keyOf(rule), rule.severity]));
    const changed = MUTATIONS['I200 REGRA_LCTO_4_FORMULA']!.change(journal());
    const { findings, errors, warnings } = await check(typeof changed === 'string' ? changed : changed.text());
    expect(severities.get('I200 REGRA_LCTO_4_FORMULA')).toBe('aviso');
    expect(findings).toMatchObject([{ rule: 'REGRA_LCTO_4_FORMULA', severity: 'AVISO', register: 'I200' }]);
    expect([errors, warnings]).toEqual([0, 1]);
  });
});

describe('sums', () => {
  test('of amounts of seventeen digits are exact to the cent', async () => {
    const large = (cents: string) =>
      journal()
        .set('I200', 'VL_LCTO', `99999999999999999,${cents}`, 0)
        .set('I250', 'VL_DC', '99999999999999999,99', 0)
        .set('I250', 'VL_DC', '99999999999999999,99', 1)
        .text();
    const rulesOf = async (cents: string) => (await check(large(cents))).findings.map(({ rule }) => rule);
    expect(await rulesOf('99')).not.toContain('REGRA_VALIDACAO_VL_LCTO_DEB');
    expect(await rulesOf('98')).toContain('REGRA_VALIDACAO_VL_LCTO_DEB');
  });

  test('say what was expected', async () => {
    const { findings } = await check(journal().set('I155', 'VL_SLD_FIN', '1050,01', 6).text());
    expect(findings.find(({ rule }) => rule === 'REGRA_VALIDACAO_SALDO_FINAL')).toEqual({
      ...{ rule: 'REGRA_VALIDACAO_SALDO_FINAL', severity: 'ERRO', line: expect.any(Number), register: 'I155' },
      ...{ field: 'VL_SLD_FIN', value: '1050,01' },
      message: 'Saldo inicial mais débitos menos créditos não dá o saldo final. Esperado: 1050,00 D.',
    });
  });
});

test('a provable rule is what the table says is', () => {
  const table = readFileSync(new URL('../../src/seeds/regulatory/ecd9-rules.csv', import.meta.url), 'utf8');
  const rows = table.split('\n').filter((row) => /;(?:file|table);/.test(row));
  expect(rows.length).toBe(provable.length);
});
