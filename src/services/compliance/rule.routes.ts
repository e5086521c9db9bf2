import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectRules, selectScriptVersions } from '../../features/compliance/rules.read.sql.ts';
import { addRule, replaceRule } from '../../features/compliance/save-rule.ts';
import { instant, pathId } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { SCRIPT_EXAMPLE } from './form-fields.ts';
import { RULE_FIELDS, ruleAnswer, ruleBody, ruleFromWire, ruleQuery, ruleToWire } from './rules.ts';

const tag = 'Rules';

export const getRulesRoute = route({
  operationId: 'listRules',
  method: 'GET',
  path: '/api/compliance/rule/list',
  summary: 'The rules of the installation',
  tag,
  access: { to: 'signedIn' },
  answer: z.array(ruleAnswer),
  handle: async ({ context }) => (await selectRules(context.sql)).map(ruleToWire),
});

export const postRuleRoute = route({
  operationId: 'createRule',
  method: 'POST',
  path: '/api/compliance/rule/add',
  summary: 'Adds a rule',
  tag,
  access: { to: 'signedIn', routine: 'COMPLIANCE_RULES' },
  query: ruleQuery,
  body: ruleBody,
  fieldNames: RULE_FIELDS,
  accepts: ['form', 'json'],
  answer: ruleAnswer,
  handle: async ({ query, body, context }) => ruleToWire(await addRule(context, ruleFromWire(query, body))),
});

export const updateRuleRoute = route({
  operationId: 'replaceRule',
  method: 'POST',
  path: '/api/compliance/rule/update',
  summary: 'Replaces the rule of that name; optional fields left out are cleared',
  tag,
  access: { to: 'signedIn', routine: 'COMPLIANCE_RULES' },
  query: ruleQuery,
  body: ruleBody,
  fieldNames: RULE_FIELDS,
  accepts: ['form', 'json'],
  answer: ruleAnswer,
  handle: async ({ query, body, context }) => ruleToWire(await replaceRule(context, ruleFromWire(query, body))),
});

export const getScriptVersionsRoute = route({
  operationId: 'listScriptVersions',
  method: 'GET',
  path: '/api/compliance/rule/{ruleid}/script/list',
  summary: 'Every script that the rule has had: results name the version that gave them',
  tag,
  addition: true,
  access: { to: 'signedIn' },
  params: z.object({ ruleid: pathId }),
  answer: z
    .array(
      z.object({ version: z.number().int(), script: z.string().nullable(), savedBy: z.string(), savedAt: instant }),
    )
    .meta({
      example: [{ version: 1, script: SCRIPT_EXAMPLE, savedBy: 'maria', savedAt: '2026-02-05T18:15:00.000Z' }],
    }),
  handle: async ({ params, context }) => {
    const versions = await selectScriptVersions(context.sql, params.ruleid);
    const found = versions ?? reject('NOT_FOUND', recordRef('Rule', params.ruleid));
    return found.map(({ savedAt, ...version }) => ({ ...version, savedAt: savedAt.toISOString() }));
  },
});
