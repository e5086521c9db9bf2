import { readFileSync } from 'node:fs';

// Documents 4010 and 4016 written by hand for the tests of the checker: some leaves, added up here.

const CHART = new URL('../../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url);

/** The code above each one, in ten digits. */
const ABOVE = new Map<string, string>();
for (const row of readFileSync(CHART, 'utf8').split('\n').slice(1)) {
  // A name may hold commas in quotes; code and parent do not.
  const [, code10] = row.split(',', 2);
  const parent = /,(\d[\d.-]*|),[DCM],\d\d,/.exec(row)?.[1] ?? '';
  if (code10) ABOVE.set(code10, parent.replace(/\D/g, ''));
}

/** A leaf of each group and its balance in centavos, with the published sign. */
export const LEAVES: Readonly<Record<string, bigint>> = {
  '1111000008': 10_000n,
  [leafOf('3')]: 1_000n,
  [leafOf('6')]: 7_000n,
  [leafOf('7')]: 5_000n,
  [leafOf('8')]: -2_000n,
  [leafOf('9')]: 1_000n,
};

export interface DocumentParts {
  head: Record<string, string>;
  accounts: [code: string, balance: string][];
}

/** All accounts from the groups to the leaves, in their order. */
export function partsOf(kind: '4010' | '4016', month: string, leaves: Readonly<Record<string, bigint>>): DocumentParts {
  const sums = new Map<string, bigint>();
  for (const [leaf, balance] of Object.entries(leaves))
    for (let code = leaf; code !== ''; code = ABOVE.get(code) ?? '') sums.set(code, (sums.get(code) ?? 0n) + balance);
  const accounts = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    head: { codigoDocumento: kind, cnpj: '11222333', dataBase: month, tipoRemessa: 'I' },
    accounts: accounts.map(([code, balance]) => [code, decimal(balance)]),
  };
}

export function documentOf({ head, accounts }: DocumentParts): string {
  const attributes = Object.entries(head).map(([name, value]) => ` ${name}="${value}"`);
  const rows = accounts.map(([code, balance]) => `  <conta codigoConta="${code}" saldo="${balance}"/>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<documento${attributes.join('')}>\n <contas>\n${rows.join('')} </contas>\n</documento>\n`;
}

function leafOf(group: string): string {
  const parents = new Set(ABOVE.values());
  return [...ABOVE.keys()].find((code) => code.startsWith(group) && !parents.has(code))!;
}

function decimal(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
