import { readFile } from 'node:fs/promises';
import { firstDay, monthOf } from '../../accounting/period.ts';
import { type Context, withTransaction } from '../../platform/context.ts';
import { selectBusinessSystems, selectRegulatoryDocuments, selectSeverities } from './lookups.read.sql.ts';
import { hasRules, selectRule } from './rules.read.sql.ts';
import { lockRules } from './rules.sql.ts';
import { addRule } from './save-rule.ts';

/** A rule as the seed file writes it: codes in place of ids, the script line by line. */
interface StarterRule {
  readonly name: string;
  readonly description: string;
  readonly severity: string;
  readonly businessSystem: string;
  readonly documents: readonly string[];
  readonly autorun: boolean;
  readonly script: readonly string[];
}

/** From which the starter rules hold. */
const FIRST_MONTH = monthOf(2000, 1)!;
const FILE = new URL('../../seeds/compliance/starter-rules.json', import.meta.url);

/**
 * Gives the starter rules to a new installation: one without any rule, for rules are never removed. They run when they are
 * asked for: they look at the chart of the central bank, and not every branch keeps it.
 */
export async function ensureStarterRules(context: Context): Promise<void> {
  if (await hasRules(context.sql)) return;
  await context.transaction(async (sql) => {
    // Of two programs that start at once, the second waits and finds them.
    await lockRules(sql);
    if (!(await hasRules(sql))) await loadStarterRules(withTransaction(context, sql), { runThemselves: false });
  });
}

/** Adds the starter rules that the installation does not have yet; returns the names of those added. */
export async function loadStarterRules(
  context: Context,
  { runThemselves } = { runThemselves: true },
): Promise<string[]> {
  const rules = JSON.parse(await readFile(FILE, 'utf8')) as StarterRule[];
  const severities = await selectSeverities(context.sql);
  const systems = await selectBusinessSystems(context.sql);
  const documents = await selectRegulatoryDocuments(context.sql);
  const added: string[] = [];
  for (const { name, description, severity, businessSystem, documents: codes, autorun, script } of rules) {
    if (await selectRule(context.sql, name)) continue;
    await addRule(context, {
      name,
      description,
      severityId: idOf(severities, severity),
      businessSystemId: idOf(systems, businessSystem),
      documents: codes.map((code) => idOf(documents, code)),
      baseBegin: FIRST_MONTH,
      baseEnd: undefined,
      validityBegin: firstDay(FIRST_MONTH),
      validityEnd: undefined,
      autorun: autorun && runThemselves,
      script: script.join('\n'),
    });
    added.push(name);
  }
  return added;
}

function idOf(rows: readonly { readonly id: number; readonly code: string }[], code: string): number {
  const row = rows.find((each) => each.code === code);
  if (row === undefined) throw new Error(`the starter rules name ${code}, which does not exist`);
  return row.id;
}
