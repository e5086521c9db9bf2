import { z } from 'zod';
import { listAccountCodes } from '../../features/reporting/print/list-account-codes.ts';
import { isoDay, optional } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { ledgerBookBody, REPORT_FIELDS, selectionFrom } from './report-requests.ts';

const visualization = z.enum(['PDF', 'CSV', 'TXT', 'XLSX']);

/** The accounts that a ledger of this request is about. */
export const accountCodesRoute = route({
  operationId: 'printAccountCodes',
  method: 'POST',
  path: '/reports/planos',
  summary: 'Account codes of the chart of a branch',
  tag: 'Reports',
  access: {
    to: 'tenant',
    of: ({ empresa, filial }) => ({ company: empresa, branch: filial }),
    institution: true,
  },
  body: ledgerBookBody.extend({
    visualizationEnum: optional(visualization),
    dataInicio: optional(isoDay),
    dataFim: optional(isoDay),
  }),
  fieldNames: REPORT_FIELDS,
  answer: z.array(z.string()).meta({ example: ['1', '1.1', '1.1.1'] }),
  handle: ({ body, context, branchOrInstitution }) =>
    listAccountCodes(context, branchOrInstitution, {
      from: body.dataInicio,
      to: body.dataFim,
      accounts: body.contas ?? [],
      onlyWithMovement: body.onlyWithMovement ?? false,
      ...selectionFrom(body),
    }),
});
