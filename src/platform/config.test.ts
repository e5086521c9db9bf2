import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig, SECRET_SETTINGS } from './config.ts';

describe('what a process runs', () => {
  test('all services, some, or none', () => {
    expect(readConfig({}).services).toHaveLength(7);
    expect(readConfig({ SERVICES: 'reports, queries' }).services).toEqual(['reports', 'queries']);
    expect(readConfig({ SERVICES: 'none' })).toMatchObject({ services: [], jobs: true, ports: { worker: 7007 } });
  });

  test.each([
    [{ SERVICES: 'none', JOBS: 'off' }, 'JOBS: is off, and with SERVICES=none this process would do nothing'],
    [{ SERVICES: 'none,queries' }, 'SERVICES: none stands alone'],
    [{ SERVICES: 'worker' }, 'SERVICES: must be none, or of authentication, '],
  ])('%o stops the start, saying why in one line', (environment, reason) => {
    expect(() => readConfig(environment)).toThrow(reason);
  });
});

describe('providers of look-ups', () => {
  test('come in their order; a bare address answers as BrasilAPI does', () => {
    const { cnpjLookup, cepLookup } = readConfig({
      CNPJ_LOOKUP_URL: ' opencnpj=https://a.example/{cnpj}?t=1 , https://b.example/{cnpj}?x=y ',
      CEP_LOOKUP_URL: 'viacep=http://c.example/{cep}/json/',
    });
    expect(cnpjLookup).toEqual([
      { name: 'opencnpj', template: 'https://a.example/{cnpj}?t=1' },
      { name: 'brasilapi', template: 'https://b.example/{cnpj}?x=y' },
    ]);
    expect(cepLookup).toEqual([{ name: 'viacep', template: 'http://c.example/{cep}/json/' }]);
  });

  test.each([
    [
      'CNPJ_LOOKUP_URL',
      'viacep=https://a.example/{cnpj}',
      "no provider 'viacep'; there are brasilapi, receitaws, opencnpj",
    ],
    ['CEP_LOOKUP_URL', 'BrasilAPI=https://a.example/{cep}', "no provider 'BrasilAPI'; there are brasilapi, viacep"],
    ['CEP_LOOKUP_URL', 'https://a.example/{cep},=https://b.example/{cep}', "no provider ''"],
    ['CEP_LOOKUP_URL', 'brasilapi=a.example/{cep}', "'brasilapi=a.example/{cep}' is no http or https address"],
    ['CEP_LOOKUP_URL', 'ftp://a.example/{cep}', "'ftp://a.example/{cep}' is no http or https address"],
    ['CNPJ_LOOKUP_URL', 'https://a.example/', "'https://a.example/' does not say where {cnpj} goes"],
    ['CNPJ_LOOKUP_URL', ' , ', 'must name a provider'],
  ])('%s=%s stops the start, saying why in one line', (variable, value, reason) => {
    expect(() => readConfig({ [variable]: value })).toThrow(`${variable}: ${reason}`);
  });
});

describe('identity providers', () => {
  const withKeysAt = (jwksUri: string) =>
    readConfig({
      IDENTITY_PROVIDERS: JSON.stringify([{ name: 'X', issuer: 'https://x.example', audience: 'a', jwksUri }]),
    }).identityProviders;

  test.each(['https://x.example/keys', 'http://localhost:8080/keys', 'http://127.0.0.1/keys', 'http://[::1]:80/keys'])(
    'keys are read from %s',
    (address) => {
      expect(withKeysAt(address)[0]?.jwksUri).toBe(address);
    },
  );

  test.each([
    'http://x.example/keys',
    'http://127.0.0.1.x.example/keys',
    'http://localhost.x.example/keys',
    'http://10.0.0.1/keys',
    'http://x@y.example#localhost',
    'ftp://localhost/keys',
  ])('keys are not read from %s', (address) => {
    expect(() => withKeysAt(address)).toThrow(/^IDENTITY_PROVIDERS: /);
  });
});

