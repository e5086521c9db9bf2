import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { browserText, endOtherSessions, endSession, SESSIONS_KEY, sessionsQuery } from '../data/console-sessions.ts';
import { signOut } from '../data/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { instantText } from '../ui/format.ts';
import { messageOf, Result } from '../ui/states.tsx';

/** Where the signed-in user is signed in: a session left open elsewhere is ended from here. */
export function OwnSessions({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const query = useQuery({ ...sessionsQuery('me'), staleTime: 0 });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const end = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
      await queries.invalidateQueries({ queryKey: [SESSIONS_KEY] });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const others = query.data?.filter(({ current }) => !current) ?? [];
  return (
    <Dialog
      title="Minhas sessões"
      onClose={onClose}
      actions={
        <>
          {others.length > 1 && (
            <Button kind="danger" busy={busy} onClick={() => end(endOtherSessions)}>
              Encerrar as outras
            </Button>
          )}
          <Button icon="exit" onClick={() => void signOut()}>
            Sair
          </Button>
          <Button onClick={onClose}>Fechar</Button>
        </>
      }
    >
      <Result query={query} rows={2}>
        {(sessions) => (
          <ul className="own-sessions">
            {sessions.map(({ id, agent, address, createdAt, usedAt, current }) => (
              <li key={id}>
                <div>
                  <strong>{browserText(agent)}</strong> {current && <Badge tone="done">esta</Badge>}
                  <p>
                    De {address}, desde {instantText(createdAt)}; último uso {instantText(usedAt)}
                  </p>
                </div>
                {!current && (
                  <Button
                    busy={busy}
                    aria-label={`Encerrar a sessão de ${browserText(agent)}, ${address}`}
                    onClick={() => end(() => endSession(id))}
                  >
                    Encerrar
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Result>
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
