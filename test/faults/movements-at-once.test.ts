import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockPostingPlace } from '../../src/features/posting/entries/entries.sql.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, postEntry } from '../support/books.ts';
import { askToCloseMonth, askToMoveEntries, endOfMonthClose, openMonth, REOPENING } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';

// Two at once, and long works seen from outside. Nothing hangs on timing: the test's own connection holds a row or a
// table, looks who waits for it, and lets go.

let platform: Platform;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  owner = await connect();
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

describe('seen while it runs', () => {
  test('an import is RUNNING with its rows, then DONE', async () => {
    const { bank, batch } = await openBooks();
    const holder = await holding(monthRow(bank));
    const sent = importRows(batch, 2_500);
    const listed = async () => (await platform.admin.get('movements', `/imports/${bank.company}/${bank.branch}`)).body;
    await until(async () => (await listed())[0]?.rowsRead === 2_500);
    expect(await listed()).toMatchObject([
      { kind: 'CSV', fileName: 'rows.csv', status: 'RUNNING', batchId: batch, finishedAt: null, requestedBy: 'admin' },
    ]);
    await holder.letGo();
    expect((await sent).body).toMatchObject({ success: true, totalRows: 2_500 });
    expect(await listed()).toMatchObject([
      { status: 'DONE', batchId: batch, rowsRead: 2_500, finishedAt: expect.any(String) },
    ]);
  });

  test('a consolidation tells lines read, accounts written and per cent, step by step', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 40)).body).toMatchObject({ success: true });
    const first = await holding(monthRow(bank));
    const { body: run } = await consolidate(bank);
    const events = await listen(`/runconsolidation/${run.id}/events`);
    // Each step waits for another lock of the test.
    const waits = [
      { at: 0, next: 'LOCK TABLE closure_settings IN ACCESS EXCLUSIVE MODE' },
      {
        at: 30,
        next: balanceRow(bank, '2026-01-01'),
      },
      { at: 50, next: 'LOCK TABLE audit IN EXCLUSIVE MODE' },
      { at: 95, next: undefined },
    ];
    let holder = first;
    const seen: object[] = [];
    for (const { at, next } of waits) {
      seen.push(await events.until(({ progress }) => progress.percent === at));
      const behind = next === undefined ? undefined : await holding(next);
      await holder.letGo();
      if (behind) holder = behind;
    }
    seen.push(await events.until(({ status }) => status === 'DONE'));
    expect(seen).toMatchObject([
      { status: 'RUNNING', progress: { linesRead: 0, accountsWritten: 0 } },
      { status: 'RUNNING', progress: { linesRead: 80, accountsWritten: 0 } },
      { status: 'RUNNING', progress: { linesRead: 80, accountsWritten: 0 } },
      { status: 'RUNNING', progress: { linesRead: 80, accountsWritten: 6 } },
      { status: 'DONE', progress: { percent: 100, linesRead: 80, accountsWritten: 6 }, finishedAt: expect.any(String) },
    ]);
    expect(await events.isOver()).toBe(true);
  });
});

