import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BusinessError, reject } from '../src/accounting/problem.ts';
import { recordRef } from '../src/accounting/record-name.ts';
import { resetSecondFactor } from '../src/features/access/second-factor.ts';
import { selectKeyRows } from '../src/features/access/signing-keys.sql.ts';
import { retireKey, rotateKeys } from '../src/features/access/signing-keys.ts';
import { selectUserByName, selectUsers, type UserRow } from '../src/features/access/users.read.sql.ts';
import { changeUser, createUser, setPassword, signOutEverywhere } from '../src/features/access/users.ts';
import { loadStarterRules } from '../src/features/compliance/load-starter-rules.ts';
import { codeText, nameText } from '../src/http/fields.ts';
import { textOf } from '../src/http/problem-details.ts';
import { type Config, readConfig, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { DatabaseLost } from '../src/platform/database/errors.ts';
import { type DatabaseRole, loginsOf } from '../src/platform/database/logins.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { requireDatabase, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts';
import { PASSWORD_LENGTH } from '../src/platform/password-rule.ts';
import { BACKUP_COMMANDS, BACKUP_OPTIONS } from './backup-commands.ts';
import { commandLineContext } from './command-line-context.ts';
import { COSIF_COMMANDS } from './cosif-command.ts';
import { ECD_COMMANDS, ECD_OPTIONS } from './ecd-command.ts';
import { FILING_COMMANDS, FILING_OPTIONS } from './filing-command.ts';
import { IMPORT_COMMANDS, IMPORT_OPTIONS } from './import-commands.ts';
import { operand } from './operand.ts';
import { PROOF_COMMANDS, PROOF_OPTIONS } from './proof-command.ts';
import { SEAL_COMMANDS } from './seal-commands.ts';
import { NOT_VERIFIED, runVerify, VERIFY_OPTIONS } from './verify-command.ts';

interface Installation {
  readonly database: Database;
  readonly config: Config;
}

/** What works on files, without a connection of the program. */
interface FileCommand {
  readonly usage: string;
  readonly words?: undefined;
  readonly failure?: undefined;
  /** A number that it returns is the exit code. */
  manage(config: Config, words: readonly string[], options: Options): Promise<unknown>;
}

interface Command {
  readonly usage: string;
  /** How many words it takes, where it is named by one; 1 when absent. */
  readonly words?: number;
  /** The login of the command; `app` when absent. */
  readonly role?: DatabaseRole;
  /** Exit code of a failure; 1 when absent. */
  readonly failure?: number;
  /** It makes no sense on a new and empty database. */
  readonly needsBooks?: boolean;
  /** A number that it returns is the exit code. */
  run(context: Context, words: readonly string[], options: Options, installation: Installation): Promise<unknown>;
}

const OPTIONS = {
  password: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  expires: { type: 'string' },
  admin: { type: 'boolean', default: false },
  ...IMPORT_OPTIONS,
  ...VERIFY_OPTIONS,
  ...BACKUP_OPTIONS,
  ...PROOF_OPTIONS,
  ...ECD_OPTIONS,
  ...FILING_OPTIONS,
} as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** For installations where the program has no owner login. */
const MIGRATE: Command = { usage: 'migrate', run: async () => {} };

/** What `npm run admin -- …` does; the first two words name the command. */
const COMMANDS: Readonly<Record<string, Command | FileCommand>> = {
  migrate: MIGRATE,
  'user add': {
    usage: 'user add <username> [--name <name>] [--email <e-mail>] [--password <password>] [--expires <day>] [--admin]',
    role: 'auth',
    async run(context, [word], options) {
      const username = operand('username', word, codeText(200));
      const password = options.password ?? newPassword();
      const user = await createUser(context, {
        username,
        name: operand('name', options.name ?? username, nameText(200)),
        email: options.email === undefined ? undefined : operand('email', options.email),
        expiresAt: options.expires === undefined ? undefined : lastMomentOf(options.expires),
        active: true,
        admin: options.admin,
        password: checkedPassword(password),
        permissions: [],
        identities: [],
      });
      console.log(`user ${user.username} has id ${user.id}`);
      if (options.password === undefined) console.log(`password ${password}   (shown only now)`);
    },
  },
  'user list': {
    usage: 'user list [<part of a name>]',
    role: 'auth',
    async run(context, [search]) {
      for (let page = 0, rows: UserRow[] = []; page === 0 || rows.length === 1_000; page++) {
        rows = await selectUsers(context.sql, search, { page, size: 1_000 });
        for (const row of rows) console.log(lineOf(row));
      }
    },
  },
  'user disable': {
    usage: 'user disable <username>',
    role: 'auth',
    async run(context, [word]) {
      const username = operand('username', word);
      const { id } = await userNamed(context, username);
      await changeUser(context, id, { active: false });
      console.log(`user ${username} is disabled`);
    },
  },
  'user password': {
    usage: 'user password <username> [--password <password>]',
    role: 'auth',
    async run(context, [word], options) {
      const username = operand('username', word);
      const { id } = await userNamed(context, username);
      const password = options.password ?? newPassword();
      await setPassword(context, id, checkedPassword(password));
      console.log(`user ${username} has a new password`);
      if (options.password === undefined) console.log(`password ${password}   (shown only now)`);
    },
  },
  'user signout': {
    usage: 'user signout <username>',
    role: 'auth',
    async run(context, [word]) {
      const { id, username } = await userNamed(context, operand('username', word));
      await signOutEverywhere(context, id);
      console.log(`every token of ${username} has ended`);
    },
  },
  'user mfa-reset': {
    usage: 'user mfa-reset <username>',
    role: 'auth',
    async run(context, [word]) {
      const { id, username } = await userNamed(context, operand('username', word));
      await resetSecondFactor(context, id);
      console.log(`user ${username} has no second factor`);
    },
  },
  'user grant': {
    usage: 'user grant <username> <company>[/<branch>] …',
    role: 'auth',
    async run(context, [word, ...tenants]) {
      const user = await userNamed(context, operand('username', word));
      operand('company', tenants[0]);
      const permissions = [
        ...user.permissions.map(({ company, branch }) => ({ company, branch: branch ?? undefined })),
        ...tenants.map((tenant) => {
          const [company = '', branch] = tenant.split('/');
          return { company, branch };
        }),
      ];
      console.log(lineOf(await changeUser(context, user.id, { permissions })));
    },
  },
  'keys list': {
    usage: 'keys list',
    role: 'auth',
    async run(context) {
      let signs = true;
      for (const { kid, createdAt, retiredAt } of await selectKeyRows(context.sql)) {
        const state = retiredAt ? `retired ${retiredAt.toISOString()}` : signs ? 'signs' : 'verifies';
        if (!retiredAt) signs = false;
        console.log([kid, createdAt.toISOString(), state].join('\t'));
      }
    },
  },
  'keys rotate': {
    usage: 'keys rotate',
    role: 'auth',
    async run(context) {
      console.log(
        `key ${await rotateKeys(context)} signs from now on; retire the older ones when their tokens are over`,
      );
    },
  },
  'keys retire': {
    usage: 'keys retire <key id>',
    role: 'auth',
    async run(context, [word]) {
      const kid = operand('key id', word);
      const made = await retireKey(context, kid);
      console.log(`key ${kid} is retired; its tokens end within a minute`);
      if (made !== undefined) console.log(`key ${made} was made and signs from now on`);
    },
  },
  'rules load': {
    usage: 'rules load',
    async run(context) {
      const added = await loadStarterRules(context);
      console.log(added.length === 0 ? 'nothing to add' : added.join('\n'));
    },
  },
  ...IMPORT_COMMANDS,
  verify: {
    usage: 'verify [<company>[/<branch>[/<YYYY-MM>]]] [--against <file>] [--resume <file>] [--keep]',
    failure: NOT_VERIFIED,
    needsBooks: true,
    run: (context, words, options, { database, config }) => runVerify(context, database, config, words, options),
  },
  ...SEAL_COMMANDS,
  ...PROOF_COMMANDS,
  ...BACKUP_COMMANDS,
  ...FILING_COMMANDS,
  ...ECD_COMMANDS,
  ...COSIF_COMMANDS,
};

/**
 * Does what `npm run admin -- ` and the words ask, as an installation with this environment, and returns the exit code.
 * @throws what reasonOf words
 */
export async function runCommand(given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { command, words, options } = understood(given);
  const config = readConfig(environment);
  if ('manage' in command) {
    const code = await command.manage(config, words, options);
    return typeof code === 'number' ? code : 0;
  }
  const ready = config.databaseUrl ?? Object.values(config.databaseLogins).find((url) => url !== undefined);
  if (ready === undefined && command.needsBooks) requireDatabase(config.dataDir);
  const server = ready === undefined ? await startEmbeddedPostgres(config) : undefined;
  try {
    const ownerUrl = config.databaseUrl ?? server?.connectionString;
    if (command === MIGRATE && ownerUrl === undefined) throw new StartError('DATABASE_URL must name the owner');
    if (ownerUrl !== undefined) await migrate(ownerUrl);
    if (command === MIGRATE) {
      console.log('the database is of this version');
      return 0;
    }
    const role = command.role ?? 'app';
    const logins = await loginsOf(config.databaseLogins, ownerUrl, [role], config.databasePooler);
    const database = openDatabase(logins[role]!, {
      max: 2,
      name: 'partidas-admin',
      pooler: config.databasePooler,
    }).doing('import');
    try {
      const installation = { database, config };
      const code = await command.run(await commandLineContext(database), words, options, installation);
      return typeof code === 'number' ? code : 0;
    } finally {
      await database.close();
    }
  } finally {
    await server?.stop();
  }
}

/** Why a command failed: a sentence a line, or the error itself when it is a defect. */
export function reasonOf(error: unknown): unknown {
  if (error instanceof BusinessError) {
    return error.problems.map((each) => `${each.path ? `${each.path}: ` : ''}${textOf(each, 'en')}`).join('\n');
  }
  if (error instanceof StartError) return error.message;
  return isOutOfReach(error) ? `the database cannot be reached: ${(error as Error).message.split('\n')[0]}` : error;
}

function isOutOfReach(error: unknown): boolean {
  if (error instanceof DatabaseLost) return true;
  const code = (error as { code?: unknown } | undefined)?.code;
  return (
    typeof code === 'string' && /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|08...$|28...$|3D...$|57P..$)/.test(code)
  );
}

