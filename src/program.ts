import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { BusinessError, problem, RetryLater } from './accounting/problem.ts';
import { openDatabaseFigures } from './database-figures.ts';
import { startAuditChain } from './features/access/audit-chain/chain-audit.ts';
import { createAuthorizer } from './features/access/authorize.ts';
import { ensureAdministrator } from './features/access/bootstrap.ts';
import { waitingHashes } from './features/access/passwords.ts';
import type { UserState } from './features/access/permissions.read.sql.ts';
import { createSessions } from './features/access/sessions/sessions.ts';
import { signInFailures } from './features/access/sign-in-trail.ts';
import { publishedKeys, signingKey } from './features/access/signing-keys.ts';
import { openLeafHasher } from './features/closing/seals/leaf-hasher.ts';
import { registerSealKeys, requireKnownKeys } from './features/closing/seals/register-seal-keys.ts';
import { startTimestamps } from './features/closing/seals/timestamp-seals.ts';
import { startNightlyVerify } from './features/closing/verify/nightly-verify.ts';
import { ensureStarterRules } from './features/compliance/load-starter-rules.ts';
import { openBudgets } from './features/operations/budgets.ts';
import { startCleanup } from './features/operations/cleanup/cleanup.ts';
import { WORK_KINDS } from './features/operations/jobs/job-kinds.ts';
import { startWorkers, type Workers } from './features/operations/jobs/jobs.ts';
import { startArchiveWatch } from './features/operations/watch-archive.ts';
import { startDeliveries } from './features/operations/webhooks/deliver-webhooks.ts';
import { openPrinter } from './features/reporting/print/printer.ts';
import type { App } from './http/app.ts';
import { addDocs, addDocuments } from './http/docs.ts';
import { openLoadGate } from './http/load-gate.ts';
import { mountRoutes } from './http/mount.ts';
import { documentOf } from './http/openapi/document.ts';
import { textOf } from './http/problem-details.ts';
import { addMetrics, createBareServer, createServer, type ServerOptions } from './http/server.ts';
import { SideServers } from './http/side-servers.ts';
import { closeAfterUnreadBodies, cutSilentBodies } from './http/unread-body.ts';
import { jobHandlers } from './job-handlers.ts';
import {
  CONSOLE,
  type Config,
  DOOR_NAMES,
  type DoorName,
  forgetAdminPassword,
  type ListenerName,
  portVariable,
  type ServiceName,
  StartError,
  WORKER,
} from './platform/config.ts';
import { contextOn } from './platform/context.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { StatementCancelled, StorageFull, TransactionBusy } from './platform/database/errors.ts';
import { DATABASE_ROLES, type DatabaseRole, type LoginUrls, loginsOf } from './platform/database/logins.ts';
import { migrate } from './platform/database/migrate.ts';
import {
  openReplicaHealth,
  READ_OUTCOMES,
  type ReplicaHealth,
  type ReplicaSettings,
} from './platform/database/replica-health.ts';
import { SYSTEM_SCOPE, systemSql } from './platform/database/system-scope.ts';
import { isDiskFull, watchDisk } from './platform/disk-space.ts';
import { unarchivedBytes } from './platform/embedded-postgres/wal-archive.ts';
import { type Log, openLog } from './platform/log.ts';
import { openMetrics } from './platform/metrics.ts';
import { SealKeyError } from './platform/seal-keys/seal-key-error.ts';
import { openSealKeys } from './platform/seal-keys/seal-keys.ts';
import { createTokenVerifier } from './platform/token.ts';
import { HEALTH_MS, isDoneWithin, within } from './platform/within.ts';
import type { Door } from './services/console/forward.ts';
import { openConsole } from './services/console/open-console.ts';
import { describedService } from './services/services.ts';
import { VERSION } from './version.ts';

