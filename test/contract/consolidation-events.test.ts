import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { askToCloseMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
let id: number;
beforeAll(async () => {
  // Nobody works on the job: it waits as long as the test wants.
  platform = await startPlatform({ JOBS: 'off', EVENT_STREAMS_PER_USER: '20' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  id = (await askToCloseMonth(platform.admin, bank, '01/2026')).body.id;
});
afterAll(() => platform?.stop());

test('twenty listeners are one poller, and none is left when they have gone', async () => {
  const leaving = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => listen(turn % 2 === 0 ? 'movements' : 'masterdata', leaving.signal)),
  );
  for (const { status, first } of streams) {
    expect(status).toBe(200);
    expect(await first).toContain('"status":"PENDING"');
  }
  expect(await pollsWithin(1_500)).toBeLessThanOrEqual(8);
  const beyond = await platform.admin.get('movements', `/runconsolidation/${id}/events`);
  expect(beyond).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });

  const timersBefore = timers();
  leaving.abort();
  await vi.waitFor(() => expect(platform.program.app.budgets.counts().events.running).toBe(0));
  expect(await pollsWithin(700)).toBe(0);
  expect(timers()).toBeLessThanOrEqual(timersBefore);
  expect(platform.program.database.pool.idleCount).toBe(platform.program.database.pool.totalCount);
});

test('a listener that comes later sees the state, and the end', async () => {
  const early = await listen('movements', new AbortController().signal);
  await early.first;
  const late = await listen('movements', new AbortController().signal);
  expect(await late.first).toContain('PENDING');
  const owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await owner.query(`UPDATE job SET status = 'DONE', finished_at = now() WHERE id = $1`, [id]);
  await owner.end();
  for (const { rest } of [early, late]) expect(await rest()).toContain('"status":"DONE"');
});

async function listen(service: 'movements' | 'masterdata', signal: AbortSignal) {
  const response = await fetch(`${platform.address(service)}/runconsolidation/${id}/events`, {
    headers: { authorization: `Bearer ${platform.admin.token}` },
    signal,
  });
  const reader = response.body!.getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  const rest = async () => {
    let text = '';
    for (let part = await next(); part !== ''; part = await next()) text += part;
    return text;
  };
  return { status: response.status, first: next(), rest };
}

/** How often the month close is read meanwhile. */
async function pollsWithin(milliseconds: number): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return query.mock.calls.filter(([sent]) => JSON.stringify(sent ?? '').includes('job.kind = ANY')).length;
  } finally {
    query.mockRestore();
  }
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