describe('closing a month', () => {
  test('a writer who comes after a waiting month close waits too, and finds the month closed', async () => {
    const { bank, batch } = await openBooks();
    const { body: document } = await platform.admin.post('movements', '/document', { batchId: batch });
    let run = 0;
    let late: Promise<HttpAnswer<{ code: string }>> | undefined;
    await platform.program.database.transaction(SYSTEM_SCOPE, async (sql) => {
      expect((await lockPostingPlace(sql, bank.companyId, document.id))?.state).toBe('OPEN');
      run = (await consolidate(bank)).body.id;
      await untilWaiting('lock-month', 1);
      late = postEntry(platform.admin, bank, document.id, book`05/01  1.1.1  D  1,00  2.1.1`);
      await untilWaiting('advisory', 2);
    });
    expect(await ended(run)).toMatchObject({ status: 'DONE', progress: { linesRead: 0 } });
    expect((await late!).body.code).toBe('MONTH_CONSOLIDATED');
  });

  test('a month is not reopened below one that is being consolidated on it', async () => {
    const { bank } = await openBooks();
    expect(await ended((await consolidate(bank)).body.id)).toMatchObject({ status: 'DONE' });
    await openMonth(platform.admin, bank, '02/2026');
    const holder = await holding(balanceRow(bank, '2026-02-01'));
    const { body: batch } = await platform.admin.post('movements', '/batch', { ...placeOf(bank), mes: 2 });
    expect((await importRows(batch.id, 1)).body).toMatchObject({ success: true });
    const run = await consolidate(bank, '02');
    await untilWaiting('opening_leaf', 1);
    const reopened = platform.admin.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, {
      newyearmonth: '01/2026',
      ...REOPENING,
    });
    await untilWaiting('month.state', 1);
    await holder.letGo();
    expect(await ended(run.body.id)).toMatchObject({ status: 'DONE' });
    expect(await reopened).toMatchObject({ status: 400, body: { code: 'MONTH_NOT_NEXT' } });
    const { rows } = await owner.query('SELECT state FROM month WHERE branch_id = $1', [bank.branchId]);
    expect(rows).toEqual([{ state: 'CLOSED' }, { state: 'CLOSED' }]);
  });

  test('asked twice at once it is one record, for one branch and for all', async () => {
    const { bank } = await openBooks();
    const holder = await holding(monthRow(bank));
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await consolidate(bank)).body.id));
    expect(new Set(ids).size).toBe(1);
    const all = await Promise.all(['01', '1', '01'].map((month) => consolidate({ ...bank, branch: '*' }, month)));
    for (const { body } of all) {
      expect(body).toMatchObject({ branch: '*', branches: { total: 1, done: 0 }, finishedAt: null });
    }
    await holder.letGo();
    expect(await ended(all[0]!.body.id)).toMatchObject({
      status: 'DONE',
      branches: { total: 1, done: 1, failed: 0 },
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    const { bank: other } = await openBooks();
    const held = await holding(monthRow(other));
    const wholes = await Promise.all([1, 2, 3].map(() => consolidate({ ...other, branch: '*' })));
    expect(new Set(wholes.map(({ body }) => body.id)).size).toBe(1);
    await held.letGo();
    expect(await ended(wholes[0]!.body.id)).toMatchObject({ status: 'DONE', branches: { total: 1, done: 1 } });
  });

  test('archived twice, brought back twice, reopened meanwhile: each happens once or is rejected', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 3)).body).toMatchObject({ success: true });
    expect(await ended((await consolidate(bank)).body.id)).toMatchObject({ status: 'DONE' });
    const move = (intoArchive: boolean) => askToMoveEntries(platform.admin, bank, '01/2026', intoArchive);
    const trail = async () =>
      (
        await owner.query(`SELECT action FROM audit WHERE branch_id = $1 AND entity = 'month' ORDER BY id`, [
          bank.branchId,
        ])
      ).rows.map(({ action }) => action);
    const holder = await holding(monthRow(bank));
    const asked = [move(true), move(true)];
    await untilWaiting('FOR UPDATE', 2);
    const reopened = platform.admin.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, {
      newyearmonth: '01/2026',
      ...REOPENING,
    });
    await untilWaiting('FOR UPDATE', 3);
    await holder.letGo();
    const answers = await Promise.all(asked);
    if ((await reopened).status === 201) {
      // It came first: there is nothing to archive.
      for (const { body } of answers) expect(body).toEqual([expect.stringContaining('01/2026')]);
      expect(await ended((await consolidate(bank)).body.id)).toMatchObject({ status: 'DONE' });
      expect((await move(true)).body).toEqual([]);
    } else {
      expect((await reopened).body.code).toBe('MONTH_PURGED');
      for (const { body } of answers) expect(body).toEqual([]);
    }
    expect((await trail()).filter((action) => action === 'PURGE')).toHaveLength(1);
    for (const { body } of await Promise.all([move(false), move(false), move(false)])) expect(body).toEqual([]);
    expect((await trail()).filter((action) => action === 'RESTORE')).toHaveLength(1);
    expect((await platform.admin.get('movements', `/entrysummary/${batch}`)).body.totalEntries).toBe(6);
  });
});

