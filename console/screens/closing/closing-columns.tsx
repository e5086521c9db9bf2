import {
  balanceMark,
  closedMark,
  daysMark,
  importsMark,
  openedMark,
  reportsMark,
  rulesMark,
  type StepMark,
  sealMark,
} from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/grid-columns.tsx';

export const CLOSING_COLUMNS: readonly Column<BranchOverview>[] = [
  {
    id: 'branch',
    title: 'Filial',
    text: ({ branch, name }) => `${branch} ${name}`,
    draw: ({ branch, name }) => (
      <>
        <span className="code">{branch}</span> {name}
      </>
    ),
    grows: true,
    atLeast: 10,
    narrow: true,
  },
  stepColumn('opened', 'Aberto', openedMark),
  stepColumn('days', 'Dias', daysMark, true),
  stepColumn('imports', 'Importações', importsMark),
  stepColumn('balance', 'D = C', balanceMark),
  stepColumn('closed', 'Consolidado', closedMark, true),
  stepColumn('seal', 'Selo', sealMark),
  stepColumn('rules', 'Regras', rulesMark),
  stepColumn('reports', 'Relatórios', reportsMark),
];

function stepColumn(
  id: string,
  title: string,
  markOf: (overview: BranchOverview) => StepMark,
  narrow = false,
): Column<BranchOverview> {
  return {
    id,
    title,
    narrow,
    // A badge is wider than its word.
    text: (overview) => `${markOf(overview).text}...`,
    draw: (overview) => {
      const { tone, text } = markOf(overview);
      return <Badge tone={tone}>{text}</Badge>;
    },
  };
}
