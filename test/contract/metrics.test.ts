import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { exportedMetrics } from '../support/exported-metrics.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const metrics = () => freshMetrics(platform.withToken(''), 'movements');
const sampleOf = (text: string, sample: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${sample} `))
    ?.slice(sample.length + 1);

test('names follow the conventions of Prometheus', async () => {
  const own = [...exportedMetrics(await metrics())].filter(([name]) => name.startsWith('partidas_'));
  expect(own.length).toBeGreaterThan(20);
  for (const [name, type] of own) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(name, 'counters, and no others, end in _total').toMatch(
      type === 'counter' ? /_total$/ : /(?<!_total|_count|_sum|_bucket)$/,
    );
    expect(name, 'base units').not.toMatch(/_(ms|millis|milliseconds|minutes|hours|days|kb|mb|megabytes|percent)(_|$)/);
  }
});

test('a failed sign-in counts by its reason, and the build names its versions', async () => {
  const before = Number(sampleOf(await metrics(), 'partidas_signin_failures_total{reason="UNKNOWN_USER"}') ?? 0);
  await platform
    .withToken('')
    .post('authentication', '/api/auth/signin', { username: 'ninguém', password: 'não importa' });
  const text = await metrics();
  expect(sampleOf(text, 'partidas_signin_failures_total{reason="UNKNOWN_USER"}')).toBe(String(before + 1));
  expect(text).toMatch(
    new RegExp(`^partidas_build_info\\{version="\\d+\\.\\d+\\.\\d+",node="${process.version}"\\} 1$`, 'm'),
  );
});

test('the disk of the data folder and the tables that are cleaned have their sizes', async () => {
  await withOwnerConnection(platform.ownerUrl, (owner) => owner.query('VACUUM ANALYZE event'));
  const text = await metrics();
  const [free, size] = ['free', 'size'].map((what) => Number(sampleOf(text, `partidas_data_disk_${what}_bytes`)));
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThan(free!);
  expect(Number(sampleOf(text, 'partidas_table_rows{table="event"}'))).toBeGreaterThanOrEqual(0);
  expect(Number(sampleOf(text, 'partidas_table_bytes{table="event"}'))).toBeGreaterThan(0);
  expect(text.match(/^partidas_table_rows\{/gm)).toHaveLength(14);
});

test('the age of the oldest job that waits', async () => {
  expect(sampleOf(await metrics(), 'partidas_job_oldest_seconds')).toBe('0');
  await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(`INSERT INTO job (company_id, kind, requested_by, requested_at)
                 VALUES (1, 'OF_NO_WORKER', 'x', now() - interval '90 seconds')`),
  );
  const text = await metrics();
  expect(sampleOf(text, 'partidas_jobs_waiting')).toBe('1');
  expect(Number(sampleOf(text, 'partidas_job_oldest_seconds'))).toBeGreaterThanOrEqual(90);
});

test('a locked table costs its own metric alone', async () => {
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE job IN ACCESS EXCLUSIVE MODE');
    const text = await metrics();
    expect(sampleOf(text, 'partidas_jobs_waiting')).toBeUndefined();
    expect(text).toContain('partidas_table_rows{table="job"}');
    expect(sampleOf(text, 'partidas_events_unpublished')).toBeDefined();
    await owner.query('ROLLBACK');
  });
  expect(sampleOf(await metrics(), 'partidas_jobs_waiting')).toBeDefined();
});

test('while the database is away the metrics answer without its figures', async () => {
  const name = new URL(platform.ownerUrl).pathname.slice(1);
  const server = new URL(platform.ownerUrl);
  server.pathname = '/postgres';
  const allow = (allowed: boolean) =>
    withOwnerConnection(server.href, async (owner) => {
      await owner.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`);
      if (!allowed)
        await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
  await allow(false);
  try {
    const text = await metrics();
    expect(sampleOf(text, 'partidas_jobs_waiting')).toBeUndefined();
    expect(text).not.toContain('partidas_table_rows{');
    expect(sampleOf(text, 'partidas_data_disk_free_bytes')).toBeDefined();
    expect(text).toContain('partidas_request_seconds_count');
  } finally {
    await allow(true);
  }
  expect(sampleOf(await metrics(), 'partidas_jobs_waiting')).toBeDefined();
});

describe('alerts and dashboard', () => {
  const deploy = new URL('../../deploy/', import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, deploy), 'utf8');
  const alerts = (parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (each) => each.rules,
  );
  const dashboard = JSON.parse(read('grafana/dashboards/partidas.json')) as { panels: Panel[] };
  const ofPanels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr]));
  const expressions = [...alerts.map(({ alert, expr }) => [alert, expr]), ...ofPanels] as [string, string][];

  test('are PromQL over metrics that are exported, and count what counts up', async () => {
    const exported = exportedMetrics(await metrics());
    expect(expressions.length).toBeGreaterThan(50);
    for (const [name, expression] of expressions) {
      const { faults, metrics: named, counted } = readPromql(expression);
      expect(faults, `${name}: ${expression}`).toEqual([]);
      expect(named.length, name).toBeGreaterThan(0);
      for (const metric of named) expect([...exported.keys(), 'up'], name).toContain(plainName(metric, exported));
      for (const metric of counted)
        expect(['counter', 'histogram'], `${name}: rate of ${metric}`).toContain(
          exported.get(plainName(metric, exported)),
        );
    }
  });

  test('a wrong expression is seen', () => {
    expect(readPromql('sum(rate(x[5m])').faults).not.toEqual([]);
    expect(readPromql('rate(partidas_x_total[5m]) > y')).toEqual({
      faults: [],
      metrics: ['partidas_x_total', 'y'],
      counted: ['partidas_x_total'],
    });
  });

  test('each alert says how bad it is and what to do, and stands in the table of docs/operator.md', () => {
    const operator = readFileSync(new URL('../docs/operator.md', deploy), 'utf8');
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary && annotations.description, alert).toBeTruthy();
      expect(operator, alert).toContain(`\`${alert}\``);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** A histogram is exported under one name and read under three. */
function plainName(metric: string, exported: ReadonlyMap<string, string>): string {
  const base = metric.replace(/_(?:bucket|count|sum)$/, '');
  return exported.get(base) === 'histogram' ? base : metric;
}

/** Metrics that an expression reads, and of them those that it takes the rate of. */
function readPromql(expression: string) {
  // What Grafana puts in.
  const text = expression.replaceAll('$__rate_interval', '1m');
  const found = { faults: [] as string[], metrics: [] as string[], counted: [] as string[] };
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) found.faults.push(text.slice(from));
      if (type.name !== 'VectorSelector') return;
      const metric = text.slice(from, to).replace(/\{.*$/s, '').trim();
      found.metrics.push(metric);
      for (let above = node.parent; above !== null; above = above.parent) {
        if (above.name === 'FunctionCall') {
          if (/^(?:rate|increase|irate)\(/.test(text.slice(above.from))) found.counted.push(metric);
          break;
        }
      }
    },
  });
  return found;
}
