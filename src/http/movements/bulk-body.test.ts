import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { hostileJson } from '../../../test/support/hostile-bodies.ts';
import { leastLongestTurnMs } from '../../../test/support/processor-time.ts';
import { JsonRejected } from '../../platform/json.ts';
import { RequestError } from '../request-error.ts';
import { receiveBulk } from './bulk-body.ts';

const requestOf = (text: string, type = 'application/json') =>
  Object.assign({ headers: { 'content-type': type } }, { body: Readable.from([Buffer.from(text)]) }) as never;

const entry = (at: number) => ({
  ...{ empresa: '0001', filial: '0001', documento: `${at}`, historico: `Liquidação ${at} `.repeat(20) },
  lines: [{ debcre: 'D', conta: '1.1', valor: 1234.56 }],
});

test('a body that is read in pieces is the same as one that is read at once', async () => {
  const entries = Array.from({ length: 4_000 }, (_, at) => entry(at));
  const large = JSON.stringify({ atomic: false, entries });
  expect(large.length).toBeGreaterThan(1_200_000);
  expect(await receiveBulk(requestOf(large))).toMatchObject({ atomic: false, entries });
  const small = JSON.stringify({ atomic: false, entries: entries.slice(0, 2) });
  expect(await receiveBulk(requestOf(small))).toMatchObject({ atomic: false, entries: entries.slice(0, 2) });
});

/** What any reading of a body may hold up everybody else. */
const MAX_MS = 100;

/** Those that take the longest where they are read at once. */
const SHAPES = ['small numbers', 'long numbers that a double holds', 'empty texts', 'an empty name again and again'];

test.each(['application/json', 'application/x-ndjson'])(
  'no 8 MB of %s hold up the others for long',
  { timeout: 120_000 },
  async (type) => {
    const entries = Array.from({ length: 10_000 }, (_, at) => entry(at));
    const bodies = {
      ...Object.fromEntries(Object.entries(hostileJson(8_000_000)).filter(([shape]) => SHAPES.includes(shape))),
      'ordinary ones':
        type === 'application/json'
          ? JSON.stringify({ entries })
          : entries.map((each) => JSON.stringify(each)).join('\n'),
    };
    const long: string[] = [];
    for (const [shape, text] of Object.entries(bodies)) {
      const read = (text: string) =>
        receiveBulk(requestOf(text, type) as FastifyRequest).catch((error) => {
          if (!(error instanceof JsonRejected || error instanceof RequestError)) throw error;
        });
      const longest = await leastLongestTurnMs(() => read(text), MAX_MS);
      if (longest >= MAX_MS) long.push(`${shape}: ${longest.toFixed(0)} ms`);
    }
    expect(long).toEqual([]);
  },
);
