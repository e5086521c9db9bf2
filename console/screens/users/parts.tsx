import { type ReactNode, useDeferredValue } from 'react';
import { useSearchParams } from '../../data/search-params.ts';
import type { KeyBinding } from '../../ui/keys.tsx';
import { Screen } from '../../ui/screen.tsx';
import { TextField } from '../../ui/text-field.tsx';

const PARTS = [
  { id: undefined, text: 'Usuários' },
  { id: 'grupos', text: 'Grupos' },
  { id: 'rotinas', text: 'Rotinas e pessoas' },
  { id: 'sessoes', text: 'Sessões' },
] as const;

interface PartProps {
  readonly count: ReactNode;
  readonly keys: readonly KeyBinding[];
  readonly actions?: ReactNode;
  readonly filtered?: boolean;
  readonly children: ReactNode;
}

/** The frame that the four parts of the screen have in common. */
export function Part({ count, keys, actions, filtered = true, children }: PartProps) {
  const [{ parte }, set] = useSearchParams();
  return (
    <Screen
      title="Usuários e acessos"
      subtitle={count}
      badge={null}
      keys={filtered ? [...keys, { keys: '/', label: 'filtra' }] : keys}
      actions={
        <>
          {filtered && <Filter />}
          {actions}
        </>
      }
    >
      <nav className="parts" aria-label="Partes da tela">
        {PARTS.map(({ id, text }) => (
          <button
            key={text}
            type="button"
            className="part"
            aria-current={parte === id ? 'page' : undefined}
            onClick={() => set({ parte: id, filtro: undefined, registro: undefined }, { push: true })}
          >
            {text}
          </button>
        ))}
      </nav>
      {children}
    </Screen>
  );
}

function Filter() {
  const [{ filtro = '' }, set] = useSearchParams();
  return (
    <TextField
      label="Filtrar"
      hiddenLabel
      placeholder="Filtrar"
      type="search"
      value={filtro}
      onChange={(text) => set({ filtro: text === '' ? undefined : text })}
    />
  );
}

/** What the filter says, a little later than it is typed: the server is not asked for each key. */
export function useFilter(): string {
  const [{ filtro = '' }] = useSearchParams();
  return useDeferredValue(filtro).trim();
}
