import { expect, test } from 'vitest';
import { month } from '../../../test/support/period.ts';
import { asId } from '../../accounting/ids.ts';
import type { Process } from '../../features/compliance/run-rules.ts';
import { MAX_PROCESSES_WITH_READS, processesAnswer, processesToWire } from './results.ts';

const READ = { account: '1.1.1', month: month('2026-01'), kind: 'ACCUMULATED', balance: '10.00' } as const;
const PROCESS: Process = {
  id: 1,
  companyId: asId(1),
  company: '0001',
  branchId: asId(1),
  branch: '0001',
  documentId: 1,
  document: '4010',
  month: month('2026-01'),
  executedAt: new Date('2026-02-05T18:15:00Z'),
  executedBy: 'maria',
  passed: 0,
  failed: 1,
  broken: 0,
  skipped: 0,
  results: [
    {
      ruleId: 1,
      rule: 'Caixa',
      severity: 'WARNING',
      businessSystem: 'TESOURARIA',
      scriptVersion: 2,
      status: 'FAILED',
      value: '10.00',
      messages: [{ text: 'Caixa 10,00', line: 1, column: 1 }],
      failure: null,
      reads: Array.from({ length: 100 }, () => READ),
      durationMs: 0.5,
    },
  ],
};

const answered = (processes: number) => {
  const answer = processesToWire(
    Array.from({ length: processes }, () => PROCESS),
    'pt',
  );
  processesAnswer.parse(answer);
  return answer;
};

test('a run over few branches answers the balances that its rules read', () => {
  const [process] = answered(MAX_PROCESSES_WITH_READS);
  expect(process!.results[0]!.reads).toHaveLength(100);
});

test('one over more leaves them, and only them, to the details', () => {
  const few = answered(1)[0]!;
  const many = answered(MAX_PROCESSES_WITH_READS + 1);
  expect(many).toHaveLength(MAX_PROCESSES_WITH_READS + 1);
  expect(many[0]).toEqual({ ...few, results: [{ ...few.results[0], reads: null }] });
  expect(JSON.stringify(many).length / many.length).toBeLessThan(1_000);
});
