import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { countText } from './format.ts';
import { Loading, messageOf } from './states.tsx';
import { toast } from './toast.tsx';
import './file-import.css';

interface ImportAnswer {
  readonly success: boolean;
  readonly totalRows: number;
  readonly errorRows: number;
  readonly message: string;
  readonly problems: readonly { readonly row: number; readonly column: string | null; readonly message: string }[];
}

interface FileImportProps {
  readonly title: string;
  /** What the file is like. */
  readonly hint: string;
  /** 'contas'. */
  readonly what: string;
  readonly send: (file: File, dryRun: boolean, signal: AbortSignal) => Promise<ImportAnswer>;
  /** Another value tries the file again. */
  readonly of?: string;
  readonly onDone: () => Promise<unknown> | unknown;
  readonly onClose: () => void;
  /** Options of the import. */
  readonly children?: ReactNode;
}

const MOST_SHOWN = 200;

/**
 * A table of master data from a file. The server tries it as soon as it is chosen, and says what is wrong where; it can
 * be written when nothing is.
 */
export function FileImport({ title, hint, what, send, of = '', onDone, onClose, children }: FileImportProps) {
  const [file, setFile] = useState<File>();
  const [tried, setTried] = useState<ImportAnswer>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again when the file or its options change
  useEffect(() => {
    setTried(undefined);
    setError(undefined);
    if (file === undefined) return;
    const stop = new AbortController();
    send(file, true, stop.signal).then(setTried, (failure: unknown) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [file, of]);
  const write = async () => {
    if (file === undefined || !tried?.success || busy) return;
    setBusy(true);
    try {
      const written = await send(file, false, new AbortController().signal);
      if (!written.success) {
        setTried(written);
        setBusy(false);
        return;
      }
      await onDone();
      toast(written.message);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      onSubmit={() => void write()}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" icon="upload" busy={busy} disabled={!tried?.success}>
            {tried?.success ? `Importar ${countText(tried.totalRows)} ${what}` : `Importar ${what}`}
          </Button>
        </>
      }
    >
      <label className="file-import">
        <span>Arquivo</span>
        <input type="file" accept=".csv,.txt,text/csv" onChange={(event) => setFile(event.target.files?.[0])} />
      </label>
      <p className="field-hint">{hint}</p>
      {children}
      {file !== undefined && tried === undefined && error === undefined && <Loading rows={3} label="Conferindo" />}
      {tried && <Findings tried={tried} />}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

function Findings({ tried }: { readonly tried: ImportAnswer }) {
  return (
    <div role="status">
      <p className={tried.success ? undefined : 'field-problem'}>{tried.message}</p>
      {tried.problems.length > 0 && (
        <ol className="file-import-problems">
          {tried.problems.slice(0, MOST_SHOWN).map(({ row, column, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that only grows whole
            <li key={at}>
              <strong>Linha {row}</strong>
              {column === null ? '' : `, ${column}`}: {message}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