describe('variables that only a mistake explains stop the start with one line', () => {
  test.each([
    ['LOG_LEVLE', 'info', 'LOG_LEVLE: is no setting; did you mean LOG_LEVEL?'],
    ['LOGLEVEL', 'info', 'LOGLEVEL: is no setting; did you mean LOG_LEVEL?'],
    ['DATABSE_URL', 'x', 'DATABSE_URL: is no setting; did you mean DATABASE_URL?'],
    ['database_url', 'x', 'database_url: is no setting; did you mean DATABASE_URL?'],
    ['TOEKN_ISSUER', 'x', 'TOEKN_ISSUER: is no setting; did you mean TOKEN_ISSUER?'],
    ['ADMIN_PASSWORD_FIEL', 'x', 'ADMIN_PASSWORD_FIEL: is no setting; did you mean ADMIN_PASSWORD_FILE?'],
    ['HOSTS', 'x', 'HOSTS: is no setting; did you mean HOST?'],
    ['SERVICE', 'x', 'SERVICE: is no setting; did you mean SERVICES?'],
    ['NODE_EVN', 'x', 'NODE_EVN: is no setting; did you mean NODE_ENV?'],
    ['IMPORT_ROWS', '1', 'IMPORT_ROWS: is no setting (.env.example lists those that begin with IMPORT_)'],
    ['DATABASE_PASSWORD', 'x', 'DATABASE_PASSWORD: is no setting (.env.example lists those that begin with DATABASE_)'],
    ['LOG_LEVEL_FILE', 'x', 'LOG_LEVEL_FILE: is no setting (.env.example lists those that begin with LOG_)'],
  ])('%s', (name, value, reason) => {
    expect(() => readConfig({ [name]: value })).toThrow(reason);
  });

  test('several are named together', () => {
    expect(() => readConfig({ LOG_LEVLE: 'x', JOB_WORKER: '1' })).toThrow(
      'LOG_LEVLE: is no setting; did you mean LOG_LEVEL?; JOB_WORKER: is no setting; did you mean JOB_WORKERS?',
    );
  });

  test.each(
    `HOME HOSTNAME HOST_IP LANG LC_ALL LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TERM TZ USER TMPDIR XDG_DATA_DIRS SSH_AUTH_SOCK
     NODE_OPTIONS NODE_VERSION NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NODE_TLS_REJECT_UNAUTHORIZED YARN_VERSION
     npm_config_cache npm_lifecycle_event npm_package_version INIT_CWD DOCKER_HOST DOCKER_CONFIG DOCKER_BUILDKIT
     KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP POD_NAME POD_IP NODE_NAME INVOCATION_ID JOURNAL_STREAM
     NOTIFY_SOCKET CREDENTIALS_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY LISTEN_FDS MAINPID SYSTEMD_EXEC_PID
     PGHOST PGPORT PGUSER PGPASSWORD PGSSLMODE AWS_REGION AZURE_CLIENT_ID IDENTITY_ENDPOINT IDENTITY_HEADER GITHUB_TOKEN CI
     JOB_NAME JOB_URL BUILD_NUMBER REQUESTS_CA_BUNDLE SSL_CERT_FILE HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy
     JAVA_HOME JAVA_DIR EDITOR PAGER DISPLAY COLUMNS LINES FORCE_COLOR NO_COLOR DEBUG PORT COST POST JOB_NAME VITEST
     QUERIES_SERVICE_HOST QUERIES_SERVICE_PORT QUERIES_SERVICE_PORT_HTTP QUERIES_PORT_7004_TCP QUERIES_PORT_7004_TCP_PROTO
     QUERIES_PORT_7004_TCP_PORT QUERIES_PORT_7004_TCP_ADDR LOG_STORE_SERVICE_HOST
     ProgramFiles(x86) CommonProgramFiles SystemRoot APPDATA COMPUTERNAME`.split(/\s+/),
  )('%s is of others and stays', (name) => {
    expect(readConfig({ [name]: 'x' })).toEqual(readConfig({}));
  });

  test('an empty one counts as absent', () => {
    expect(readConfig({ LOG_LEVLE: '' })).toEqual(readConfig({}));
  });

  test('what Kubernetes sets for a Service is left alone, but where it takes the name of a setting', () => {
    expect(readConfig({ DATABASE_PORT: 'tcp://10.0.0.7:5432' })).toEqual(readConfig({}));
    expect(() => readConfig({ QUERIES_PORT: 'tcp://10.0.0.7:7004' })).toThrow(
      "QUERIES_PORT: 'tcp://10.0.0.7:7004' is what Kubernetes sets for a Service named queries: set enableServiceLinks: false in the pod",
    );
  });
});

