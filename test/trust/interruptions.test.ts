import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { journal } from '../support/ecd-file.ts';
import { createEmptyBranch, endOfEcdImport, postEcd } from '../support/ecd-imports.ts';
import { recordFigure } from '../support/figures.ts';
import { emptyBatch, sendLargeFile } from '../support/large-file.ts';
import {
  archiveMonth,
  askToCloseMonth,
  askToMoveEntries,
  closeMonth,
  endOfMonthClose,
  openMonth,
  unarchiveMonth,
} from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { volumeOf } from '../support/volumes.ts';

// Every long work at the same time, each on a bank of its own, each held in its middle or right before its commit; then
// everything is killed. What is in the tables must be what was there before; a second try of each must succeed.

const ROUNDS = volumeOf('INTERRUPTIONS');
const ENTRIES = volumeOf('INTERRUPTED_ENTRIES');
const MONTH = '01/2026';
const TIME = { timeout: timeLimitOf('interruptions') };

/** A work stops after its first statement that writes to one of these … */
const IN_THE_MIDDLE = [
  ...['batch', 'entry_line', 'entry_line_archive', 'monthly_balance', 'tax_quota', 'entry_template_data'],
  ...['printed_report', 'report_file_piece'],
];
/** … or after what it writes last. */
const BEFORE_THE_COMMIT = ['audit', 'event_outbox', 'printed_report'];

/** Tables that change without a change of the books: who signed in, which jobs wait, that an import was tried. */
const NOT_COMPARED = [
  ...['job', 'job_progress', 'signin_failure', 'signing_key', 'idempotency_key', 'lookup_cache', 'app_user'],
  ...['event_stream', 'console_session', 'migration', 'import_record'],
  // A bookkeeping file that was sent is kept until its import has ended; that no other stays is looked at in the end.
  ...['import_file', 'import_file_piece'],
];

