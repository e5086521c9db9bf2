import { queryOptions } from '@tanstack/react-query';

/** Asked by the page itself: it does not keep a session open that nobody uses. */
const BY_ITSELF = { 'x-partidas-background': '1' };
const EVERY_MS = 10_000;

export const SERVICES = [
  { name: 'console', text: 'Console', base: '' },
  { name: 'authentication', text: 'Autenticação', base: '/api/authentication' },
  { name: 'masterdata', text: 'Cadastros', base: '/api/masterdata' },
  { name: 'movements', text: 'Movimento', base: '/api/movements' },
  { name: 'queries', text: 'Consultas', base: '/api/queries' },
  { name: 'reports', text: 'Relatórios', base: '/api/reports' },
  { name: 'compliance', text: 'Conformidade', base: '/api/compliance' },
] as const;

export interface ServiceHealth {
  readonly name: string;
  readonly text: string;
  readonly isUp: boolean;
  /** undefined while it does not answer. */
  readonly version: string | undefined;
  /** Of the answer, in milliseconds. */
  readonly took: number;
}

export const healthQuery = queryOptions({
  queryKey: ['health'],
  refetchInterval: EVERY_MS,
  queryFn: ({ signal }) => Promise.all(SERVICES.map((service) => healthOf(service, signal))),
});

async function healthOf({ name, text, base }: (typeof SERVICES)[number], signal: AbortSignal): Promise<ServiceHealth> {
  const began = performance.now();
  const health = await fetch(`${base}/actuator/health`, { signal, headers: BY_ITSELF }).catch(() => undefined);
  const took = performance.now() - began;
  const info = health?.ok ? await fetch(`${base}/actuator/info`, { signal, headers: BY_ITSELF }) : undefined;
  const version = info?.ok ? ((await info.json()) as { app?: { version?: string } }).app?.version : undefined;
  return { name, text, isUp: health?.ok === true, version, took };
}

/** Figures of the program; undefined where its metrics are served elsewhere, or nowhere. */
export const figuresQuery = queryOptions({
  queryKey: ['health', 'figures'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }): Promise<Figures | undefined> => {
    const response = await fetch('/actuator/metrics-export', { signal, headers: BY_ITSELF });
    const isText = response.headers.get('content-type')?.startsWith('text/plain') === true;
    return response.ok && isText ? figuresOf(await response.text()) : undefined;
  },
});

export type Figures = readonly (readonly [name: string, value: string])[];

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

function figuresOf(text: string): Figures {
  const samples = [...text.matchAll(/^([a-z_]+)(\{[^}]*\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]): Sample => ({ name, labels, value: Number(value) }),
  );
  const sum = (name: string, label = '') =>
    samples
      .filter((each) => each.name === name && each.labels.includes(label))
      .reduce((all, { value }) => all + value, 0);
  const whole = (value: number) => Math.round(value).toLocaleString('pt-BR');
  /** What is read of the database has no value while that does not answer. */
  const ofDatabase = (name: string, label = '') =>
    samples.some((each) => each.name === name) ? whole(sum(name, label)) : '—';
  const megabytes = (bytes: number) => `${whole(bytes / 1_048_576)} MB`;
  return [
    ['Tarefas na fila', ofDatabase('partidas_jobs_waiting')],
    ['Requisições em andamento', whole(sum('partidas_requests_at_once', 'state="running"'))],
    ['Requisições à espera', whole(sum('partidas_requests_at_once', 'state="waiting"'))],
    ['Conexões com o banco', whole(sum('partidas_database_connections'))],
    ['Senhas na fila', whole(sum('partidas_password_hash_queue'))],
    ['Eventos a publicar', ofDatabase('partidas_events_unpublished')],
    ['Avisos a entregar', ofDatabase('partidas_webhook_deliveries', 'waiting')],
    ['Memória em uso', megabytes(sum('process_resident_memory_bytes'))],
    ['Atraso do programa (p99)', `${whole(sum('nodejs_eventloop_lag_p99_seconds') * 1_000)} ms`],
    ['No ar há', spanText(Date.now() / 1_000 - sum('process_start_time_seconds'))],
  ];
}

/** '3 d 4 h', '12 min'. */
function spanText(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