test.each(['prod', 'Production', 'staging'])('NODE_ENV=%s stops the start', (value) => {
  expect(() => readConfig({ NODE_ENV: value })).toThrow('NODE_ENV: must be production, development, test or empty');
});

describe('secrets in files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partidas-secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const fileOf = async (text: string) => {
    const path = join(folder, randomUUID());
    await writeFile(path, text);
    return path;
  };

  test.each(['', '\n', '\r\n'])('the end of the line %j does not belong to the secret', async (end) => {
    const ADMIN_PASSWORD_FILE = await fileOf(` uma senha\ncomprida ${end}`);
    expect(readConfig({ ADMIN_PASSWORD_FILE }).adminPassword).toBe(' uma senha\ncomprida ');
  });

  test.each(SECRET_SETTINGS)('%s is read from a file', async (name) => {
    const value =
      {
        ADMIN_PASSWORD: 'uma senha comprida',
        IDENTITY_PROVIDERS:
          '[{"name":"X","issuer":"https://x.example","audience":"a","jwksUri":"https://x.example/k"}]',
        SEAL_TIMESTAMP_URL: 'https://x.example/tsa?key=1',
        CNPJ_LOOKUP_URL: 'https://x.example/{cnpj}?key=1',
        CEP_LOOKUP_URL: 'https://x.example/{cep}?key=1',
      }[name as string] ?? 'postgresql://u:p@h/d';
    const found = readConfig({ [`${name}_FILE`]: await fileOf(`${value}\n`) });
    expect(found).toEqual(readConfig({ [name]: value }));
    expect(found).not.toEqual(readConfig({}));
  });

  test('what cannot be one stops the start with one line, which does not show it', async () => {
    const given = await fileOf('curta');
    const reject = (environment: Record<string, string>, reason: RegExp) =>
      expect(() => readConfig(environment)).toThrow(reason);
    reject({ ADMIN_PASSWORD_FILE: given }, /^ADMIN_PASSWORD_FILE: must have at least 12 characters$/);
    reject(
      { ADMIN_PASSWORD_FILE: given, ADMIN_PASSWORD: 'uma senha comprida' },
      /^ADMIN_PASSWORD_FILE: ADMIN_PASSWORD is given too; one of them goes$/,
    );
    reject({ DATABASE_URL_FILE: join(folder, 'none') }, /^DATABASE_URL_FILE: \S+none cannot be read \(ENOENT\)$/);
    reject({ DATABASE_URL_FILE: folder }, /^DATABASE_URL_FILE: \S+ cannot be read \(EISDIR\)$/);
    reject({ DATABASE_URL_FILE: await fileOf('\n') }, /^DATABASE_URL_FILE: \S+ is empty$/);
    reject({ DATABASE_URL_FILE: '/dev/zero' }, /^DATABASE_URL_FILE: \/dev\/zero is larger than 64 KiB$/);
  });
});

test('REPORT_TEMPLATES must be a folder', () => {
  const reason = 'REPORT_TEMPLATES: must be a folder that is there and can be read';
  expect(() => readConfig({ REPORT_TEMPLATES: '/none/such' })).toThrow(reason);
  expect(() => readConfig({ REPORT_TEMPLATES: fileURLToPath(import.meta.url) })).toThrow(reason);
  expect(readConfig({ REPORT_TEMPLATES: tmpdir() }).reportTemplates).toBe(tmpdir());
});
