import { BusinessError, type Problem, problem, reject, throwIfAny } from '../../accounting/problem.ts';
import { type RecordName, recordRef } from '../../accounting/record-name.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import type { Script } from '../../accounting/rule-language/script.ts';
import type { Context } from '../../platform/context.ts';
import { SQLSTATE, sqlState } from '../../platform/database/errors.ts';
import type { Transaction } from '../../platform/database/sql.ts';
import { recordAudit } from '../access/audit.sql.ts';
import { selectBusinessSystems, selectRegulatoryDocuments, selectSeverities } from './lookups.read.sql.ts';
import { type RuleRow, selectRule } from './rules.read.sql.ts';
import {
  insertRule,
  insertScriptVersion,
  lockRule,
  type RuleInput,
  replaceRuleDocuments,
  updateRule,
} from './rules.sql.ts';

/** A new rule of the installation; its name must be free. */
export async function addRule(context: Context, facts: RuleInput): Promise<RuleRow> {
  checkRule(facts);
  try {
    return await context.transaction(async (sql) => {
      await rejectUnknownIds(sql, facts);
      const id = await insertRule(sql, facts);
      await replaceRuleDocuments(sql, id, facts.documents);
      if (facts.script !== undefined) await insertScriptVersion(sql, id, facts.script, context.caller.username);
      const after = (await selectRule(sql, facts.name))!;
      await recordAudit(sql, context, { action: 'CREATE', entity: 'compliance_rule', entityId: id, after });
      return after;
    });
  } catch (error) {
    if (sqlState(error) !== SQLSTATE.UNIQUE_VIOLATION) throw error;
    return reject('DUPLICATE', recordRef('Rule', facts.name), 'name');
  }
}

/** Replaces the rule of that name; what is left out is cleared. Another script is a new version, the old one stays. */
export function replaceRule(context: Context, facts: RuleInput): Promise<RuleRow> {
  checkRule(facts);
  return context.transaction(async (sql) => {
    await lockRule(sql, facts.name);
    const before = (await selectRule(sql, facts.name)) ?? reject('RULE_UNKNOWN', { name: facts.name }, 'name');
    await rejectUnknownIds(sql, facts);
    await updateRule(sql, facts);
    await replaceRuleDocuments(sql, before.id, facts.documents);
    if ((facts.script ?? null) !== before.script) {
      await insertScriptVersion(sql, before.id, facts.script, context.caller.username);
    }
    const after = (await selectRule(sql, facts.name))!;
    await recordAudit(sql, context, {
      action: 'UPDATE',
      entity: 'compliance_rule',
      entityId: before.id,
      before,
      after,
    });
    return after;
  });
}

function checkRule({ baseBegin, baseEnd, validityBegin, validityEnd, script }: RuleInput): void {
  const problems: Problem[] = [];
  if (baseEnd !== undefined && baseEnd < baseBegin) {
    problems.push(problem('INVALID_DATE_RANGE', { from: { path: 'baseBegin' }, to: { path: 'baseEnd' } }, 'baseEnd'));
  }
  if (validityEnd !== undefined && validityEnd < validityBegin) {
    problems.push(
      problem('INVALID_DATE_RANGE', { from: { path: 'validityBegin' }, to: { path: 'validityEnd' } }, 'validityEnd'),
    );
  }
  throwIfAny(problems);
  if (script !== undefined) compileOrReject(script);
}

async function rejectUnknownIds(sql: Transaction, facts: RuleInput): Promise<void> {
  const severities = await selectSeverities(sql);
  const systems = await selectBusinessSystems(sql);
  const documents = await selectRegulatoryDocuments(sql);
  const problems: Problem[] = [];
  const require = (rows: readonly { id: number }[], id: number, record: RecordName, path: string) => {
    if (!rows.some((row) => row.id === id)) problems.push(problem('NOT_FOUND', recordRef(record, id), path));
  };
  require(severities, facts.severityId, 'Severity', 'severityId');
  require(systems, facts.businessSystemId, 'Business system', 'businessSystemId');
  for (const id of facts.documents) require(documents, id, 'Document', 'documents');
  if (problems.length > 0) throw new BusinessError(problems);
}

const MAX_PROBLEMS = 100;

/** The compiled script; throws all its errors, each with its place. */
export function compileOrReject(source: string): Script {
  const { script, diagnostics } = compileScript(source);
  if (script !== undefined) return script;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new BusinessError(
    errors
      .slice(0, MAX_PROBLEMS)
      .map(({ line, column, message }) => problem('SCRIPT_ERROR', { line, column, message }, 'script')),
  );
}
