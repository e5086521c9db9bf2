import { PartidasProblem } from 'partidas-client';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Grey rows in the height that the content will have. */
export function Loading({ rows = 12, label = 'Carregando' }: { readonly rows?: number; readonly label?: string }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all the same
        <span key={at} className="loading-row" />
      ))}
    </div>
  );
}

interface EmptyProps {
  /** What is missing: 'Nenhum lançamento neste mês'. */
  readonly title: string;
  readonly children?: ReactNode;
  /** The button that makes the first one. */
  readonly action?: ReactNode;
}

/** Nothing there yet: says what is missing and offers to make it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  /** Offered where the same may succeed later. */
  readonly onRepeat?: () => void;
}

/** A request that failed, in the server's words; a refusal of rights names the routine that is missing. */
export function Failure({ error, onRepeat }: FailureProps) {
  const isDenied = error instanceof PartidasProblem && error.status === 403;
  return (
    <div className="state state-failure" role="alert">
      <p className="state-title">
        <Icon name={isDenied ? 'closing' : 'alert'} /> {isDenied ? 'Sem acesso' : 'Não foi possível'}
      </p>
      <p>{messageOf(error)}</p>
      {error instanceof PartidasProblem && error.requestId !== undefined && !isDenied && (
        <p className="state-request">Pedido {error.requestId}</p>
      )}
      {onRepeat && !isDenied && <Button onClick={onRepeat}>Tentar de novo</Button>}
    </div>
  );
}

/** A part of a screen that the user may not see, by the name of its routine. */
export function Denied({ routine }: { readonly routine: string }) {
  return (
    <div className="state">
      <p className="state-title">
        <Icon name="closing" /> Sem acesso
      </p>
      <p>
        Esta tela pede a rotina <strong>{routine}</strong>. Quem administra os acessos pode concedê-la.
      </p>
    </div>
  );
}

/** For people: the problem's text, or that the server did not answer. */
export function messageOf(error: unknown): string {
  if (error instanceof PartidasProblem) return error.message;
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    return 'O servidor não respondeu. Verifique a conexão; nada do que foi digitado se perdeu.';
  }
  return error instanceof Error ? error.message : String(error);
}

interface ResultProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The states that every reading has: grey rows while nothing is there, the refusal with the offer to repeat, and the
 * content, which stays where a later reading fails.
 */
export function Result<Data>({ query, rows, children }: ResultProps<Data>) {
  const { data, error } = query;
  if (data === undefined && error) return <Failure error={error} onRepeat={() => query.refetch()} />;
  if (data === undefined) return <Loading {...(rows === undefined ? {} : { rows })} />;
  return (
    <>
      {error ? <Failure error={error} onRepeat={() => query.refetch()} /> : null}
      {children(data)}
    </>
  );
}
