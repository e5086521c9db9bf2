import type { Sql } from '../../../../platform/database/sql.ts';
import { type EcdAccount, selectReferenceCode } from './ecd-accounts.read.sql.ts';
import type { EcdBooks } from './ecd-books.ts';
import type { UsedNarration } from './ecd-entries.read.sql.ts';
import type { Origin } from './ecd-file.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { type EcdLine, fileDay, type LineMaker } from './ecd-line.ts';

/** Classes of the accounts that the reference charts have: assets, liabilities, equity, results. */
const REPORTED: readonly string[] = ['01', '02', '03', '04'];
/** COD_PLAN_REF. */
const REFERENCE_CHART = /^([1-9]|10)$/;

export const accountOrigin = ({ id, code }: EcdAccount): Origin => ({
  ...{ resource: 'account', id, code, path: `/chartOfAccounts/${id}` },
});

/** COD_PLAN_REF: the reference chart of the head office's options, where every account that must be in it is; else empty. */
export async function chooseReferenceChart(sql: Sql, books: EcdBooks, findings: EcdFindings): Promise<string> {
  const { options, used } = books;
  const chart =
    options.referenceChartId === null ? undefined : await selectReferenceCode(sql, options.referenceChartId);
  if (chart === undefined || !REFERENCE_CHART.test(chart.code)) return '';
  const wanted = used.filter(({ type, accountClass }) => type === 'A' && REPORTED.includes(accountClass));
  const missing = wanted.filter(({ referenceChartId }) => referenceChartId !== options.referenceChartId);
  if (missing.length === 0) return chart.code;
  if (missing.length < wanted.length) {
    for (const account of missing) {
      findings.add({
        ...{ rule: 'PARTIDAS_PLANO_REFERENCIAL', severity: 'AVISO', register: 'I051', field: 'COD_CTA_REF' },
        value: account.code,
        message: 'A conta não tem conta referencial; sem todas elas, o arquivo sai sem o plano referencial.',
        origin: accountOrigin(account),
      });
    }
  }
  return '';
}

/** Registers I050, I051 and I052: accounts with what they are mapped to. `lineCodes` are COD_AGL by account. */
export function chartLines(
  books: EcdBooks,
  make: LineMaker,
  referenceChart: string,
  lineCodes: ReadonlyMap<number, ReadonlySet<string>>,
): EcdLine[] {
  const codes = new Map(books.accounts.map(({ id, code }) => [id, code]));
  return books.used.flatMap((account) => {
    const { id, code, description, type, accountClass, parentId, level, reference } = account;
    const origin = accountOrigin(account);
    // A chart that came into the program later was there before.
    const since = account.since > books.request.to ? books.request.from : account.since;
    const parent = parentId === null ? '' : codes.get(parentId);
    const lines = [make.line('I050', [fileDay(since), accountClass, type, level, code, parent, description], origin)];
    if (type === 'S') return lines;
    if (referenceChart !== '' && REPORTED.includes(accountClass))
      lines.push(make.line('I051', ['', reference], origin));
    for (const each of lineCodes.get(id) ?? []) lines.push(make.line('I052', ['', each], origin));
    return lines;
  });
}

/** Register I075: narrations that lines name by their codes. */
export function narrationLines(narrations: readonly UsedNarration[], make: LineMaker): EcdLine[] {
  const origin = (code: string): Origin => ({ resource: 'standard_narration', code, path: '/history' });
  return narrations.map(({ code, text }) => make.line('I075', [code, text], origin(code)));
}

/** Register I100: branches as cost centres. */
export function costCentreLines({ rows, institution, branchStarts, request }: EcdBooks, make: LineMaker): EcdLine[] {
  if (!rows.byBranch) return [];
  return institution.members.map(({ branchId, branch }) => {
    const since = branchStarts.get(branchId) ?? request.from;
    const origin = { resource: 'branch', id: branchId, code: branch, path: '/branch' };
    return make.line('I100', [fileDay(since > request.to ? request.from : since), branch, `FILIAL ${branch}`], origin);
  });
}
