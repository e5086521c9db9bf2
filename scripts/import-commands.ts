import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { BusinessError } from '../src/accounting/problem.ts';
import type { Tenant } from '../src/features/access/access.ts';
import { selectTenant } from '../src/features/access/permissions.read.sql.ts';
import { importHolidays } from '../src/features/master-data/calendar/import-holidays.ts';
import { importChart } from '../src/features/master-data/chart/import-chart.ts';
import { importBaseBalances } from '../src/features/master-data/companies/import-base-balances.ts';
import { importCompanies } from '../src/features/master-data/companies/import-companies.ts';
import { importNarrations } from '../src/features/master-data/narrations/import-narrations.ts';
import { selectRecords } from '../src/features/master-data/records/records.read.sql.ts';
import { importReferenceChart } from '../src/features/master-data/reference-charts/import-reference-chart.ts';
import {
  REFERENCE_CHART,
  saveReferenceChart,
} from '../src/features/master-data/reference-charts/save-reference-chart.ts';
import type { TableOutcome } from '../src/features/master-data/table-imports/import-table.ts';
import { MAX_TABLE_BYTES } from '../src/features/master-data/table-imports/read-table.ts';
import type { EcdImportOptions, EcdImportResult } from '../src/features/posting/imports/ecd/ecd-import.ts';
import { importEcdNow } from '../src/features/posting/imports/ecd/import-ecd-now.ts';
import { type SpooledFile, writeToTemporaryFile } from '../src/features/posting/imports/spool.ts';
import { codeText } from '../src/http/fields.ts';
import { textOf } from '../src/http/problem-details.ts';
import { readConfig, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import { findingRow } from './finding-row.ts';
import { operand } from './operand.ts';

/** Options of the imports on the command line. */
export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  confirmed: { type: 'boolean', default: false },
  chart: { type: 'string' },
} as const;

interface ImportOptions {
  readonly 'dry-run': boolean;
  readonly confirmed: boolean;
  readonly name?: string | undefined;
  readonly chart?: string | undefined;
}

/** `npm run admin -- import …`: master data from CSV files, as POST …/import takes it. */
export const IMPORT_COMMANDS = {
  'import chart': {
    usage: 'import chart <chart> <file> [--dry-run] [--confirmed]',
    run: (context: Context, [word, path]: readonly string[], options: ImportOptions) => {
      const chart = operand('chart', word, codeText(40));
      return importFile(path, options, (file, dryRun) =>
        importChart(context, { chart, file, dryRun, confirmed: options.confirmed }),
      );
    },
  },
  'import reference': {
    usage: 'import reference <reference chart> <file> [--name <name>] [--dry-run] [--confirmed]',
    run: (context: Context, [word, path]: readonly string[], options: ImportOptions) => {
      const code = operand('reference chart', word, codeText(40));
      return importFile(path, options, async (file, dryRun) => {
        const id = await referenceChartNamed(context, code, options.name, dryRun);
        return importReferenceChart(context, id, { file, dryRun, confirmed: options.confirmed });
      });
    },
  },
  'import histories': {
    usage: 'import histories <file> [--dry-run]',
    run: (context: Context, [path]: readonly string[], options: ImportOptions) =>
      importFile(path, options, (file, dryRun) => importNarrations(context, { file, dryRun })),
  },
  'import companies': {
    usage: 'import companies <file> [--dry-run]',
    run: (context: Context, [path]: readonly string[], options: ImportOptions) =>
      importFile(path, options, (file, dryRun) => importCompanies(context, readConfig(process.env), { file, dryRun })),
  },
  'import calendar': {
    usage: 'import calendar <company>/<branch> <file> [--dry-run]',
    run: (context: Context, [tenant, path]: readonly string[], options: ImportOptions) =>
      importFile(path, options, async (file, dryRun) =>
        importHolidays(context, await tenantNamed(context, tenant), { file, dryRun }),
      ),
  },
  'import balances': {
    usage: 'import balances <company>/<branch> <file> [--dry-run]',
    run: (context: Context, [tenant, path]: readonly string[], options: ImportOptions) =>
      importFile(path, options, async (file, dryRun) =>
        importBaseBalances(context, await tenantNamed(context, tenant), { file, dryRun }),
      ),
  },
  'import ecd': {
    usage: 'import ecd <company>/<branch> <file> [--dry-run] [--chart <new chart>]',
    run: async (context: Context, [tenant, path]: readonly string[], options: ImportOptions) => {
      if (path === undefined) throw new StartError('file is missing');
      return importEcdFile(context, await tenantNamed(context, tenant), path, options);
    },
  },
} as const;

