import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OwnProcess } from '../support/own-process.ts';

// A balancer in front of the program asks for readiness, and clients keep their connections. When the program is told to
// stop, all that was sent before the balancer saw it is answered.

const CLIENTS = 16;
/** STOPS_TRIED=20 for the whole drill. */
const STOPS = Number(process.env.STOPS_TRIED ?? 2);
const DRAIN_MS = 600;
/** How often the balancer asks, and what it needs to turn around. */
const ASKED_EVERY_MS = 50;

let program: OwnProcess;
beforeAll(async () => {
  program = (await OwnProcess.begin({ DRAIN_MS: String(DRAIN_MS), STARTER_RULES: 'off', VERIFY_AT: 'off' })).program;
});
afterAll(() => program?.remove());

interface Seen {
  answered: number;
  readonly faults: string[];
  closed: number;
}

/** One request of a client that keeps its connection while it may. */
function post(agent: Agent, address: string, token: string, seen: Seen): Promise<void> {
  const body = JSON.stringify({ code: 'x' });
  return new Promise((resolve) => {
    const request = httpRequest(
      `${address}/company`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => {
        answer.resume();
        answer.once('error', (error) => seen.faults.push(`answer: ${error.message}`));
        answer.once('end', () => {
          seen.answered++;
          if (answer.headers.connection === 'close') seen.closed++;
          // A refusal of the books, told by the program.
          if (answer.statusCode !== 400) seen.faults.push(`status ${answer.statusCode}`);
          resolve();
        });
      },
    );
    request.once('error', (error) => {
      seen.faults.push(error.message);
      resolve();
    });
    request.end(body);
  });
}

test(
  `${CLIENTS} clients with kept connections see no reset and no refusal over ${STOPS} stops`,
  async () => {
    let drained = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      if (program.hasEnded) await program.start();
      const { token } = await program.signedIn();
      const [address, health] = [program.address('masterdata'), `${program.address('movements')}/actuator/health`];
      const seen: Seen = { answered: 0, faults: [], closed: 0 };
      let isReady = true;
      const clients = Array.from({ length: CLIENTS }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        while (isReady) await post(agent, address, token, seen);
        agent.destroy();
      });
      await sleep(300);
      const before = seen.answered;
      const ended = program.end('SIGTERM');
      while ((await fetch(`${health}/readiness`)).status === 200) await sleep(ASKED_EVERY_MS);
      expect((await fetch(`${health}/liveness`)).status).toBe(200);
      // The balancer turns around.
      await sleep(ASKED_EVERY_MS);
      isReady = false;
      await Promise.all(clients);
      drained += seen.answered - before;
      expect(seen.faults).toEqual([]);
      expect(seen.closed).toBeGreaterThan(0);
      await ended;
      expect(program.process.exitCode).toBe(0);
    }
    console.log(`${STOPS} stops: ${drained} requests answered after SIGTERM, none reset or refused`);
  },
  30_000 + STOPS * 15_000,
);

test('a stream that is open ends whole', async () => {
  if (program.hasEnded) await program.start();
  const { token } = await program.signedIn();
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const stream = await fetch(`${program.address('movements')}/events`, { headers });
  expect(stream.status).toBe(200);
  const text = stream.text();
  const ended = program.end('SIGTERM');
  // A connection that was cut would reject.
  expect(typeof (await text)).toBe('string');
  await ended;
  expect(program.process.exitCode).toBe(0);
}, 30_000);
