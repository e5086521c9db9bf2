import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { POOLERS } from './database/poolers.ts';
import { DEFAULT_SECONDS, type TimeLimitSeconds } from './database/time-limits.ts';
import { isCommonPassword, PASSWORD_LENGTH } from './password-rule.ts';
import { secretIn } from './secret-file.ts';
import { isServiceLink, mistakenVariables } from './unknown-variables.ts';

/** A reason not to start, printed to the terminal in one line. */
export class StartError extends Error {}

export const SERVICE_NAMES = ['authentication', 'masterdata', 'movements', 'queries', 'reports', 'compliance'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The console: the service that browsers use, and through which they use the others. */
export const CONSOLE = 'console';

/** Everything that listens on a port of its own. The console comes last: it is handed the others. */
export const DOOR_NAMES = [...SERVICE_NAMES, CONSOLE] as const;
export type DoorName = (typeof DOOR_NAMES)[number];

/** A process without services, which works on jobs: it shows its health and metrics on a port of its own. */
export const WORKER = 'worker';
export type ListenerName = DoorName | typeof WORKER;

/** The variable that sets the service's port. */
export function portVariable(service: ListenerName): string {
  return service === 'authentication' ? 'AUTH_PORT' : `${service.toUpperCase()}_PORT`;
}

export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
  /** With it the console signs in with the provider; id tokens are then made for it. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** What the console calls the provider. */
  readonly label?: string | undefined;
}

export const TAX_ID_PROVIDERS = ['brasilapi', 'receitaws', 'opencnpj'] as const;
export const POSTAL_CODE_PROVIDERS = ['brasilapi', 'viacep'] as const;

/** A public service that looks up a tax id or a postal code; {cnpj} or {cep} in the address is replaced by it. */
export interface LookupProvider<Name extends string> {
  readonly name: Name;
  readonly template: string;
}

export type Config = ReturnType<typeof readConfig>;

/** The password is dropped from memory once the administrator exists. */
export function forgetAdminPassword(config: Config): void {
  (config as { adminPassword: string | undefined }).adminPassword = undefined;
}

