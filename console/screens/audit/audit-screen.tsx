import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { dayFromIso } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { countText, instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { usePages } from '../../ui/grid-rows.ts';
import { Screen } from '../../ui/screen.tsx';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Empty, Failure, Result } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { ACTION_CHOICES, actionText, ENTITY_CHOICES, entityText, fieldText } from './audit-words.ts';
import { fieldChanges } from './changes.ts';
import './audit.css';

/** A row of the trail. Its address is for administrators. */
interface Change {
  readonly id: number;
  readonly at: string;
  readonly username: string;
  readonly address?: string | null;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string | null;
  readonly company: string | null;
  readonly branch: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What is asked for: a branch, the company, or, by administrators, everything. */
type Extent = 'filial' | 'empresa' | 'tudo';

const PAGE = 100;

/** Auditoria: who did what and when, with what it was before and after. */
export function AuditScreen() {
  const trail = useTrail();
  const [marked, setMarked] = useState<Change>();
  const grid = useRef<GridHandle>(null);
  return (
    <Screen
      title="Auditoria"
      subtitle={trail.first.data === undefined ? null : `${countText(trail.first.data.total)} alterações`}
      badge={null}
      keys={[
        { keys: '↑ ↓', label: 'alteração' },
        { keys: '/', label: 'filtra' },
      ]}
      side={marked && <ChangePanel change={marked} />}
    >
      <Filters />
      <Result query={trail.first}>
        {({ total }) => <Changes key={trail.of} ref={grid} trail={trail} total={total} onMark={setMarked} />}
      </Result>
    </Screen>
  );
}

type Trail = ReturnType<typeof useTrail>;

function useTrail() {
  const { company, branch } = usePlace();
  const [{ quem, acao, que, id, de, ate, onde }] = useSearchParams();
  const extent = useExtent();
  const filter = {
    ...(quem && { username: quem }),
    ...(acao && { action: acao }),
    ...(que && { entity: que }),
    ...(id && { entityId: id }),
    ...(de && { from: de }),
    ...(ate && { to: ate }),
  };
  const read = async (page: number, signal: AbortSignal): Promise<{ rows: readonly Change[]; total: number }> => {
    const query = { ...filter, page, size: PAGE };
    const { content, totalElements } =
      extent === 'tudo'
        ? await api.authentication.listAuditRecords({ query }, { signal })
        : await api.authentication.listBranchAudit(
            { path: { company, branch: extent === 'empresa' ? '*' : branch }, query },
            { signal },
          );
    return { rows: content as readonly Change[], total: totalElements };
  };
  const of = JSON.stringify([extent, company, branch, filter, onde]);
  const first = useQuery({ queryKey: ['audit', of], queryFn: ({ signal }) => read(0, signal) });
  return { first, read, of };
}

function useExtent(): Extent {
  const [{ onde }] = useSearchParams();
  const session = useSession();
  const isAdmin = 'who' in session && session.who.user.admin;
  if (onde === 'empresa') return 'empresa';
  return onde === 'tudo' && isAdmin ? 'tudo' : 'filial';
}

interface ChangesProps {
  readonly trail: Trail;
  readonly total: number;
  readonly onMark: (change: Change | undefined) => void;
  readonly ref: React.Ref<GridHandle>;
}

function Changes({ trail, total, onMark, ref }: ChangesProps) {
  const { first, read, of } = trail;
  const load = async (page: number, signal: AbortSignal) =>
    page === 0 && first.data ? first.data.rows : (await read(page, signal)).rows;
  const rows = usePages<Change>({ count: total, pageSize: PAGE, load, of });
  return (
    <>
      {rows.error !== undefined && <Failure error={rows.error} onRepeat={rows.repeat} />}
      <DataGrid
        ref={ref}
        label="Alterações"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        onMark={onMark}
        empty={<Empty title="Nenhuma alteração">Nada do que os filtros pedem aconteceu aqui.</Empty>}
      />
    </>
  );
}

const COLUMNS: readonly Column<Change>[] = [
  { id: 'at', title: 'Quando', text: ({ at }) => instantText(at), widest: '00/00/0000, 00:00', narrow: true },
  { id: 'who', title: 'Quem', text: ({ username }) => username, grows: true, atLeast: 10, narrow: true },
  {
    id: 'action',
    title: 'O que fez',
    text: ({ action }) => actionText(action),
    grows: true,
    atLeast: 12,
    narrow: true,
  },
  {
    id: 'entity',
    title: 'Em quê',
    text: ({ entity, entityId }) => `${entityText(entity)}${entityId === null ? '' : ` ${entityId}`}`,
    grows: true,
    atLeast: 18,
  },
  {
    id: 'place',
    title: 'Empresa e filial',
    text: ({ company, branch }) => [company, branch].filter(Boolean).join(' / '),
    widest: '0000 / 0000000',
    look: 'faint',
  },
];

function ChangePanel({ change }: { readonly change: Change }) {
  const changes = fieldChanges(change.before, change.after);
  return (
    <SidePanel title={`${actionText(change.action)} ${entityText(change.entity)}`}>
      <Facts
        of={[
          ['Quando', instantText(change.at)],
          ['Quem', change.username],
          ...(change.address ? [['De onde', change.address] as const] : []),
          ...(change.entityId === null ? [] : [['Número', change.entityId] as const]),
        ]}
      />
      {changes.length === 0 ? (
        <p className="audit-none">A trilha não guarda campos desta ação.</p>
      ) : (
        <table className="audit-fields">
          <thead>
            <tr>
              <th scope="col">Campo</th>
              <th scope="col">Antes</th>
              <th scope="col">Depois</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after, isChanged }) => (
              <tr key={field} className={isChanged ? 'audit-changed' : undefined}>
                <th scope="row">{fieldText(field)}</th>
                <td>{before || <span className="audit-empty">—</span>}</td>
                <td>{after || <span className="audit-empty">—</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SidePanel>
  );
}

const ANY = { value: '', text: 'todas' };

function Filters() {
  const [{ quem = '', acao = '', que = '', id = '', de = '', ate = '' }, set] = useSearchParams();
  const session = useSession();
  const isAdmin = 'who' in session && session.who.user.admin;
  const extent = useExtent();
  const isFiltered = [quem, acao, que, id, de, ate].some((each) => each !== '');
  const { month } = usePlace();
  const day = (text: string) => dayFromIso(text);
  return (
    <div className="audit-filters" role="search" aria-label="Filtros da auditoria">
      <SelectField
        label="Onde"
        value={extent}
        onChange={(onde) => set({ onde })}
        choices={[
          { value: 'filial', text: 'nesta filial' },
          { value: 'empresa', text: 'na empresa toda' },
          ...(isAdmin ? [{ value: 'tudo' as const, text: 'na instalação toda' }] : []),
        ]}
      />
      <LateTextField label="Quem" type="search" value={quem} onChange={(text) => set({ quem: text || undefined })} />
      <SelectField
        label="O que fez"
        value={acao}
        onChange={(value) => set({ acao: value || undefined })}
        choices={[ANY, ...ACTION_CHOICES]}
      />
      <SelectField
        label="Em quê"
        value={que}
        onChange={(value) => set({ que: value || undefined })}
        choices={[ANY, ...ENTITY_CHOICES]}
      />
      <LateTextField
        label="Número"
        value={id}
        onChange={(text) => set({ id: text || undefined })}
        inputMode="numeric"
      />
      <DayField label="De" month={month} value={day(de)} onChange={(value) => set({ de: value })} />
      <DayField label="Até" month={month} value={day(ate)} onChange={(value) => set({ ate: value })} />
      {isFiltered && (
        <Button
          kind="quiet"
          icon="close"
          onClick={() =>
            set({ quem: undefined, acao: undefined, que: undefined, id: undefined, de: undefined, ate: undefined })
          }
        >
          Limpar
        </Button>
      )}
    </div>
  );
}

type LateProps = Omit<Parameters<typeof TextField>[0], 'onBlur' | 'onKeyDown'>;

/** Says its text when it is complete: with Enter, or when the field is left. */
function LateTextField({ value, onChange, ...rest }: LateProps) {
  const [typed, setTyped] = useState<string>();
  const say = () => {
    if (typed !== undefined && typed !== value) onChange(typed.trim());
    setTyped(undefined);
  };
  return (
    <TextField
      {...rest}
      value={typed ?? value}
      onChange={setTyped}
      onBlur={say}
      onKeyDown={(event) => event.key === 'Enter' && say()}
    />
  );
}