export interface Program {
  /** Base addresses of the services that run here. */
  readonly addresses: Readonly<Partial<Record<ListenerName, string>>>;
  /** Where documents and metrics are shown, if on addresses of their own. */
  readonly sideAddresses: readonly string[];
  /** Shown once, at the first start without ADMIN_PASSWORD. */
  readonly generatedPassword: string | undefined;
  readonly database: Database;
  readonly app: App;
  /** The logins that this process works as. */
  readonly logins: LoginUrls;
  /** Says that it is about to stop, and goes on: readiness is DOWN, and each answer ends its connection. */
  announceStop(): void;
  /** Drains: accepted requests are answered, running jobs get a moment, then everything is closed. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** The owner's, for migrations and logins; undefined where both were done before. */
  readonly connectionString: string | undefined;
  /** No log files (tests). */
  readonly silent?: boolean;
  /** A problem that a route has no wire name for is a failure (tests). */
  readonly strictPaths?: boolean;
  /** Where the built pages of the console are, if not in their place (tests). */
  readonly consoleFolder?: string;
  readonly now?: () => Date;
}

/** The caller of a service whose authentication is switched off. */
const UNKNOWN_ADMINISTRATOR: UserState = {
  id: 0,
  username: 'anonymous',
  admin: true,
  service: false,
  networks: [],
  active: true,
  expiresAt: null,
  credentialVersion: 1,
  wholeCompanies: [],
  branchCompanies: [],
  branches: [],
  routines: [],
};

/** Migrates and starts the services and workers named in the configuration, in this process. */
export async function startProgram(config: Config, options: ProgramOptions): Promise<Program> {
  if (options.connectionString !== undefined) await migrate(options.connectionString);
  const logins = await loginsOf(
    config.databaseLogins,
    options.connectionString,
    rolesOf(config),
    config.databasePooler,
  );
  const running: Running = {
    servers: [],
    addresses: {},
    isStopping: false,
    beside: undefined,
    workers: undefined,
    cleanup: undefined,
    auditChain: undefined,
    timestamps: undefined,
    nightlyVerify: undefined,
    archiveWatch: undefined,
    deliveries: undefined,
    figures: undefined,
    log: undefined,
  };
  const replica = openReplicaOf(config, running);
  const databases = openDatabases(config, logins, replica);
  const app = openApp(config, { ...options, databases, logins, replica }, running);
  const { database } = app;
  try {
    const generatedPassword = databases.auth && (await prepareUsers(databases.auth, config));
    forgetAdminPassword(config);
    const logOf = (name: string) =>
      openLog(name, {
        dataDir: config.dataDir,
        level: config.logLevel,
        to: config.logTarget,
        files: config.logFiles,
        silent: options.silent ?? false,
      });
    await prepareSealKeys(databases, app);
    running.log = await logOf('start');
    await prepareRules(databases.app, config, app.now, running.log);
    const beside = new SideServers(async () =>
      createBareServer({ ...serverOptions(app), service: 'beside', log: await logOf('beside') }),
    );
    running.beside = beside;
    for (const service of DOOR_NAMES.filter((name) => config.services.includes(name))) {
      const served = servedBy(service, app, databases);
      running.servers.push([service, await mountService(service, served, await logOf(service), running, options)]);
    }
    if (config.services.length === 0) {
      running.servers.push([WORKER, await mountWorker(app, await logOf(WORKER), running)]);
    }
    for (const [service, app] of running.servers) running.addresses[service] = await listen(app, config, service);
    const sideAddresses = await beside.listen();
    startBackground(app, { databases, logins, log: await logOf('jobs') }, running);
    let stopping: Promise<void> | undefined;
    return {
      addresses: running.addresses,
      sideAddresses,
      generatedPassword,
      database,
      app,
      logins,
      announceStop: () => {
        running.isStopping = true;
      },
      stop: () => {
        running.isStopping = true;
        stopping ??= close(app, databases, running);
        return stopping;
      },
    };
  } catch (error) {
    await close(app, databases, running).catch(() => {});
    throw error;
  }
}

/** What expires is removed by every process; jobs, and what happens at its time, are for those that work on jobs. */
function startBackground(
  app: App,
  { databases, logins, log }: { readonly databases: Databases; readonly logins: LoginUrls; readonly log: Log },
  running: Running,
): void {
  const { config, metrics, now, sealKeys: keys } = app;
  const { dataDir, retention, webhooks: settings, sealTimestampUrl: address } = config;
  const database = config.jobs ? app.database.sharing(JOBS).doing('job') : undefined;
  running.cleanup = startCleanup({ database, authentication: databases.auth, retention, now, log, metrics });
  if (database === undefined) return;
  running.workers = openWorkers(app, log);
  running.deliveries = startDeliveries({ database, settings, now, log, metrics });
  running.auditChain = startAuditChain({ database, keys, dataDir, log });
  if (address !== undefined) running.timestamps = startTimestamps({ database, address, log });
  running.nightlyVerify = openNightlyVerify(app, logins, log);
  running.archiveWatch = startArchiveWatch(systemSql(database), () => unarchivedOf(config), log);
}

