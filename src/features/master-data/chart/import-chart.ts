import {
  type AccountMask,
  codeSortKey,
  digitsOnly,
  isAccountCode,
  levelOf,
  placesAbove,
  segmentsKey,
} from '../../../accounting/account-code.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { RowReader } from '../table-imports/row-reader.ts';
import { fitsMask, masksToRead } from './account-mask.ts';
import { selectChart } from './chart.read.sql.ts';
import {
  type AccountInput,
  insertAccounts,
  lockTree,
  moveSubtrees,
  type NewAccountRow,
  nextAccountIds,
  selectShortCodes,
  setNextShortCode,
  setParent,
  type TreeAccount,
} from './chart.sql.ts';
import { requireChartChange } from './chart-owner.ts';
import { lockOrBeginChart, rejectChangeOfUsedAccount, wrongCheckDigitOf } from './create-account.ts';
import { selectMasksOfChart, selectRegulatoryMasks } from './masks.read.sql.ts';

const COLUMNS = {
  code: ['cdAccounting', 'code', 'conta', 'codigo'],
  shortCode: ['cdReduced', 'reduzido'],
  description: ['description', 'name', 'descricao', 'nome'],
  type: ['accountType', 'tipo'],
  isLeaf: ['isLeaf', 'analitica'],
  normalBalance: ['nature', 'natureza'],
  accountClass: ['accountClass', 'codNat', 'classe'],
  parent: ['parentCdAccounting', 'parentCode', 'contaPai'],
  contra: ['rectifying', 'retificadora'],
  cosifCode: ['cosifCode', 'cosif'],
  cofiCode: ['cofiCode', 'cofi'],
  estbanCode: ['estbanCode', 'estban'],
  startDate: ['startDate', 'inicio'],
  endDate: ['endDate', 'fim'],
  active: ['active', 'ativa'],
} as const;

type Field = keyof typeof COLUMNS;

const LAYOUT: TableLayout<Field> = {
  columns: COLUMNS,
  required: ['code', 'description', 'normalBalance', 'accountClass'],
  ignored: ['code10', 'level', 'nivel', 'chartCode'],
};

export interface ImportedAccount extends AccountInput {
  readonly row: number;
  /** As the file names it; absent: found by the code. */
  readonly parentCode: string | undefined;
  /** Absent: a posting account unless the file has accounts below it. */
  readonly statedType: 'S' | 'A' | undefined;
}

/**
 * Adds the accounts of a file to a chart that the caller sees, or creates one with them (domain: imports and bulk).
 * Levels that the file lacks are not made: the parent is the nearest account above. `confirmed` keeps wrong check
 * digits.
 */
export async function importChart(
  context: Context,
  upload: { readonly chart: string; readonly file: TableFile; readonly dryRun: boolean; readonly confirmed: boolean },
): Promise<TableOutcome> {
  await requireChartToImport(context, upload.chart);
  const transaction = (work: (sql: Transaction) => Promise<void>) =>
    context.elevated(ELEVATION.sharedChart, (system) => system.transaction(work));
  return importTable(transaction, upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readAccount,
    write: (sql, accounts, problems) => addAccounts(sql, context, upload, accounts, problems),
  });
}

/** Checked before the file is read, and again under the chart's lock when it is written. */
export async function requireChartToImport(context: Context, code: string): Promise<void> {
  const chart = await selectChart(context.sql, context.caller.id, code);
  if (chart) requireChartChange(context, chart, 'chart');
}

function readAccount(row: TableRow<Field>, problems: FileProblems): ImportedAccount | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const isLeaf = cells.flag('isLeaf');
  const code = cells.required('code', 40, 'code');
  if (code !== '' && !isAccountCode(code)) cells.refuse('code', problem('INVALID_ACCOUNT_CODE', { account: code }));
  const statedType = cells.oneOf('type', ['S', 'A']) ?? (isLeaf === undefined ? undefined : isLeaf ? 'A' : 'S');
  const normalBalance = cells.oneOf('normalBalance', ['D', 'C', 'M']);
  const accountClass = cells.oneOf('accountClass', ['01', '02', '03', '04', '05', '09']);
  if (row.cells.normalBalance === '') cells.refuse('normalBalance', 'MISSING_VALUE');
  if (row.cells.accountClass === '') cells.refuse('accountClass', 'MISSING_VALUE');
  const account = {
    row: row.row,
    code,
    shortCode: cells.text('shortCode', 20),
    description: cells.required('description', 200, 'name'),
    type: statedType ?? 'A',
    statedType,
    normalBalance: normalBalance ?? 'D',
    accountClass: accountClass ?? '09',
    parentCode: cells.code('parent', 40),
    contra: cells.flag('contra') ?? false,
    cosifCode: cells.text('cosifCode', 40),
    cofiCode: cells.text('cofiCode', 40),
    estbanCode: cells.text('estbanCode', 40),
    startDate: cells.day('startDate'),
    endDate: cells.day('endDate'),
    active: cells.flag('active') ?? true,
  } as const;
  if (account.startDate !== undefined && account.endDate !== undefined && account.startDate > account.endDate) {
    cells.refuse('endDate', problem('INVALID_DATE_RANGE', { from: 'startDate', to: 'endDate' }));
  }
  return cells.sound ? account : undefined;
}

