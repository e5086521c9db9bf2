import { useQueryClient } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { useState } from 'react';
import { branchAsked } from '../../data/balances.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { saveAs } from '../../ui/download.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { byPoints, type FormRecord } from '../../ui/forms/form-value.ts';
import { InstitutionField } from '../../ui/institution-field.tsx';
import { canShowPdf, PdfFrame } from '../../ui/pdf-frame.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { JOBS_KEY, JobTray } from './job-tray.tsx';
import { type Printed, printInBackground, printReport } from './print-report.ts';
import { bodyOfReport, choicesOf, firstValue, ReportForm } from './report-form.tsx';
import { isOfInstitutions, REPORT_TYPES, type ReportType, reportType } from './report-types.ts';
import { usePreferences } from './use-preferences.ts';
import './reports.css';

/** Relatórios: one of the reports, what it is asked for, and the paper beside it. */
export function ReportsScreen() {
  const [{ relatorio }] = useSearchParams();
  const type = reportType(relatorio);
  const { choices, save } = usePreferences(type.slug);
  const { company, branch, month } = usePlace();
  if (choices === undefined) {
    return (
      <Screen title="Relatórios">
        <Loading />
      </Screen>
    );
  }
  return <Reports key={`${type.slug} ${company} ${branch} ${month}`} type={type} choices={choices} onChoices={save} />;
}

interface ReportsProps {
  readonly type: ReportType;
  readonly choices: FormRecord;
  readonly onChoices: (choices: FormRecord) => Promise<void>;
}

function Reports({ type, choices, onChoices }: ReportsProps) {
  const place = usePlace();
  const [search] = useSearchParams();
  const asked = isOfInstitutions(type) ? branchAsked(place.branch, search) : place.branch;
  // A statement that is printed alone is asked for by the address.
  const [value, setValue] = useState(() =>
    firstValue(type, place, { ...choices, ...(search.tipo ? { tipo: search.tipo } : {}) }),
  );
  const printing = usePrinting(type, onChoices);
  const { printed, error, busy } = printing;
  const body = bodyOfReport(type, { ...place, branch: asked }, value);
  const print = () => void printing.print(body);
  const later = () => void printing.later(body);
  const isTooLarge = error instanceof PartidasProblem && error.code === 'REPORT_TOO_LARGE';
  return (
    <Screen
      title="Relatórios"
      keys={[
        { keys: 'Ctrl+Enter', label: 'imprime', run: print },
        { keys: 'Ctrl+S', label: 'salva o arquivo', run: () => (printed ? saveAs(printed.blob, printed.name) : false) },
      ]}
      actions={
        <>
          {printed && (
            <Button icon="download" onClick={() => saveAs(printed.blob, printed.name)}>
              Salvar
            </Button>
          )}
          <Button icon="clock" onClick={later}>
            Em segundo plano
          </Button>
          <Button kind="primary" icon="print" busy={busy} onClick={print}>
            Imprimir
          </Button>
        </>
      }
    >
      <div className="reports">
        <ReportList chosen={type} />
        <section className="report-form" aria-label={type.title}>
          <h2>{type.title}</h2>
          <p>{type.about}</p>
          {isOfInstitutions(type) && <InstitutionField />}
          <ReportForm type={type} value={value} onChange={setValue} problems={byPoints(problemsOf(error))} />
          <JobTray onOpen={printing.show} />
        </section>
        <section className="report-paper" aria-label="Relatório impresso">
          {error !== undefined && <Failure error={error} {...(isTooLarge ? {} : { onRepeat: print })} />}
          {isTooLarge && <Button onClick={later}>Imprimir em segundo plano</Button>}
          {printed?.note !== undefined && <p className="report-note">{printed.note}</p>}
          <Paper printed={printed} busy={busy} />
        </section>
      </div>
    </Screen>
  );
}

function Paper({ printed, busy }: { readonly printed: Printed | undefined; readonly busy: boolean }) {
  if (busy) return <Loading label="Imprimindo" />;
  if (printed === undefined) {
    return <Empty title="Nada impresso ainda">Escolha o período na régua de meses ou nas datas, e imprima.</Empty>;
  }
  if (printed.type === 'application/pdf' && canShowPdf()) return <PdfFrame blob={printed.blob} title={printed.name} />;
  return <Empty title={printed.name}>O arquivo foi salvo na pasta de downloads.</Empty>;
}

function ReportList({ chosen }: { readonly chosen: ReportType }) {
  const [, setSearch] = useSearchParams();
  return (
    <nav className="report-list" aria-label="Relatórios">
      {REPORT_TYPES.map((type) => (
        <button
          key={type.slug}
          type="button"
          className={classes('report-choice', type === chosen && 'report-chosen')}
          aria-current={type === chosen ? 'true' : undefined}
          onClick={() => setSearch({ relatorio: type.slug })}
        >
          {type.title}
        </button>
      ))}
    </nav>
  );
}

/** Prints, shows or saves what came, and remembers what it was asked for. */
function usePrinting(type: ReportType, onChoices: (choices: FormRecord) => Promise<void>) {
  const queryClient = useQueryClient();
  const session = useSession();
  const [printed, setPrinted] = useState<Printed>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const show = (file: Printed) => {
    setPrinted(file);
    if (file.type !== 'application/pdf' || !canShowPdf()) saveAs(file.blob, file.name);
  };
  const doing = async (work: () => Promise<void>, body: FormRecord) => {
    if (busy || !('who' in session)) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      await onChoices(choicesOf(body));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    ...{ printed, error, busy, show },
    print: (body: FormRecord) => doing(async () => show(await printReport(type, body)), body),
    later: (body: FormRecord) =>
      doing(async () => {
        await printInBackground(type, body);
        await queryClient.invalidateQueries({ queryKey: [JOBS_KEY] });
        toast(`${type.title}: imprimindo em segundo plano`);
      }, body),
  };
}
