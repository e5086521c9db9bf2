import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Data of others, leftovers, and what a production must not offer.

let platform: Platform;
let bank: Bank;
let clerk: Client;
beforeAll(async () => {
  platform = await startPlatform({ NODE_ENV: 'production' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const other = await createBank(platform.admin);
  await createUser(platform.admin, {
    username: 'escrevente',
    permissions: [{ company: other.company }],
    routines: ['PURGING'],
  });
  clerk = await platform.as('escrevente', 'uma senha bem comprida');
});
afterAll(() => platform?.stop());

async function booked(): Promise<{ batch: number; document: number; entry: number }> {
  const { admin } = platform;
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const { body: batch } = await admin.post('movements', '/batch', place);
  const { body: document } = await admin.post('movements', '/document', { batchId: batch.id });
  const { body: entry, status } = await admin.post('movements', '/entry', {
    documentId: document.id,
    debcre: 'D',
    day: '05',
    contaId: bank.accounts.get('1.1.1'),
    contrapartida: bank.accounts.get('3.1'),
    valor: 1,
  });
  expect(status).toBe(201);
  return { batch: batch.id, document: document.id, entry: entry.id };
}

const totals = async () => (await platform.admin.get('movements', `/batchsummary/${bank.company}/${bank.branch}`)).body;

describe.each(['batch', 'document', 'entry'] as const)('delete-multiple of %s', (record) => {
  test('another tenant’s ids do not exist, unknown ones are named, and nothing goes', async () => {
    const ids = await booked();
    const before = await totals();
    const path = `/${record}/delete-multiple`;
    expect((await clerk.post('movements', path, { ids: [ids[record]] })).status).toBe(404);
    const unknown = await platform.admin.post('movements', path, [ids[record], 999_999_999]);
    expect([unknown.status, JSON.stringify(unknown.body.errors)]).toEqual([404, expect.stringContaining('999999999')]);
    const many = Array.from({ length: 1_001 }, (_, at) => at + 1);
    expect((await platform.admin.post('movements', path, { ids: many })).status).toBe(400);
    expect((await platform.admin.post('movements', path, { ids: [] })).status).toBe(400);
    expect(await totals()).toEqual(before);
    expect((await platform.admin.post('movements', path, [ids[record], ids[record]])).status).toBe(200);
    expect(await totals()).not.toEqual(before);
  });
});

test('a client that goes away in the middle of an upload leaves no file and no row', async () => {
  const { batch } = await booked();
  const spooled = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('partidas-import-'));
  const files = await spooled();
  const before = await totals();
  const { hostname, port } = new URL(platform.address('movements'));
  let during: string[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /batch/${batch}/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${platform.admin.token}\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n' +
          '--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n' +
          `documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\n${'1;1;5;D;1.1.1;3.1;1;x;\n'.repeat(5_000)}`,
      );
      void sleep(300)
        .then(spooled)
        .then((names) => {
          during = names;
          socket.destroy();
        });
    });
    socket.on('close', () => resolve());
  });
  // The upload was under way: its file was there.
  expect(during.length).toBeGreaterThan(files.length);
  for (
    let turn = 0;
    turn < 50 && (await spooled()).some((name) => !files.includes(name) && during.includes(name));
    turn++
  )
    await sleep(50);
  expect((await spooled()).filter((name) => during.includes(name) && !files.includes(name))).toEqual([]);
  expect(await totals()).toEqual(before);
  const imports = await platform.admin.get('movements', `/imports/${bank.company}/${bank.branch}`);
  expect(imports.body.filter(({ status }: { status: string }) => status === 'RUNNING')).toEqual([]);
});

test('purging another company’s branch is an error in the list, and changes nothing', async () => {
  const purge = { useRange: false, alternate: true, selectedBranchId: [bank.branchId], yearmonth: '01/2026' };
  for (const doSend of [true, false]) {
    const answer = await clerk.post('movements', '/purging', { ...purge, doSend });
    expect([answer.status, answer.body.length > 0]).toEqual([200, true]);
  }
  const owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  expect((await owner.query('SELECT 1 FROM batch_archive')).rowCount).toBe(0);
  await owner.end();
});

test('bulk creation is not there in production', async () => {
  const answer = await platform.admin.post('movements', '/admin/create-entries', {
    ...{ company: bank.company, branch: bank.branch, quantidadeLotes: 1, quantidadeLancamentos: 1 },
    ...{ valorMinimo: 1, valorMaximo: 2, usaTodoMes: true },
  });
  expect(answer.status).toBe(404);
});

test('more imports at once than the pool has connections wait for each other, and all of them end', async () => {
  const small = await startPlatform({ DATABASE_CONNECTIONS: '4', JOBS: 'off' });
  try {
    const own = await createBank(small.admin);
    await openMonth(small.admin, own, '01/2026');
    const place = { empresa: own.company, filial: own.branch, ano: 2026, mes: 1 };
    const batches = await Promise.all(
      Array.from({ length: 12 }, async () => (await small.admin.post('movements', '/batch', place)).body.id),
    );
    const answers = await Promise.all(
      batches.map((batch, at) => {
        const form = new FormData();
        const csv = `documento;lancamento;dia;debcre;conta;contrapartida;valor\n1;1;5;D;1.1.1;2.1.1;${at + 1},00`;
        form.set('file', new Blob([csv]), `${at}.csv`);
        return small.admin.post('movements', `/batch/${batch}/import`, form);
      }),
    );
    expect(answers.map(({ status, body }) => [status, body.success])).toEqual(answers.map(() => [200, true]));
  } finally {
    await small.stop();
  }
});

test('closeday without any day left is rejected', async () => {
  const empty = await createBank(platform.admin);
  const answer = await platform.admin.get('movements', `/calendar/closeday/${empty.company}/${empty.branch}`);
  expect(answer.status).toBe(400);
});
