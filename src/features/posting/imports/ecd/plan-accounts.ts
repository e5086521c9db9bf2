import {
  type AccountMask,
  isAccountCode,
  levelOf,
  placesAbove,
  segmentsKey,
} from '../../../../accounting/account-code.ts';
import type { Day } from '../../../../accounting/period.ts';
import type { ImportedAccount } from '../../../master-data/chart/import-chart.ts';
import type { EcdContents, FileAccount } from './ecd-contents.ts';
import type { EcdImportOptions } from './ecd-import.ts';
import type { ImportFindings } from './import-findings.ts';
import { plainText } from './texts.ts';

/** An account that the chart has. */
export interface KnownAccount {
  readonly code: string;
  readonly shortCode: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly accountClass: string;
}

/** Accounts that the chart lacks, and the code in the chart of each of the file's. */
export interface AccountPlan {
  readonly added: readonly ImportedAccount[];
  readonly codes: ReadonlyMap<string, string>;
}

const LONGEST_NAME = 200;
const LONGEST_SHORT_CODE = 20;

/** Which accounts are added to the chart, and under which codes; what the chart has stays as it is. */
export function planAccounts(
  contents: EcdContents,
  chart: { readonly known: readonly KnownAccount[]; readonly masks: readonly AccountMask[] },
  options: Pick<EcdImportOptions, 'hierarchy'>,
  findings: ImportFindings,
): AccountPlan {
  const accounts = [...contents.accounts.values()];
  const byCode = new Map(chart.known.map((account) => [account.code, account]));
  const byShortCode = new Map(chart.known.map((account) => [account.shortCode, account]));
  const isFlat = hasNoLevels(accounts, chart.masks);
  const codes = new Map<string, string>();
  const added: FileAccount[] = [];
  for (const account of accounts) {
    const known = isFlat ? byShortCode.get(account.code) : byCode.get(account.code);
    if (known === undefined) added.push(account);
    else {
      codes.set(account.code, known.code);
      compare(account, known, contents, findings);
    }
  }
  if (isFlat && added.length > 0) {
    const { line } = added[0]!;
    findings.own('PARTIDAS_CODIGO_GERADO', { line, register: 'I050', field: 'COD_CTA', value: added[0]!.code });
    generateCodes(contents, codes, new Set(byCode.keys()));
  } else for (const { code } of added) codes.set(code, code);
  const parents = isFlat ? fileParents(codes) : parentsOf(accounts, chart.masks, options, findings);
  const first = contents.from!;
  return { codes, added: added.map((account) => plannedAccount(account)) };

  function plannedAccount(account: FileAccount): ImportedAccount {
    const description = plainText(account.description);
    if (description.length > LONGEST_NAME)
      findings.own('PARTIDAS_TEXTO_CORTADO', { line: account.line, register: 'I050', field: 'CTA' });
    const shortCode = isFlat && account.code.length <= LONGEST_SHORT_CODE ? account.code : undefined;
    return {
      row: account.line,
      code: codes.get(account.code)!,
      shortCode,
      description: description.slice(0, LONGEST_NAME).trim() || account.code,
      type: account.type,
      statedType: account.type,
      normalBalance: normalBalanceOf(account, contents),
      accountClass: account.accountClass,
      parentCode: parents(account),
      contra: false,
      startDate: startOf(account, contents, first, findings),
      active: true,
    };
  }
}

/** Whether no code says under which other it lies, or some are no codes of accounts here. */
function hasNoLevels(accounts: readonly FileAccount[], masks: readonly AccountMask[]): boolean {
  const places = new Set<string>();
  for (const { code } of accounts) {
    if (!isAccountCode(code)) return true;
    const place = segmentsKey(code, masks);
    if (places.has(place)) return true;
    places.add(place);
  }
  const below = accounts.filter(({ parentCode }) => parentCode !== '');
  const isRooted = accounts.every(
    ({ code, parentCode }) =>
      parentCode !== '' || levelOf(code, masks) === 1 || placesAbove(code, masks).some((place) => places.has(place)),
  );
  if (!isRooted) return true;
  const isBelow = ({ code, parentCode }: FileAccount) =>
    isAccountCode(parentCode) && placesAbove(code, masks).includes(segmentsKey(parentCode, masks));
  return below.length > 0 && !below.some(isBelow);
}

/** No chart is deeper; a circle would not end. */
const DEEPEST = 100;