describe('closing the day', () => {
  const close = (bank: Bank) => platform.admin.get('movements', `/calendar/closeday/${bank.company}/${bank.branch}`);

  test('rejects while a document of the day does not balance, and closes nothing', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 1, '2')).body).toMatchObject({ success: true });
    // Only around the triggers: what a restore or a hand at the database may leave.
    await owner.query('SET session_replication_role = replica');
    await owner.query(
      `UPDATE entry_line SET amount = amount + 1 WHERE entry_line.branch_id = $1 AND entry_line.side = 'D'`,
      [bank.branchId],
    );
    await owner.query('SET session_replication_role = origin');
    expect(await close(bank)).toMatchObject({
      status: 400,
      body: { code: 'UNBALANCED_DOCUMENT', detail: expect.stringMatching(/9.*2\.00.*1\.00/) },
    });
    expect(await closedDays(bank)).toEqual([]);
  });

  test('waits for a consolidation that is under way, and closes no day of a frozen month', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 1, '2')).body).toMatchObject({ success: true });
    const holder = await holding('LOCK TABLE monthly_balance IN ACCESS EXCLUSIVE MODE');
    const run = await consolidate(bank);
    await untilWaiting('monthly_balance', 1);
    const closed = close(bank);
    await untilWaiting('advisory', 1);
    await holder.letGo();
    expect(await ended(run.body.id)).toMatchObject({ status: 'DONE' });
    expect(await closed).toMatchObject({ status: 400, body: { code: 'MONTH_CONSOLIDATED' } });
    expect(await closedDays(bank)).toEqual([]);
  });

  test('two at once close one day; the other is rejected or closes the next', async () => {
    const { bank } = await openBooks();
    const answers = await Promise.all([close(bank), close(bank), close(bank)]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).not.toEqual([]);
    expect(new Set(done.map(({ body }) => body.msg)).size).toBe(done.length);
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('DAY_CLOSED');
    const { rows } = await owner.query(
      'SELECT count(*)::integer AS closed FROM calendar_day WHERE branch_id = $1 AND closed AND business_day',
      [bank.branchId],
    );
    expect(rows).toEqual([{ closed: done.length }]);
  });

  test('a weekend day of the month before takes no entry any more once it closes with the day', async () => {
    const { bank, batch } = await openBooks();
    await openMonth(platform.admin, bank, '02/2026');
    // Sunday 1 February and Saturday 31 January close with Monday 2 February.
    await owner.query(
      `UPDATE calendar_day SET closed = true WHERE branch_id = $1 AND day < '2026-02-01' AND business_day`,
      [bank.branchId],
    );
    const { body: document } = await platform.admin.post('movements', '/document', { batchId: batch });
    let closed: Promise<HttpAnswer<{ msg: string }>> | undefined;
    await platform.program.database.transaction(SYSTEM_SCOPE, async (sql) => {
      await lockPostingPlace(sql, bank.companyId, document.id);
      closed = close(bank);
      await untilWaiting('lock-month', 1);
    });
    expect((await closed!).body).toEqual({ msg: 'Dia 02/02/2026 fechado' });
    expect(await closedDays(bank)).toContain('2026-01-31');
  });
});

describe('a month that opens while schedules are saved', () => {
  const SCHEDULE = { periodicity: 'MENSAL', schedule: { dayRule: 'ULTIMO_DIA_UTIL', firstMonth: '01/2026' } };
  const open = ({ company, branch }: Bank) =>
    platform.admin.post('movements', `/monthOpening/${company}/${branch}`, { newyearmonth: '02/2026' });
  const save = ({ company, branch, accounts }: Bank, code: string) => {
    const contas = { contaId: accounts.get('8.2'), contrapartida: accounts.get('2.1.1') };
    const lines = [{ sequence: 1, debcre: 'D', ...contas, valueType: 'FIXO', valor: 100 }];
    const template = { code, description: `Modelo ${code}`, lines, ...SCHEDULE };
    return platform.admin.post('masterdata', `/release/${company}/${branch}`, template);
  };
  /** 'CODE day' of the pending uses of a month. */
  const usesIn = async ({ company, branch }: Bank, month: number) => {
    const path = `/releasedata/pending/${company}/${branch}/2026/${month}`;
    const { body } = await platform.admin.get('masterdata', path);
    return body.map(({ code, day }: { code: string; day: number }) => `${code} ${day}`).sort();
  };

  test.each([
    {
      says: 'the month first',
      // The opening waits for the same month, not committed; it has the options already.
      hold: ({ companyId, branchId }: Bank) =>
        `INSERT INTO month (company_id, branch_id, month) VALUES (${companyId}, ${branchId}, '2026-02-01')`,
      waits: 'INSERT INTO month',
      inOrder: (bank: Bank) => [() => open(bank), () => save(bank, 'A')],
    },
    {
      says: 'the schedule first',
      hold: ({ accounts }: Bank) => `SELECT 1 FROM account WHERE account.id = ${accounts.get('8.2')} FOR UPDATE`,
      waits: 'FROM account',
      inOrder: (bank: Bank) => [() => save(bank, 'A'), () => open(bank)],
    },
  ])('$says: the template has one use in each open month', async ({ hold, waits, inOrder }) => {
    const { bank } = await openBooks();
    const [first, second] = inOrder(bank);
    const holder = await holding(hold(bank));
    const begun = first!();
    await untilWaiting(waits, 1);
    const behind = second!();
    await untilWaiting('FROM company_options', 1);
    await holder.letGo();
    expect([(await begun).status, (await behind).status].every((status) => status < 300)).toBe(true);
    expect([await usesIn(bank, 1), await usesIn(bank, 2)]).toEqual([['A 30'], ['A 27']]);
  });

  test('many at once: every template has one use in each open month', async () => {
    const { bank } = await openBooks();
    const codes = ['A', 'B', 'C', 'D', 'E', 'F'];
    const [before, after] = [codes.slice(0, 3), codes.slice(3)].map(
      (some) => () => some.map((code) => save(bank, code)),
    );
    const answers = await Promise.all([...before!(), open(bank), ...after!()]);
    for (const { status, text } of answers) expect(status, text).toBeLessThan(300);
    expect(await usesIn(bank, 1)).toEqual(codes.map((code) => `${code} 30`));
    expect(await usesIn(bank, 2)).toEqual(codes.map((code) => `${code} 27`));
  });
});

