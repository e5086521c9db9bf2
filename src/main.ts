import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig, StartError } from './platform/config.ts';
import { withOwnerConnection } from './platform/database/connections.ts';
import { SQLSTATE, sqlState } from './platform/database/errors.ts';
import { assertDurable } from './platform/embedded-postgres/durability.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts';
import { requireWritableFolders } from './platform/writable-folders.ts';
import { type Program, startProgram } from './program.ts';

/** Longest time between the end of DRAIN_MS and that of the process. */
const STOP_MS = 9_000;

// Whoever reads them may go away, and the disk behind them may be full: without a listener that would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

await main().catch((error: unknown) => {
  console.error(...reasonOf(error));
  process.exit(1);
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Neither the program's children nor what prints its environment may see it.
  delete process.env.ADMIN_PASSWORD;
  await requireWritableFolders(config);
  let server: EmbeddedPostgres | undefined;
  let program: Program | undefined;
  let stopping = false;
  const stop = async (code: number, drainMs = 0) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), drainMs + STOP_MS).unref();
    program?.announceStop();
    if (program !== undefined) await sleep(drainMs);
    await program?.stop();
    await server?.stop();
    process.exit(code);
  };
  process.on('SIGTERM', () => void stop(0, config.drainMs));
  // Whoever presses Ctrl-C has no balancer in front.
  process.on('SIGINT', () => void stop(0));
  const given = [config.databaseUrl, ...Object.values(config.databaseLogins)].find((url) => url !== undefined);
  if (given === undefined) server = await startEmbeddedPostgres({ ...config, serves: true });
  try {
    await withOwnerConnection(given ?? server!.connectionString, assertDurable).catch(rejectDatabase);
    const connectionString = config.databaseUrl ?? server?.connectionString;
    // The owner's password is not needed after this.
    delete process.env.DATABASE_URL;
    program = await startProgram({ ...config, databaseUrl: undefined }, { connectionString });
    server?.keepRunning(
      Object.values(program.logins)[0]!,
      (line) => console.error(`partidas: ${line}`),
      (reason) => {
        console.error(`partidas: the database cannot be kept running: ${reason.message}`);
        void stop(1);
      },
    );
  } catch (error) {
    await server?.stop();
    throw sqlState(error) === SQLSTATE.INSUFFICIENT_PRIVILEGE ? rejectDatabase(error) : error;
  }
  const { console: first, ...others } = program.addresses;
  for (const [service, address] of Object.entries({ ...(first && { console: first }), ...others })) {
    console.log(`${service.padEnd(15)} ${address}`);
  }
  for (const address of program.sideAddresses) console.log(`${'documents'.padEnd(15)} ${address}`);
  if (program.generatedPassword !== undefined) {
    console.log(`administrator   ${config.adminUsername}`);
    console.log(
      `password        ${program.generatedPassword}   (shown only now; change it with POST /api/auth/password)`,
    );
  }
  console.log('Partidas is ready. Ctrl-C stops it.');
}

/** One line for what an operator can mend, and everything about a defect. */
function reasonOf(error: unknown): unknown[] {
  if (error instanceof StartError) return [`partidas: ${error.message}`];
  const { syscall, path, code } = error as NodeJS.ErrnoException;
  if (syscall !== undefined && path !== undefined) return [`partidas: cannot ${syscall} ${path} (${code})`];
  return ['partidas: could not start', error];
}

function rejectDatabase(error: unknown): never {
  if (error instanceof StartError) throw error;
  throw new StartError(`DATABASE_URL: ${error instanceof Error ? error.message.split('\n')[0] : 'cannot connect'}`);
}
