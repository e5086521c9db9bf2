import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { useFollow } from '../../ui/follow.ts';
import { countText, instantText } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { messageOf, Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Printed, printedOf } from './print-report.ts';

/** Key of the own reports in the background. */
export const JOBS_KEY = 'report jobs';

type Job = Awaited<ReturnType<typeof api.reports.listReportJobs>>[number];

const SHOWN = 20;

/** The own reports in the background: how far they are, live, and their files. */
export function JobTray({ onOpen }: { readonly onOpen: (printed: Printed) => void }) {
  const query = useQuery({
    queryKey: [JOBS_KEY],
    queryFn: ({ signal }) => api.reports.listReportJobs({ query: { size: SHOWN } }, { signal }),
  });
  if (query.data?.length === 0) return null;
  return (
    <section className="job-tray" aria-label="Em segundo plano">
      <h3>Em segundo plano</h3>
      <Result query={query} rows={2}>
        {(jobs) => (
          <ul>
            {jobs.map((job) => (
              <JobItem key={job.id} job={job} onOpen={onOpen} />
            ))}
          </ul>
        )}
      </Result>
    </section>
  );
}

function isUnderWay({ status }: Job): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

function JobItem({ job, onOpen }: { readonly job: Job; readonly onOpen: (printed: Printed) => void }) {
  const queryClient = useQueryClient();
  const { id, nomeArquivo, status, linhas, mensagem } = job;
  useFollow(
    isUnderWay(job) && ((signal) => api.reports.followReport.events({ path: { id } }, { signal })),
    [id],
    (event) => {
      const state = event.data as Job;
      queryClient.setQueryData<Job[]>([JOBS_KEY], (jobs) => jobs?.map((each) => (each.id === id ? state : each)));
      if (state.status === 'DONE') toast(`${nomeArquivo} está pronto`);
      return isUnderWay(state);
    },
  );
  const fetchFile = () => api.reports.downloadReport.response({ path: { id }, query: { inline: 'true' } });
  const open = async () => {
    try {
      onOpen(await printedOf(await fetchFile()));
    } catch (error) {
      toast(messageOf(error), { tone: 'wrong' });
    }
  };
  return (
    <li>
      <p className="job-name">{nomeArquivo}</p>
      {isUnderWay(job) && <Progress label={status === 'PENDING' ? 'na fila' : `${countText(linhas)} linhas`} />}
      {status === 'ERROR' && (
        <p>
          <Badge tone="wrong">recusado</Badge> {mensagem}
        </p>
      )}
      {status === 'DONE' && (
        <p className="job-done">
          <span>{job.finishedAt && instantText(job.finishedAt)}</span>
          {nomeArquivo.endsWith('.pdf') && (
            <Button icon="document" onClick={() => void open()}>
              Abrir
            </Button>
          )}
          <DownloadButton from={() => api.reports.downloadReport({ path: { id } })} name={nomeArquivo}>
            Baixar
          </DownloadButton>
        </p>
      )}
    </li>
  );
}