describe('the same, twice at once', () => {
  test('one file into two batches is imported once', async () => {
    const { bank, batch } = await openBooks();
    const { body: second } = await platform.admin.post('movements', '/batch', placeOf(bank));
    // The last that an import waits for before it writes.
    const holder = await holding(`SELECT 1 FROM account WHERE account.id = ${bank.accounts.get('1.1.1')} FOR UPDATE`);
    const sent = [batch, second.id, batch].map((each) => importRows(each, 5));
    await untilWaiting('FOR ', 3);
    await holder.letGo();
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('FILE_IMPORTED_BEFORE');
    const summary = (await platform.admin.get('movements', `/batchsummary/${bank.company}/${bank.branch}`)).body;
    expect(summary).toMatchObject({ totalEntries: 10 });
  });

  test('reversals of different entries share their batch; of one entry, one is made', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 4)).body).toMatchObject({ success: true });
    const lines = (await linesOf(batch)).filter(({ debcre }) => debcre === 'D');
    const reverse = (id: number) =>
      platform.admin.post('movements', `/entry/${id}/reversal`, {
        day: '2026-01-20',
        motivo: 'Lançado em duplicidade',
      });
    const holder = await holding(monthRow(bank));
    const asked = [...lines, lines[0]!, lines[0]!].map(({ id }) => reverse(id));
    await untilWaiting('month.state', 6);
    await holder.letGo();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 400, 400]);
    for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('REVERSED_BEFORE');
    expect(new Set(answers.flatMap(({ status, body }) => (status === 201 ? body[0].documentId : []))).size).toBe(4);
  });

  test('an entry that is deleted meanwhile is neither reversed nor changed: it is gone', async () => {
    const { bank, batch } = await openBooks();
    expect((await importRows(batch, 1)).body).toMatchObject({ success: true });
    const [line] = await linesOf(batch);
    const holder = await holding(monthRow(bank));
    const reversed = platform.admin.post('movements', `/entry/${line!.id}/reversal`, {
      day: '2026-01-20',
      motivo: 'Lançado em duplicidade',
    });
    await untilWaiting('month.state', 1);
    const { id, createdAt, updatedAt, ...entry } = line!;
    const changed = platform.admin.call('movements', 'PUT', `/entry/${id}`, { ...entry, valor: 2 });
    await untilWaiting('lock-posting-place', 1);
    await holder.client.query('DELETE FROM entry_line WHERE entry_line.branch_id = $1', [bank.branchId]);
    await holder.keep();
    expect(await reversed).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await changed).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const { rows: links } = await owner.query('SELECT 1 FROM entry_reversal WHERE company_id = $1', [bank.companyId]);
    expect(links).toEqual([]);
  });

  test.each([{}, { documento: 'A' }])('a document into a batch that is being deleted: 404 (%j)', async (number) => {
    const { batch } = await openBooks();
    const { body: other } = await platform.admin.post('movements', '/document', { batchId: batch });
    const holder = await holding(`SELECT 1 FROM document WHERE document.id = ${other.id} FOR KEY SHARE`);
    const removed = platform.admin.call('movements', 'DELETE', `/batch/${batch}`);
    await untilWaiting('document.batch_id', 1);
    const added = platform.admin.post('movements', '/document', { batchId: batch, ...number });
    await untilWaiting('batch', 2);
    await holder.letGo();
    expect((await removed).status).toBe(200);
    expect(await added).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('a number that somebody names meanwhile is not given to one who named none', async () => {
    const { bank, batch } = await openBooks();
    const insert = (table: string, columns: string, values: string) =>
      holding(`INSERT INTO ${table} (company_id, branch_id, month, ${columns})
               VALUES (${bank.companyId}, ${bank.branchId}, '2026-01-01', ${values})`);
    const named = await insert('batch', 'number', `'2'`);
    const created = platform.admin.post('movements', '/batch', placeOf(bank));
    await untilWaiting('INSERT INTO batch', 1);
    await named.keep();
    expect(await created).toMatchObject({ status: 201, body: { lote: '3' } });
    const document = await insert('document', 'batch_id, number', `${batch}, '1'`);
    const written = platform.admin.post('movements', '/document', { batchId: batch });
    await untilWaiting('INSERT INTO document', 1);
    await document.keep();
    expect(await written).toMatchObject({ status: 201, body: { documento: '2' } });
    const { id: documentId } = (await written).body;
    const line = await holding(entryOf(bank, documentId, '1'));
    const posted = postEntry(platform.admin, bank, documentId, book`05/01  1.1.1  D  1,00  2.1.1`);
    await untilWaiting('INSERT INTO entry_line', 1);
    await line.keep();
    expect(await posted).toMatchObject({ status: 201, body: { lancamento: '2' } });
  });
});

