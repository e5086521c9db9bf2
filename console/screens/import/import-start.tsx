import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import { centavosOf, countText, instantText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isField } from '../../ui/keys.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Denied, Empty, Result } from '../../ui/states.tsx';
import { ImportDetails } from './import-details.tsx';
import { IMPORTS_KEY, type ImportRecord, stateOf } from './imports.ts';

interface StartProps {
  readonly mayImport: boolean;
  readonly onFile: (file: File) => void;
}

/** Where files are dropped, and what was imported into the month. */
export function ImportStart({ mayImport, onFile }: StartProps) {
  const { company, branch, month } = usePlace();
  const [{ importacao }, setSearch] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const query = useQuery({
    queryKey: [IMPORTS_KEY, company, branch, month],
    queryFn: ({ signal }) =>
      api.movements.listImports(
        { path: { company, branch }, query: { month, dryRun: 'false', size: 500 } },
        { signal },
      ),
    // One that runs elsewhere ends by itself.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'RUNNING') ? 1_500 : false),
  });
  const chosen = query.data?.find(({ id }) => String(id) === importacao);
  const pick = () => input.current?.click();
  usePastedFile(mayImport, onFile);
  return (
    <Screen
      title="Importar"
      keys={[
        ...(mayImport
          ? [
              { keys: 'O', label: 'escolhe o arquivo', run: pick },
              { keys: 'Ctrl+V', label: 'cola da planilha' },
            ]
          : []),
        { keys: 'Enter', label: 'abre a importação' },
      ]}
      actions={
        mayImport && (
          <Button icon="import" kind="primary" onClick={pick}>
            Escolher arquivo
          </Button>
        )
      }
      side={chosen && <ImportDetails record={chosen} onClose={() => setSearch({ importacao: undefined })} />}
    >
      {mayImport ? <DropZone onFile={onFile} onPick={pick} /> : <Denied routine="IMPORT" />}
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Arquivo de lançamentos"
        accept=".csv,.txt,.ipl,.json,text/csv,text/plain,application/json"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <h2 className="import-history-title">Importações do mês</h2>
      <Result query={query} rows={4}>
        {(records) => (
          <DataGrid
            label="Importações do mês"
            columns={COLUMNS}
            rows={records}
            keyOf={({ id }) => id}
            onOpen={({ id }) => setSearch({ importacao: String(id) })}
            empty={
              <Empty title="Nenhuma importação neste mês">O que for importado aparece aqui, com quem importou.</Empty>
            }
          />
        )}
      </Result>
    </Screen>
  );
}

const COLUMNS: readonly Column<ImportRecord>[] = [
  { id: 'name', title: 'Arquivo', text: ({ fileName }) => fileName, grows: true, narrow: true, look: 'strong' },
  { id: 'kind', title: 'Tipo', text: ({ kind }) => kind },
  { id: 'at', title: 'Quando', text: ({ startedAt }) => instantText(startedAt) },
  { id: 'by', title: 'Quem', text: ({ requestedBy }) => requestedBy.slice(0, 24), look: 'faint' },
  { id: 'rows', title: 'Linhas', text: ({ rowsRead }) => countText(rowsRead), align: 'end' },
  amountColumn({
    id: 'debits',
    title: 'Débitos',
    amount: ({ debits }) => (debits === null ? undefined : centavosOf(debits)),
  }),
  {
    id: 'state',
    title: 'Resultado',
    text: (record) => stateOf(record).text,
    draw: (record) => <Badge tone={stateOf(record).tone}>{stateOf(record).text}</Badge>,
    widest: '1.000 linhas recusadas',
    narrow: true,
  },
];

function DropZone({ onFile, onPick }: { readonly onFile: (file: File) => void; readonly onPick: () => void }) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={classes('drop', isOver && 'drop-over')}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <Icon name="import" className="drop-icon" />
      <p className="drop-title">Solte aqui o arquivo de lançamentos</p>
      <p>CSV (; , ou tabulação), IPL de 156 colunas ou JSON. Nada é gravado antes de você confirmar.</p>
      <Button onClick={onPick}>Escolher arquivo</Button>
    </div>
  );
}

/** Cells copied from a spreadsheet are a file as well. */
function usePastedFile(mayImport: boolean, onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    if (!mayImport) return;
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isField(event.target) || !text.includes('\n')) return;
      event.preventDefault();
      latest.current(new File([text], 'colado da planilha.csv', { type: 'text/csv' }));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [mayImport]);
}
