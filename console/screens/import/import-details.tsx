import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { centavosOf, countText, instantText } from '../../ui/format.ts';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { IMPORTS_KEY, type ImportRecord, rowsText, stateOf } from './imports.ts';
import { ProblemList } from './problem-list.tsx';

/** One import of the list: its figures, why it was rejected, its file, and the way back. */
export function ImportDetails({ record, onClose }: { readonly record: ImportRecord; readonly onClose: () => void }) {
  const { company, branch } = usePlace();
  const { id, fileName, status, debits, credits, undoneAt, undoneBy, batchId } = record;
  const { tone, text } = stateOf(record);
  const go = useGo();
  const isKept = status === 'DONE' || status === 'UNDONE';
  return (
    <SidePanel title={fileName} onClose={onClose}>
      <Facts
        of={[
          [
            'Resultado',
            <Badge key="state" tone={tone}>
              {text}
            </Badge>,
          ],
          ['Quando', instantText(record.startedAt)],
          ['Quem', record.requestedBy],
          ['Linhas', countText(record.rowsRead)],
          ['Partidas', record.lines === null ? '–' : countText(record.lines)],
          ['Débitos', debits === null ? '–' : <Amount key="debits" value={centavosOf(debits)} />],
          ['Créditos', credits === null ? '–' : <Amount key="credits" value={centavosOf(credits)} />],
          ...(undoneAt === null ? [] : [['Desfeito', `${instantText(undoneAt)}, ${undoneBy}`] as const]),
        ]}
      />
      <div className="import-details-actions">
        {status === 'DONE' && batchId !== null && (
          <Button icon="entries" onClick={() => go({ screen: 'lancamentos', search: { lote: String(batchId) } })}>
            Lançamentos
          </Button>
        )}
        {isKept && (
          <DownloadButton from={() => api.movements.downloadImport({ path: { company, branch, id } })} name={fileName}>
            Arquivo
          </DownloadButton>
        )}
        {status === 'DONE' && <UndoImport record={record} />}
      </div>
      {status === 'REFUSED' && <KeptProblems id={id} />}
    </SidePanel>
  );
}

function KeptProblems({ id }: { readonly id: number }) {
  const { company, branch } = usePlace();
  const query = useQuery({
    queryKey: [IMPORTS_KEY, company, branch, 'one', id],
    queryFn: ({ signal }) => api.movements.getImport({ path: { company, branch, id } }, { signal }),
  });
  return (
    <Result query={query} rows={4}>
      {({ problems, message }) => (problems.length === 0 ? <p>{message}</p> : <ProblemList problems={problems} />)}
    </Result>
  );
}

function UndoImport({ record }: { readonly record: ImportRecord }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const mayUndo = useMay('DELETE_MOVEMENTS');
  if (!mayUndo) return null;
  return (
    <>
      <Button icon="undo" kind="danger" onClick={() => setAsking(true)}>
        Desfazer
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Desfazer a importação"
          action="Desfazer importação"
          danger
          word={String(record.id)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.movements.undoImport({ path: { id: record.id } });
            await queryClient.invalidateQueries();
            toast(`${record.fileName}: importação desfeita`);
          }}
        >
          <p>
            Os lançamentos que {record.fileName} gravou ({rowsText(record.rowsRead)}) são excluídos, e os documentos que
            ficarem vazios. O que outros lançaram permanece. O arquivo continua guardado.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