describe('entries posted together', () => {
  test('one reading, one INSERT, one COMMIT; what is wrong is refused and the others are not', async () => {
    const { bank, documents } = await openDocuments(4);
    const wrong = [
      { valor: 0 },
      { contaId: 987_654_321 },
      { contaId: bank.accounts.get('1.1') },
      { day: '31', documentId: 987_654_321 },
    ];
    const right = Array.from({ length: 30 }, (_, at) => ({ documentId: documents[at % 4]!, lancamento: `A${at}` }));
    const unnumbered = Array.from({ length: 10 }, (_, at) => ({ documentId: documents[at % 4]! }));
    const answers = await Promise.all(
      [...right, ...unnumbered, ...wrong].map((each) => post(bank, documents[0]!, each)),
    );
    expect(answers.map(({ status }) => status)).toEqual([...Array(40).fill(201), 400, 400, 400, 404]);
    const { entries, transactions } = await stored(bank);
    expect(entries).toBe(40);
    expect(transactions).toBeLessThan(30);
    const twice = [right[0]!, { lancamento: 'B' }, { lancamento: 'B' }, {}, {}];
    const again = await Promise.all(twice.map((each) => post(bank, documents[0]!, each)));
    expect(again.map(({ body }) => body.code).filter((code) => code !== undefined)).toEqual(['DUPLICATE', 'DUPLICATE']);
    expect((await stored(bank)).entries).toBe(43);
  });

  test('who posts to a document that somebody holds waits, and nobody else', async () => {
    const { bank, documents } = await openDocuments(2);
    const holder = await holding(`SELECT 1 FROM document WHERE document.id = ${documents[0]} FOR UPDATE`);
    const waiting = post(bank, documents[0]!);
    const began = performance.now();
    const others = await Promise.all([1, 2, 3].map(() => post(bank, documents[1]!)));
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
    // Far from the 15 seconds that a statement waits for a lock.
    expect(performance.now() - began).toBeLessThan(7_000);
    await untilWaiting('lock-posting-place', 1);
    await holder.client.query('DELETE FROM document WHERE document.id = $1', [documents[0]]);
    await holder.keep();
    expect(await waiting).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('entries for a document that somebody holds wait for it as one', async () => {
    const { bank, documents } = await openDocuments(1);
    const document = documents[0]!;
    const holder = await holding(`SELECT 1 FROM document WHERE document.id = ${document} FOR UPDATE`);
    const wrong = post(bank, document, { contaId: 987_654_321 });
    const posts = Array.from({ length: 30 }, () => post(bank, document));
    await untilWaiting('lock-posting-place', 1);
    await holder.letGo();
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 201));
    expect((await wrong).status).toBe(400);
    // The first ones that came, and all others.
    const { entries, transactions } = await stored(bank);
    expect(entries).toBe(30);
    expect(transactions).toBeLessThanOrEqual(4);
  });

  test('a number that somebody else takes meanwhile is refused to its entry, and the others are posted', async () => {
    const { bank, documents } = await openDocuments(2);
    const { line, answers } = await groupHeldBy(bank, documents);
    await line.keep();
    const [first, ...others] = await Promise.all(answers);
    expect(first).toMatchObject({ status: 400, body: { code: 'DUPLICATE' } });
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await stored(bank)).entries).toBe(5);
  });

  test('a killed connection: those in its hands are told so and none is stored; they can be sent again', async () => {
    const { bank, documents } = await openDocuments(2);
    const { line, answers } = await groupHeldBy(bank, documents);
    const killed = await owner.query(
      `SELECT pg_terminate_backend(pg_stat_activity.pid, 5000) FROM pg_stat_activity
        WHERE pg_stat_activity.wait_event_type = 'Lock' AND pg_stat_activity.datname = current_database()
          AND strpos(pg_stat_activity.query, 'INSERT INTO entry_line') > 0`,
    );
    expect(killed.rowCount).toBe(1);
    await line.letGo();
    const ended = await Promise.all(answers);
    const lost = ended.filter(({ status }) => status !== 201);
    expect(lost.length).toBeGreaterThan(0);
    for (const { status, body } of lost)
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'DATABASE_UNAVAILABLE' });
    expect((await stored(bank)).entries).toBe(ended.length - lost.length);
    const again = await Promise.all(lost.map(() => post(bank, documents[1]!)));
    expect(again.every(({ status }) => status === 201)).toBe(true);
    expect((await stored(bank)).entries).toBe(ended.length);
  });

  test('a month that closes between them: each is posted before it or told that it is closed', async () => {
    const { bank, documents } = await openDocuments(4);
    const posts = (from: number) =>
      Array.from({ length: 20 }, (_, at) => post(bank, documents[at % 4]!, { lancamento: `${from + at}` }));
    const before = posts(1);
    const closing = consolidate(bank);
    const answers = await Promise.all([...before, ...posts(101)]);
    expect(await ended((await closing).body.id)).toMatchObject({ status: 'DONE' });
    const posted = answers.filter(({ status }) => status === 201).length;
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('MONTH_CONSOLIDATED');
    expect((await stored(bank)).entries).toBe(posted);
    expect((await post(bank, documents[0]!)).body.code).toBe('MONTH_CONSOLIDATED');
  });

  /** Five entries of one group, which waits for the number of the first: a transaction of the test's own has it. */
  async function groupHeldBy(bank: Bank, documents: readonly number[]) {
    const line = await holding(entryOf(bank, documents[0]!, '7'));
    const answers = [
      post(bank, documents[0]!, { lancamento: '7' }),
      ...[1, 2, 3, 4].map(() => post(bank, documents[1]!)),
    ];
    await untilWaiting('INSERT INTO entry_line', 1);
    return { line, answers };
  }

  async function openDocuments(count: number): Promise<{ bank: Bank; documents: number[] }> {
    const { bank, batch } = await openBooks();
    const documents: number[] = [];
    for (let each = 0; each < count; each++) {
      documents.push((await platform.admin.post('movements', '/document', { batchId: batch })).body.id);
    }
    return { bank, documents };
  }

  function post(bank: Bank, documentId: number, more: object = {}): Promise<HttpAnswer<{ code?: string }>> {
    const entry = entryBody(bank, documentId, book`05/01  1.1.1  D  1,00  2.1.1`);
    return platform.admin.post('movements', '/entry', { ...entry, ...more });
  }

  async function stored({ branchId }: Bank): Promise<{ entries: number; transactions: number }> {
    const { rows } = await owner.query(
      `SELECT count(*)::integer AS entries, count(DISTINCT entry_line.xmin::text)::integer AS transactions
         FROM entry_line WHERE entry_line.branch_id = $1 AND entry_line.sequence = 1`,
      [branchId],
    );
    return rows[0];
  }
});

