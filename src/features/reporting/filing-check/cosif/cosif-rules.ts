import { hasValidCheckDigit } from '../../../../accounting/cosif.ts';
import { decimalOf } from '../../../../accounting/money.ts';
import type { Severity } from '../findings.ts';
import type { Wrong } from '../rule.ts';
import { rowsOf } from '../tables.ts';

/** An account of a document. */
export interface Row {
  readonly line: number;
  readonly code: string;
  /** In centavos, with the sign of the document. */
  readonly balance: bigint;
}

export interface CosifDocument {
  readonly kind: '4010' | '4016';
  readonly month: number;
  readonly rows: readonly Row[];
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface CosifRule {
  readonly code: string;
  readonly severity: Severity;
  readonly text: string;
  check(document: CosifDocument): Iterable<Wrong>;
}

/** Balances of branches with each other: none is left when the branches are added up. */
const BETWEEN_BRANCHES = ['1500000004', '4500000001'];
const TOTAL_OF_ASSETS = '3999999009';
const CODE = 'codigoConta';
const BALANCE = 'saldo';

/** The rules of the documents 4010 and 4016 that a file proves. P04 and P09 are of other documents, P10 and P12 of other files. */
export const COSIF_RULES: readonly CosifRule[] = [
  rule(
    'P01',
    'ERRO',
    'A conta não é do COSIF em vigor, ou o seu dígito verificador não confere.',
    function* ({ rows }) {
      for (const { line, code } of rows) {
        const isKnown = hasValidCheckDigit(code) && parents().has(code);
        if (/^\d{10}$/.test(code) && !isKnown && code !== TOTAL_OF_ASSETS) yield { line, field: CODE, value: code };
      }
    },
  ),
  rule(
    'P02',
    'ERRO',
    'O saldo da conta sintética não é a soma das contas abaixo dela.',
    function* ({ rows, balances }) {
      const sums = new Map<string, bigint>();
      for (const { code, balance } of rows) {
        const parent = parents().get(code);
        if (parent) sums.set(parent, (sums.get(parent) ?? 0n) + balance);
      }
      for (const { line, code, balance } of rows) {
        const expected = sums.get(code);
        if (expected !== undefined && expected !== balance) yield wrongBalance(line, balance, expected);
      }
      for (const [code, sum] of sums)
        if (sum !== 0n && !balances.has(code)) yield { field: CODE, value: code, expected: decimalOf(sum) };
    },
  ),
  rule('P03', 'ERRO', 'Os grupos 1, 2 e 3 não somam o mesmo que 4, 6, 7, 8 e 9.', function* (document) {
    const left = groups(document, '1', '2', '3');
    const right = groups(document, '4', '6', '7', '8', '9');
    if (document.kind === '4010' && left !== right)
      yield { field: BALANCE, value: decimalOf(left), expected: decimalOf(right) };
  }),
  rule('P05', 'AVISO', 'O grupo 3 não é igual ao grupo 9 (compensação).', function* (document) {
    const [assets, liabilities] = [groups(document, '3'), groups(document, '9')];
    if (document.kind === '4010' && assets !== liabilities)
      yield { field: BALANCE, value: decimalOf(assets), expected: decimalOf(liabilities) };
  }),
  rule(
    'P06',
    'AVISO',
    'Relações entre dependências (1.5 e 4.5) devem estar zeradas no documento da instituição.',
    function* ({ rows }) {
      for (const { line, code, balance } of rows)
        if (BETWEEN_BRANCHES.includes(code) && balance !== 0n) yield { line, field: CODE, value: code };
    },
  ),
  rule(
    'P07',
    'ERRO',
    'O 4016 é de junho ou dezembro, depois do encerramento: sem contas dos grupos 7 e 8.',
    function* ({ kind, month, rows }) {
      if (kind !== '4016') return;
      if (month !== 6 && month !== 12) yield { field: 'dataBase' };
      for (const { line, code } of rows) if (/^[78]/.test(code)) yield { line, field: CODE, value: code };
    },
  ),
  rule(
    'P08',
    'ERRO',
    'Só as contas oficiais, de dez algarismos, são enviadas: contas próprias somam na conta oficial.',
    function* ({ rows }) {
      for (const { line, code } of rows) if (!/^\d{10}$/.test(code)) yield { line, field: CODE, value: code };
    },
  ),
  rule(
    'P11',
    'AVISO',
    'Não se sabe se o total geral do ativo (3999999009) é enviado: confira as instruções.',
    function* ({ rows }) {
      for (const { line, code } of rows) if (code === TOTAL_OF_ASSETS) yield { line, field: CODE, value: code };
    },
  ),
  rule(
    'P13',
    'ERRO',
    'Em junho e dezembro o 4010 traz os saldos antes do encerramento: os grupos 7 e 8 estão vazios.',
    function* ({ kind, month, rows }) {
      const isClosing = month === 6 || month === 12;
      if (kind === '4010' && isClosing && !rows.some(({ code, balance }) => /^[78]/.test(code) && balance !== 0n))
        yield { field: 'dataBase' };
    },
  ),
  rule(
    'P14',
    'AVISO',
    'O sinal não é o publicado: o grupo 1 é positivo quando devedor, e o grupo 8 negativo.',
    function* (document) {
      if (groups(document, '1') < 0n) yield { field: BALANCE, value: decimalOf(groups(document, '1')) };
      else if (groups(document, '8') > 0n) yield { field: BALANCE, value: decimalOf(groups(document, '8')) };
    },
  ),
];

function rule(code: string, severity: Severity, text: string, check: CosifRule['check']): CosifRule {
  return { code, severity, text, check };
}

const wrongBalance = (line: number, balance: bigint, expected: bigint): Wrong => ({
  ...{ line, field: BALANCE, value: decimalOf(balance), expected: decimalOf(expected) },
});

/** The balances of groups, which are the accounts of level 1. */
function groups({ rows }: CosifDocument, ...firsts: string[]): bigint {
  let sum = 0n;
  for (const { code, balance } of rows) if (firsts.includes(code[0]!) && parents().get(code) === '') sum += balance;
  return sum;
}

let remembered: ReadonlyMap<string, string> | undefined;

/** The account above each one, in ten digits; '' above a group. */
function parents(): ReadonlyMap<string, string> {
  remembered ??= new Map(
    rowsOf('cosif/cosif2025_accounts.csv', ',').map(({ code10, parentCode }): [string, string] => [
      code10!,
      parentCode!.replace(/\D/g, ''),
    ]),
  );
  return remembered;
}
