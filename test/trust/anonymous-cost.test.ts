import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_NAMES } from '../../src/platform/config.ts';
import { anonymousRequests, costOf, exchanged, MAX_ANONYMOUS_MS } from '../support/anonymous-cost.ts';
import { recordFigure } from '../support/figures.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// One request of a stranger, whatever it is, takes little of what all services share: the program's one thread.

let platform: Platform;
/** Milliseconds of the thread. */
let dearest = 0;
let control = '';
beforeAll(async () => {
  platform = await startPlatform();
  // The documents are made when somebody first requests them.
  for (const service of SERVICE_NAMES) await platform.withToken('').get(service, '/v3/api-docs.yaml');
});
afterAll(async () => {
  await platform?.stop();
  recordFigure({
    part: 'anonymous-cost',
    what: 'requests of a stranger to every service',
    figure: `at most ${Math.round(dearest)} ms of the thread for one`,
    control,
  });
});

test.each(SERVICE_NAMES)(
  'no request of a stranger holds %s',
  async (service) => {
    const costly: string[] = [];
    let most = 0;
    for (const request of anonymousRequests(service)) {
      const cost = await costOf(platform.address(service), request);
      if (cost > MAX_ANONYMOUS_MS) costly.push(`${Math.round(cost)} ms: ${request.name}`);
      most = Math.max(most, cost);
    }
    dearest = Math.max(dearest, most);
    expect(costly).toEqual([]);
  },
  180_000,
);

test.each(SERVICE_NAMES)(
  'every request of a stranger to %s has a response, and none is a failure',
  async (service) => {
    for (const { name, bytes } of anonymousRequests(service)) {
      expect(`${name}: ${await exchanged(platform.address(service), bytes)}`).toMatch(/HTTP\/1\.1 (200|304|4\d\d) /);
    }
  },
  60_000,
);

test('control: a body that is read where nobody may be a stranger is seen', { timeout: 60_000 }, async () => {
  const { address, admin, stop } = await startPlatform({ BODY_LIMIT_KB: String(16 * 1024) });
  try {
    const body = `[${'1,'.repeat(4 * 1024 * 1024)}1]`;
    const head = `POST /company HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${admin.token}\r\n`;
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const cost = await costOf(address('masterdata'), { name: 'read', bytes: Buffer.from(head + rest) });
    expect(cost).toBeGreaterThan(MAX_ANONYMOUS_MS);
    control = `the limit of a body lifted, and a token: ${Math.round(cost)} ms`;
  } finally {
    await stop();
  }
});