/** A node of the tree: an account of the chart or of the file. */
interface Node {
  readonly id: AccountId;
  readonly code: string;
  readonly place: string;
  readonly existing: TreeAccount | undefined;
  readonly imported: ImportedAccount | undefined;
  parent: Node | undefined;
  hasChildren: boolean;
  ancestors?: readonly AccountId[];
}

export async function addAccounts(
  sql: Transaction,
  context: Context,
  upload: { readonly chart: string; readonly confirmed: boolean },
  accounts: readonly ImportedAccount[],
  problems: FileProblems,
): Promise<void> {
  const chart = await lockOrBeginChart(sql, context, upload.chart, 'chart');
  requireChartChange(context, chart, 'chart');
  const chartId = chart.id;
  const prescribed = await selectMasksOfChart(sql, chartId);
  const masks = masksToRead(prescribed, await selectRegulatoryMasks(sql));
  const wrong = (account: ImportedAccount, found: Problem, place: string = COLUMNS.code[0]) =>
    problems.add({ row: account.row, place, problem: found });
  for (const account of accounts) {
    const broken = prescribed.find((mask) => !fitsMask(account.code, mask));
    if (broken !== undefined) wrong(account, problem('ACCOUNT_BREAKS_MASK', { account: account.code, mask: broken }));
    const digit = upload.confirmed ? undefined : wrongCheckDigitOf(account.code, masks);
    if (digit !== undefined) {
      const consequences = [{ consequence: 'CHECK_DIGIT_DIFFERS', code: account.code, digit }] as const;
      wrong(account, problem('CONFIRMATION_REQUIRED', { consequences }));
    }
  }
  const nodes = await growTree(sql, chartId, accounts, masks, wrong);
  const added = [...nodes.values()].filter((node) => node.imported !== undefined);
  hangUnderParents(nodes, masks, wrong);
  for (const node of added) if (!placeAncestors(node)) wrong(node.imported!, cycleOf(node), COLUMNS.parent[0]);
  for (const { imported, hasChildren } of added) {
    if (hasChildren && imported!.statedType === 'A') {
      wrong(imported!, problem('ACCOUNT_HAS_CHILDREN', { account: imported!.code }), COLUMNS.type[0]);
    }
  }
  const shortCode = await shortCodes(sql, chartId, added, wrong);
  if (problems.count > 0) return;
  await insertAccounts(
    sql,
    chartId,
    added.map((node) => rowOf(node, shortCode.get(node)!, masks)),
  );
  for (const node of nodes.values()) {
    const { existing, parent } = node;
    if (existing && parent && existing.parentId !== parent.id && parent.imported) {
      await rejectChangeOfUsedAccount(sql, existing);
      await setParent(sql, chartId, existing.id, parent.id);
      await moveSubtrees(sql, chartId, [existing.id], [...parent.ancestors!, parent.id]);
    }
  }
  await recordAudit(sql, context, {
    action: 'IMPORT',
    entity: 'account',
    entityId: chartId,
    after: { chart: upload.chart, accounts: added.length },
  });
}

/** The chart's accounts and the file's, by their place; a place or a code that is taken twice is reported. */
async function growTree(
  sql: Transaction,
  chartId: ChartId,
  accounts: readonly ImportedAccount[],
  masks: readonly AccountMask[],
  wrong: (account: ImportedAccount, found: Problem) => void,
): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>();
  for (const existing of await lockTree(sql, chartId)) {
    const { id, code, segmentsKey: place } = existing;
    nodes.set(place, { id, code, place, existing, imported: undefined, parent: undefined, hasChildren: false });
  }
  const ids = await nextAccountIds(sql, accounts.length);
  accounts.forEach((imported, at) => {
    const place = segmentsKey(imported.code, masks);
    const taken = nodes.get(place);
    if (taken) wrong(imported, problem('DUPLICATE', recordRef('Account', taken.code)));
    else {
      const { code } = imported;
      nodes.set(place, {
        id: ids[at]!,
        code,
        place,
        existing: undefined,
        imported,
        parent: undefined,
        hasChildren: false,
      });
    }
  });
  return nodes;
}

