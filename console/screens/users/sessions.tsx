import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  browserText,
  type ConsoleSession,
  endOtherSessions,
  endSession,
  SESSIONS_KEY,
  sessionsQuery,
} from '../../data/console-sessions.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countText, fold, instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Part, useFilter } from './parts.tsx';

export function Sessions() {
  const queries = useQueryClient();
  const query = useQuery(sessionsQuery('everyone'));
  const filter = fold(useFilter());
  const [marked, setMarked] = useState<ConsoleSession>();
  const [ending, setEnding] = useState<ConsoleSession>();
  const refresh = () => queries.invalidateQueries({ queryKey: [SESSIONS_KEY] });
  const ask = () => marked && !marked.current && setEnding(marked);
  const endOthers = async () => {
    const ended = await endOtherSessions();
    await refresh();
    toast(ended === 0 ? 'Você não tem outra sessão.' : `${countText(ended)} sessões suas foram encerradas.`);
  };
  return (
    <Part
      count={query.data && `${countText(query.data.length)} sessões abertas`}
      keys={[
        { keys: '↑ ↓', label: 'sessão' },
        { keys: 'Delete', label: 'encerra', run: ask },
      ]}
      actions={
        <>
          <Button onClick={endOthers}>Encerrar as minhas outras</Button>
          <Button kind="danger" disabled={marked === undefined || marked.current} onClick={ask}>
            Encerrar
          </Button>
        </>
      }
    >
      <Result query={query}>
        {(sessions) => (
          <DataGrid
            label="Sessões"
            rows={sessions.filter(({ username, name, address }) =>
              fold(`${username} ${name} ${address}`).includes(filter),
            )}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            onMark={setMarked}
            empty={<Empty title="Nenhuma sessão">Ninguém com o que o filtro diz está no console.</Empty>}
          />
        )}
      </Result>
      {ending && (
        <ConfirmDialog
          title={`Encerrar a sessão de ${ending.username}?`}
          action="Encerrar"
          danger
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await endSession(ending.id);
            await refresh();
            toast(`A sessão de ${ending.username} foi encerrada.`);
          }}
        >
          <p>
            {browserText(ending.agent)}, de {ending.address}. O que estiver digitado lá fica na tela, e pode ser gravado
            depois de uma nova entrada.
          </p>
        </ConfirmDialog>
      )}
    </Part>
  );
}

const WAYS: Readonly<Record<string, string>> = { PASSWORD: 'senha', PASSWORD_AND_CODE: 'senha e código' };

const COLUMNS: readonly Column<ConsoleSession>[] = [
  {
    id: 'username',
    title: 'Usuário',
    text: ({ username }) => username,
    draw: ({ username, current }) => (
      <>
        {username} {current && <Badge tone="done">esta</Badge>}
      </>
    ),
    grows: true,
    atLeast: 14,
    narrow: true,
  },
  { id: 'how', title: 'Entrou por', text: ({ how }) => WAYS[how] ?? how },
  { id: 'address', title: 'De onde', text: ({ address }) => address, look: 'code' },
  { id: 'agent', title: 'Navegador', text: ({ agent }) => browserText(agent), grows: true, atLeast: 14 },
  { id: 'created', title: 'Desde', text: ({ createdAt }) => instantText(createdAt) },
  { id: 'used', title: 'Último uso', text: ({ usedAt }) => instantText(usedAt), narrow: true },
];
