import { useState } from 'react';
import { yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { countText, instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Digest, Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { FoundBadges } from './filing-findings.tsx';
import { type Delivery, FILING_VIEWS, nameOfFiling, periodText } from './filing-kinds.ts';
import { useDeliveries } from './filings-data.ts';

const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  GENERATED: ['none', 'gerada'],
  SENT: ['open', 'enviada'],
  ACCEPTED: ['done', 'aceita'],
  REJECTED: ['wrong', 'rejeitada'],
  REPLACED: ['none', 'substituída'],
};

/** The files of the year that were written, and what became of each. */
export function Deliveries() {
  const { month } = usePlace();
  const [{ entrega }, setSearch] = useSearchParams();
  const [isRecording, setRecording] = useState(false);
  const mayRecord = useMay('REGULATORY_FILES');
  const query = useDeliveries();
  const chosen = query.data?.find(({ id }) => String(id) === entrega);
  const record =
    mayRecord && chosen !== undefined && chosen.status !== 'REPLACED' ? () => setRecording(true) : undefined;
  return (
    <Screen
      title="Obrigações"
      subtitle={`entregas de ${yearOf(month)}`}
      badge={null}
      keys={[
        { keys: 'Enter', label: 'abre a entrega' },
        ...(record ? [{ keys: 'R', label: 'registra o que houve', run: record }] : []),
      ]}
      actions={<ViewChoice views={FILING_VIEWS} value="entregas" />}
      side={
        chosen && (
          <DeliveryPanel delivery={chosen} onRecord={record} onClose={() => setSearch({ entrega: undefined })} />
        )
      }
    >
      <Result query={query}>
        {(deliveries) => (
          <DataGrid
            label="Entregas"
            columns={COLUMNS}
            rows={deliveries}
            keyOf={({ id }) => id}
            {...(chosen && { startAt: chosen.id })}
            onOpen={({ id }) => setSearch({ entrega: String(id) })}
            empty={
              <Empty title="Nenhuma entrega neste ano">
                Um arquivo gerado sem erros fica registrado aqui, com o que o regulador respondeu.
              </Empty>
            }
          />
        )}
      </Result>
      {isRecording && chosen && <DeliveryDialog delivery={chosen} onClose={() => setRecording(false)} />}
    </Screen>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'file', title: 'Arquivo', text: nameOfFiling, look: 'strong', narrow: true },
  { id: 'period', title: 'Período', text: periodText, narrow: true },
  { id: 'number', title: 'Livro nº', text: ({ numeroLivro }) => (numeroLivro ?? '').toString(), align: 'end' },
  {
    id: 'state',
    title: 'Situação',
    text: ({ status }) => STATES[status][1],
    draw: ({ status }) => <Badge tone={STATES[status][0]}>{STATES[status][1]}</Badge>,
    widest: 'substituída  ',
    narrow: true,
  },
  {
    id: 'errors',
    title: 'Erros',
    text: ({ erros }) => (erros === 0 ? '–' : countText(erros)),
    align: 'end',
  },
  { id: 'receipt', title: 'Recibo', text: ({ recibo }) => recibo ?? '', grows: true, look: 'code' },
  { id: 'at', title: 'Gerada em', text: ({ geradaEm }) => instantText(geradaEm) },
  { id: 'by', title: 'Por', text: ({ geradaPor }) => geradaPor.slice(0, 24), look: 'faint' },
];

interface PanelProps {
  readonly delivery: Delivery;
  /** Absent where nothing may be recorded. */
  readonly onRecord: (() => void) | undefined;
  readonly onClose: () => void;
}

function DeliveryPanel({ delivery, onRecord, onClose }: PanelProps) {
  const { arquivo, bytes, linhas, erros, avisos, sha256, hashLivro, recibo, substitui, job, download } = delivery;
  const { status, numeroLivro, geradaEm, geradaPor, atualizadaEm } = delivery;
  const mayDownload = useMay('REGULATORY_FILES');
  return (
    <SidePanel title={nameOfFiling(delivery)} onClose={onClose}>
      <Facts
        of={[
          ['Período', periodText(delivery)],
          [
            'Situação',
            <Badge key="state" tone={STATES[status][0]}>
              {STATES[status][1]}
            </Badge>,
          ],
          ...(numeroLivro === null ? [] : [['Livro nº', String(numeroLivro)] as const]),
          ['Conferência', <FoundBadges key="found" erros={erros} avisos={avisos} />],
          ['Tamanho', `${countText(linhas)} linhas, ${countText(bytes)} bytes`],
          ['Gerada', `${instantText(geradaEm)}, ${geradaPor}`],
          ...(atualizadaEm === geradaEm ? [] : [['Atualizada', instantText(atualizadaEm)] as const]),
          ...(substitui === null ? [] : [['Substitui', `entrega ${substitui}`] as const]),
          ...(recibo === null ? [] : [['Recibo', <Digest key="receipt">{recibo}</Digest>] as const]),
          ...(hashLivro === null ? [] : [['Hash do livro', <Digest key="hash">{hashLivro}</Digest>] as const]),
          ['SHA-256', <Digest key="sha256">{sha256}</Digest>],
        ]}
      />
      <p className="filing-actions">
        {download !== null && job !== null && mayDownload && (
          <DownloadButton from={() => api.reports.downloadFiling.response({ path: { id: job } })} name={arquivo}>
            Baixar o arquivo
          </DownloadButton>
        )}
        {onRecord && (
          <Button kind="primary" icon="edit" onClick={onRecord}>
            Registrar…
          </Button>
        )}
      </p>
      {download === null && (
        <p className="field-hint">
          O arquivo já não está guardado. Gerado de novo sobre os mesmos livros, ele sai idêntico: compare o SHA-256.
        </p>
      )}
    </SidePanel>
  );
}
