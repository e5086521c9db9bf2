import { type AccountMask, prefixMatcher, segmentsKey, shapeOf } from '../account-code.ts';
import type { Nature } from '../balance.ts';
import type { PlacedAccount } from './place-accounts.ts';
import {
  type AccountSelector,
  type DefinitionLine,
  type GivenLine as Line,
  type LineGroup,
  type StatementKind,
  withLevels,
} from './statement-definition.ts';

/** An account as a default definition needs it. */
export interface ChartNode extends PlacedAccount {
  readonly parentId: number | null;
  readonly description: string;
  readonly normalBalance: Nature;
}

/** Is the chart written in the central bank's codes, as far as its first level says? */
export function isCosifChart(accounts: readonly ChartNode[], masks: readonly AccountMask[]): boolean {
  const cosif = masks.filter(({ name }) => name.startsWith('COSIF'));
  const roots = accounts.filter(({ parentId }) => parentId === null);
  return roots.length > 0 && roots.every(({ code }) => shapeOf(code, cosif) === 'REGULATORY');
}

/** The balance sheet or income statement of a chart by the classes of its accounts: a line for each branch of the tree. */
export function definitionByClass(
  kind: 'BP' | 'DRE',
  accounts: readonly ChartNode[],
  masks: readonly AccountMask[],
): DefinitionLine[] {
  const chart = new Tree(accounts, masks);
  const lines =
    kind === 'BP'
      ? [
          ...withTotal(
            total('A', null, 'A', 'ATIVO'),
            chart.linesOf('01', 'A', () => 'A'),
          ),
          ...withTotal(total('P', null, 'P', 'PASSIVO E PATRIMÔNIO LÍQUIDO'), [
            ...withTotal(
              total('PE', 'P', 'P', 'PASSIVO'),
              chart.linesOf('02', 'PE', () => 'P'),
            ),
            ...withTotal(
              total('PL', 'P', 'P', 'PATRIMÔNIO LÍQUIDO'),
              chart.linesOf('03', 'PL', () => 'P'),
            ),
          ]),
        ]
      : resultLines(chart);
  return withLevels(lines);
}

/**
 * The statement of changes in equity, or of retained earnings, over the lines that a balance sheet has for equity: a
 * column each. Retained earnings are known by their names.
 */
export function equityDefinition(kind: 'DLPA' | 'DMPL', equityLines: readonly DefinitionLine[]): DefinitionLine[] {
  const isRetained = ({ description }: DefinitionLine) =>
    /lucros|preju[ií]zos|sobras/i.test(description) && !/reserva/i.test(description);
  const chosen = kind === 'DMPL' ? equityLines : equityLines.filter(isRetained);
  const root =
    kind === 'DMPL'
      ? total('PL', null, 'P', 'PATRIMÔNIO LÍQUIDO')
      : total('LPA', null, 'P', 'LUCROS OU PREJUÍZOS ACUMULADOS');
  return withLevels(
    withTotal(
      root,
      chosen.map((line) => ({ ...line, level: undefined, parentCode: root.code })),
    ),
  );
}

/** Revenue and expense below one result; a deduction of revenue stays with the revenue that it hangs under. */
function resultLines(chart: Tree): Line[] {
  const all = chart.linesOf('04', '', ({ normalBalance }) => (normalBalance === 'D' ? 'D' : 'R'));
  const under = (parentCode: string, of: LineGroup) =>
    all.filter(({ group }) => group === of).map((line) => ({ ...line, parentCode }));
  return withTotal(total('R', null, 'R', 'RESULTADO DO PERÍODO'), [
    ...withTotal(total('RR', 'R', 'R', 'RECEITAS'), under('RR', 'R')),
    ...withTotal(total('RD', 'R', 'D', 'DESPESAS'), under('RD', 'D')),
  ]);
}

function total(code: string, parentCode: string | null, group: LineGroup, description: string): Line {
  return { code, indicator: 'T', parentCode, group, description, note: null, selectors: [] };
}

