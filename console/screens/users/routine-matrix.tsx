import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { api } from '../../data/client.ts';
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countText } from '../../ui/format.ts';
import { Empty, messageOf, Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Matrix, matrixQuery, USERS_KEY } from './access-data.ts';
import { Part, useFilter } from './parts.tsx';

type Routine = Matrix['routines'][number];

/** A user or a group, as a row. */
interface Holder {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly userId?: number;
  readonly groupId?: number;
  readonly groups: readonly number[];
  readonly isAdmin: boolean;
  readonly routines: ReadonlySet<string>;
}

/** Through what somebody may use a routine: by an own row, by a group's, as everybody, as administrator. */
type Way = 'own' | 'group' | 'open' | 'admin' | 'none';

const SIGNS: Readonly<Record<Way, string>> = { own: '●', group: 'G', open: 'L', admin: 'A', none: '' };
const WORDS: Readonly<Record<Way, string>> = {
  own: 'concedida',
  group: 'pelo grupo',
  open: 'livre para todos',
  admin: 'administração',
  none: 'não pode',
};

/** Rotinas e pessoas: rows are people and groups, columns are routines. */
export function RoutineMatrix() {
  const query = useQuery(matrixQuery(useFilter()));
  return (
    <Part
      count={
        query.data && `${countText(query.data.users.totalElements)} usuários, ${query.data.routines.length} rotinas`
      }
      keys={[
        { keys: '↑ ↓', label: 'pessoa' },
        { keys: '← →', label: 'rotina' },
        { keys: 'Enter', label: 'concede ou retira' },
      ]}
    >
      <p className="matrix-signs">
        {(['own', 'group', 'open', 'admin'] as const).map((way) => (
          <span key={way}>
            <b className={`matrix-${way}`}>{SIGNS[way]}</b> {WORDS[way]}
          </span>
        ))}
      </p>
      <Result query={query}>{(matrix) => <Table matrix={matrix} />}</Result>
    </Part>
  );
}

interface Change {
  readonly holder: Holder;
  readonly routine: Routine;
}