const CONSOLE_FOLDER = fileURLToPath(new URL('../console/dist/', import.meta.url));

/** The login that each service works as. */
export const ROLE_OF: Readonly<Record<DoorName, DatabaseRole>> = {
  authentication: 'auth',
  masterdata: 'app',
  movements: 'app',
  queries: 'reader',
  reports: 'reader',
  compliance: 'app',
  console: 'auth',
};

/** Workers write as `app`, and print as `reader`. */
function rolesOf({ services, jobs }: Config): DatabaseRole[] {
  const needed = new Set([
    ...services.map((service) => ROLE_OF[service]),
    ...(jobs ? (['app', 'reader'] as const) : []),
  ]);
  return DATABASE_ROLES.filter((role) => needed.has(role));
}

/** Who share the connections of a login with others: its services, and the jobs. */
function sharersOf({ services, jobs }: Config, role: DatabaseRole): string[] {
  const doors = services.filter((service) => ROLE_OF[service] === role);
  return jobs && role === 'app' ? [...doors, JOBS] : doors;
}

const JOBS = 'jobs';

/** A service works on its share of the connections, and its callers are read there: another's stuck requests are not its own. */
function servedBy(service: DoorName, app: App, databases: Databases): App {
  const database = databases[ROLE_OF[service]]!.sharing(service);
  // Whoever signs people in does not see the books.
  return {
    ...app,
    database,
    authorizer: ROLE_OF[service] === 'auth' ? app.authorizer : app.authorizer.reading(database),
  };
}

type Databases = Readonly<Partial<Record<DatabaseRole, Database>>>;

/** Shares of DATABASE_CONNECTIONS. */
const SHARES: Readonly<Record<DatabaseRole, number>> = { app: 4, reader: 3, auth: 1 };
const FEWEST_CONNECTIONS = 2;

/** The services whose reads a replica answers: those that show books. */
const READERS: readonly DoorName[] = ['queries', 'reports', 'compliance'];

interface OpenedReplica {
  readonly settings: ReplicaSettings;
  readonly health: ReplicaHealth;
}

/** Threads count with the process: in memory that they share. */
function openReplicaOf({ databaseReadUrl: address }: Config, running: Running): OpenedReplica | undefined {
  if (address === undefined) return undefined;
  const settings = { address, counts: new BigInt64Array(new SharedArrayBuffer(8 * READ_OUTCOMES.length)) };
  return { settings, health: openReplicaHealth(settings, (line) => running.log?.warn(line)) };
}

function openDatabases(config: Config, logins: LoginUrls, replica: OpenedReplica | undefined): Databases {
  const { databaseConnections, timeLimits: limits, databasePooler: pooler } = config;
  const roles = DATABASE_ROLES.filter((role) => logins[role] !== undefined);
  const total = roles.reduce((sum, role) => sum + SHARES[role], 0);
  const share = (role: DatabaseRole) => Math.floor((databaseConnections * SHARES[role]) / total);
  const replicaOf = (role: DatabaseRole) => {
    const readers = sharersOf(config, role).filter((name) => (READERS as readonly string[]).includes(name));
    if (replica === undefined || readers.length === 0) return undefined;
    return { address: replica.settings.address, health: replica.health, readers };
  };
  return Object.fromEntries(
    roles.map((role) => [
      role,
      openDatabase(logins[role]!, {
        max: Math.max(FEWEST_CONNECTIONS, share(role)),
        limits,
        pooler,
        sharers: sharersOf(config, role),
        replica: replicaOf(role),
      }),
    ]),
  );
}

/** The first administrator and the first key; returns its generated password. */
async function prepareUsers(database: Database, config: Config): Promise<string | undefined> {
  const generatedPassword = await ensureAdministrator(database, config.adminUsername, config.adminPassword);
  await signingKey(systemSql(database));
  return generatedPassword;
}

