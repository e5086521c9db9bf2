import { decimalOf } from '../../../../accounting/money.ts';
import { type Day, type Month, monthOfDay } from '../../../../accounting/period.ts';
import { centavosOf, signedCentavos } from '../../../reporting/filing-check/amounts.ts';
import type { Book } from '../../../reporting/filing-check/book.ts';
import { dayOf } from '../../../reporting/filing-check/dates.ts';
import type { Line } from '../../../reporting/filing-check/line.ts';
import { TooMany } from '../../../reporting/filing-check/too-many.ts';
import { EntryPlaces } from './entry-places.ts';

/** An account of the file. */
export interface FileAccount {
  readonly line: number;
  readonly code: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly accountClass: string;
  readonly parentCode: string;
  readonly changedOn: Day | undefined;
  /** Code of the reference account, of the first line I051. */
  reference: string | undefined;
  /** Codes of the lines of statements that it is on. */
  readonly statementLines: string[];
}

/** A balance of an account in a month, all cost centres together; signs are debit-positive. */
export interface FileBalance {
  opening: bigint;
  debits: bigint;
  credits: bigint;
  final: bigint;
}

/** A line of J100 or J150. */
export interface FileStatementLine {
  readonly line: number;
  readonly code: string;
  readonly indicator: 'T' | 'D';
  readonly parentCode: string;
  readonly group: string;
  readonly description: string;
  readonly note: string;
  /** Debit-positive. */
  readonly opening: bigint;
  readonly final: bigint;
}

/** What a register J005 stands over. */
export interface FileStatements {
  readonly from: Day | undefined;
  readonly to: Day | undefined;
  readonly balanceSheet: FileStatementLine[];
  readonly income: FileStatementLine[];
}

/** Balances of accounts in months that are kept: no chart comes near. */
const MOST_BALANCES = 1_000_000;

/** What an import needs of a file beside its entries, gathered while it is checked. */
export class EcdContents {
  layout = '';
  form = '';
  from: Day | undefined;
  to: Day | undefined;
  cnpj = '';
  name = '';
  /** COD_PLAN_REF. */
  referencePlan = '';
  orderNumber = '';
  fiscalYearEnd: Day | undefined;
  hasEnd = false;
  readonly accounts = new Map<string, FileAccount>();
  readonly narrations = new Map<string, { readonly line: number; readonly text: string }>();
  readonly months: Month[] = [];
  readonly balances = new Map<Month, Map<string, FileBalance>>();
  /** Before closing, by day. */
  readonly results = new Map<Day, Map<string, bigint>>();
  readonly statements: FileStatements[] = [];
  readonly signatories: Line[] = [];
  readonly places = new EntryPlaces();
  entries = 0;
  postings = 0;
  /** The first line with a cost centre, with an amount of zero, with what is not kept; 0: there is none. */
  withCostCentre = 0;
  withZero = 0;
  zeroes = 0;
  withUnkept = 0;
  unkept = 0;
  /** Whether months of entries come one after the other. */
  isInOrder = true;
  /** Months with closing entries: 202512. */
  readonly closingMonths = new Set<number>();
  #month: Map<string, FileBalance> | undefined;
  #result: Map<string, bigint> | undefined;
  #account: FileAccount | undefined;
  #entry: { readonly line: number; difference: bigint } | undefined;
  #lastMonth = 0;
  #balances = 0;
  readonly #unbalanced: (line: number, value: string) => void;

  constructor(unbalanced: (line: number, value: string) => void) {
    this.#unbalanced = unbalanced;
  }

