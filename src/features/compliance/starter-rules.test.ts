import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIRST_MASKS } from '../../../test/support/masks.ts';
import { significantSegments } from '../../accounting/account-code.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';

const seed = (path: string) => readFileSync(new URL(`../../seeds/${path}`, import.meta.url), 'utf8');
const RULES: { name: string; script: string[] }[] = JSON.parse(seed('compliance/starter-rules.json'));

test('the starter rules compile without a word', () => {
  for (const { name, script } of RULES) {
    expect([name, compileScript(script.join('\n')).diagnostics]).toEqual([name, []]);
  }
});

test('of the COSIF chart, every asset leaf of debit nature is looked at for a credit balance, and no other leaf', () => {
  const asked = RULES.filter(({ name }) => name.startsWith('Ativo sem saldo credor')).flatMap(({ script }) =>
    [...script.join('\n').matchAll(/SALDO_CONTA\("([\d.]+)\*"\)/g)].map((match) => match[1]),
  );
  const leaves = seed('cosif/cosif2025_accounts.csv')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
    .filter((cells) => /^[12]/.test(cells[0]!) && cells.at(-1) === 'S');
  expect(leaves.length).toBeGreaterThan(1_000);
  for (const cells of leaves) {
    const code = significantSegments(cells[0]!, FIRST_MASKS).join('.');
    // From the right: names hold commas.
    const [normalBalance, , contra] = cells.slice(-5);
    expect([code, asked.includes(code)]).toEqual([code, normalBalance === 'D' && contra === 'N']);
  }
});