/** Whoever closes months signs: the keys of a new installation are made, others are tried. Who shows seals knows the keys. */
async function prepareSealKeys({ app: writer, reader }: Databases, { config, sealKeys }: App): Promise<void> {
  try {
    if (config.jobs) await registerSealKeys(systemSql(writer!), sealKeys);
    else if (config.services.includes('queries')) await requireKnownKeys(systemSql(reader!), sealKeys);
  } catch (error) {
    throw error instanceof SealKeyError ? new StartError(error.message) : error;
  }
}

/** The starter rules of a new installation. */
async function prepareRules(database: Database | undefined, config: Config, now: () => Date, log: Log): Promise<void> {
  if (!config.starterRules || !config.services.includes('compliance') || database === undefined) return;
  const nothing = () => {};
  const caller = { id: 0, username: 'system', admin: true };
  await ensureStarterRules(
    contextOn(database, SYSTEM_SCOPE, {
      caller,
      wakeJobs: nothing,
      rightsChanged: nothing,
      now,
      address: 'start',
      log,
    }),
  );
}

/** Running parts, filled while the program starts. */
interface Running {
  readonly servers: [ListenerName, FastifyInstance][];
  readonly addresses: Partial<Record<ListenerName, string>>;
  isStopping: boolean;
  beside: SideServers | undefined;
  workers: Workers | undefined;
  cleanup: { stop(): Promise<void> } | undefined;
  auditChain: { stop(): Promise<void> } | undefined;
  timestamps: { stop(): Promise<void> } | undefined;
  nightlyVerify: { stop(): Promise<void> } | undefined;
  archiveWatch: { stop(): Promise<void> } | undefined;
  deliveries: { stop(): Promise<void> } | undefined;
  figures: { close(): Promise<void> } | undefined;
  log: Log | undefined;
}

function openApp(
  config: Config,
  {
    databases,
    logins,
    replica,
    now = () => new Date(),
  }: Pick<ProgramOptions, 'now'> & {
    databases: Databases;
    logins: LoginUrls;
    replica: OpenedReplica | undefined;
  },
  running: Running,
): App {
  const database = DATABASE_ROLES.map((role) => databases[role]).find((each) => each !== undefined)!;
  const everything = systemSql(database);
  const budgets = openBudgets(config.budgets, config.uploadShares);
  const gate =
    config.requestsInHand > 0 ? openLoadGate(config.requestsInHand, config.trustedProxies.length > 0) : undefined;
  const disk = watchDisk(config.dataDir, config.diskReserve);
  const figures = openDatabaseFigures(logins, config.databasePooler);
  running.figures = figures;
  const metrics = openMetrics(Object.values(databases), {
    build: { version: VERSION, node: process.version },
    ...figures.sources,
    unarchived: () => unarchivedOf(config),
    disk: disk.measure,
    hashes: waitingHashes,
    requests: budgets.counts,
    gate: () => gate?.counts(),
    replica: () => replica?.health.figures(),
    signInFailures: () => (databases.auth ? signInFailures(databases.auth) : {}),
  });
  const connecting = { limits: config.timeLimits, pooler: config.databasePooler };
  return {
    config,
    database,
    authorizer: createAuthorizer(database, now),
    verifyToken: createTokenVerifier(() => publishedKeys(everything), {
      issuer: config.tokenIssuer,
      audience: config.tokenAudience,
      lifetimeSeconds: config.accessTokenTtl,
      now,
    }),
    sealKeys: openSealKeys(config.sealKeys, now),
    leafHasher: openLeafHasher({ connectionString: logins.app, ...connecting }, config.monthCloseWorkers),
    metrics,
    printer: openPrinter(
      {
        connectionString: logins.reader,
        templates: config.reportTemplates,
        replica: replica?.settings,
        ...connecting,
      },
      metrics,
    ),
    budgets,
    gate,
    disk,
    wakeJobs: () => running.workers?.wake(),
    now,
    addressOf: (service) =>
      publicAddress(config, service) ?? running.addresses[service] ?? addressAt(config, config.ports[service]),
  };
}

/** The log of the program's own PostgreSQL, where it is archived. */
async function unarchivedOf({ dataDir, walArchive }: Config): Promise<number | undefined> {
  return walArchive && unarchivedBytes(dataDir);
}

