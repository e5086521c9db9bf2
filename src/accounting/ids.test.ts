import { expect, test } from 'vitest';
import { type AccountId, asId, type BranchId, type ChartId, type CompanyId } from './ids.ts';

test('ids of different kinds are not taken for one another', () => {
  const company = (id: CompanyId) => id;
  const branch = (id: BranchId) => id;
  const chart = (id: ChartId) => id;
  const account = (id: AccountId) => id;
  expect(company(asId<CompanyId>(7))).toBe(7);
  // @ts-expect-error A branch is no company.
  company(asId<BranchId>(7));
  // @ts-expect-error A company is no branch.
  branch(asId<CompanyId>(7));
  // @ts-expect-error A chart is no company.
  company(asId<ChartId>(7));
  // @ts-expect-error An account is no chart.
  chart(asId<AccountId>(7));
  // @ts-expect-error A chart is no account.
  account(asId<ChartId>(7));
  // @ts-expect-error A number is neither until it is said which.
  company(7);
});
