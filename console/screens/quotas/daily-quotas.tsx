import { useMemo, useRef, useState } from 'react';
import { addDays, type Day, firstDay } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { AwaitingApproval } from '../../ui/awaiting-approval.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { dayText } from '../../ui/format.ts';
import type { KeyBinding } from '../../ui/keys.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Denied, Empty, Result } from '../../ui/states.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { ConfirmDaysDialog } from './confirm-days-dialog.tsx';
import { DAILY_COLUMNS } from './daily-columns.tsx';
import { DailyPanel } from './daily-panel.tsx';
import { NotConfigured } from './not-configured.tsx';
import { QUOTA_VIEWS } from './quota-views.ts';
import {
  type DailyQuota,
  type QuotaConfiguration,
  useDailyPreview,
  useDailyQuotas,
  useQuotaConfiguration,
} from './quotas-data.ts';
import { ReprocessDialog } from './reprocess-dialog.tsx';
import { businessDayAfter, type Span, useSpan } from './span.ts';
import { SpanFields } from './span-fields.tsx';

type Asked = 'configure' | 'confirm' | 'reprocess';

/** The quotas of days: those confirmed, previews of those to come, and what became stale. */
export function DailyQuotas() {
  const { branch, month } = usePlace();
  const span = useSpan();
  const [showsReplaced, setShowsReplaced] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [marked, setMarked] = useState<DailyQuota>();
  const dayField = useRef<HTMLInputElement>(null);
  const mayQuote = useMay('TAX_QUOTA');
  const maySet = useMay('SETTINGS');
  const quotas = useDailyQuotas(span, showsReplaced);
  const { preview, previews, wanted, calculate, forget } = useCalculation();
  const configuration = useQuotaConfiguration();
  const rows = useRows(quotas.data, previews);
  const stale = rows.filter(({ status }) => status === 'STALE').map(({ referenceDate }) => referenceDate as Day);
  const lastDay = rows.findLast(({ status }) => status !== 'PREVIEW')?.referenceDate as Day | undefined;
  const isFund = configuration.data !== undefined && configuration.data !== null;
  const configure = maySet && configuration.data !== undefined ? () => setAsked('configure') : undefined;
  const reprocess = mayQuote && stale.length > 0 ? () => setAsked('reprocess') : undefined;
  const confirm = mayQuote && previews.length > 0 ? () => setAsked('confirm') : undefined;
  const type = mayQuote && isFund ? () => dayField.current?.select() : undefined;
  const keys = keysOf([
    ['P', 'calcula a prévia', type],
    ['C', 'confirma', confirm],
    ['R', 'reprocessa', reprocess],
    ['O', 'configura', configure],
  ]);
  return (
    <Screen
      title="Cotas"
      subtitle={`filial ${branch}`}
      badge={null}
      keys={keys}
      actions={
        <>
          <ViewChoice views={QUOTA_VIEWS} value="dias" />
          <SpanFields />
          <CheckField label="Substituídas" value={showsReplaced} onChange={setShowsReplaced} />
          {configure && <Button onClick={configure}>Configurar…</Button>}
        </>
      }
      side={
        isFund &&
        (mayQuote ? (
          <DailyPanel
            proposed={businessDayAfter(lastDay ?? addDays(firstDay(month), -1))}
            preview={preview}
            isAsked={wanted !== undefined}
            marked={marked}
            onPreview={calculate}
            onConfirm={confirm}
            ref={dayField}
          />
        ) : (
          <SidePanel title="Calcular cotas">
            <Denied routine="TAX_QUOTA" />
          </SidePanel>
        ))
      }
    >
      <AwaitingApproval branch={branch} />
      {stale.length > 0 && <StaleNotice days={stale} onReprocess={reprocess} />}
      <Result query={quotas}>
        {() => (
          <DataGrid
            label="Cotas diárias"
            rows={rows}
            columns={DAILY_COLUMNS}
            keyOf={keyOf}
            rowClass={({ status }) => (status === 'CONFIRMED' ? undefined : `quota-${status.toLowerCase()}`)}
            onMark={setMarked}
            empty={<NoQuotas isFund={configuration.data !== null} onConfigure={configure} />}
          />
        )}
      </Result>
      {asked && (
        <DailyDialog
          asked={asked}
          configuration={configuration.data ?? null}
          wanted={wanted}
          previews={previews}
          stale={stale}
          onConfirmed={forget}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Screen>
  );
}

/** The days that a preview was asked of, and what came out. */
function useCalculation() {
  const [wanted, setWanted] = useState<Span>();
  const preview = useDailyPreview(wanted);
  const calculate = (days: Span) => {
    if (wanted?.from === days.from && wanted.to === days.to) void preview.refetch();
    else setWanted(days);
  };
  const previews = wanted !== undefined && preview.data ? preview.data : NONE;
  return { wanted, preview, previews, calculate, forget: () => setWanted(undefined) };
}

/** Keys of what can be done now. */
function keysOf(all: readonly (readonly [keys: string, label: string, run: (() => void) | undefined])[]): KeyBinding[] {
  return all.flatMap(([keys, label, run]) => (run ? [{ keys, label, run }] : []));
}

const NONE: readonly DailyQuota[] = [];

function keyOf({ referenceDate, status, replacedAt }: DailyQuota): string {
  return `${referenceDate} ${status === 'PREVIEW' ? status : (replacedAt ?? '')}`;
}

/** Confirmed quotas and previews in the order of their days; those that were replaced stand below what replaced them. */
function useRows(quotas: readonly DailyQuota[] | undefined, previews: readonly DailyQuota[]): readonly DailyQuota[] {
  return useMemo(
    () =>
      [...(quotas ?? []), ...previews].toSorted((a, b) =>
        a.referenceDate === b.referenceDate ? 0 : a.referenceDate < b.referenceDate ? -1 : 1,
      ),
    [quotas, previews],
  );
}

interface DailyDialogProps {
  readonly asked: Asked;
  readonly configuration: QuotaConfiguration | null;
  readonly wanted: Span | undefined;
  readonly previews: readonly DailyQuota[];
  readonly stale: readonly Day[];
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
}

function DailyDialog({ asked, configuration, wanted, previews, stale, onConfirmed, onClose }: DailyDialogProps) {
  if (asked === 'configure') return <ConfigurationDialog configuration={configuration} onClose={onClose} />;
  if (asked === 'reprocess')
    return stale[0] && <ReprocessDialog span={{ from: stale[0], to: stale.at(-1)! }} onClose={onClose} />;
  return (
    wanted &&
    previews.length > 0 && (
      <ConfirmDaysDialog span={wanted} previews={previews} onDone={onConfirmed} onClose={onClose} />
    )
  );
}

interface NoQuotasProps {
  readonly isFund: boolean;
  readonly onConfigure: (() => void) | undefined;
}

function NoQuotas({ isFund, onConfigure }: NoQuotasProps) {
  if (isFund)
    return <Empty title="Nenhuma cota neste período">Calcule a prévia de um dia ou de um período e confirme.</Empty>;
  return <NotConfigured onConfigure={onConfigure} />;
}

function StaleNotice({
  days,
  onReprocess,
}: {
  readonly days: readonly Day[];
  readonly onReprocess: (() => void) | undefined;
}) {
  const first = dayText(days[0]!);
  return (
    <p className="quota-notice" role="status">
      {days.length === 1
        ? `A cota de ${first} não confere mais com os livros.`
        : `${days.length} cotas, a partir de ${first}, não conferem mais com os livros.`}
      {onReprocess && <Button onClick={onReprocess}>Reprocessar…</Button>}
    </p>
  );
}