/** A total with its parts; nothing where there are no parts. */
function withTotal(root: Line, parts: readonly Line[]): Line[] {
  return parts.length === 0 ? [] : [root, ...parts];
}

class Tree {
  readonly #masks: readonly AccountMask[];
  readonly #children: ReadonlyMap<number | null, readonly ChartNode[]>;
  readonly #postings: readonly ChartNode[];
  readonly #matches: (prefix: string, code: string) => boolean;

  constructor(accounts: readonly ChartNode[], masks: readonly AccountMask[]) {
    this.#masks = masks;
    this.#children = Map.groupBy(accounts, ({ parentId }) => parentId);
    this.#postings = accounts.filter(({ type }) => type === 'A');
    this.#matches = prefixMatcher(masks);
  }

  /** A line for each highest branch with accounts of that class alone; one of level 1 gives way to its children. */
  linesOf(accountClass: string, parentCode: string, groupOf: (branch: ChartNode) => LineGroup): Line[] {
    const roots = this.#children.get(null) ?? [];
    return roots.flatMap((root) => {
      const children = this.#children.get(root.id) ?? [];
      const branches = this.#isOnly(root, accountClass) && children.length > 0 ? children : [root];
      // Who is below a group of revenue or of expense belongs to it, whatever its own normal balance.
      const decidesGroup = root.accountClass === accountClass && root.normalBalance !== 'M';
      return branches
        .flatMap((branch) => this.#branchesOf(branch, accountClass))
        .map((branch) => this.#lineOf(branch, parentCode, groupOf(decidesGroup ? root : branch)));
    });
  }

  #branchesOf(branch: ChartNode, accountClass: string): ChartNode[] {
    const postings = this.#postingsBelow(branch);
    if (!postings.some((account) => account.accountClass === accountClass)) return [];
    if (this.#isOnly(branch, accountClass)) return [branch];
    return (this.#children.get(branch.id) ?? []).flatMap((child) => this.#branchesOf(child, accountClass));
  }

  #isOnly(branch: ChartNode, accountClass: string): boolean {
    return this.#postingsBelow(branch).every((account) => account.accountClass === accountClass);
  }

  #postingsBelow(branch: ChartNode): ChartNode[] {
    if (branch.type === 'A') return [branch];
    return (this.#children.get(branch.id) ?? []).flatMap((child) => this.#postingsBelow(child));
  }

  #lineOf(branch: ChartNode, parentCode: string, group: LineGroup): Line {
    const { code, description } = branch;
    return {
      code: `${group}${segmentsKey(code, this.#masks)}`,
      indicator: 'D',
      parentCode,
      group,
      description,
      note: null,
      selectors: this.#selectorsOf(branch),
    };
  }

  /** The prefix; the accounts one by one where the tree does not follow the codes. */
  #selectorsOf(branch: ChartNode): AccountSelector[] {
    if (branch.type === 'A') return [{ pattern: branch.code, exclude: false }];
    const pattern = `${branch.code}*`;
    const below = new Set(this.#postingsBelow(branch));
    const isPrefixTrue = this.#postings.every((account) => this.#matches(pattern, account.code) === below.has(account));
    if (isPrefixTrue) return [{ pattern, exclude: false }];
    return [...below].map(({ code }) => ({ pattern: code, exclude: false }));
  }
}

/** Lines of a balance sheet that hold equity alone. */
export function equityLinesOf(
  lines: readonly DefinitionLine[],
  byLine: ReadonlyMap<string, readonly PlacedAccount[]>,
): DefinitionLine[] {
  return lines.filter(({ code }) => {
    const accounts = byLine.get(code) ?? [];
    return accounts.length > 0 && accounts.every(({ accountClass }) => accountClass === '03');
  });
}

/** What default definitions are called. */
export const DEFAULT_CODE = 'PADRAO';
export const DEFAULT_NAMES: Readonly<Record<StatementKind, string>> = {
  BP: 'Balanço patrimonial',
  DRE: 'Demonstração do resultado',
  DLPA: 'Demonstração dos lucros ou prejuízos acumulados',
  DMPL: 'Demonstração das mutações do patrimônio líquido',
};