/** Reads the environment; a bad value throws a StartError that names its variable. `.env.example` lists them all. */
export function readConfig(environment: Record<string, string | undefined>) {
  const variables = readVariables(environment);
  rejectSenseless(variables);
  return {
    databaseUrl: variables.DATABASE_URL,
    databaseLogins: {
      app: variables.DATABASE_APP_URL,
      reader: variables.DATABASE_READER_URL,
      auth: variables.DATABASE_AUTH_URL,
    },
    databasePooler: variables.DATABASE_POOLER,
    databaseReadUrl: variables.DATABASE_READ_URL,
    dataDir: variables.DATA_DIR,
    sealKeys: sealKeysOf(variables),
    sealTimestampUrl: variables.SEAL_TIMESTAMP_URL,
    verifyAt: variables.VERIFY_AT,
    walArchive: walArchiveOf(variables),
    backups: { keep: variables.BACKUP_KEEP, bytesPerSecond: variables.BACKUP_MB_PER_SECOND * 1024 * 1024 },
    host: variables.HOST,
    ports: portsOf(variables),
    services: variables.SERVICES,
    jobs: variables.JOBS,
    jobWorkers: variables.JOB_WORKERS,
    monthCloseWorkers: variables.CONSOLIDATION_WORKERS,
    databaseConnections: variables.DATABASE_CONNECTIONS,
    timeLimits: timeLimitsOf(variables),
    drainMs: variables.DRAIN_MS,
    budgets: budgetsOf(variables),
    requestsInHand: variables.REQUESTS_IN_HAND,
    ...sharesOf(variables),
    retention: retentionOf(variables),
    webhooks: webhooksOf(variables),
    diskReserve: variables.DISK_RESERVE_MB * 1024 * 1024,
    adminUsername: variables.ADMIN_USERNAME,
    adminPassword: variables.ADMIN_PASSWORD,
    adminMfa: variables.ADMIN_MFA,
    accessTokenTtl: variables.ACCESS_TOKEN_TTL,
    tokenIssuer: variables.TOKEN_ISSUER,
    tokenAudience: variables.TOKEN_AUDIENCE,
    autoProvision: variables.AUTO_PROVISION,
    starterRules: variables.STARTER_RULES,
    identityProviders: variables.IDENTITY_PROVIDERS,
    trustedProxies: variables.TRUSTED_PROXIES,
    corsOrigins: variables.CORS_ORIGINS,
    serviceUrls: serviceUrlsOf(variables),
    consoleIdleMinutes: variables.CONSOLE_IDLE_MINUTES,
    bodyLimit: variables.BODY_LIMIT_KB * 1024,
    uploadLimit: variables.UPLOAD_LIMIT_MB * 1024 * 1024,
    movementsPageSize: variables.MOVEMENTS_PAGE_SIZE,
    importMaxRows: variables.IMPORT_MAX_ROWS,
    complianceAuth: variables.COMPLIANCE_AUTH,
    docs: variables.DOCS,
    metrics: variables.METRICS,
    complianceDocs: variables.COMPLIANCE_DOCS,
    cosifSign: variables.COSIF_SIGN,
    largestEcd: variables.ECD_LARGEST_KB * 1024,
    cnpjCheckDigits: variables.CNPJ_CHECK_DIGITS,
    cnpjLookup: variables.CNPJ_LOOKUP_URL,
    cepLookup: variables.CEP_LOOKUP_URL,
    ...logsOf(variables),
    reportTemplates: variables.REPORT_TEMPLATES,
    bookSizeLimit: variables.BOOK_SIZE_LIMIT * 1024 * 1024,
    reportInlineLimit: variables.REPORT_INLINE_LIMIT * 1024 * 1024,
    production: variables.NODE_ENV === 'production',
    allowTestData: variables.ALLOW_TEST_DATA,
  } as const;
}

/** What each variable alone does not show. */
function rejectSenseless(variables: z.output<typeof VARIABLES>): void {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password, SERVICES: services, JOBS: jobs } = variables;
  if (services.length === 0 && !jobs) {
    throw new StartError('JOBS: is off, and with SERVICES=none this process would do nothing');
  }
  if (password !== undefined && isCommonPassword(password, username)) {
    throw new StartError('ADMIN_PASSWORD: is one of the first that would be guessed; choose another');
  }
  const { DATABASE_APP_URL: app, DATABASE_READER_URL: reader, DATABASE_AUTH_URL: auth } = variables;
  if (variables.DATABASE_POOLER !== 'none' && (app ?? reader ?? auth) === undefined) {
    throw new StartError(
      'DATABASE_POOLER: is for the addresses of the logins, which lead to it: DATABASE_APP_URL, DATABASE_READER_URL, DATABASE_AUTH_URL',
    );
  }
}

function logsOf(variables: z.output<typeof VARIABLES>) {
  return {
    logSource: variables.LOG_SOURCE,
    dockerSocket: variables.DOCKER_SOCKET,
    logLevel: variables.LOG_LEVEL,
    logTarget: variables.LOG_TO,
    logFiles: { bytes: variables.LOG_FILE_MB * 1024 * 1024, keep: variables.LOG_KEEP_FILES },
  };
}

function portsOf(variables: z.output<typeof VARIABLES>): Record<ListenerName, number> {
  return {
    authentication: variables.AUTH_PORT,
    masterdata: variables.MASTERDATA_PORT,
    movements: variables.MOVEMENTS_PORT,
    queries: variables.QUERIES_PORT,
    reports: variables.REPORTS_PORT,
    compliance: variables.COMPLIANCE_PORT,
    console: variables.CONSOLE_PORT,
    worker: variables.WORKER_PORT,
  };
}

