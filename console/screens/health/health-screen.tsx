import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { instantText } from '../../ui/format.ts';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Facts } from '../../ui/side-panel.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { figuresQuery, healthQuery, SERVICES, type ServiceHealth } from './health-data.ts';
import './health.css';

/** Saúde: whether the services answer, what is waiting, and what they wrote into their logs. */
export function HealthScreen() {
  const health = useQuery(healthQuery);
  const figures = useQuery(figuresQuery);
  const down = health.data?.filter(({ isUp }) => !isUp) ?? [];
  const refresh = () => {
    void health.refetch();
    void figures.refetch();
  };
  return (
    <Screen
      title="Saúde"
      subtitle={null}
      badge={
        health.data &&
        (down.length === 0 ? (
          <Badge tone="done">tudo no ar</Badge>
        ) : (
          <Badge tone="wrong">{down.map(({ text }) => text).join(', ')}: sem resposta</Badge>
        ))
      }
      keys={[{ keys: 'A', label: 'atualiza', run: refresh }]}
      actions={
        <>
          <span className="health-at" role="status">
            {health.dataUpdatedAt > 0 &&
              `às ${new Date(health.dataUpdatedAt).toLocaleTimeString('pt-BR')}, a cada 10 s`}
          </span>
          <Button onClick={refresh} busy={health.isFetching}>
            Atualizar
          </Button>
        </>
      }
    >
      <div className="health">
        <Panel title="Serviços">
          <Result query={health} rows={7}>
            {(services) => <Services services={services} />}
          </Result>
        </Panel>
        <Panel title="Programa">
          <Result query={figures} rows={10}>
            {(found) =>
              found === undefined ? (
                <Empty title="Medidas em outro endereço">METRICS diz onde elas são publicadas.</Empty>
              ) : (
                <Facts of={found} />
              )
            }
          </Result>
        </Panel>
      </div>
      <Logs />
    </Screen>
  );
}

function Services({ services }: { readonly services: readonly ServiceHealth[] }) {
  return (
    <table className="health-services">
      <thead>
        <tr>
          <th scope="col">Serviço</th>
          <th scope="col">Estado</th>
          <th scope="col">Versão</th>
          <th scope="col" className="health-end">
            Resposta
          </th>
        </tr>
      </thead>
      <tbody>
        {services.map(({ name, text, isUp, version, took }) => (
          <tr key={name}>
            <th scope="row">{text}</th>
            <td>{isUp ? <Badge tone="done">no ar</Badge> : <Badge tone="wrong">sem resposta</Badge>}</td>
            <td>{version ?? '—'}</td>
            <td className="health-end">{Math.round(took)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const LINES = ['50', '200', '1000'] as const;
const LOGS = [
  ...SERVICES.map(({ name, text }) => ({ value: name, text })),
  { value: 'jobs', text: 'Tarefas' },
] as const;
type LogName = (typeof LOGS)[number]['value'];

function Logs() {
  const [{ registro = 'movements', linhas = '50' }, set] = useSearchParams();
  const service = (LOGS.find(({ value }) => value === registro)?.value ?? 'movements') as LogName;
  const lines = LINES.find((each) => each === linhas) ?? '50';
  // Reading a log is written into the trail: it is read when it is asked for, not again and again.
  const query = useQuery({
    queryKey: ['logs', service, lines],
    queryFn: ({ signal }) => api.masterdata.getContainerLogs({ query: { service, lines: Number(lines) } }, { signal }),
  });
  return (
    <section className="panel health-logs" aria-label="Registros">
      <div className="health-logs-head">
        <h2>Registros</h2>
        <SelectField label="Serviço" value={service} onChange={(value) => set({ registro: value })} choices={LOGS} />
        <SelectField
          label="Linhas"
          value={lines}
          onChange={(value) => set({ linhas: value })}
          choices={LINES.map((value) => ({ value, text: value }))}
        />
        <Button onClick={() => void query.refetch()} busy={query.isFetching}>
          Ler de novo
        </Button>
      </div>
      <Result query={query} rows={8}>
        {(log) =>
          log.lines.length === 0 ? (
            <Empty title="Nada registrado">Este serviço ainda não escreveu nada.</Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without a stop the keyboard could not
            <ol className="health-lines" tabIndex={0} aria-label={`Últimas linhas, ${service}`}>
              {log.lines.map((line, at) => {
                const { level, moment, text, rest } = readLine(line);
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no other name
                  <li key={at} className={`health-line health-${level}`}>
                    <span className="health-moment">{moment}</span>
                    <span className="health-level">{level}</span>
                    <span className="health-text">
                      {text} <small>{rest}</small>
                    </span>
                  </li>
                );
              })}
            </ol>
          )
        }
      </Result>
    </section>
  );
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'detalhe', 30: 'info', 40: 'aviso', 50: 'erro', 60: 'fatal' };

/** A line of the log is JSON with level, time and message; another one is shown as it is. */
function readLine(line: string): { level: string; moment: string; text: string; rest: string } {
  try {
    const { level, time, msg, hostname: _host, pid: _pid, name: _name, service: _service, ...more } = JSON.parse(line);
    const rest = Object.entries(more).map(
      ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
    );
    const word = LEVELS[level as number] ?? String(level ?? 'info');
    const iso = typeof time === 'number' ? new Date(time).toISOString() : String(time ?? '');
    return {
      level: word,
      moment: Number.isNaN(Date.parse(iso)) ? '' : instantText(iso),
      text: String(msg ?? ''),
      rest: rest.join(' '),
    };
  } catch {
    return { level: 'info', moment: '', text: line, rest: '' };
  }
}
