import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, postEntry } from '../support/books.ts';
import { lateLines } from '../support/late-lines.ts';
import { archiveMonth, askToCloseMonth, endOfMonthClose, openMonth, unarchiveMonth } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';

// Everybody at once on one branch: writers, an importer, deleters, and one who closes, archives, restores and reopens.

const RACE_MS = volumeOf('RACE_MS');
const POSTERS = 5;

let platform: Platform;
let bank: Bank;
let sql: Sql;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '20' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  sql = platform.program.database.under(SYSTEM_SCOPE);
});
afterAll(() => platform?.stop());

test('posters, importers and deleters against consolidations, purges and reopenings: books and balances agree', async () => {
  const end = Date.now() + RACE_MS;
  let failure: unknown;
  const isOn = () => Date.now() < end && failure === undefined;
  const counts = { posted: 0, imported: 0, deleted: 0, closed: 0, purged: 0 };
  const unexpected: string[] = [];
  /** Logical entries that somebody was reported are saved, less those reported deleted: document and number. */
  const kept = new Set<string>();
  /** True when done; a month that is closed or in the archive at that moment is a reason, anything else is not. */
  const done = (answer: HttpAnswer<{ code?: string }>): boolean => {
    if (answer.status < 300) return true;
    const { code } = answer.body;
    if (code !== 'MONTH_CONSOLIDATED' && code !== 'NOT_FOUND') unexpected.push(answer.text);
    return false;
  };
  const batches = await Promise.all([newBatch(), newBatch(), newBatch()]);
  const documents = await Promise.all(Array.from({ length: POSTERS }, (_, at) => newDocument(batches[at % 2]!)));

  const poster = async (document: number) => {
    while (isOn()) {
      const answer = await post(document);
      if (done(answer)) {
        counts.posted++;
        kept.add(`${document}/${answer.body.lancamento}`);
        if (counts.posted % 3 === 0 && done(await remove('entry', answer.body.id))) {
          counts.deleted++;
          kept.delete(`${document}/${answer.body.lancamento}`);
        }
      } else await sleep(5);
    }
  };
  const importer = async () => {
    for (let number = 1; isOn(); number++) {
      const answer = await importRow(batches[2]!, number);
      if (done(answer) && answer.body.success) counts.imported++;
      else if (answer.status === 200) unexpected.push(answer.text);
      await sleep(20);
    }
  };
  /** A batch with a document, posted to by two while it is deleted. */
  const deleter = async () => {
    while (isOn()) {
      const batch = await newBatch().catch(() => undefined);
      const document = batch && (await newDocument(batch).catch(() => undefined));
      if (document === undefined) continue;
      const posting = [post(document), post(document)];
      const removed = await remove('batch', batch!);
      for (const answer of await Promise.all(posting)) done(answer);
      if (!done(removed)) continue;
      counts.deleted++;
      expect(await orphans()).toBe(0);
    }
  };
  const freezer = async () => {
    for (let turn = 0; isOn(); turn++) {
      if (!(await closed())) continue;
      counts.closed++;
      // Whoever was late would land now.
      await sleep(30);
      expect(await lateLines(sql, [bank.branchId])).toEqual([]);
      if (turn % 2 === 1) {
        await archiveMonth(platform.admin, bank, '01/2026');
        counts.purged++;
        expect(await linesIn('entry_line')).toBe(0);
        expect(await lateLines(sql, [bank.branchId], 'entry_line_archive')).toEqual([]);
        await unarchiveMonth(platform.admin, bank, '01/2026');
        expect(await lateLines(sql, [bank.branchId])).toEqual([]);
      }
      await openMonth(platform.admin, bank, '01/2026');
      await sleep(60);
    }
  };
  const everybody = [...documents.map(poster), importer(), deleter(), freezer()];
  await Promise.all(
    everybody.map((each) =>
      each.catch((error) => {
        failure ??= error;
      }),
    ),
  );
  if (failure) throw failure;

  console.log(`race: ${JSON.stringify(counts)}`);
  expect(unexpected).toEqual([]);
  expect(await closed()).toBe(true);
  expect(await lateLines(sql, [bank.branchId])).toEqual([]);
  expect(await orphans()).toBe(0);
  const there = await sql.rows<{ key: string }>(SQL`
    SELECT DISTINCT entry_line.document_id || '/' || entry_line.entry_number AS key FROM entry_line
     WHERE entry_line.branch_id = ${bank.branchId} AND entry_line.document_id = ANY (${documents}::bigint[])`);
  expect(there.map((row) => row.key).sort()).toEqual([...kept].sort());
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(0);
}, 240_000);

async function newBatch(): Promise<number> {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  return created(await platform.admin.post('movements', '/batch', place));
}

async function newDocument(batchId: number): Promise<number> {
  return created(await platform.admin.post('movements', '/document', { batchId }));
}

function created(answer: HttpAnswer<{ id: number }>): number {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.id;
}

function post(documentId: number): Promise<HttpAnswer<{ id: number; lancamento: string; code?: string }>> {
  return postEntry(platform.admin, bank, documentId, book`15/01  1.1.1  D  1,01  2.1.1`);
}

function importRow(batch: number, number: number): Promise<HttpAnswer<{ success?: boolean; code?: string }>> {
  const form = new FormData();
  const csv = `documento;lancamento;dia;debcre;conta;contrapartida;valor\n1;${number};16;D;1.1.2;2.1.2;2,02`;
  form.set('file', new Blob([csv]), 'row.csv');
  return platform.admin.post('movements', `/batch/${batch}/import`, form);
}

function remove(record: 'entry' | 'batch', id: number): Promise<HttpAnswer<{ code?: string }>> {
  return platform.admin.call('movements', 'DELETE', `/${record}/${id}`);
}

async function closed(): Promise<boolean> {
  const { status, body: run } = await askToCloseMonth(platform.admin, bank, '01/2026');
  // Another one was faster.
  if (status === 400) return false;
  return (await endOfMonthClose(platform.admin, run.id)).status === 'DONE';
}

async function linesIn(table: 'entry_line' | 'entry_line_archive'): Promise<number> {
  const row = await sql.one<{ count: number }>(
    SQL`SELECT count(*) AS count FROM ${SQL.identifier(table)} AS line WHERE line.branch_id = ${bank.branchId}`,
  );
  return row.count;
}

/** Lines whose document is gone. */
async function orphans(): Promise<number> {
  const row = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM entry_line
     WHERE entry_line.branch_id = ${bank.branchId}
       AND NOT EXISTS (SELECT 1 FROM document
                        WHERE document.company_id = entry_line.company_id AND document.id = entry_line.document_id)`);
  return row.count;
}