/** A statement that writes an entry past the program. */
function entryOf({ companyId, branchId }: Bank, documentId: number, number: string): string {
  return `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                                  offset_account_id, side, amount)
          SELECT ${companyId}, ${branchId}, ${documentId}, '2026-01-01', '2026-01-05', '${number}', side.sequence, 1, 2,
                 side.side::"char", 1
            FROM (VALUES (1, 'D'), (2, 'C')) AS side (sequence, side)`;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: platform.ownerUrl });
  await client.connect();
  return client;
}

interface Holder {
  /** Inside the transaction. */
  readonly client: pg.Client;
  letGo(): Promise<void>;
  /** Commits what it has written. */
  keep(): Promise<void>;
}

/** A transaction of the test's own that has done this statement. */
async function holding(statement: string): Promise<Holder> {
  const client = await connect();
  await client.query('BEGIN');
  await client.query(statement);
  const end = async (how: string) => {
    await client.query(how);
    await client.end();
  };
  return { client, letGo: () => end('ROLLBACK'), keep: () => end('COMMIT') };
}

function monthRow({ companyId, branchId }: Bank, month = '2026-01-01'): string {
  return `SELECT 1 FROM month
           WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month = '${month}' FOR UPDATE`;
}

/** So many statements that hold the text wait for a lock. */
async function untilWaiting(text: string, count: number): Promise<void> {
  await until(async () => {
    const { rows } = await owner.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE pg_stat_activity.wait_event_type = 'Lock' AND pg_stat_activity.datname = current_database()
          AND (strpos(pg_stat_activity.query, $1) > 0
               OR strpos('lock-month', $1) > 0 AND strpos(pg_stat_activity.query, 'pg_advisory_xact_lock(') > 0
               OR strpos('lock-posting-place', $1) > 0 AND strpos(pg_stat_activity.query, 'OF document') > 0)`,
      [text],
    );
    return rows.length >= count;
  });
}

/** Stands in the way of a month close; without its triggers, which would wait for the month. */
function balanceRow({ companyId, branchId, accounts }: Bank, month: string): string {
  return `SET LOCAL session_replication_role = replica;
          INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing, balance)
          VALUES (${companyId}, ${branchId}, '${month}', ${accounts.get('1')}, 0, 0, 0, 0, 0)`;
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 10_000; !(await reached()); await sleep(10)) {
    if (Date.now() > giveUp) throw new Error('it does not come to that');
  }
}

const placeOf = (bank: Bank) => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 });

/** January open, with an empty batch. */
async function openBooks(): Promise<{ bank: Bank; batch: number }> {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  return { bank, batch: (await platform.admin.post('movements', '/batch', placeOf(bank))).body.id };
}

function importRows(batch: number, rows: number, day = '5'): Promise<HttpAnswer<{ code?: string }>> {
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor';
  const lines = Array.from({ length: rows }, (_, at) => `9;${at + 1};${day};D;1.1.1;2.1.1;1,00`);
  const form = new FormData();
  form.set('file', new Blob([[header, ...lines].join('\n')]), 'rows.csv');
  return platform.admin.post('movements', `/batch/${batch}/import`, form);
}

async function linesOf(batch: number): Promise<{ id: number; debcre: string; createdAt: string; updatedAt: string }[]> {
  const [document] = (await platform.admin.get('movements', `/alldocument/${batch}`)).body;
  return (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
}

function consolidate(bank: Pick<Bank, 'company' | 'branch'>, month = '01') {
  return askToCloseMonth(platform.admin, bank, `${month}/2026`);
}

const ended = (id: number) => endOfMonthClose(platform.admin, id);

async function closedDays(bank: Bank): Promise<string[]> {
  const { rows } = await owner.query(
    'SELECT calendar_day.day::text FROM calendar_day WHERE branch_id = $1 AND closed ORDER BY calendar_day.day',
    [bank.branchId],
  );
  return rows.map(({ day }) => day);
}

interface State {
  readonly status: string;
  readonly progress: { readonly percent: number };
}

/** The server-sent events of a path, as they come. */
async function listen(path: string) {
  const { body } = await fetch(`${platform.address('movements')}${path}`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
  });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<State | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const [name, data] = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        expect(name).toBe('event: consolidation');
        return JSON.parse(data!.slice('data: '.length));
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    /** The next event that is as requested. */
    until: async (wanted: (state: State) => boolean): Promise<State> => {
      for (;;) {
        const state = await next();
        if (state === undefined) throw new Error('the events are over');
        if (wanted(state) && state.status !== 'PENDING') return state;
      }
    },
    isOver: async () => (await next()) === undefined,
  };
}
