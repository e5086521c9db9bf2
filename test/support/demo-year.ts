import {
  accountIds,
  BRANCHES,
  createBank,
  defineStatements,
  HEAD_OFFICE,
  importCosif,
  setUpBank,
  setUpClosing,
} from '../../scripts/demo/bank.ts';
import { monthOfBranch } from '../../scripts/demo/bank-entries.ts';
import { closeMonth, importMonth, openMonth, YEAR } from '../../scripts/demo/months.ts';
import type { Send } from '../../scripts/demo/steps.ts';
import { bodyOf, type Client } from './platform.ts';

/** The bank of `npm run demo` with its first months, over HTTP: three branches on the chart of the central bank. */
export async function workDemoYear(admin: Client, months = 12): Promise<Send> {
  const send: Send = (service, method, path, body) => bodyOf(admin.call(service, method, path, body));
  await createBank(send);
  await importCosif(send);
  await setUpBank(send);
  await setUpClosing(send, await accountIds(send, HEAD_OFFICE));
  await defineStatements(send);
  for (let month = 1; month <= months; month++) {
    for (const branch of BRANCHES) {
      await openMonth(send, branch, month);
      const csv = monthOfBranch(branch.branch, month, branch.share, BRANCHES.length - 1);
      await importMonth(send, branch, month, { batch: '1', description: 'Movimento do mês', csv });
      await closeMonth(send, branch, month);
    }
  }
  return send;
}

export { BRANCHES as DEMO_BRANCHES, HEAD_OFFICE as DEMO_HEAD_OFFICE, YEAR as DEMO_YEAR };