function serverOptions({ config, metrics }: App): Omit<ServerOptions, 'service' | 'log'> {
  const { bodyLimit, trustedProxies, corsOrigins } = config;
  return { bodyLimit, trustedProxies, corsOrigins, metrics };
}

async function mountService(
  service: DoorName,
  app: App,
  log: Log,
  running: Running,
  options: ProgramOptions,
): Promise<FastifyInstance> {
  const isConsole = service === CONSOLE;
  const beside = running.beside!;
  const { config, database, metrics } = app;
  const described = describedService(service);
  const server = await createServer({
    ...serverOptions(app),
    // Pages of other origins have the services, with a token.
    ...(isConsole ? { packed: true, corsOrigins: [] } : {}),
    strictPaths: options.strictPaths ?? false,
    service,
    version: described.version,
    log,
    callerOf: (request) => request.user,
    gate: app.gate,
    healthy: () => within(HEALTH_MS, database.assertWorking()),
    isStopping: () => running.isStopping,
  });
  closeAfterUnreadBodies(server);
  cutSilentBodies(server);
  const docs = service === 'compliance' && !config.complianceDocs ? 'off' : config.docs;
  await beside.show(docs, service, server, (shown, prefix) => {
    const document = () => documentOf(described);
    // The page that shows it runs scripts of others: not where the cookie of a session is.
    if (isConsole) addDocuments(shown, prefix, document);
    else addDocs(shown, prefix, described.title, document);
  });
  await beside.show(config.metrics, service, server, (shown, prefix) => addMetrics(shown, prefix, metrics));
  if (isConsole) openConsole(server, consoleParts(app, running, options));
  const isOpen = service === 'compliance' && !config.complianceAuth;
  if (isOpen) log.warn('COMPLIANCE_AUTH is off: every caller counts as an administrator');
  mountRoutes(server, described.routes, app, log, isOpen ? UNKNOWN_ADMINISTRATOR : undefined);
  return server;
}

/** Health and metrics of a process that only works on jobs. */
async function mountWorker(app: App, log: Log, running: Running): Promise<FastifyInstance> {
  const { config, database, metrics } = app;
  const server = await createServer({
    ...serverOptions(app),
    service: WORKER,
    version: VERSION,
    log,
    callerOf: () => undefined,
    healthy: () => within(HEALTH_MS, database.assertWorking()),
    isStopping: () => running.isStopping,
  });
  closeAfterUnreadBodies(server);
  cutSilentBodies(server);
  await running.beside!.show(config.metrics, WORKER, server, (shown, prefix) => addMetrics(shown, prefix, metrics));
  return server;
}

/** What the console is given: the sessions, and the services that run here already. */
function consoleParts(
  { config, database, authorizer, now, addressOf }: App,
  { servers }: Running,
  { consoleFolder = CONSOLE_FOLDER }: Pick<ProgramOptions, 'consoleFolder'>,
): Parameters<typeof openConsole>[1] {
  const { tokenIssuer: issuer, tokenAudience: audience, accessTokenTtl: lifetimeSeconds } = config;
  const token = { issuer, audience, lifetimeSeconds };
  const here = servers.map(([name, server]): [string, Door] => [
    name,
    (asked, answer) => server.routing(asked, answer),
  ]);
  return {
    sessions: createSessions(database, authorizer, { idleMinutes: config.consoleIdleMinutes, token, now }),
    doors: { here: Object.fromEntries(here), addressOf },
    folder: consoleFolder,
  };
}

function openWorkers(app: App, log: Log): Workers {
  const { config, database, metrics, now } = app;
  return startWorkers({
    database: database.sharing(JOBS).doing('job'),
    handlers: jobHandlers(app),
    lanes: [
      // A month close has its own workers and never waits for reports.
      { kinds: ['CONSOLIDATION'], workers: config.monthCloseWorkers },
      { kinds: WORK_KINDS, workers: config.jobWorkers },
    ],
    now,
    log,
    metrics,
    describe: describeFailure,
  });
}

