import { z } from 'zod';
import { todayInSaoPaulo } from '../../accounting/period.ts';
import type { ProcessRow } from '../../features/compliance/processes.read.sql.ts';
import type { ProcessDetail } from '../../features/compliance/read-process.ts';
import type { RuleResult, ScriptResult } from '../../features/compliance/rule-result.ts';
import type { Process } from '../../features/compliance/run-rules.ts';
import { type ExactNumber, exactNumber, id, instant, moneyAnswer } from '../../http/fields.ts';
import type { Language } from '../../http/language.ts';

const RESULT_EXAMPLE = {
  status: 'FAILED',
  value: 1234.56,
  messages: [{ text: 'Caixa acima do limite: 1.234,56', line: 3, column: 3 }],
  failure: null,
  reads: [{ account: '1.1.1', month: '2026-01', kind: 'ACCUMULATED', day: null, balance: 1234.56 }],
  durationMs: 0.25,
};

const place = { line: z.number().int(), column: z.number().int() };

const reads = z.array(
  z.object({
    account: z.string(),
    month: z.string(),
    kind: z.enum(['ACCUMULATED', 'BEFORE_CLOSING', 'DEBITS', 'CREDITS', 'DAY']),
    day: z.string().nullable(),
    balance: moneyAnswer,
  }),
);

/** What a script found, in a trial or in a process. */
const scriptResult = {
  status: z.enum(['PASSED', 'FAILED', 'BROKEN', 'SKIPPED']),
  value: z.custom<ExactNumber | null>().meta({ description: 'Number, text or truth; null without RETORNA' }),
  messages: z.array(z.object({ text: z.string(), ...place })),
  failure: z.object({ code: z.string(), message: z.string(), ...place }).nullable(),
  reads,
  durationMs: z.number(),
};

/** Of a script, wherever it ran. */
const scriptResultSchema = z.object(scriptResult);

const trial = {
  ...scriptResult,
  branchid: id,
  company: z.string(),
  branch: z.string(),
  refmonth: z.string(),
};

/** What a script found in a trial, and where. */
export const trialAnswer = z.object(trial).meta({
  example: { ...RESULT_EXAMPLE, branchid: 1, company: '0001', branch: '0001', refmonth: '2026-01' },
});

const ruleResult = z.object({
  ...scriptResult,
  ruleid: id,
  rule: z.string(),
  cluetype: z.string(),
  businesssystem: z.string(),
  scriptVersion: z.number().int(),
});

const processItem = {
  processid: id,
  documentid: id,
  document: z.string(),
  company: z.string(),
  branch: z.string(),
  branchid: id,
  datetime: instant,
  executedBy: z.string(),
  refdate: z.string(),
  passed: z.number().int(),
  failed: z.number().int(),
  broken: z.number().int(),
  skipped: z.number().int(),
};
const PROCESS_ITEM_EXAMPLE = {
  processid: 2,
  documentid: 1,
  document: '4010',
  company: '0001',
  branch: '0001',
  branchid: 1,
  datetime: '2026-02-05T18:15:00.000Z',
  executedBy: 'maria',
  refdate: '2026-01',
  passed: 0,
  failed: 1,
  broken: 0,
  skipped: 0,
};

export const PROCESS_EXAMPLE = {
  ...PROCESS_ITEM_EXAMPLE,
  results: [
    {
      ...RESULT_EXAMPLE,
      ruleid: 1,
      rule: 'Caixa dentro do limite',
      cluetype: 'WARNING',
      businesssystem: 'TESOURARIA',
      scriptVersion: 2,
    },
  ],
};

export const processListAnswer = z
  .array(z.object(processItem).meta({ title: 'ProcessItem' }))
  .meta({ example: [PROCESS_ITEM_EXAMPLE] });

/**
 * The response of a run over more branches leaves the balances to the details: those of 200 branches would be most of
 * 12 MB, repeated for each rule.
 */
export const MAX_PROCESSES_WITH_READS = 20;

const resultOfRun = ruleResult.extend({
  reads: reads.nullable().meta({
    description: `Null where the run has more than ${MAX_PROCESSES_WITH_READS} processes: their details hold them`,
  }),
});

/** Of a run, that of one branch and document. */
const processAnswer = z.object({ ...processItem, results: z.array(resultOfRun) });

export const processesAnswer = z.array(processAnswer);

const finding = z.object({ ruleid: id, rule: z.string(), message: z.string() });

const processDetail = {
  ...processItem,
  results: z.array(ruleResult),
  date: z.string().meta({ description: 'Day of the execution' }),
  previous: z
    .object({ processid: id, new: z.array(finding), gone: z.array(finding), unchanged: z.array(finding) })
    .nullable()
    .meta({ description: 'What changed since the run before it of the same branch, document and month' }),
};

export const processDetailAnswer = z.object(processDetail).meta({
  example: {
    ...PROCESS_EXAMPLE,
    date: '2026-02-05',
    previous: {
      processid: 1,
      new: [{ ruleid: 1, rule: 'Caixa dentro do limite', message: 'Caixa acima do limite: 1.234,56' }],
      gone: [],
      unchanged: [],
    },
  },
});

export function scriptResultToWire(result: ScriptResult, language: Language): z.output<typeof scriptResultSchema> {
  const { failure } = result;
  return {
    status: result.status,
    value: result.value === null ? null : JSON.rawJSON(result.value),
    messages: [...result.messages],
    failure: failure && { ...failure, message: failure.message[language] },
    reads: result.reads.map((read) => ({ ...read, day: read.day ?? null, balance: exactNumber(read.balance) })),
    durationMs: result.durationMs,
  };
}

export function processItemToWire(row: ProcessRow): z.output<typeof processListAnswer>[number] {
  return {
    processid: row.id,
    documentid: row.documentId,
    document: row.document,
    company: row.company,
    branch: row.branch,
    branchid: row.branchId,
    datetime: row.executedAt.toISOString(),
    executedBy: row.executedBy,
    refdate: row.month,
    passed: row.passed,
    failed: row.failed,
    broken: row.broken,
    skipped: row.skipped,
  };
}

export function processesToWire(processes: readonly Process[], language: Language): z.output<typeof processesAnswer> {
  const withReads = processes.length <= MAX_PROCESSES_WITH_READS;
  const shown = (result: RuleResult) =>
    withReads
      ? ruleResultToWire(result, language)
      : { ...ruleResultToWire({ ...result, reads: [] }, language), reads: null };
  return processes.map((process) => ({ ...processItemToWire(process), results: process.results.map(shown) }));
}

export function processDetailToWire(process: ProcessDetail, language: Language): z.output<typeof processDetailAnswer> {
  const { previous } = process;
  const said = (findings: NonNullable<typeof previous>['gone']) =>
    findings.map(({ ruleId, rule, message }) => ({ ruleid: ruleId, rule, message: message[language] }));
  return {
    ...processItemToWire(process),
    results: process.results.map((result) => ruleResultToWire(result, language)),
    date: todayInSaoPaulo(process.executedAt),
    previous: previous && {
      processid: previous.processId,
      new: said(previous.appeared),
      gone: said(previous.gone),
      unchanged: said(previous.unchanged),
    },
  };
}

function ruleResultToWire(result: RuleResult, language: Language): z.output<typeof ruleResult> {
  return {
    ...scriptResultToWire(result, language),
    ruleid: result.ruleId,
    rule: result.rule,
    cluetype: result.severity,
    businesssystem: result.businessSystem,
    scriptVersion: result.scriptVersion,
  };
}