/** Exit code where the words come to nothing. */
export function failureOf([first]: readonly string[]): number {
  return COMMANDS[`${first}`]?.failure ?? 1;
}

function understood(given: readonly string[]): { command: Command | FileCommand; words: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
    const [first, second, ...words] = positionals;
    const command = COMMANDS[`${first} ${second}`];
    if (command) return { command, words, options: values };
    const alone = COMMANDS[`${first}`];
    if (alone !== undefined && positionals.length <= (alone === MIGRATE ? 1 : 1 + (alone.words ?? 1))) {
      return { command: alone, words: positionals.slice(1), options: values };
    }
  } catch {
    // An unknown option: the usage says which there are.
  }
  const own = COMMANDS[`${given[0]}`];
  if (own !== undefined) throw new StartError(`Usage: npm run admin -- ${own.usage}`);
  const usage = Object.values(COMMANDS).map((each) => `  npm run admin -- ${each.usage}`);
  throw new StartError(`Usage:\n${usage.join('\n')}`);
}

function newPassword(): string {
  return randomBytes(12).toString('base64url');
}

function checkedPassword(password: string): string {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length < least || password.length > most) {
    throw new StartError(`a password has ${least} to ${most} characters`);
  }
  return password;
}

function lastMomentOf(day: string): Date {
  const moment = new Date(`${day}T23:59:59.999-03:00`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(moment.getTime())) {
    throw new StartError('--expires takes a day YYYY-MM-DD');
  }
  return moment;
}

async function userNamed(context: Context, username: string): Promise<UserRow> {
  return (await selectUserByName(context.sql, username)) ?? reject('NOT_FOUND', recordRef('User', username));
}

function lineOf(user: UserRow): string {
  const state = [user.active ? 'active' : 'disabled', user.admin ? 'admin' : undefined];
  if (user.expiresAt) state.push(`until ${user.expiresAt.toISOString()}`);
  const tenants = user.permissions.map(({ company, branch }) => (branch === null ? company : `${company}/${branch}`));
  return [user.id, user.username, user.name, state.filter(Boolean).join(', '), tenants.join(' ')].join('\t');
}
