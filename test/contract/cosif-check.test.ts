import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkFile } from '../../src/features/reporting/filing-check/check-file.ts';
import { type DocumentParts, documentOf, LEAVES, partsOf } from '../support/cosif-document.ts';

// The checker of the documents 4010 and 4016: whole documents pass, and each rule has a change that breaks it.

async function check(text: string) {
  async function* pieces() {
    yield Buffer.from(text);
  }
  return checkFile(pieces());
}

const withoutResults = Object.fromEntries(Object.entries(LEAVES).filter(([code]) => !/^[78]/.test(code)));
/** After the closing the results are equity. */
const CLOSED = { ...withoutResults, [Object.keys(LEAVES).find((code) => code.startsWith('6'))!]: 10_000n };

const monthly = () => partsOf('4010', '2025-05', LEAVES);
const half = () => partsOf('4010', '2025-06', LEAVES);
const closed = () => partsOf('4016', '2025-06', CLOSED);

type Change = (parts: DocumentParts) => unknown;
const balanceOf =
  (code: string, balance: string): Change =>
  ({ accounts }) => {
    accounts.find(([each]) => each === code)![1] = balance;
  };
const negate: Change = ({ accounts }) => {
  for (const row of accounts) row[1] = row[1].startsWith('-') ? row[1].slice(1) : `-${row[1]}`;
};

/** What breaks each rule, and all rules that it breaks. */
const MUTATIONS: Readonly<Record<string, readonly [() => DocumentParts, Change, readonly string[]]>> = {
  P01: [monthly, ({ accounts }) => accounts.push(['1111000009', '0.00']), ['P01']],
  P02: [monthly, balanceOf('1110000009', '100.01'), ['P02']],
  P03: [monthly, ({ accounts }) => accounts.splice(0, 4), ['P03']],
  P05: [
    monthly,
    (parts) => Object.assign(parts, partsOf('4010', '2025-05', { ...LEAVES, '1111000008': 11_000n, [first('3')]: 0n })),
    ['P05'],
  ],
  P06: [
    monthly,
    (parts) =>
      Object.assign(parts, partsOf('4010', '2025-05', { ...LEAVES, '1111000008': 9_000n, '1500000004': 1_000n })),
    ['P06'],
  ],
  P07: [closed, ({ head }) => Object.assign(head, { dataBase: '2025-05' }), ['P07']],
  P08: [monthly, ({ accounts }) => accounts.push(['1.1.1.10-001', '0.00']), ['P08']],
  P11: [monthly, ({ accounts }) => accounts.push(['3999999009', '0.00']), ['P11']],
  P13: [half, (parts) => Object.assign(parts, partsOf('4010', '2025-06', CLOSED)), ['P13']],
  P14: [monthly, negate, ['P14']],
};

function first(group: string): string {
  return Object.keys(LEAVES).find((code) => code.startsWith(group))!;
}

describe('a whole document passes', () => {
  test.each([
    ['of a month', monthly, '4010'],
    ['of a half-year, before the closing', half, '4010'],
    ['of a half-year, after the closing', closed, '4016'],
  ])('%s', async (_, parts, kind) => {
    expect(await check(documentOf(parts()))).toMatchObject({ kind, errors: 0, warnings: 0, findings: [] });
  });
});

describe('the rules of the documents', () => {
  test('that a file proves have a change each that breaks them', async () => {
    const table = readFileSync(new URL('../../src/seeds/regulatory/cadoc-rules.csv', import.meta.url), 'utf8');
    const rules = table.match(/^P\d\d/gm)!;
    const { notProven } = await check(documentOf(monthly()));
    expect([...Object.keys(MUTATIONS), ...notProven].sort()).toEqual([...rules].sort());
  });

  test.each(Object.entries(MUTATIONS))('%s', async (_, [from, change, broken]) => {
    const parts = from();
    change(parts);
    const { findings } = await check(documentOf(parts));
    expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(broken);
  });

  test('a 4016 with accounts of results', async () => {
    const { findings } = await check(documentOf(partsOf('4016', '2025-06', LEAVES)));
    expect(findings.every(({ rule }) => rule === 'P07')).toBe(true);
    expect(findings.length).toBeGreaterThan(1);
  });
});

describe('the form of the document', () => {
  const text = documentOf(monthly());
  test.each([
    ['a code of another document', text.replace('"4010"', '"4060"'), 'codigoDocumento'],
    ['a whole CNPJ', text.replace('"11222333"', '"11222333000181"'), 'cnpj'],
    ['a month that is none', text.replace('2025-05', '2025-13'), 'dataBase'],
    ['a remittance of another kind', text.replace('"I"', '"X"'), 'tipoRemessa'],
    ['an unknown attribute', text.replace(' tipoRemessa', ' versao="1" tipoRemessa'), 'versao'],
    ['a balance with a comma', text.replace('saldo="100.00"', 'saldo="100,00"'), 'saldo'],
    ['an account twice', text.replace(/( {2}<conta .*\n)/, '$1$1'), 'codigoConta'],
    ['an unknown element', text.replace('<contas>', '<contas><outro/>'), 'outro'],
    ['a text that ends in the middle', text.slice(0, 200), undefined],
    ['an element that is not closed', text.replace('</contas>', ''), undefined],
    ['text between elements', text.replace('<contas>', '<contas>x'), undefined],
    [
      'a document type with entities',
      text.replace('<documento', '<!DOCTYPE a [<!ENTITY b "c">]><documento'),
      undefined,
    ],
    ['no accounts', '<documento codigoDocumento="4010"/>', 'cnpj'],
  ])('%s is found', async (_, changed, field) => {
    expect(changed).not.toBe(text);
    const { errors, findings } = await check(changed);
    expect(errors).toBeGreaterThan(0);
    const found = findings.filter(({ rule }) => rule === 'PARTIDAS_DOCUMENTO');
    expect(found.map((each) => each.field)).toContain(field);
  });
});
