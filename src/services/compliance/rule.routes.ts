import { z } from 'zod';
import { selectRules } from '../../features/compliance/rules.read.sql.ts';
import { addRule, replaceRule } from '../../features/compliance/save-rule.ts';
import { route } from '../wire/route.ts';
import { ruleAnswer, ruleBody, ruleFromWire, ruleQuery, ruleToWire } from './rules.ts';

const tag = 'Rules';

export const getRulesRoute = route({
  method: 'GET',
  path: '/api/compliance/rule/list',
  summary: 'The rules of the installation',
  tag,
  access: { to: 'signedIn' },
  answer: z.array(ruleAnswer),
  handle: async ({ context }) => (await selectRules(context.sql)).map(ruleToWire),
});

export const postRuleRoute = route({
  method: 'POST',
  path: '/api/compliance/rule/add',
  summary: 'Adds a rule',
  tag,
  access: { to: 'signedIn', routine: 'COMPLIANCE_RULES' },
  query: ruleQuery,
  body: ruleBody,
  accepts: ['form', 'json'],
  answer: ruleAnswer,
  handle: async ({ query, body, context }) => ruleToWire(await addRule(context, ruleFromWire(query, body))),
});

export const updateRuleRoute = route({
  method: 'POST',
  path: '/api/compliance/rule/update',
  summary: 'Replaces the rule of that name; optional fields left out are cleared',
  tag,
  access: { to: 'signedIn', routine: 'COMPLIANCE_RULES' },
  query: ruleQuery,
  body: ruleBody,
  accepts: ['form', 'json'],
  answer: ruleAnswer,
  handle: async ({ query, body, context }) => ruleToWire(await replaceRule(context, ruleFromWire(query, body))),
});