function Table({ matrix }: { readonly matrix: Matrix }) {
  const { routines } = matrix;
  const holders = holdersOf(matrix);
  const queries = useQueryClient();
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<readonly [number, number]>([0, 0]);
  const [asking, setAsking] = useState<Change>();
  if (holders.length === 0) return <Empty title="Nenhum usuário">Nenhum nome tem o que o filtro diz.</Empty>;

  const change = async ({ holder, routine }: Change) => {
    const row = ownGrant(holder, routine);
    if (row) await api.masterdata.deleteRoutineAccess({ path: { id: row.id } });
    else {
      const who = holder.userId === undefined ? { groupId: holder.groupId! } : { userId: holder.userId };
      await api.masterdata.createRoutineAccess({ body: { routineId: routine.id, ...who } });
    }
    await queries.invalidateQueries({ queryKey: [USERS_KEY] });
    toast(row ? `${holder.name} perdeu ${routine.name}.` : `${holder.name} recebeu ${routine.name}.`);
  };
  const press = (holder: Holder, routine: Routine) => {
    const wanted = { holder, routine };
    // The first row of an open routine closes it to all others; the last one taken away leaves it to nobody.
    if (isOpen(routine) || (ownGrant(holder, routine) && routine.grants.length === 1)) setAsking(wanted);
    else change(wanted).catch((error) => toast(messageOf(error), { tone: 'wrong' }));
  };
  const move = (event: KeyboardEvent) => {
    const [row, column] = at;
    const next = STEPS[event.key]?.(row, column, holders.length - 1, routines.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    table.current?.querySelector<HTMLElement>(`[data-at="${next.join()}"]`)?.focus();
  };
  return (
    <div className="matrix">
      <table ref={table} onKeyDown={move}>
        <caption className="visually-hidden">Quem pode usar cada rotina</caption>
        <thead>
          <tr>
            <th scope="col">Pessoa ou grupo</th>
            {routines.map(({ id, name, restricted, description }) => (
              <th key={id} scope="col" title={description ?? undefined}>
                <span>{name}</span>
                {restricted && <small>restrita</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {holders.map((holder, row) => (
            <tr key={holder.key}>
              <th scope="row">
                {holder.name} <small>{holder.about}</small>
              </th>
              {routines.map((routine, column) => {
                const { way, text } = wayOf(holder, routine, matrix);
                return (
                  <td key={routine.id}>
                    <button
                      type="button"
                      data-at={`${row},${column}`}
                      tabIndex={at[0] === row && at[1] === column ? 0 : -1}
                      className={classes('matrix-cell', `matrix-${way}`)}
                      aria-label={`${holder.name}, ${routine.name}: ${text}`}
                      title={text}
                      aria-disabled={way === 'admin'}
                      onFocus={() => setAt([row, column])}
                      onClick={() => way !== 'admin' && press(holder, routine)}
                    >
                      {SIGNS[way]}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {asking && (
        <ConfirmDialog
          title={isOpen(asking.routine) ? `Restringir ${asking.routine.name}?` : `Retirar ${asking.routine.name}?`}
          action={isOpen(asking.routine) ? 'Conceder e restringir' : 'Retirar'}
          danger
          onClose={() => setAsking(undefined)}
          onConfirm={() => change(asking)}
        >
          <p>
            {isOpen(asking.routine)
              ? `Hoje todos os usuários com empresa usam ${asking.routine.name}. Com a primeira concessão, só quem a tiver poderá usá-la.`
              : `É a última concessão: depois dela só quem administra pode usar ${asking.routine.name}.`}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

type Step = (row: number, column: number, lastRow: number, lastColumn: number) => readonly [number, number];

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: (row, column) => [Math.max(0, row - 1), column],
  ArrowDown: (row, column, last) => [Math.min(last, row + 1), column],
  ArrowLeft: (row, column) => [row, Math.max(0, column - 1)],
  ArrowRight: (row, column, _, last) => [row, Math.min(last, column + 1)],
  Home: (row) => [row, 0],
  End: (row, _column, _, last) => [row, last],
};

function holdersOf({ groups, users }: Matrix): Holder[] {
  return [
    ...groups.map(
      ({ id, name, active }): Holder => ({
        key: `group ${id}`,
        name,
        about: active ? 'grupo' : 'grupo inativo',
        groupId: id,
        groups: [],
        isAdmin: false,
        routines: new Set(),
      }),
    ),
    ...users.content.map(
      ({ id, username, name, admin, active, groups: own, routines }): Holder => ({
        key: `user ${id}`,
        name: username,
        about: active ? (name === username ? '' : name) : 'desativado',
        userId: id,
        groups: own,
        isAdmin: admin,
        routines: new Set(routines),
      }),
    ),
  ];
}

/** Nobody stands on its rows, and it asks for none: every user with a company uses it. */
function isOpen({ restricted, grants }: Routine): boolean {
  return !restricted && grants.length === 0;
}

function ownGrant(holder: Holder, { grants }: Routine) {
  return grants.find((grant) =>
    holder.userId === undefined ? grant.groupId === holder.groupId : grant.userId === holder.userId,
  );
}

function wayOf(holder: Holder, routine: Routine, { groups }: Matrix): { way: Way; text: string } {
  if (holder.isAdmin) return { way: 'admin', text: WORDS.admin };
  if (ownGrant(holder, routine)) return { way: 'own', text: WORDS.own };
  const through = groups.filter(
    ({ id, active }) => active && holder.groups.includes(id) && routine.grants.some(({ groupId }) => groupId === id),
  );
  const names = through.map(({ name }) => name).join(', ');
  if (through.length > 0) return { way: 'group', text: `${WORDS.group} ${names}` };
  if (isOpen(routine) && (holder.groupId !== undefined || holder.routines.has(routine.code))) {
    return { way: 'open', text: WORDS.open };
  }
  return { way: 'none', text: WORDS.none };
}
