import { useState } from 'react';
import { firstDay, lastDay, monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { MONTH_REPORTS, type MonthReport, missingReports, reportsMark } from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveResponse } from '../../ui/download.tsx';
import { instantText, monthTitle } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { messageOf } from '../../ui/states.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { Step } from './step.tsx';

interface ReportsStepProps {
  readonly overview: BranchOverview;
  readonly onPrint: () => void;
}

/** Which reports of the month were printed, and when. */
export function ReportsStep({ overview, onPrint }: ReportsStepProps) {
  const { branch, state, reports } = overview;
  const { tone, text } = reportsMark(overview);
  return (
    <Step title="Relatórios e livros" tone={tone} state={text}>
      <ul className="found">
        {Object.entries(MONTH_REPORTS).map(([tipo, name]) => {
          const printed = reports.find((each) => each.tipo === tipo);
          return (
            <li key={tipo}>
              {name}
              <small>
                {printed === undefined
                  ? 'não impresso'
                  : `${instantText(printed.at)} · ${printed.by}${printed.stale ? ' · antes da consolidação' : ''}`}
              </small>
            </li>
          );
        })}
      </ul>
      {state !== 'NOT_OPENED' && (
        <div className="step-actions">
          <Button icon="print" onClick={onPrint}>
            Imprimir…
          </Button>
          <PlaceLink to={{ branch, screen: 'demonstracoes' }}>Livros com termos</PlaceLink>
        </div>
      )}
    </Step>
  );
}

const ALL = Object.keys(MONTH_REPORTS) as MonthReport[];

/** Prints the reports of the month into one PDF; first those that are missing. */
export function PrintDialog({
  overview,
  onClose,
}: {
  readonly overview: BranchOverview;
  readonly onClose: () => void;
}) {
  const { company, month } = usePlace();
  const changed = useMonthsChanged();
  const missing = missingReports(overview);
  const [chosen, setChosen] = useState<ReadonlySet<MonthReport>>(new Set(missing.length === 0 ? ALL : missing));
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { branch } = overview;
  const print = async () => {
    if (isBusy || chosen.size === 0) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const relatorios = ALL.filter((tipo) => chosen.has(tipo)).map((tipo) => ({
        tipo,
        parametros: PARAMETERS[tipo](month),
      }));
      const body = { empresa: company, filial: branch, visualizationEnum: 'PDF', relatorios } as const;
      const file = await api.reports.printCombinedReport.response({ body }, { accept: 'application/pdf' });
      await saveResponse(file, `relatorios-${company}-${branch}-${month}.pdf`);
      toast(`Relatórios de ${monthTitle(month)} impressos`);
      onClose();
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    } finally {
      await changed();
    }
  };
  return (
    <Dialog
      title={`Imprimir ${monthTitle(month)}, filial ${branch}`}
      onClose={onClose}
      onSubmit={print}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" icon="print" busy={isBusy} disabled={chosen.size === 0}>
            Imprimir
          </Button>
        </>
      }
    >
      {ALL.map((tipo) => (
        <CheckField
          key={tipo}
          label={MONTH_REPORTS[tipo]}
          value={chosen.has(tipo)}
          onChange={(isChosen) =>
            setChosen(new Set(ALL.filter((each) => (each === tipo ? isChosen : chosen.has(each)))))
          }
        />
      ))}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

type Month = ReturnType<typeof usePlace>['month'];

const ofMonth = (month: Month) => ({ ano: yearOf(month), mes: monthNumberOf(month) });
const ofDays = (month: Month) => ({ dataInicio: firstDay(month), dataFim: lastDay(month) });
const PARAMETERS: Readonly<Record<MonthReport, (month: Month) => Record<string, unknown>>> = {
  monthlyTrialBalance: ofMonth,
  patrimonialBalance: ofMonth,
  relatorioRazao: ofDays,
  relatorioDiarioGeral: ofDays,
};
