import { queryOptions } from '@tanstack/react-query';
import type { Month } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';

export type Rule = Awaited<ReturnType<typeof api.compliance.listRules>>[number];
export type Trial = Awaited<ReturnType<typeof api.compliance.testScript>>;
export type Process = Awaited<ReturnType<typeof api.compliance.getProcess>>;
export type ProcessItem = Awaited<ReturnType<typeof api.compliance.listProcesses>>[number];
export type RuleResult = Process['results'][number];
export type Read = Trial['reads'][number];

const RULES = 'rules';

export const rulesQuery = queryOptions({
  queryKey: [RULES],
  queryFn: ({ signal }) => api.compliance.listRules({}, { signal }),
});

/** Severities, systems and documents: what the fields of a rule choose from. */
export const choicesQuery = queryOptions({
  queryKey: [RULES, 'choices'],
  staleTime: 5 * 60_000,
  queryFn: async ({ signal }) => {
    const [severities, systems, documents] = await Promise.all([
      api.compliance.listSeverities({}, { signal }),
      api.compliance.listBusinessSystems({}, { signal }),
      api.compliance.listRegulatoryDocuments({}, { signal }),
    ]);
    return { severities, systems, documents };
  },
});

export const versionsQuery = (ruleid: number) =>
  queryOptions({
    queryKey: [RULES, 'versions', ruleid],
    queryFn: ({ signal }) => api.compliance.listScriptVersions({ path: { ruleid } }, { signal }),
  });

/** The id by which rules know the branch of the address. */
export const branchIdQuery = (company: string, branch: string) =>
  queryOptions({
    queryKey: ['branch id', company, branch],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => {
      const branches = await api.masterdata.listCompanyBranches({ path: { company } }, { signal });
      return branches.find((each) => each.branch === branch)?.id ?? null;
    },
  });

/** Under one key: a run has them read again. */
const PROCESSES = 'processes';

/** Every run over the branch's month, newest first. */
export const processesQuery = (branchid: number | null | undefined, refmonth: Month) =>
  queryOptions({
    queryKey: [PROCESSES, branchid, refmonth],
    enabled: typeof branchid === 'number',
    queryFn: ({ signal }) =>
      api.compliance.listProcesses({ query: { branchid: branchid!, refmonth, history: 'true' } }, { signal }),
  });

export const processQuery = (processid: number | undefined) =>
  queryOptions({
    queryKey: [PROCESSES, 'one', processid],
    enabled: processid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.compliance.getProcess({ path: { processid: processid! } }, { signal }),
  });

export const STATUS = {
  PASSED: { tone: 'done', text: 'passou' },
  FAILED: { tone: 'wrong', text: 'apontou' },
  BROKEN: { tone: 'open', text: 'não concluiu' },
  SKIPPED: { tone: 'none', text: 'sem script' },
} as const;

/** Something that a rule said: the same text of the same rule is the same finding. */
export interface Finding {
  readonly key: string;
  readonly rule: string;
  readonly message: string;
}

export function findingsOf(results: readonly RuleResult[]): readonly Finding[] {
  return results.flatMap(({ ruleid, rule, messages, failure }) =>
    [...messages.map(({ text }) => text), ...(failure ? [failure.message] : [])].map((message) => ({
      key: `${ruleid} ${message}`,
      rule,
      message,
    })),
  );
}

export interface Comparison {
  readonly appeared: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly unchanged: readonly Finding[];
}

/** What is new, gone and unchanged since another run; repeated findings count once. */
export function compareRuns(before: readonly RuleResult[], after: readonly RuleResult[]): Comparison {
  const byKey = (results: readonly RuleResult[]) => new Map(findingsOf(results).map((each) => [each.key, each]));
  const [old, now] = [byKey(before), byKey(after)];
  return {
    appeared: [...now.values()].filter(({ key }) => !old.has(key)),
    gone: [...old.values()].filter(({ key }) => !now.has(key)),
    unchanged: [...now.values()].filter(({ key }) => old.has(key)),
  };
}