async function importFile(
  path: string | undefined,
  options: ImportOptions,
  work: (file: SpooledFile, dryRun: boolean) => Promise<TableOutcome>,
): Promise<void> {
  if (path === undefined) throw new StartError('file is missing');
  const file = await fileAt(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const { rows, problems } = await work(file, options['dry-run']);
    for (const each of problems.told) console.error(`row ${each.row}: ${each.place}: ${textOf(each.problem, 'en')}`);
    if (problems.count > 0) throw new StartError(`errors: ${problems.count}; nothing is saved`);
    console.log(`${basename(path)}: ${rows} rows ${options['dry-run'] ? 'checked, nothing is saved' : 'imported'}`);
  } finally {
    await file.remove();
  }
}

/** Opened before it is streamed: a stream that cannot open its file fails before it has a listener. */
async function fileAt(path: string): Promise<SpooledFile> {
  const opened = await open(path);
  return writeToTemporaryFile(opened.createReadStream(), 'windows-1252', MAX_TABLE_BYTES);
}

/** Why a file cannot be read, in a sentence; what is no reason of the file stays as it is. */
export function unreadable(path: string, error: unknown): unknown {
  const reason = UNREADABLE[(error as { code?: string }).code ?? ''];
  return reason === undefined ? error : new StartError(`${path}: ${reason}`);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
};

/** Returns the exit code: 1 where something stands against the import. */
async function importEcdFile(context: Context, tenant: Tenant, path: string, options: ImportOptions): Promise<number> {
  const opened = await open(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const file = await writeToTemporaryFile(opened.createReadStream(), 'windows-1252', Number.POSITIVE_INFINITY);
  try {
    const asked: EcdImportOptions = {
      ...{ dryRun: options['dry-run'], chart: options.chart, balancesOnly: false, months: undefined },
      hierarchy: 'ARQUIVO',
      costCentre: 'SOMAR',
    };
    const result = await importEcdNow(context, tenant, { name: basename(path), file }, asked, reasonIn);
    for (const row of rowsOfResult(result)) console.log(row);
    return result.stops > 0 ? 1 : 0;
  } finally {
    await file.remove();
  }
}

/** Findings are in the language of who keeps the books. */
function reasonIn(error: unknown): string {
  return error instanceof BusinessError ? error.problems.map((each) => textOf(each, 'pt')).join('; ') : String(error);
}

function rowsOfResult({ findings, errors, stops, warnings, imported, created, proof }: EcdImportResult): string[] {
  const sums = `erros ${errors}, impeditivos ${stops}, avisos ${warnings}`;
  return [
    ...findings.map(findingRow),
    ...(created === null
      ? []
      : [
          Object.entries(created)
            .map(([name, count]) => `${name} ${count}`)
            .join(', '),
        ]),
    ...(proof === null
      ? []
      : [`prova: contas ${proof.accounts}, meses ${proof.months}, diferenças ${proof.differences}`]),
    `${imported ? 'importado' : 'nada foi gravado'}: ${sums}`,
  ];
}

/** Creates the reference chart when it does not exist and has a name. */
async function referenceChartNamed(
  context: Context,
  code: string,
  name: string | undefined,
  dryRun: boolean,
): Promise<string> {
  const charts = await selectRecords(context.sql, REFERENCE_CHART);
  const found = charts.find((chart) => chart.code === code);
  if (found) return String(found.id);
  if (name === undefined) throw new StartError(`there is no reference chart ${code}; --name begins it`);
  if (dryRun) throw new StartError(`there is no reference chart ${code}, and a dry run does not begin it`);
  const values = { code, name: operand('name', name) };
  const begun = await saveReferenceChart(context, values);
  return String(begun.id);
}

async function tenantNamed(context: Context, word: string | undefined): Promise<Tenant> {
  const name = operand('company and branch', word);
  const [company = '', branch = ''] = name.split('/');
  const found = await selectTenant(context.sql, company, branch);
  if (!found || found.branchId === null || found.branch === null) throw new StartError(`there is no branch ${name}`);
  return { companyId: found.companyId, company, branchId: found.branchId, branch };
}
