import { z } from 'zod';
import { FINDING_CODES } from '../../accounting/finding-code.ts';
import { monthOf, slashOf } from '../../accounting/period.ts';
import type { Problem } from '../../accounting/problem.ts';
import { readChecklist, readChecklistsOfCompany } from '../../features/closing/checklist/read-checklist.ts';
import { type MonthClosePreview, previewMonthClose } from '../../features/closing/month-close/preview-month-close.ts';
import { branchCode, id, money, moneyAnswer, side } from '../../http/fields.ts';
import { type Language, languageOf } from '../../http/language.ts';
import { textOf } from '../../http/problem-details.ts';
import { route } from '../../http/route.ts';
import {
  checklistAnswer,
  checklistsAnswer,
  findingAnswer,
  findingsToWire,
  monthParams,
  titleOf,
} from './closing-checklist.ts';

const tag = 'Closing';

export const closingChecklistRoute = route({
  operationId: 'getClosingChecklist',
  method: 'GET',
  path: '/closingChecklist/{company}/{branch}/{year}/{month}',
  summary: 'What is still to be done or looks wrong before the month is closed, and where it is mended',
  tag,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: z.object({ ...monthParams, branch: branchCode }),
  answer: checklistAnswer,
  handle: async ({ params, context, tenant, raw }) => {
    const month = monthOf(params.year, params.month)!;
    const checklist = await context.snapshot((sql) => readChecklist(sql, tenant, month));
    return {
      company: tenant.company,
      branch: tenant.branch,
      yearmonth: slashOf(month),
      monthState: checklist.monthState,
      findings: findingsToWire(checklist, tenant, month, languageOf(raw.headers['accept-language'])),
    };
  },
});

export const closingChecklistsRoute = route({
  operationId: 'listClosingChecklists',
  method: 'GET',
  path: '/closingChecklist/{company}/{year}/{month}',
  summary: 'The closing checklists of all branches that the caller sees, counts only',
  tag,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: z.object(monthParams),
  answer: checklistsAnswer,
  handle: async ({ params, context, tenants, raw }) => {
    const month = monthOf(params.year, params.month)!;
    const company = tenants[0]!;
    const checklists = await context.snapshot((sql) => readChecklistsOfCompany(sql, company, month));
    const language = languageOf(raw.headers['accept-language']);
    return {
      company: company.company,
      yearmonth: slashOf(month),
      titles: FINDING_CODES.map((code) => ({ code, title: titleOf(code, language) })),
      branches: checklists.map(({ branch, name, monthState, findings }) => ({
        branch,
        name,
        monthState,
        findings: findings.map(({ code, state, count }) => ({ code, state, count })),
      })),
    };
  },
});

const problemAnswer = z.object({
  code: z.string().meta({ example: 'PREVIOUS_MONTH_OPEN' }),
  message: z.string().meta({ example: 'Month 12/2025 must be consolidated first' }),
});
const code = z.string().meta({ example: '7.1' });

const previewAnswer = z.object({
  company: z.string(),
  branch: z.string(),
  yearmonth: z.string().meta({ example: '01/2026' }),
  lines: z.number().int().meta({ description: 'Lines of the month, without closing entries' }),
  wouldClose: z.boolean(),
  problems: z.array(problemAnswer),
  warning: problemAnswer.nullable(),
  result: z.array(
    z.object({
      contaId: id,
      cdAccounting: code,
      description: z.string(),
      balance: moneyAnswer,
    }),
  ),
  netResult: moneyAnswer,
  closingEntries: z
    .object({
      lote: z.string().meta({ example: 'ENC' }),
      day: z.string().meta({ example: '31' }),
      historico: z.string(),
      cdhistorico: z.string().nullable(),
      lines: z.array(
        z.object({
          lancamento: z.string().meta({ example: '1' }),
          debcre: side,
          contaId: id,
          cdAccounting: code,
          contrapartida: id.nullable(),
          valor: moneyAnswer,
        }),
      ),
    })
    .nullable(),
  findings: z.array(findingAnswer),
});

export const closePreviewRoute = route({
  operationId: 'previewMonthClose',
  method: 'GET',
  path: '/consolidation/preview/{company}/{branch}/{year}/{month}',
  summary: 'What closing the month would do, without doing it: result, closing entries, and what stands against it',
  tag,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: z.object({ ...monthParams, branch: branchCode }),
  fieldNames: { month: 'month' },
  answer: previewAnswer,
  handle: async ({ params, context, tenant, raw }) => {
    const month = monthOf(params.year, params.month)!;
    const language = languageOf(raw.headers['accept-language']);
    const preview = await context.snapshot((sql) => previewMonthClose(sql, tenant, month));
    return {
      company: tenant.company,
      branch: tenant.branch,
      yearmonth: slashOf(month),
      ...previewToWire(preview, language),
      findings: findingsToWire(preview.checklist, tenant, month, language),
    };
  },
});

function previewToWire(preview: MonthClosePreview, language: Language) {
  const { lines, problems, warning, result, netResult, closing } = preview;
  return {
    lines,
    wouldClose: problems.length === 0,
    problems: problems.map((each) => problemToText(each, language)),
    warning: warning ? problemToText(warning, language) : null,
    result: result.map(({ id, code, description, balance }) => ({
      contaId: id,
      cdAccounting: code,
      description,
      balance: money(balance),
    })),
    netResult: money(netResult),
    closingEntries: closing ? closingToWire(closing, preview.accounts) : null,
  };
}

function closingToWire(
  { batchNumber, day, narration, narrationCode, entries }: NonNullable<MonthClosePreview['closing']>,
  accounts: MonthClosePreview['accounts'],
) {
  return {
    lote: batchNumber,
    day: day.slice(8),
    historico: narration,
    cdhistorico: narrationCode,
    lines: entries.flatMap((entry) =>
      entry.lines.map((line) => ({
        lancamento: entry.number,
        debcre: line.side,
        contaId: line.accountId,
        cdAccounting: accounts.get(line.accountId)?.code ?? '',
        contrapartida: line.offsetAccountId,
        valor: money(line.amount),
      })),
    ),
  };
}

function problemToText(found: Problem, language: Language) {
  return { code: found.code, message: textOf(found, language) };
}