/** VERIFY_AT; undefined: off. */
function openNightlyVerify(app: App, logins: LoginUrls, log: Log): { stop(): Promise<void> } | undefined {
  const { config, database, sealKeys: keys, now } = app;
  const { verifyAt: at, dataDir, timeLimits: limits, databasePooler: pooler } = config;
  if (at === undefined) return undefined;
  const openConnections = () => openDatabase(logins.app!, { max: VERIFY_CONNECTIONS, limits, pooler }).doing('job');
  return startNightlyVerify({
    database: database.sharing(JOBS).doing('job'),
    openConnections,
    at,
    keys,
    dataDir,
    now,
    log,
  });
}

/** One holds the run, the other reads. */
const VERIFY_CONNECTIONS = 2;

/** Requests and jobs end first, then the printer, then the database. */
async function close({ printer, leafHasher }: App, databases: Databases, running: Running): Promise<void> {
  const { servers, beside, workers, cleanup, auditChain, timestamps, nightlyVerify, archiveWatch, deliveries } =
    running;
  const opened = Object.values(databases);
  try {
    const apps = [...servers.map(([, app]) => app), ...(beside?.apps ?? [])];
    await shutDownGracefully(
      [
        ...apps.map(drain),
        ...[workers, cleanup, auditChain, timestamps, nightlyVerify, archiveWatch, deliveries].map((each) =>
          each?.stop(),
        ),
      ],
      async () => {
        await printer.close();
        await Promise.all(opened.map((database) => database.cancel().catch(() => {})));
      },
    );
  } finally {
    // A connection still in use then ends with the process.
    const ends = [printer, leafHasher, ...opened, running.figures].map((each) => each?.close());
    await isDoneWithin(CLOSE_MS, Promise.all(ends));
  }
}

/** How long requests and jobs have to end by themselves, and again after they were aborted. */
const GRACE_MS = 5_000;
const REST_MS = 1_500;
/** How long to abort them may take: a database that says nothing is not waited for. */
const BREAK_OFF_MS = 500;
/** How long the database's connections may take to close. */
const CLOSE_MS = 1_000;

/**
 * Waits for requests and jobs. A report that is still printing then, or a stuck statement, is aborted: the job is
 * requeued, the request gets a 503.
 */
async function shutDownGracefully(
  ends: readonly (Promise<void> | undefined)[],
  breakOff: () => Promise<void>,
): Promise<void> {
  const all = Promise.all(ends);
  if (await isDoneWithin(GRACE_MS, all)) return;
  await isDoneWithin(BREAK_OFF_MS, breakOff());
  await isDoneWithin(REST_MS, all);
}

/** A connection that ends its response while the server closes would else stay for its keep-alive time. */
async function drain(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
  }
}

async function listen(app: FastifyInstance, config: Config, service: ListenerName): Promise<string> {
  const port = config.ports[service];
  try {
    await app.listen({ host: config.host, port });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new StartError(`port ${port} of the ${service} service is in use; ${portVariable(service)} names another`);
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new StartError(`HOST: this machine does not know the name ${config.host} (${code})`);
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new StartError(`the ${service} service cannot listen on ${config.host}:${port} (${code})`);
    }
    throw error;
  }
  const { port: bound } = app.server.address() as AddressInfo;
  return addressAt(config, bound);
}

function addressAt({ host }: Config, port: number): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return `http://${shown === '0.0.0.0' ? '127.0.0.1' : shown}:${port}`;
}

/** Of a service that a response points to, or that the console finds elsewhere. */
function publicAddress({ serviceUrls }: Config, service: ServiceName): string | undefined {
  return serviceUrls[service]?.replace(/\/$/, '');
}

/** A failed job's message: the books' reasons in Portuguese, or nothing that a user could use. */
function describeFailure(error: unknown): string {
  if (error instanceof BusinessError)
    return error.problems
      .map((each) => textOf(each, 'pt'))
      .join('; ')
      .slice(0, 2_000);
  if (error instanceof RetryLater) return textOf(error.problem, 'pt');
  if (error instanceof SealKeyError) return textOf(problem('SEALING_UNAVAILABLE'), 'pt');
  if (error instanceof StorageFull) return textOf(problem('STORAGE_FULL'), 'pt');
  const isBusy = error instanceof StatementCancelled || error instanceof TransactionBusy;
  return textOf(problem(isDiskFull(error) ? 'DISK_FULL' : isBusy ? 'BUSY' : 'INTERNAL'), 'pt');
}