function serviceUrlsOf(variables: z.output<typeof VARIABLES>): Record<ServiceName, string | undefined> {
  return {
    authentication: variables.AUTH_URL,
    masterdata: variables.MASTERDATA_URL,
    movements: variables.MOVEMENTS_URL,
    queries: variables.QUERIES_URL,
    reports: variables.REPORTS_URL,
    compliance: variables.COMPLIANCE_URL,
  };
}

function sealKeysOf(variables: z.output<typeof VARIABLES>) {
  return {
    file: variables.SEAL_KEY_FILE ?? join(variables.DATA_DIR, 'seal-key'),
    command: variables.SEAL_SIGN_COMMAND,
    logName: variables.SEAL_LOG_NAME,
  };
}

function walArchiveOf({ WAL_ARCHIVE_DIR: folder, WAL_ARCHIVE_SECONDS: everySeconds }: z.output<typeof VARIABLES>) {
  return folder === undefined ? undefined : { folder, everySeconds };
}

function retentionOf(variables: z.output<typeof VARIABLES>) {
  return {
    jobDays: variables.JOB_RETENTION_DAYS,
    reportHours: variables.REPORT_RETENTION_HOURS,
    complianceDays: variables.COMPLIANCE_RETENTION_DAYS,
    eventDays: variables.EVENT_RETENTION_DAYS,
    importDays: variables.IMPORT_KEEP_DAYS,
  };
}

function webhooksOf(variables: z.output<typeof VARIABLES>) {
  return {
    workers: variables.WEBHOOK_WORKERS,
    attempts: variables.WEBHOOK_ATTEMPTS,
    retrySeconds: variables.WEBHOOK_RETRY_SECONDS,
    timeoutSeconds: variables.WEBHOOK_TIMEOUT,
    offAfterHours: variables.WEBHOOK_OFF_AFTER_HOURS,
    allowed: { privateNetworks: variables.WEBHOOK_PRIVATE_NETWORKS, plainHttp: variables.WEBHOOK_PLAIN_HTTP },
  };
}

/** A setting that holds a secret may be a file's content instead: NAME_FILE names the file. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'DATABASE_READER_URL',
  'DATABASE_AUTH_URL',
  'ADMIN_PASSWORD',
  'IDENTITY_PROVIDERS',
  'SEAL_TIMESTAMP_URL',
  'CNPJ_LOOKUP_URL',
  'CEP_LOOKUP_URL',
] as const;

/** Every variable that is read. */
export function settingNames(): string[] {
  return [...Object.keys(VARIABLES.shape), ...SECRET_SETTINGS.map(fileVariable)];
}

function fileVariable(setting: string): string {
  return `${setting}_FILE`;
}

function readVariables(environment: Record<string, string | undefined>) {
  const mistakes = mistakenVariables(environment, settingNames());
  if (mistakes !== undefined) throw new StartError(mistakes);
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const given = withSecrets(Object.fromEntries(present) as Record<string, string>);
  const parsed = VARIABLES.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'environment');
  const value = given[name];
  if (value !== undefined && isServiceLink(value)) {
    const service = name.replace(/_PORT$/, '').toLowerCase();
    throw new StartError(
      `${name}: '${value}' is what Kubernetes sets for a Service named ${service}: set enableServiceLinks: false in the pod`,
    );
  }
  const said = environment[name] === value ? name : fileVariable(name);
  throw new StartError(`${said}: ${issue?.message ?? 'invalid'}`);
}

function withSecrets(given: Readonly<Record<string, string>>): Record<string, string> {
  const read = SECRET_SETTINGS.flatMap((setting) => {
    const variable = fileVariable(setting);
    const path = given[variable];
    if (path === undefined) return [];
    if (given[setting] !== undefined) throw new StartError(`${variable}: ${setting} is given too; one of them goes`);
    try {
      return [[setting, secretIn(path)]];
    } catch (error) {
      throw new StartError(`${variable}: ${(error as Error).message}`);
    }
  });
  return { ...given, ...Object.fromEntries(read) };
}

