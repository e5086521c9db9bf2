import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COSIF_GROUPS, cosifGroupOf } from '../../test/support/cosif-groups.ts';
import { FIRST_MASKS } from '../../test/support/masks.ts';
import { compareCodes, digitsOnly, levelOf, missingLevels, placesAbove, segmentsKey } from './account-code.ts';
import type { AccountClass, Nature } from './balance.ts';
import { cosifCheckDigit, hasValidCheckDigit, maskedCofi } from './cosif.ts';
import { centavosFromDecimal } from './money.ts';
import { publishedBalance } from './published-sign.ts';

test('check digit', () => {
  expect(cosifCheckDigit('111000000')).toBe('9');
  expect(cosifCheckDigit('1110000')).toBe('9');
  expect(hasValidCheckDigit('1.1.1.00.00.00-9')).toBe(true);
  expect(hasValidCheckDigit('1.1.1.00.00.00-8')).toBe(false);
  expect(hasValidCheckDigit('')).toBe(false);
});

test("the mask of the funds' chart", () => {
  expect(maskedCofi('11100009')).toBe('1.1.1.00.00-9');
  expect([maskedCofi('123'), maskedCofi('1111000008')]).toEqual(['123', '1111000008']);
});

describe('the elenco of 2025', () => {
  const accounts = rowsOf('../seeds/cosif/cosif2025_accounts.csv', ',').map((row) => ({
    code: row.code!,
    code10: row.code10!,
    level: Number(row.level),
    parentCode: row.parentCode!,
    nature: row.nature as Nature,
    accountClass: row.codNat as AccountClass,
    rectifying: row.rectifying === 'S',
  }));
  const byKey = new Map(accounts.map(({ code }) => [segmentsKey(code, FIRST_MASKS), code]));

  test('every code closes with its check digit', () => {
    expect(accounts).toHaveLength(4032);
    expect(byKey.size).toBe(4032);
    expect(accounts.filter(({ code }) => !hasValidCheckDigit(code))).toEqual([]);
    expect(accounts.filter(({ code, code10 }) => digitsOnly(code) !== code10)).toEqual([]);
  });

  test('level and parent follow from the code', () => {
    expect(accounts.filter(({ code, level }) => levelOf(code, FIRST_MASKS) !== level)).toEqual([]);
    const parentOf = (code: string) =>
      byKey.get(placesAbove(code, FIRST_MASKS).findLast((key) => byKey.has(key)) ?? '') ?? '';
    expect(accounts.filter(({ code, parentCode }) => parentOf(code) !== parentCode)).toEqual([]);
  });

  test('no level is missing but those above the two grand totals', () => {
    const lacking = accounts.filter(({ code }) => missingLevels(code, (key) => byKey.has(key), FIRST_MASKS).length > 0);
    expect(lacking.map(({ code }) => code)).toEqual(['3.9.9.99.99.00-9', '9.9.9.99.99.00-3']);
  });

  test('the published order is the hierarchical one within every group', () => {
    for (const { code, parentCode } of accounts) {
      if (parentCode !== '') expect(compareCodes(parentCode, code, FIRST_MASKS)).toBe(-1);
    }
  });

  test('groups give class and nature', () => {
    expect(new Set(accounts.map(({ code }) => code[0]))).toEqual(new Set(COSIF_GROUPS.map(({ group }) => group)));
    expect(cosifGroupOf('5.0.0.00.00.00-5')).toBeUndefined();
    for (const { code, accountClass, nature, rectifying } of accounts) {
      const group = cosifGroupOf(code)!;
      expect(accountClass, code).toBe(group.accountClass);
      // In group 8 the elenco marks the debit accounts as contra, for they reduce the result.
      if (nature !== 'M' && group.group !== '8') expect(nature !== group.nature, code).toBe(rectifying);
    }
  });
});

describe('figures published for June 2024', () => {
  const published = new Map(
    rowsOf('../../test/fixtures/cosif/bcb_4010_202406_banco_do_brasil.csv', ';').map((row) => [
      row.CONTA!,
      centavosFromDecimal(row.SALDO!)!,
    ]),
  );

  test('the bare 8-digit codes close with the same check digit', () => {
    const codes = rowsOf('../../test/fixtures/cosif/cosif_old8_accounts_202406.csv', ',').map((row) => row.CONTA!);
    expect(codes).toHaveLength(188);
    expect(codes.filter((code) => !hasValidCheckDigit(code))).toEqual([]);
  });

  test('in the published sign the two sections are equal', () => {
    const total = (section: string) =>
      COSIF_GROUPS.filter((group) => group.section === section).reduce((sum, { group }) => {
        const code = `${group}000000${cosifCheckDigit(`${group}000000`)}`;
        return sum + (published.get(code) ?? 0n);
      }, 0n);
    const difference = total('ATIVO') - total('PASSIVO');
    expect(total('ATIVO')).toBeGreaterThan(0n);
    // The publication itself rounds: one cent a group at most.
    expect(difference < 10n && difference > -10n, `${difference}`).toBe(true);
  });

  test('publishing debit-positive balances gives these signs back', () => {
    for (const { group, accountClass, nature } of COSIF_GROUPS) {
      const figure = published.get(`${group}000000${cosifCheckDigit(`${group}000000`)}`);
      if (figure === undefined) continue;
      const onAssetSide = group === '1' || group === '2' || group === '3';
      expect(publishedBalance(onAssetSide ? figure : -figure, { accountClass, normalBalance: nature })).toBe(figure);
    }
  });
});

/** These files quote fields that hold commas and nothing more intricate. */
function rowsOf(file: string, delimiter: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/);
  const split = (line: string) =>
    line
      .match(new RegExp(`("[^"]*"|[^${delimiter}]*)(${delimiter}|$)`, 'g'))!
      .map((cell) => cell.replace(new RegExp(`${delimiter}$`), '').replaceAll('"', ''));
  const columns = split(head);
  return lines.map((line) =>
    Object.fromEntries(
      split(line)
        .slice(0, columns.length)
        .map((cell, at) => [columns[at]!, cell]),
    ),
  );
}
