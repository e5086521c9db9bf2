import type { AccountId, BranchId } from '../../../../accounting/ids.ts';
import {
  brazilianDate,
  type Day,
  firstDay,
  lastDay,
  type Month,
  monthNumberOf,
  monthOf,
  monthOfDay,
  monthRange,
  slashOf,
  yearOf,
} from '../../../../accounting/period.ts';
import { BusinessError, reject } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { INSTITUTION } from '../../../access/access.ts';
import { type CompanyRow, selectCompany } from '../../../master-data/companies/companies.read.sql.ts';
import { type CompanyOptionsRow, selectOptions } from '../../../master-data/companies/company-options.read.sql.ts';
import {
  type Institution,
  isOfBranches,
  membersIn,
  readReportedBooks,
} from '../../../master-data/companies/institution.ts';
import type { RegulatoryProfile } from '../../../master-data/regulatory/regulatory-profile.read.sql.ts';
import { readProfile } from '../../../master-data/regulatory/regulatory-profile.ts';
import { selectMonthStates } from '../../statements/month-states.read.sql.ts';
import { type EcdAccount, selectBranchStarts, selectEcdAccounts } from './ecd-accounts.read.sql.ts';
import { countPeriodBalances } from './ecd-balances.read.sql.ts';
import type { EcdMonth } from './ecd-entries.read.sql.ts';
import type { EcdRequest } from './ecd-file.ts';
import type { EcdFindings } from './ecd-findings.ts';
import type { EcdRows } from './ecd-rows.sql.ts';
import { fileText } from './file-text.ts';

/** The books that a file is of, as one snapshot shows them. */
export interface EcdBooks {
  readonly request: EcdRequest;
  readonly institution: Institution;
  readonly company: CompanyRow;
  /** Of the head office, else of the first branch. */
  readonly options: CompanyOptionsRow;
  readonly profile: RegulatoryProfile;
  readonly rows: EcdRows;
  readonly months: readonly Month[];
  /** In the order of the months, each in that of the branches. */
  readonly branchMonths: readonly EcdMonth[];
  /** All accounts of the chart. */
  readonly accounts: readonly EcdAccount[];
  /** Those with balances in the file, and all above them, in the order of the chart. */
  readonly used: readonly EcdAccount[];
  readonly balanceLines: number;
  /** Code of each branch as the file writes it. */
  readonly branchCodes: ReadonlyMap<BranchId, string>;
  readonly branchStarts: ReadonlyMap<BranchId, Day>;
  /** The last day of the fiscal year that ends in the year of the file. */
  readonly fiscalYearEnd: Day;
}

/** Undefined where nothing can be written: the findings say why. */
export async function readEcdBooks(
  sql: Transaction,
  request: EcdRequest,
  findings: EcdFindings,
): Promise<EcdBooks | undefined> {
  const { companyId, company: code } = request;
  const company = (await selectCompany(sql, companyId)) ?? reject('NOT_FOUND', recordRef('Company', code));
  const institution = await readInstitution(sql, request, findings);
  findWrongPeriod(request, findings);
  if (institution === undefined || findings.hasErrors) return undefined;
  const options = (await selectOptions(sql, companyId, institution.seat.branchId))!;
  const profile = await readProfile(sql, { companyId, company: code });
  const months = monthRange(monthOfDay(request.from), monthOfDay(request.to));
  const branchMonths = await readMonths(sql, institution, months, findings);
  if (profile.bookkeeping === 'BY_BRANCH') {
    findings.add({
      ...{ rule: 'PARTIDAS_ESCRITURACAO_POR_FILIAL', severity: 'ERRO', register: '0000', field: 'IND_CENTRALIZADA' },
      message: 'A escrituração descentralizada, um arquivo por filial, não é gerada; o perfil deve ser CENTRALIZED.',
      origin: { resource: 'regulatory_profile', code, path: `/regulatory/profile/${code}` },
    });
  }
  if (findings.hasErrors) return undefined;
  const branchIds = institution.members.map(({ branchId }) => branchId);
  const rows: EcdRows = {
    ...{ companyId, chartId: institution.chartId, branchIds, from: months[0]!, to: months.at(-1)! },
    byBranch: profile.branchAsCostCentre && branchIds.length > 1,
  };
  const accounts = await selectEcdAccounts(sql, institution.chartId);
  const balances = await countPeriodBalances(sql, rows);
  const starts = await selectBranchStarts(sql, branchIds);
  return {
    ...{ request, institution, company, options, profile, rows, months, branchMonths, accounts },
    used: usedAmong(accounts, new Set(balances.map(({ accountId }) => accountId))),
    balanceLines: balances.reduce((sum, { lines }) => sum + lines, 0),
    branchCodes: new Map(institution.members.map(({ branchId, branch }) => [branchId, fileText(branch).text])),
    branchStarts: new Map(starts.map(({ id, since }) => [id, since])),
    fiscalYearEnd: lastDay(monthOf(yearOf(months[0]!), options.fiscalYearEndMonth)!),
  };
}