function timeLimitsOf(variables: z.output<typeof VARIABLES>): TimeLimitSeconds {
  return {
    request: variables.REQUEST_STATEMENT_TIMEOUT,
    read: variables.READ_STATEMENT_TIMEOUT,
    import: variables.IMPORT_STATEMENT_TIMEOUT,
    job: variables.JOB_STATEMENT_TIMEOUT,
    lock: variables.LOCK_TIMEOUT,
    idle: variables.IDLE_TRANSACTION_TIMEOUT,
  };
}

/** How many requests of each cost a user, a company and the process may have under way, and how many wait. */
function budgetsOf(variables: z.output<typeof VARIABLES>) {
  return {
    ordinary: {
      perUser: variables.REQUESTS_PER_USER,
      perCompany: variables.REQUESTS_PER_COMPANY,
      perProcess: variables.REQUESTS_AT_ONCE,
      waiting: 0,
    },
    heavy: {
      perUser: variables.HEAVY_READS_PER_USER,
      perCompany: variables.HEAVY_READS_PER_COMPANY,
      perProcess: variables.HEAVY_READS_AT_ONCE,
      waiting: variables.HEAVY_READS_WAITING,
    },
    print: {
      perUser: variables.PRINTS_PER_USER,
      perCompany: variables.PRINTS_PER_COMPANY,
      perProcess: variables.PRINTS_AT_ONCE,
      waiting: variables.PRINTS_WAITING,
    },
    events: {
      perUser: variables.EVENT_STREAMS_PER_USER,
      perCompany: variables.EVENT_STREAMS_PER_COMPANY,
      perProcess: variables.EVENT_STREAMS_AT_ONCE,
      waiting: 0,
    },
  };
}

/** What a user and a company may have of jobs, reports and uploads. */
function sharesOf(variables: z.output<typeof VARIABLES>) {
  return {
    jobLimits: {
      perUser: variables.JOBS_PER_USER,
      perCompany: variables.JOBS_PER_COMPANY,
      reportsPerUser: variables.REPORT_JOBS_PER_USER,
      bytesPerUser: variables.REPORT_MB_PER_USER * 1024 * 1024,
      bytesPerCompany: variables.REPORT_MB_PER_COMPANY * 1024 * 1024,
      bytesInAll: variables.REPORT_MB_IN_ALL * 1024 * 1024,
    },
    uploadShares: {
      perUser: variables.UPLOAD_MB_PER_USER * 1024 * 1024,
      perCompany: variables.UPLOAD_MB_PER_COMPANY * 1024 * 1024,
    },
  };
}

const onOff = (byDefault: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { message: 'must be on or off' })
    .default(byDefault)
    .transform((value) => value === 'on');