/** Numbers the accounts of a file level by level, in the order of the file. */
function generateCodes(contents: EcdContents, codes: Map<string, string>, taken: Set<string>): void {
  const next = new Map<string, number>();
  const codeOf = (account: FileAccount, depth: number): string => {
    const known = codes.get(account.code);
    if (known !== undefined) return known;
    const parent = depth < DEEPEST ? contents.accounts.get(account.parentCode) : undefined;
    const above = parent === undefined || parent === account ? '' : `${codeOf(parent, depth + 1)}.`;
    let number = next.get(above) ?? 1;
    while (taken.has(`${above}${number}`)) number++;
    next.set(above, number + 1);
    codes.set(account.code, `${above}${number}`);
    return `${above}${number}`;
  };
  for (const account of contents.accounts.values()) codeOf(account, 0);
}

function fileParents(codes: ReadonlyMap<string, string>) {
  return ({ parentCode }: FileAccount) => codes.get(parentCode);
}

/** The superior accounts that are named: those that the code does not show. With CODIGO none is. */
function parentsOf(
  accounts: readonly FileAccount[],
  masks: readonly AccountMask[],
  { hierarchy }: Pick<EcdImportOptions, 'hierarchy'>,
  findings: ImportFindings,
): (account: FileAccount) => string | undefined {
  const byPlace = new Map(accounts.map(({ code }) => [segmentsKey(code, masks), code]));
  const named = new Map<string, string>();
  for (const { code, parentCode, line } of accounts) {
    const place = placesAbove(code, masks).findLast((above) => byPlace.has(above));
    const byCode = place === undefined ? '' : byPlace.get(place)!;
    if (byCode === parentCode) continue;
    findings.own('PARTIDAS_CONTA_SUPERIOR', {
      ...{ line, register: 'I050', field: 'COD_CTA_SUP', value: parentCode },
      detail: `Pelo código, seria ${byCode || 'nenhuma'}.`,
    });
    if (parentCode !== '') named.set(code, parentCode);
  }
  return ({ code }) => (hierarchy === 'ARQUIVO' ? named.get(code) : undefined);
}

function compare(account: FileAccount, known: KnownAccount, contents: EcdContents, findings: ImportFindings): void {
  const { code, line } = account;
  if (known.type === 'S' && account.type === 'A' && isUsed(code, contents)) {
    findings.own('PARTIDAS_CONTA_DE_OUTRO_TIPO', { line, register: 'I050', field: 'IND_CTA', value: code });
    return;
  }
  const isSame =
    known.type === account.type &&
    known.accountClass === account.accountClass &&
    known.description === plainText(account.description).slice(0, LONGEST_NAME).trim();
  if (!isSame)
    findings.own('PARTIDAS_CONTA_DIFERENTE', {
      ...{ line, register: 'I050', field: 'COD_CTA', value: code },
      detail: `No plano: ${known.description}, ${known.type}, natureza ${known.accountClass}.`,
    });
}

function isUsed(code: string, { balances }: EcdContents): boolean {
  return [...balances.values()].some((month) => month.has(code));
}

/** The side on which an account stands: by its class, or where it has none, by what the file shows of it. */
function normalBalanceOf({ code, type, accountClass }: FileAccount, contents: EcdContents): 'D' | 'C' | 'M' {
  const usual = { '01': 'D', '02': 'C', '03': 'C' }[accountClass] as 'D' | 'C' | undefined;
  if (type === 'S') return usual ?? 'M';
  const sum = accountClass === '04' ? resultOf(code, contents) : lastOf(code, contents);
  if (sum === 0n) return usual ?? 'M';
  const side = sum > 0n ? 'D' : 'C';
  return usual === undefined || usual === side ? side : 'M';
}

function resultOf(code: string, { results, balances }: EcdContents): bigint {
  let sum = 0n;
  for (const day of results.values()) sum += day.get(code) ?? 0n;
  if (sum !== 0n) return sum;
  for (const month of balances.values()) {
    const { final = 0n } = month.get(code) ?? {};
    if (final !== 0n) return final;
  }
  return 0n;
}

function lastOf(code: string, { lastBalances }: EcdContents): bigint {
  return lastBalances.get(code)?.final ?? 0n;
}

/** The day on which the file says that the account came; no day where it has balances before. */
function startOf(
  { code, line, changedOn, type }: FileAccount,
  { balances }: EcdContents,
  first: Day,
  findings: ImportFindings,
): Day | undefined {
  if (changedOn === undefined || changedOn <= first || type === 'S') return changedOn;
  for (const [month, ofMonth] of balances) {
    if (month > changedOn.slice(0, 7)) break;
    if (!ofMonth.has(code)) continue;
    findings.own('PARTIDAS_DATA_DA_CONTA', { line, register: 'I050', field: 'DT_ALT', value: changedOn });
    return undefined;
  }
  return changedOn;
}
