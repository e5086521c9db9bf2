import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import type { AccountMask } from '../../../accounting/account-code.ts';
import { type Day, dayFromIso } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import {
  DEFAULT_CODE,
  DEFAULT_NAMES,
  definitionByClass,
  equityDefinition,
  equityLinesOf,
  isCosifChart,
} from '../../../accounting/statements/default-definition.ts';
import { placeAccounts } from '../../../accounting/statements/place-accounts.ts';
import type { DefinitionLine, LineGroup, StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Context } from '../../../platform/context.ts';
import { type AccountRow, selectAccountsOfChart } from '../chart/chart.read.sql.ts';
import { masksOfChart } from '../chart/masks-of-chart.ts';
import { addStatement, lockChangedChart } from './save-statement.ts';
import { writeLines } from './save-statement-lines.ts';
import type { StatementRow } from './statements.read.sql.ts';

/** From which default definitions hold where nothing else is said: before all books. */
const FIRST_DAY = dayFromIso('1900-01-01')!;

/**
 * Makes the default definitions of these kinds: those of the central bank's chart from a table, those of other charts
 * by the classes of their accounts.
 */
export async function createDefaultStatements(
  context: Context,
  chartCode: string,
  kinds: readonly StatementKind[],
  validFrom: Day = FIRST_DAY,
): Promise<StatementRow[]> {
  const table = await readCosifTable();
  return context.transaction(async (sql) => {
    const chart = await lockChangedChart(sql, context, chartCode);
    const accounts = await selectAccountsOfChart(sql, chart.id);
    const masks = await masksOfChart(sql, chart.id);
    const made: StatementRow[] = [];
    for (const kind of kinds) {
      const lines = defaultLines(kind, accounts, masks, table);
      // A default without accounts on both sides has no lines to begin with.
      if (lines.length === 0) reject('STATEMENT_NO_ACCOUNTS', { statement: kind, chart: chartCode }, 'chart');
      const input = { kind, code: DEFAULT_CODE, name: DEFAULT_NAMES[kind], validFrom };
      const statement = await addStatement(sql, context, chart, input);
      await writeLines(sql, context, chart, statement, lines);
      made.push(statement);
    }
    return made;
  });
}

function defaultLines(
  kind: StatementKind,
  accounts: readonly AccountRow[],
  masks: readonly AccountMask[],
  table: Readonly<Record<'BP' | 'DRE', readonly DefinitionLine[]>>,
): readonly DefinitionLine[] {
  const plain = (of: 'BP' | 'DRE') =>
    isCosifChart(accounts, masks) ? table[of] : definitionByClass(of, accounts, masks);
  if (kind === 'BP' || kind === 'DRE') return plain(kind);
  const sheet = plain('BP');
  return equityDefinition(kind, equityLinesOf(sheet, placeAccounts('BP', sheet, accounts, masks).byLine));
}

const COSIF_TABLE = new URL('../../../seeds/statements/cosif-default.csv', import.meta.url);

interface TableRow {
  readonly statement: 'BP' | 'DRE';
  readonly code: string;
  readonly ind: 'T' | 'D';
  readonly level: string;
  readonly superior: string;
  readonly group: LineGroup;
  readonly description: string;
  readonly accounts: string;
}

/** The default lines over the central bank's chart. */
async function readCosifTable(): Promise<Record<'BP' | 'DRE', DefinitionLine[]>> {
  const text = await readFile(COSIF_TABLE, 'utf8');
  const { data } = Papa.parse<TableRow>(text, { header: true, delimiter: ';', skipEmptyLines: true });
  const linesOf = (kind: 'BP' | 'DRE') => data.filter(({ statement }) => statement === kind).map(lineOf);
  return { BP: linesOf('BP'), DRE: linesOf('DRE') };
}

function lineOf({ code, ind, level, superior, group, description, accounts }: TableRow): DefinitionLine {
  return {
    code,
    indicator: ind,
    level: Number(level),
    parentCode: superior === '' ? null : superior,
    group,
    description,
    note: null,
    selectors: accounts === '' ? [] : accounts.split(' ').map((pattern) => ({ pattern, exclude: false })),
  };
}
