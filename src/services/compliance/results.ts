import { z } from 'zod';
import { todayInSaoPaulo } from '../../accounting/period.ts';
import type { ProcessRow } from '../../features/compliance/processes.read.sql.ts';
import type { ProcessDetail } from '../../features/compliance/read-process.ts';
import type { RuleResult, ScriptResult } from '../../features/compliance/rule-result.ts';
import type { Process } from '../../features/compliance/run-rules.ts';
import type { Language } from '../../platform/problem-details.ts';
import { type ExactNumber, exactNumber, id, instant, moneyAnswer } from '../wire/fields.ts';

const place = { line: z.number().int().meta({ example: 1 }), column: z.number().int().meta({ example: 1 }) };

/** What a script found, in a trial or in a process. */
export const scriptResultAnswer = z.object({
  status: z.enum(['PASSED', 'FAILED', 'BROKEN', 'SKIPPED']),
  value: z
    .custom<ExactNumber | null>()
    .meta({ description: 'Number, text or truth; null without RETORNA', example: 2 }),
  messages: z.array(z.object({ text: z.string(), ...place })),
  failure: z.object({ code: z.string(), message: z.string(), ...place }).nullable(),
  reads: z.array(
    z.object({
      account: z.string().meta({ example: '1.1.1' }),
      month: z.string().meta({ example: '2026-01' }),
      kind: z.enum(['ACCUMULATED', 'BEFORE_CLOSING', 'DEBITS', 'CREDITS', 'DAY']),
      day: z.string().nullable().meta({ example: '2026-01-31' }),
      balance: moneyAnswer,
    }),
  ),
  durationMs: z.number().meta({ example: 0.25 }),
});

const ruleResultAnswer = scriptResultAnswer.extend({
  ruleid: id,
  rule: z.string().meta({ example: 'Ativo igual ao passivo' }),
  cluetype: z.string().meta({ example: 'ERROR' }),
  businesssystem: z.string().meta({ example: 'CONTABILIDADE' }),
  scriptVersion: z.number().int().meta({ example: 1 }),
});

const counts = {
  passed: z.number().int(),
  failed: z.number().int(),
  broken: z.number().int(),
  skipped: z.number().int(),
};

export const processItemAnswer = z.object({
  processid: id,
  document: z.string().meta({ example: '4010' }),
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  branchid: id,
  datetime: instant,
  refdate: z.string().meta({ example: '2026-01' }),
  ...counts,
});

export const processAnswer = processItemAnswer.extend({ results: z.array(ruleResultAnswer) });

export const PROCESS_EXAMPLE = {
  processid: 1,
  document: '4010',
  company: '0001',
  branch: '0001',
  branchid: 1,
  datetime: '2026-02-05T18:15:00.000Z',
  refdate: '2026-01',
  passed: 1,
  failed: 0,
  broken: 0,
  skipped: 0,
  results: [
    {
      ruleid: 1,
      rule: 'Ativo igual ao passivo',
      cluetype: 'ERROR',
      businesssystem: 'CONTABILIDADE',
      scriptVersion: 1,
      status: 'PASSED',
      value: 2,
      messages: [],
      failure: null,
      reads: [{ account: '1.1.1', month: '2026-01', kind: 'ACCUMULATED', day: null, balance: 1234.56 }],
      durationMs: 0.25,
    },
  ],
};

const finding = z.object({ ruleid: id, rule: z.string(), message: z.string() });

export const processDetailAnswer = processAnswer.extend({
  date: z.string().meta({ example: '2026-01-31' }),
  executedBy: z.string(),
  previous: z
    .object({ processid: id, new: z.array(finding), gone: z.array(finding), unchanged: z.array(finding) })
    .nullable(),
});

export function scriptResultToWire(result: ScriptResult, language: Language): z.output<typeof scriptResultAnswer> {
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

export function processItemToWire(row: ProcessRow): z.output<typeof processItemAnswer> {
  return {
    processid: row.id,
    document: row.document,
    company: row.company,
    branch: row.branch,
    branchid: row.branchId,
    datetime: row.executedAt.toISOString(),
    refdate: row.month,
    passed: row.passed,
    failed: row.failed,
    broken: row.broken,
    skipped: row.skipped,
  };
}

export function processToWire(process: Process, language: Language): z.output<typeof processAnswer> {
  return {
    ...processItemToWire(process),
    results: process.results.map((result) => ruleResultToWire(result, language)),
  };
}

export function processDetailToWire(process: ProcessDetail, language: Language): z.output<typeof processDetailAnswer> {
  const { previous } = process;
  const said = (findings: NonNullable<typeof previous>['gone']) =>
    findings.map(({ ruleId, rule, message }) => ({ ruleid: ruleId, rule, message: message[language] }));
  return {
    ...processToWire(process, language),
    date: todayInSaoPaulo(process.executedAt),
    executedBy: process.executedBy,
    previous: previous && {
      processid: previous.processId,
      new: said(previous.appeared),
      gone: said(previous.gone),
      unchanged: said(previous.unchanged),
    },
  };
}

function ruleResultToWire(result: RuleResult, language: Language): z.output<typeof ruleResultAnswer> {
  return {
    ...scriptResultToWire(result, language),
    ruleid: result.ruleId,
    rule: result.rule,
    cluetype: result.clueType,
    businesssystem: result.businessSystem,
    scriptVersion: result.scriptVersion,
  };
}