/** Finds all parents; existing accounts keep theirs unless the file has a nearer one. */
function hangUnderParents(
  nodes: ReadonlyMap<string, Node>,
  masks: readonly AccountMask[],
  wrong: (account: ImportedAccount, found: Problem, place?: string) => void,
): void {
  const byId = new Map([...nodes.values()].map((node) => [node.id, node]));
  const byCode = new Map([...nodes.values()].map((node) => [node.code, node]));
  for (const node of nodes.values()) {
    const nearest = nodes.get(placesAbove(node.code, masks).findLast((place) => nodes.has(place)) ?? '');
    const { existing, imported } = node;
    if (existing) {
      node.parent = nearest?.imported ? nearest : existing.parentId === null ? undefined : byId.get(existing.parentId);
    } else if (imported!.parentCode !== undefined) {
      node.parent = byCode.get(imported!.parentCode);
      if (!node.parent) {
        wrong(imported!, problem('ACCOUNT_NOT_FOUND', { account: imported!.parentCode }), COLUMNS.parent[0]);
      }
    } else {
      node.parent = nearest;
      if (!nearest && levelOf(node.code, masks) > 1) {
        wrong(imported!, problem('INVALID_FIELD', { reason: 'NO_ACCOUNT_ABOVE' }));
      }
    }
    if (node.parent) node.parent.hasChildren = true;
    if (imported && node.parent?.existing?.type === 'A') {
      wrong(imported, problem('PARENT_NOT_SYNTHETIC', { account: node.parent.code }));
    }
  }
}

/** The path from the root, of the node and of all above it; false for a cycle. */
function placeAncestors(node: Node): boolean {
  const path: Node[] = [];
  for (let at: Node | undefined = node; at && at.ancestors === undefined; at = at.parent) {
    if (path.includes(at)) return false;
    path.push(at);
  }
  for (const each of path.reverse()) each.ancestors = each.parent ? [...each.parent.ancestors!, each.parent.id] : [];
  return true;
}

function cycleOf({ code, parent }: Node): Problem {
  return problem('ACCOUNT_CYCLE', { account: code, parent: parent?.code ?? code });
}

/** Short codes as the file gives them, and numbers above all others for the rest. */
async function shortCodes(
  sql: Transaction,
  chartId: ChartId,
  added: readonly Node[],
  wrong: (account: ImportedAccount, found: Problem, place?: string) => void,
): Promise<Map<Node, string>> {
  const { taken, next: first } = await selectShortCodes(sql, chartId);
  const used = new Set(taken);
  const codes = new Map<Node, string>();
  let next = first;
  for (const node of added) {
    const { shortCode } = node.imported!;
    if (shortCode === undefined) continue;
    if (used.has(shortCode)) {
      wrong(node.imported!, problem('DUPLICATE', recordRef('Short code', shortCode)), COLUMNS.shortCode[0]);
    }
    used.add(shortCode);
    codes.set(node, shortCode);
    if (/^\d{1,15}$/.test(shortCode)) next = Math.max(next, Number(shortCode) + 1);
  }
  for (const node of added) {
    if (codes.has(node)) continue;
    while (used.has(String(next))) next++;
    codes.set(node, String(next++));
  }
  await setNextShortCode(sql, chartId, next);
  return codes;
}

function rowOf(node: Node, shortCode: string, masks: readonly AccountMask[]): NewAccountRow {
  const account = node.imported!;
  const type = account.statedType ?? (node.hasChildren ? 'S' : 'A');
  const byCode = !node.parent || placesAbove(account.code, masks).includes(node.parent.place);
  return {
    ...account,
    id: node.id,
    type,
    shortCode,
    // A parent that is not an ancestor by the digits gives the level by its depth.
    level: byCode ? levelOf(account.code, masks) : node.ancestors!.length + 1,
    parentId: node.parent?.id ?? null,
    ancestors: node.ancestors!,
    sortKey: codeSortKey(account.code, masks),
    segmentsKey: node.place,
    digits: digitsOnly(account.code),
  };
}