const whole = (minimum: number, maximum: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .default(String(byDefault))
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`);

const list = z.string().default('').transform(itemsOf);

/** No shell reads it, so that nothing in it has a meaning of its own. */
const commandWords = z
  .string()
  .transform((text) => text.trim().split(/\s+/))
  .refine(([command = '']) => isAbsolute(command), 'must begin with the absolute path of a program')
  .optional();

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Where it is served: by the services themselves, nowhere, or by a separate server. */
export type Place = 'on' | 'off' | { readonly host: string; readonly port: number };

const place = z
  .string()
  .default('on')
  .transform((text, context): Place => {
    if (text === 'on' || text === 'off') return text;
    const [, host, port] = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253}):(\d{1,5})$/i.exec(text) ?? [];
    if (host !== undefined && Number(port) <= 65_535) return { host: host.replace(/[[\]]/g, ''), port: Number(port) };
    context.addIssue({ code: 'custom', message: 'must be on, off or an address like 127.0.0.1:7010' });
    return z.NEVER;
  });

const port = (byDefault: number) => whole(0, 65_535, byDefault);

const httpUrl = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });

/** The response decides who may sign in, so the connection must be protected (https). */
const keysUrl = httpUrl.refine((address) => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}, 'must be an https address (http on this machine only)');

const providers = z
  .string()
  .default('[]')
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON array' });
      return z.NEVER;
    }
  })
  .pipe(
    z.array(
      z
        .strictObject({
          name: z.string().min(1),
          issuer: httpUrl,
          audience: z.string().min(1),
          jwksUri: keysUrl,
          clientId: z.string().min(1).optional(),
          clientSecret: z.string().min(1).optional(),
          label: z.string().min(1).max(100).optional(),
        })
        // Secrets are sent there.
        .refine(({ clientId, issuer }) => clientId === undefined || keysUrl.safeParse(issuer).success, {
          message: 'with a clientId the issuer must be an https address (http on this machine only)',
        }),
      {
        message: 'must be an array of {name, issuer, audience, jwksUri, clientId, clientSecret, label}',
      },
    ),
  );

/** `provider=address,…` in the order of asking; a bare address uses the first of the names. */
const lookup = <Name extends string>(names: readonly Name[], key: '{cnpj}' | '{cep}', byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((text, context) => {
      const given = itemsOf(text);
      const wrong = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      if (given.length === 0) return wrong('must name a provider');
      const providers: LookupProvider<Name>[] = [];
      for (const each of given) {
        const [, said = names[0]!, template = each] = /^([^=:/]*)=(.*)$/.exec(each) ?? [];
        const name = names.find((known) => known === said);
        if (name === undefined) return wrong(`no provider '${said}'; there are ${names.join(', ')}`);
        if (!/^https?:$/.test(URL.parse(template)?.protocol ?? ''))
          return wrong(`'${each}' is no http or https address`);
        if (!template.includes(key)) return wrong(`'${each}' does not say where ${key} goes`);
        providers.push({ name, template });
      }
      return providers;
    });

function isReadableFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address')
  .optional();

const VARIABLES = z.object({
  DATABASE_URL: databaseUrl,
  DATABASE_APP_URL: databaseUrl,
  DATABASE_READER_URL: databaseUrl,
  DATABASE_AUTH_URL: databaseUrl,
  DATABASE_READ_URL: databaseUrl.refine(
    (address) => address === undefined || URL.parse(address)?.username === '',
    'must be one address without a user: the logins of the program are there as well',
  ),
  DATABASE_POOLER: z.enum(POOLERS, { message: `must be one of ${POOLERS.join(', ')}` }).default('none'),
  DATA_DIR: z.string().default('./data'),
  WAL_ARCHIVE_DIR: z.string().optional(),
  WAL_ARCHIVE_SECONDS: whole(1, 86_400, 300),
  BACKUP_KEEP: whole(1, 1_000, 7),
  BACKUP_MB_PER_SECOND: whole(1, 1_024, 50),
  HOST: z.string().default('127.0.0.1'),
  AUTH_PORT: port(7001),
  MASTERDATA_PORT: port(7002),
  MOVEMENTS_PORT: port(7003),
  QUERIES_PORT: port(7004),
  REPORTS_PORT: port(7005),
  COMPLIANCE_PORT: port(7006),
  CONSOLE_PORT: port(7000),
  WORKER_PORT: port(7007),
  SERVICES: list
    .pipe(z.array(z.enum([...DOOR_NAMES, 'none'], { message: `must be none, or of ${DOOR_NAMES.join(', ')}` })))
    .refine((names) => names.length === 1 || !names.includes('none'), 'none stands alone')
    .transform((names) => (names.length === 0 ? [...DOOR_NAMES] : names.filter((name) => name !== 'none'))),
  JOBS: onOff('on'),
  JOB_WORKERS: whole(1, 16, 2),
  CONSOLIDATION_WORKERS: whole(1, 16, 1),
  DATABASE_CONNECTIONS: whole(4, 200, 40),
  DRAIN_MS: whole(0, 600_000, 1_000),
  REQUEST_STATEMENT_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.request),
  READ_STATEMENT_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.read),
  IMPORT_STATEMENT_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.import),
  JOB_STATEMENT_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.job),
  LOCK_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.lock),
  IDLE_TRANSACTION_TIMEOUT: whole(1, 86_400, DEFAULT_SECONDS.idle),
  REQUESTS_PER_USER: whole(1, 100_000, 128),
  REQUESTS_PER_COMPANY: whole(1, 100_000, 256),
  REQUESTS_AT_ONCE: whole(1, 100_000, 1_000),
  REQUESTS_IN_HAND: whole(0, 100_000, 256),
  HEAVY_READS_PER_USER: whole(1, 200, 2),
  HEAVY_READS_PER_COMPANY: whole(1, 200, 3),
  HEAVY_READS_AT_ONCE: whole(1, 200, 8),
  HEAVY_READS_WAITING: whole(0, 10_000, 50),
  PRINTS_PER_USER: whole(1, 200, 2),
  PRINTS_PER_COMPANY: whole(1, 200, 3),
  PRINTS_AT_ONCE: whole(1, 200, 8),
  PRINTS_WAITING: whole(0, 10_000, 20),
  EVENT_STREAMS_PER_USER: whole(1, 10_000, 10),
  EVENT_STREAMS_PER_COMPANY: whole(1, 10_000, 50),
  EVENT_STREAMS_AT_ONCE: whole(1, 10_000, 500),
  JOBS_PER_USER: whole(1, 100_000, 50),
  JOBS_PER_COMPANY: whole(1, 100_000, 100),
  REPORT_MB_PER_USER: whole(1, 10_000_000, 2_048),
  REPORT_MB_PER_COMPANY: whole(1, 10_000_000, 4_096),
  REPORT_MB_IN_ALL: whole(1, 10_000_000, 20_480),
  UPLOAD_MB_PER_USER: whole(1, 10_000_000, 1_024),
  UPLOAD_MB_PER_COMPANY: whole(1, 10_000_000, 2_048),
  JOB_RETENTION_DAYS: whole(1, 36_500, 30),
  REPORT_RETENTION_HOURS: whole(1, 720, 24),
  COMPLIANCE_RETENTION_DAYS: whole(1, 36_500, 365),
  EVENT_RETENTION_DAYS: whole(1, 3_650, 7),
  IMPORT_KEEP_DAYS: whole(1, 36_500, 3_650),
  WEBHOOK_WORKERS: whole(1, 64, 4),
  WEBHOOK_ATTEMPTS: whole(1, 20, 8),
  WEBHOOK_RETRY_SECONDS: whole(1, 3_600, 5),
  WEBHOOK_TIMEOUT: whole(1, 30, 10),
  WEBHOOK_OFF_AFTER_HOURS: whole(1, 720, 24),
  WEBHOOK_PRIVATE_NETWORKS: onOff('off'),
  WEBHOOK_PLAIN_HTTP: onOff('off'),
  SEAL_KEY_FILE: z.string().optional(),
  SEAL_SIGN_COMMAND: commandWords,
  SEAL_TIMESTAMP_URL: httpUrl.optional(),
  VERIFY_AT: z
    .string()
    .regex(/^(?:off|(?:[01]\d|2[0-3]):[0-5]\d)$/, 'must be off or a time like 03:00')
    .default('03:00')
    .transform((text) => (text === 'off' ? undefined : text)),
  SEAL_LOG_NAME: z
    .string()
    .regex(/^[A-Za-z\d][\w./-]{0,99}$/, 'must be an address without https://, of at most 100 characters')
    .default('partidas'),
  DISK_RESERVE_MB: whole(0, 100_000_000, 512),
  ADMIN_USERNAME: z.string().trim().min(1).max(200).default('admin'),
  ADMIN_PASSWORD: z
    .string()
    .min(PASSWORD_LENGTH.least, `must have at least ${PASSWORD_LENGTH.least} characters`)
    .max(PASSWORD_LENGTH.most)
    .optional(),
  ADMIN_MFA: z
    .enum(['off', 'optional', 'required'], { message: 'must be off, optional or required' })
    .default('optional'),
  ACCESS_TOKEN_TTL: whole(1, 31_536_000, 3600),
  TOKEN_ISSUER: z.string().default('partidas'),
  TOKEN_AUDIENCE: z.string().default('partidas-services'),
  AUTO_PROVISION: onOff('off'),
  IDENTITY_PROVIDERS: providers,
  TRUSTED_PROXIES: list.refine((proxies) => proxies.every(isNetwork), 'must be addresses or networks (10.0.0.0/8)'),
  CORS_ORIGINS: list,
  AUTH_URL: httpUrl.optional(),
  MASTERDATA_URL: httpUrl.optional(),
  MOVEMENTS_URL: httpUrl.optional(),
  QUERIES_URL: httpUrl.optional(),
  REPORTS_URL: httpUrl.optional(),
  COMPLIANCE_URL: httpUrl.optional(),
  CONSOLE_IDLE_MINUTES: whole(1, 720, 30),
  BODY_LIMIT_KB: whole(1, 1_048_576, 1024),
  UPLOAD_LIMIT_MB: whole(1, 16_384, 512),
  IMPORT_MAX_ROWS: whole(1, 100_000_000, 1_000_000),
  MOVEMENTS_PAGE_SIZE: whole(1, 1_000, 100),
  DOCS: place,
  METRICS: place,
  COMPLIANCE_AUTH: onOff('on'),
  STARTER_RULES: onOff('on'),
  COMPLIANCE_DOCS: onOff('on'),
  COSIF_SIGN: z
    .enum(['PUBLISHED', 'DEBIT_NEGATIVE', 'ABSOLUTE'], { message: 'must be PUBLISHED, DEBIT_NEGATIVE or ABSOLUTE' })
    .default('PUBLISHED'),
  ECD_LARGEST_KB: whole(1, 5_242_880, 1_048_576),
  CNPJ_CHECK_DIGITS: z.enum(['strict', 'warn', 'off'], { message: 'must be strict, warn or off' }).default('warn'),
  CNPJ_LOOKUP_URL: lookup(
    TAX_ID_PROVIDERS,
    '{cnpj}',
    'brasilapi=https://brasilapi.com.br/api/cnpj/v1/{cnpj},receitaws=https://receitaws.com.br/v1/cnpj/{cnpj}',
  ),
  CEP_LOOKUP_URL: lookup(
    POSTAL_CODE_PROVIDERS,
    '{cep}',
    'brasilapi=https://brasilapi.com.br/api/cep/v2/{cep},viacep=https://viacep.com.br/ws/{cep}/json/',
  ),
  LOG_SOURCE: z.enum(['files', 'docker'], { message: 'must be files or docker' }).default('files'),
  DOCKER_SOCKET: z.string().default('/var/run/docker.sock'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], { message: 'must be debug, info, warn or error' })
    .default('info'),
  LOG_TO: z.enum(['files', 'stdout'], { message: 'must be files or stdout' }).default('files'),
  LOG_FILE_MB: whole(1, 10_000, 20),
  LOG_KEEP_FILES: whole(1, 10_000, 10),
  REPORT_TEMPLATES: z.string().refine(isReadableFolder, 'must be a folder that is there and can be read').optional(),
  REPORT_INLINE_LIMIT: whole(1, 2_000, 50),
  BOOK_SIZE_LIMIT: whole(1, 1_000, 200),
  REPORT_JOBS_PER_USER: whole(1, 1_000, 10),
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { message: 'must be production, development, test or empty' })
    .optional(),
  ALLOW_TEST_DATA: onOff('off'),
});