  /** Takes a line that was checked. */
  readonly take = (line: Line, book: Book): void => {
    const { code } = line.register;
    if (this.#entry !== undefined && code !== 'I250') this.#endEntry();
    this.#take[code]?.(line, book);
  };

  /** The last balances of the file. */
  get lastBalances(): ReadonlyMap<string, FileBalance> {
    return this.balances.get(this.months.at(-1)!) ?? new Map();
  }

  readonly #take: Readonly<Record<string, (line: Line, book: Book) => void>> = {
    '0000': (line) => {
      this.from = isoDay(line.of('DT_INI'));
      this.to = isoDay(line.of('DT_FIN'));
      this.cnpj = line.of('CNPJ');
      this.name = line.of('NOME');
      this.referencePlan = line.of('COD_PLAN_REF');
    },
    I010: (line) => {
      this.form = line.of('IND_ESC');
    },
    I030: (line) => {
      this.orderNumber = line.of('NUM_ORD');
      this.fiscalYearEnd = isoDay(line.of('DT_EX_SOCIAL'));
    },
    I050: (line) => {
      this.#account = {
        line: line.number,
        code: line.of('COD_CTA'),
        description: line.of('CTA'),
        type: line.of('IND_CTA') === 'A' ? 'A' : 'S',
        accountClass: line.of('COD_NAT'),
        parentCode: line.of('COD_CTA_SUP'),
        changedOn: isoDay(line.of('DT_ALT')),
        reference: undefined,
        statementLines: [],
      };
      if (!this.accounts.has(this.#account.code)) this.accounts.set(this.#account.code, this.#account);
    },
    I051: (line) => {
      if (this.#account !== undefined) this.#account.reference ??= line.of('COD_CTA_REF');
    },
    I052: (line) => {
      const code = line.of('COD_AGL');
      if (this.#account?.statementLines.includes(code) === false) this.#account.statementLines.push(code);
    },
    I075: (line) => {
      const code = line.of('COD_HIST');
      if (!this.narrations.has(code)) this.narrations.set(code, { line: line.number, text: line.of('DESCR_HIST') });
    },
    I150: (line) => {
      const day = isoDay(line.of('DT_INI'));
      const month = day === undefined ? undefined : monthOfDay(day);
      this.#month = undefined;
      if (month === undefined || this.balances.has(month)) return;
      this.#month = new Map();
      this.months.push(month);
      this.balances.set(month, this.#month);
    },
    I155: (line) => this.#addBalance(line),
    I200: (line) => {
      const { fields, number } = line;
      this.entries++;
      this.#entry = { line: number, difference: 0n };
      const day = dayOf(fields[3] ?? '');
      const month = Math.trunc(day / 100);
      if (month < this.#lastMonth) this.isInOrder = false;
      this.#lastMonth = month;
      if (fields[5] === 'E') this.closingMonths.add(month);
      this.places.look(fields[2] ?? '', month, fields[5] === 'E');
    },
    I250: (line) => {
      const { fields, number } = line;
      this.postings++;
      if (fields[3]) this.withCostCentre ||= number;
      if (fields[6] || fields[9]) {
        this.withUnkept ||= number;
        this.unkept++;
      }
      const amount = signedCentavos(fields[4] ?? '', fields[5] ?? '');
      if (amount === 0n) {
        this.withZero ||= number;
        this.zeroes++;
      }
      if (this.#entry !== undefined) this.#entry.difference += amount;
    },
    I350: (line) => {
      const day = isoDay(line.of('DT_RES'));
      this.#result = new Map();
      if (day !== undefined) this.results.set(day, this.#result);
    },
    I355: ({ fields }) => {
      const code = fields[2] ?? '';
      const sum = signedCentavos(fields[4] ?? '', fields[5] ?? '');
      this.#count();
      this.#result?.set(code, (this.#result.get(code) ?? 0n) + sum);
    },
    J005: (line) => {
      if (line.of('ID_DEM') === '2') return;
      const [from, to] = [isoDay(line.of('DT_INI')), isoDay(line.of('DT_FIN'))];
      this.statements.push({ from, to, balanceSheet: [], income: [] });
    },
    J100: (line) => {
      this.statements.at(-1)?.balanceSheet.push(statementLine(line, line.of('IND_GRP_BAL')));
    },
    J150: (line) => {
      this.statements.at(-1)?.income.push(statementLine(line, line.of('IND_GRP_DRE')));
    },
    J930: (line) => {
      this.signatories.push(line);
    },
    '9999': () => {
      this.hasEnd = true;
    },
  };

  #addBalance({ fields, number }: Line): void {
    if (fields[3]) this.withCostCentre ||= number;
    const code = fields[2] ?? '';
    if (this.#month === undefined) return;
    let balance = this.#month.get(code);
    if (balance === undefined) {
      this.#count();
      balance = { opening: 0n, debits: 0n, credits: 0n, final: 0n };
      this.#month.set(code, balance);
    }
    balance.opening += signedCentavos(fields[4] ?? '', fields[5] ?? '');
    balance.debits += centavosOf(fields[6] ?? '');
    balance.credits += centavosOf(fields[7] ?? '');
    balance.final += signedCentavos(fields[8] ?? '', fields[9] ?? '');
  }

  #endEntry(): void {
    const { line, difference } = this.#entry!;
    this.#entry = undefined;
    if (difference !== 0n)
      this.#unbalanced(line, decimalOf(difference < 0n ? -difference : difference).replace('.', ','));
  }

  #count(): void {
    if (++this.#balances > MOST_BALANCES) throw new TooMany();
  }
}

function statementLine(line: Line, group: string): FileStatementLine {
  return {
    line: line.number,
    code: line.of('COD_AGL'),
    indicator: line.of('IND_COD_AGL') === 'T' ? 'T' : 'D',
    parentCode: line.of('COD_AGL_SUP'),
    group,
    description: line.of('DESCR_COD_AGL'),
    note: line.of('NOTA_EXP_REF'),
    opening: signedCentavos(line.of('VL_CTA_INI'), line.of('IND_DC_CTA_INI')),
    final: signedCentavos(line.of('VL_CTA_FIN'), line.of('IND_DC_CTA_FIN')),
  };
}

/** '31122025' as a day; undefined for what is none. */
export function isoDay(text: string): Day | undefined {
  const day = dayOf(text);
  if (day === 0) return undefined;
  return `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}` as Day;
}
