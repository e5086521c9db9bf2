import { z } from 'zod';
import { recordRef } from '../../accounting/record-name.ts';
import { changeAccount, deleteAccount } from '../../features/master-data/chart/change-account.ts';
import {
  countChildAccounts,
  countChildrenOf,
  selectAccountsOfChart,
  selectVisibleAccount,
  selectVisibleAccounts,
  selectVisibleDetails,
} from '../../features/master-data/chart/chart.read.sql.ts';
import { createAccount } from '../../features/master-data/chart/create-account.ts';
import { requireBooks } from '../../features/master-data/companies/require-books.ts';
import { accountPathId, booleanText, codeText, messageAnswer, rejectOtherId, tenantParams } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { piecesOf, streamJsonArray } from '../../http/stream-json-array.ts';
import {
  ACCOUNT_FIELDS,
  accountAnswer,
  accountBody,
  accountDetailAnswer,
  accountDetailToWire,
  accountFromWire,
  accountToWire,
} from './chart-of-accounts.ts';

const accountParams = z.object({ id: accountPathId });

const tag = 'Chart of accounts';

const chartQuery = z.strictObject({ chart: codeText(40).optional() });

export const postAccountRoute = route({
  operationId: 'createAccount',
  method: 'POST',
  path: '/chartOfAccounts',
  summary: 'Creates an account; confirmed=true also creates missing levels and turns an analytic parent synthetic',
  tag,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  query: z.strictObject({ confirmed: booleanText.default(false) }),
  body: accountBody,
  fieldNames: ACCOUNT_FIELDS,
  status: 201,
  answer: accountAnswer,
  handle: async ({ query, body, context }) =>
    accountToWire(await createAccount(context, accountFromWire(body), query.confirmed)),
});

export const getAccountsRoute = route({
  operationId: 'listAccounts',
  method: 'GET',
  path: '/chartOfAccounts/',
  summary: 'Accounts of the charts that the caller sees',
  tag,
  access: { to: 'anyUser' },
  query: chartQuery,
  answer: z.array(accountAnswer),
  handle: async ({ query, context }) =>
    streamJsonArray(piecesOf(await selectVisibleAccounts(context.sql, context.caller.id, query.chart)), accountToWire),
});

export const getAccountDetailsRoute = route({
  operationId: 'listAccountDetails',
  method: 'GET',
  path: '/chartOfAccounts/detail/',
  summary: 'The same with children, entries and parent code',
  tag,
  access: { to: 'anyUser' },
  query: chartQuery,
  answer: z.array(accountDetailAnswer),
  handle: async ({ query, context }) =>
    streamJsonArray(
      piecesOf(await selectVisibleDetails(context.sql, context.caller.id, query.chart)),
      accountDetailToWire,
    ),
});

export const getNumberOfChildrenRoute = route({
  operationId: 'countChildAccounts',
  method: 'GET',
  path: '/chartOfAccounts/getNrChildren/{company}/{branch}',
  summary: 'Number of child accounts in the chart of the branch, or of the direct children of one account',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ account: codeText(40).optional() }),
  answer: z.number().int(),
  handle: async (request) => {
    const { query, context } = request;
    const { chartId } = await requireBooks(request.context.sql, request.tenant);
    if (query.account === undefined) return countChildAccounts(context.sql, chartId);
    return (
      (await countChildrenOf(context.sql, chartId, query.account)) ??
      rejectRequest('ACCOUNT_NOT_FOUND', { account: query.account }, 'account')
    );
  },
});

export const getBranchAccountsRoute = route({
  operationId: 'listBranchAccounts',
  method: 'GET',
  path: '/chartOfAccounts/getallcoa/{company}/{branch}',
  summary: 'The chart of the branch',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: z.array(accountAnswer),
  handle: async (request) =>
    streamJsonArray(
      piecesOf(
        await selectAccountsOfChart(
          request.context.sql,
          (await requireBooks(request.context.sql, request.tenant)).chartId,
        ),
      ),
      accountToWire,
    ),
});

export const getAccountRoute = route({
  operationId: 'getAccount',
  method: 'GET',
  path: '/chartOfAccounts/{id}',
  summary: 'An account',
  tag,
  access: { to: 'anyUser' },
  params: accountParams,
  answer: accountAnswer,
  handle: async ({ params, context }) =>
    accountToWire(
      (await selectVisibleAccount(context.sql, context.caller.id, params.id)) ??
        rejectRequest('NOT_FOUND', recordRef('Account', params.id), 'id'),
    ),
});

export const putAccountRoute = route({
  operationId: 'replaceAccount',
  method: 'PUT',
  path: '/chartOfAccounts/{id}',
  summary: 'Replaces the fields of an account',
  tag,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  params: accountParams,
  body: accountBody,
  fieldNames: ACCOUNT_FIELDS,
  answer: accountAnswer,
  handle: async ({ params, body, context }) => {
    rejectOtherId(body.id, params.id);
    return accountToWire(await changeAccount(context, params.id, accountFromWire(body)));
  },
});

export const deleteAccountRoute = route({
  operationId: 'deleteAccount',
  method: 'DELETE',
  path: '/chartOfAccounts/{id}',
  summary: 'Removes an account without children and entries',
  tag,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  params: accountParams,
  fieldNames: ACCOUNT_FIELDS,
  answer: messageAnswer,
  handle: async ({ params, context }) => {
    await deleteAccount(context, params.id);
    return { message: 'Conta excluída' };
  },
});