/** All branches of one chart that are no funds. */
export async function readInstitution(
  sql: Transaction,
  { companyId, company }: Pick<EcdRequest, 'companyId' | 'company'>,
  findings: EcdFindings,
): Promise<Institution | undefined> {
  try {
    const books = await readReportedBooks(sql, { companyId, company, branch: INSTITUTION });
    if (isOfBranches(books)) return books;
  } catch (error) {
    const problem = error instanceof BusinessError ? error.problems[0] : undefined;
    if (problem?.code !== 'BRANCHES_OF_DIFFERENT_CHARTS') throw error;
    findings.add({
      ...{ rule: 'PARTIDAS_PLANOS_DIFERENTES', severity: 'ERRO', register: 'I050' },
      value: String(problem.params.charts),
      message: 'As filiais usam planos de contas diferentes; um arquivo tem um só plano.',
      origin: { resource: 'company_options', code: company, path: '/company/options' },
    });
  }
  return undefined;
}

function findWrongPeriod(request: EcdRequest, findings: EcdFindings): void {
  const { from, to, specialSituation, startSituation = '0' } = request;
  const [first, last] = [monthOfDay(from), monthOfDay(to)];
  const isCut = from !== firstDay(first) && startSituation === '0';
  const isWhole = to === lastDay(last) || specialSituation !== undefined;
  if (from <= to && yearOf(first) === yearOf(last) && !isCut && isWhole) return;
  findings.add({
    ...{ rule: 'PARTIDAS_PERIODO', severity: 'ERRO', register: '0000', field: 'DT_INI' },
    value: `${brazilianDate(from)} a ${brazilianDate(to)}`,
    message: 'O período deve ter meses inteiros de um só ano, salvo em situação especial.',
  });
}

/** Every branch must have closed every month in which it keeps books; the months before any does are missing. */
export async function readMonths(
  sql: Transaction,
  institution: Institution,
  months: readonly Month[],
  findings: EcdFindings,
): Promise<EcdMonth[]> {
  const states = await selectMonthStates(sql, institution, firstDay(months[0]!), lastDay(months.at(-1)!));
  const byKey = new Map(states.map((state) => [`${state.branchId}/${state.month}`, state]));
  const found: EcdMonth[] = [];
  for (const month of months) {
    const members = membersIn(institution, month);
    const missing = members.length > 0 ? members : [institution.seat];
    for (const { branchId, branch } of missing) {
      const state = byKey.get(`${branchId}/${month}`);
      if (state?.state === 'CLOSED') {
        found.push({ branchId, month, archived: state.archived });
        continue;
      }
      findings.add({
        ...{ rule: 'PARTIDAS_MES_NAO_CONSOLIDADO', severity: 'ERRO', register: 'I150', field: 'DT_FIN' },
        value: `${branch} ${slashOf(month)}`,
        message: 'O mês não está consolidado.',
        origin: {
          ...{ resource: 'month', code: `${branch} ${slashOf(month)}` },
          path: `/runconsolidation?company=${institution.company}&branch=${branch}&year=${yearOf(month)}&month=${monthNumberOf(month)}`,
        },
      });
    }
  }
  return found;
}

function usedAmong(accounts: readonly EcdAccount[], posted: ReadonlySet<AccountId>): EcdAccount[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const used = new Set<AccountId>();
  for (const id of posted)
    for (let each = byId.get(id); each !== undefined && !used.has(each.id); )
      each = used.add(each.id) && (each.parentId === null ? undefined : byId.get(each.parentId));
  return accounts.filter(({ id }) => used.has(id));
}