let program: OwnProcess;
let admin: Client;
let tables: string[];
/** The company whose books the control has harmed. */
let harmed: string;
const counts = { kills: 0, works: 0 };
const controls: string[] = [];
beforeAll(async () => {
  // A worker for each work that is a job: workers of any job take month closes too.
  ({ program, admin } = await OwnProcess.begin({ DATABASE_CONNECTIONS: '40', JOB_WORKERS: '4' }));
  tables = await program.asOwner(async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT pg_class.relname AS name FROM pg_class
        WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind = 'r' ORDER BY 1`,
    );
    return rows.map(({ name }) => name).filter((name) => !NOT_COMPARED.includes(name));
  });
  await program.asOwner((owner) => owner.query(WAITING));
}, 120_000);
afterAll(() => program?.remove());

/** Whoever writes waits for a lock that the test holds, where a trigger was put on the table. */
const GATE = 20_260_131;
const WAITING = `CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS $$
                 BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`;

/** A work that is interrupted, on a bank of its own. */
interface Work {
  readonly name: string;
  /** Asks for it; the answer may never come. */
  begin(): Promise<unknown>;
  /** Its second try, or its end where the next start goes on by itself. @throws Error unless it succeeds */
  again(): Promise<void>;
}

const WORKS: readonly ((client: () => Client) => Promise<Work>)[] = [
  async (client) => {
    const { batch } = await emptyBatch(client(), MONTH);
    const send = () => sendLargeFile(client(), batch, ENTRIES);
    return { name: 'import', begin: send, again: async () => expectImported((await send()).body) };
  },
  async (client) => {
    const bank = await fullBank(client());
    let job = 0;
    return {
      name: 'close',
      begin: async () => {
        job = (await bodyOf(askToCloseMonth(client(), bank, MONTH))).id;
      },
      again: async () => expect(await endOfMonthClose(client(), job)).toMatchObject({ status: 'DONE' }),
    };
  },
  async (client) => {
    const bank = await closedBank(client());
    return {
      name: 'archive',
      begin: () => askToMoveEntries(client(), bank, MONTH, true),
      again: () => archiveMonth(client(), bank, MONTH),
    };
  },
  async (client) => {
    const bank = await closedBank(client());
    await archiveMonth(client(), bank, MONTH);
    return {
      name: 'restore',
      begin: () => askToMoveEntries(client(), bank, MONTH, false),
      again: () => unarchiveMonth(client(), bank, MONTH),
    };
  },
  async (client) => {
    const first = await emptyBatch(client(), MONTH);
    const { company, branch } = first.bank;
    const place = { empresa: company, filial: branch, ano: 2026, mes: 1 };
    const second = (await bodyOf(client().post('movements', '/batch', place))).id;
    expectImported((await sendLargeFile(client(), first.batch, ENTRIES / 2)).body);
    expectImported((await sendLargeFile(client(), second, ENTRIES / 2 - 1)).body);
    const remove = () => client().post('movements', '/batch/delete-multiple', { ids: [first.batch, second] });
    return { name: 'multiple delete', begin: remove, again: () => bodyOf(remove()) };
  },
  async (client) => {
    const bank = await closedBank(client());
    const reopen = () => openMonth(client(), bank, MONTH);
    return { name: 'reopening', begin: reopen, again: reopen };
  },
  async (client) => {
    const bank = await createBank(client());
    await openMonth(client(), bank, MONTH);
    const entries = Array.from({ length: Math.min(ENTRIES, 1_000) }, () => ({
      ...{ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, lote: 'A', documento: '1', day: '05' },
      lines: [
        { debcre: 'D', conta: '1.1.1', valor: 10 },
        { debcre: 'C', conta: '3.1', valor: 10 },
      ],
    }));
    const send = () => client().post('movements', '/entries/bulk', { entries });
    return { name: 'bulk posting', begin: send, again: async () => expect((await bodyOf(send())).rejected).toBe(0) };
  },
  async (client) => {
    const bank = await closedBank(client());
    await openMonth(client(), bank, '02/2026');
    const { company, branch } = bank;
    const settings = { company, branch, netEquityAccountId: bank.accounts.get('3'), numberOfQuotas: 100 };
    await bodyOf(client().post('masterdata', '/quotacalculation/', settings));
    const confirm = () => client().get('movements', `/taxquotacalculation/${company}/${branch}?confirmed=true`);
    return { name: 'quota confirmation', begin: confirm, again: () => bodyOf(confirm()) };
  },
  async (client) => {
    const bank = await createBank(client());
    const { company, branch, accounts } = bank;
    for (let at = 1; at <= 20; at++) {
      await bodyOf(
        client().post('masterdata', `/release/${company}/${branch}`, {
          ...{ code: `M${at}`, description: `Modelo ${at}`, periodicity: 'MENSAL' },
          schedule: { dayRule: 'ULTIMO_DIA_UTIL', firstMonth: MONTH },
          lines: [
            {
              ...{ sequence: 1, debcre: 'D', contaId: accounts.get('8.2'), contrapartida: accounts.get('2.1.1') },
              ...{ valueType: 'FIXO', valor: 100 },
            },
          ],
        }),
      );
    }
    const open = () => openMonth(client(), bank, MONTH);
    const pending = () => bodyOf(client().get('masterdata', `/releasedata/pending/${company}/${branch}/2026/1`));
    return {
      name: 'schedule',
      begin: open,
      again: async () => {
        await open();
        expect(await pending()).toHaveLength(20);
      },
    };
  },
  async (client) => {
    const bank = await fullBank(client());
    let job = 0;
    return {
      name: 'report',
      begin: async () => {
        job = (
          await client().post('reports', '/reports/relatorioDiarioGeral?async=true', {
            ...{ empresa: bank.company, filial: bank.branch, visualizationEnum: 'CSV' },
            ...{ dataInicio: '2026-01-01', dataFim: '2026-01-31' },
          })
        ).body.id;
      },
      again: async () => {
        for (;;) {
          const { status } = await bodyOf(client().get('reports', `/reports/jobs/${job}`));
          if (status === 'DONE') break;
          if (status === 'ERROR') throw new Error('the report failed');
          await sleep(20);
        }
        const { text } = await client().get('reports', `/reports/jobs/${job}/download`);
        expect(text).toContain('Aporte');
      },
    };
  },
  async (client) => {
    const branch = await createEmptyBranch(client());
    let job = 0;
    return {
      name: 'ECD import',
      begin: async () => {
        job = (await postEcd(client(), branch, journal().text())).body.id;
      },
      again: async () => {
        const { status, resultado } = await endOfEcdImport(client(), job);
        expect({ status, ...resultado }).toMatchObject({ status: 'DONE', importado: true, prova: { diferencas: 0 } });
      },
    };
  },
];

test('half a work, committed, is seen', TIME, async () => {
  const bank = await fullBank(admin);
  const before = await program.digestsOf(tables);
  await program.asOwner(async (owner) => {
    await owner.query('SET session_replication_role = replica');
    await owner.query('DELETE FROM entry_line WHERE entry_line.branch_id = $1', [bank.branchId]);
  });
  harmed = bank.company;
  const changed = changedTables(before, await program.digestsOf(tables));
  expect(changed).toContain('entry_line');
  controls.push(`lines of one work deleted and committed: ${changed.join(', ')} reported`);
});

test.each(
  Array.from({ length: ROUNDS }, (_, round) => ({
    where: round % 2 === 0 ? ('in the middle' as const) : ('before the commit' as const),
    server: round % 4 < 2,
  })),
)('killed $where (database too: $server): as before, then done', TIME, async ({ where, server }) => {
  const works = await Promise.all(WORKS.map((make) => make(() => admin)));
  await gatesOn(where === 'in the middle' ? IN_THE_MIDDLE : BEFORE_THE_COMMIT);
  const before = await program.digestsOf(tables);
  const files = await program.files();
  let areWaiting = false;
  await program
    .asOwner(async (holder) => {
      await holder.query(`SELECT pg_advisory_lock(${GATE})`);
      for (const work of works) void work.begin().catch(() => {});
      await untilAllWait(works.length);
      areWaiting = true;
      if (server) process.kill(await program.serverPid(), 'SIGKILL');
      await program.end('SIGKILL');
    })
    .catch((error) => {
      if (!server || !areWaiting) throw error;
    });
  if (server) await program.startServerAlone();
  await program.untilAlone();
  expect(changedTables(before, await program.digestsOf(tables))).toEqual([]);
  await gatesOff();
  admin = await program.start();
  for (const work of works) await work.again().catch((error) => Promise.reject(new Error(`${work.name}: ${error}`)));
  expect((await program.files()).filter((file) => !files.includes(file))).toEqual([]);
  counts.kills++;
  counts.works += works.length;
});

test('the books hold together', TIME, async () => {
  expect(await program.asOwner(async (owner) => (await owner.query<{ what: string }>(ORPHANS)).rows)).toEqual([]);
  const differences = await program.verify();
  expect(differences.filter(({ company }) => company !== harmed)).toEqual([]);
});

test('killed in a migration: nothing of it is there, then the whole schema', TIME, async () => {
  const schema = () =>
    program.asOwner(async (owner) => (await owner.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line));
  await gatesOff();
  await program.asOwner((owner) => owner.query('DROP FUNCTION wait_at_the_gate'));
  const whole = await schema();
  expect(whole.length).toBeGreaterThan(500);
  await program.end('SIGKILL');
  await program.asOwner(async (owner) => {
    await owner.query('DROP SCHEMA public CASCADE');
    await owner.query('CREATE SCHEMA public');
    await owner.query('CREATE SCHEMA gate');
    await owner.query(`
      CREATE FUNCTION gate.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF to_regclass('public.entry_template') IS NOT NULL THEN PERFORM pg_advisory_xact_lock_shared(${GATE}); END IF;
      END $$`);
    await owner.query('CREATE EVENT TRIGGER gate ON ddl_command_end EXECUTE FUNCTION gate.wait()');
  });
  await program
    .asOwner(async (holder) => {
      await holder.query(`SELECT pg_advisory_lock(${GATE})`);
      const started = program.start().catch(() => {});
      await untilAllWait(1);
      process.kill(await program.serverPid(), 'SIGKILL');
      await program.end('SIGKILL');
      await started;
    })
    .catch(() => {});
  await program.startServerAlone();
  await program.untilAlone();
  const left = await schema();
  expect(left.filter((line) => !whole.includes(line))).toEqual([]);
  // Earlier statements of the same file.
  expect(left.filter((line) => / ON public\.(month|batch|document|entry_line|entry_template) /.test(line))).toEqual([]);
  await program.asOwner((owner) => owner.query('DROP SCHEMA gate CASCADE'));
  admin = await program.start();
  expect(await schema()).toEqual(whole);
  counts.kills++;
});

test('no process is left', TIME, async () => {
  await program.end('SIGTERM');
  expect(await program.processes()).toEqual([]);
  recordFigure({
    part: 'interruptions',
    what: `kill in ${WORKS.length} works at once (import, close, archive, restore, multiple delete, reopening, bulk posting, quota confirmation, schedule, report, ECD import) and in the migrations, ${counts.kills} times`,
    figure: `${counts.works} works as before, ${counts.works} done by the second try; orphan rows 0, files 0, processes 0; verify clean`,
    control: controls.join('; '),
  });
});

/** Rows that belong to nothing, and entries that do not balance. */
const ORPHANS = `
  SELECT 'line of no document' AS what FROM entry_line
   WHERE NOT EXISTS (SELECT 1 FROM document WHERE document.id = entry_line.document_id)
  UNION ALL
  SELECT 'document of no batch' FROM document WHERE NOT EXISTS (SELECT 1 FROM batch WHERE batch.id = document.batch_id)
  UNION ALL
  SELECT 'archived line of no document' FROM entry_line_archive
   WHERE NOT EXISTS (SELECT 1 FROM document_archive WHERE document_archive.id = entry_line_archive.document_id)
  UNION ALL
  SELECT 'balance of an open month' FROM monthly_balance
    JOIN month ON month.branch_id = monthly_balance.branch_id AND month.month = monthly_balance.month AND month.state = 'OPEN'
  UNION ALL
  SELECT 'file of an import that saved nothing' FROM import_file
    JOIN import_record ON import_record.company_id = import_file.company_id AND import_record.id = import_file.import_id
     AND (import_record.status <> 'DONE' OR import_record.dry_run)
  UNION ALL
  SELECT 'entry that does not balance' FROM entry_line GROUP BY entry_line.document_id, entry_line.entry_number
  HAVING sum(CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END) <> 0`;

/** Every column, index, trigger and policy. */
const SCHEMA = `
  SELECT table_name || '.' || column_name || ' ' || data_type AS line FROM information_schema.columns
   WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT tgname || ' on ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT policyname || ' on ' || tablename FROM pg_policies
   ORDER BY 1`;

function changedTables(before: Record<string, string | null>, after: Record<string, string | null>): string[] {
  return Object.keys(before).filter((table) => before[table] !== after[table]);
}

async function fullBank(client: Client): Promise<Bank> {
  const { bank, batch } = await emptyBatch(client, MONTH);
  expectImported((await sendLargeFile(client, batch, ENTRIES)).body);
  await post(client, bank, book`10/01  1.1.1  D  1.000,00  3.1  "Aporte de capital"`);
  return bank;
}

async function closedBank(client: Client): Promise<Bank> {
  const bank = await fullBank(client);
  await closeMonth(client, bank, MONTH);
  return bank;
}

function expectImported(body: unknown): void {
  expect(body).toMatchObject({ success: true });
}

async function gatesOn(guarded: readonly string[]): Promise<void> {
  await program.asOwner(async (owner) => {
    for (const table of guarded) {
      await owner.query(`CREATE TRIGGER zz_gate AFTER INSERT OR UPDATE OR DELETE ON ${table}
                         FOR EACH STATEMENT EXECUTE FUNCTION wait_at_the_gate()`);
    }
  });
}

async function gatesOff(): Promise<void> {
  await program.asOwner(async (owner) => {
    for (const table of new Set([...IN_THE_MIDDLE, ...BEFORE_THE_COMMIT])) {
      await owner.query(`DROP TRIGGER IF EXISTS zz_gate ON ${table}`);
    }
  });
}

/** So many wait at the gate. @throws Error with what waits when they do not all come to it */
async function untilAllWait(works: number): Promise<void> {
  await program.asOwner(async (owner) => {
    for (const giveUp = Date.now() + 30_000; ; ) {
      const { rows } = await owner.query<{ query: string }>(
        `SELECT pg_stat_activity.query FROM pg_locks
           JOIN pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
          WHERE pg_locks.locktype = 'advisory' AND pg_locks.objid = ${GATE} AND NOT pg_locks.granted`,
      );
      if (rows.length >= works) return;
      if (Date.now() > giveUp) throw new Error(`${rows.length} wait:\n${rows.map(({ query }) => query).join('\n')}`);
      await sleep(20);
    }
  });
}
