import { useMemo } from 'react';
import { useGo } from '../../data/place.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { countText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Digest, Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Empty } from '../../ui/states.tsx';
import type { FilingJob } from './filing-kinds.ts';
import { mendingOf } from './mending.ts';

/** Of the platform's own files with the record to mend, of anyone's without. */
type Finding = FilingJob['achados'][number];

/** What a check found. */
export interface Found {
  readonly erros: number;
  readonly avisos: number;
  readonly achados: readonly Finding[];
  readonly contagens: Readonly<Record<string, number>>;
}

/** 'sem erros', '3 erros', '1 aviso'. */
export function FoundBadges({ erros, avisos }: Pick<Found, 'erros' | 'avisos'>) {
  return (
    <>
      {erros === 0 ? (
        <Badge tone="done">sem erros</Badge>
      ) : (
        <Badge tone="wrong">{erros === 1 ? '1 erro' : `${countText(erros)} erros`}</Badge>
      )}{' '}
      {avisos > 0 && <Badge tone="open">{avisos === 1 ? '1 aviso' : `${countText(avisos)} avisos`}</Badge>}
    </>
  );
}

interface FilingFindingsProps {
  readonly found: Found;
  /** The finding to show beside the table. */
  readonly onMark: (finding: ShownFinding | undefined) => void;
}

/** Findings in a table, errors first; Enter goes to the record to mend. */
export function FilingFindings({ found, onMark }: FilingFindingsProps) {
  const go = useGo();
  const rows = useMemo(() => rowsOf(found), [found]);
  return (
    <DataGrid
      label="Achados"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ at }) => at}
      onMark={onMark}
      onOpen={({ mending }) => mending && go(mending.to)}
      empty={<Empty title="Nada foi encontrado">Nenhuma regra conhecida apontou este arquivo.</Empty>}
    />
  );
}

/** A finding with how often its rule was broken in all, and where it is mended. */
export interface ShownFinding extends Finding {
  readonly at: number;
  readonly count: number;
  readonly mending: ReturnType<typeof mendingOf>;
}

function rowsOf({ achados, contagens }: Found): readonly ShownFinding[] {
  const rows = achados.map((finding, at) => ({
    ...finding,
    ...{ at, count: contagens[finding.regra] ?? 1, mending: finding.onde && mendingOf(finding.onde) },
  }));
  return rows.toSorted((a, b) => Number(a.severidade === 'AVISO') - Number(b.severidade === 'AVISO') || a.at - b.at);
}

const COLUMNS: readonly Column<ShownFinding>[] = [
  {
    id: 'severity',
    title: 'Grau',
    text: ({ severidade }) => `${severidade.toLowerCase()}  `,
    draw: ({ severidade }) => (
      <Badge tone={severidade === 'ERRO' ? 'wrong' : 'open'}>{severidade === 'ERRO' ? 'erro' : 'aviso'}</Badge>
    ),
    narrow: true,
  },
  { id: 'text', title: 'O que está errado', text: ({ texto }) => texto, grows: true, atLeast: 24, narrow: true },
  { id: 'value', title: 'Valor', text: ({ valor = '' }) => shortened(valor) },
  { id: 'place', title: 'Linha e campo', text: placeOf, look: 'faint' },
  { id: 'mend', title: 'Onde corrigir', text: ({ mending }) => shortened(mending?.text ?? '') },
];

const MOST_SHOWN = 28;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}

/** '57 · I155.VL_SLD_FIN'. */
function placeOf({ linha, registro, campo }: Finding): string {
  const field = [registro, campo].filter(Boolean).join('.');
  return [linha === undefined ? '' : countText(linha), field].filter(Boolean).join(' · ');
}

/** Beside the table: the marked finding in full. */
export function FindingPanel({ finding }: { readonly finding: ShownFinding }) {
  const go = useGo();
  const { regra, texto, valor, mending, count } = finding;
  return (
    <SidePanel title="Achado">
      <p className="filing-text">{texto}</p>
      <Facts
        of={[
          ['Regra', <Digest key="rule">{regra}</Digest>],
          ...(count > 1 ? [['Ao todo', `${countText(count)} vezes`] as const] : []),
          ...(placeOf(finding) === '' ? [] : [['Onde', placeOf(finding)] as const]),
          ...(valor ? [['Valor', valor] as const] : []),
        ]}
      />
      {mending && (
        <p className="filing-actions">
          <Button icon="edit" onClick={() => go(mending.to)}>
            {`Corrigir: ${mending.text}`}
          </Button>
        </p>
      )}
    </SidePanel>
  );
}
