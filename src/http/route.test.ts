import { expect, test } from 'vitest';
import { z } from 'zod';
import { money, moneyAnswer } from './fields.ts';
import { RouteResponse, route } from './route.ts';

// What a handler gives back is bound to the response that the route declares: these are seen by the compiler, and a
// line that it would let through fails the check of types.

const about = {
  operationId: 'getX',
  method: 'GET',
  path: '/x',
  summary: 'x',
  tag: 'x',
  access: { to: 'anyone' },
} as const;
const answer = z.object({ id: z.number(), amount: moneyAnswer, note: z.string().nullable() });
const right = { id: 1, amount: money(1n), note: null };

test('a route is declared with a response that fits its schema', () => {
  const routes = [
    route({ ...about, answer, handle: async () => right }),
    route({ ...about, answer, handle: async () => new RouteResponse(201, right) }),
    route({
      ...about,
      answer,
      otherAnswers: { 202: z.object({ job: z.number() }) },
      handle: async () => new RouteResponse(202, { job: 1 }),
    }),
    route({ ...about, answer: z.array(answer), handle: async (): Promise<readonly (typeof right)[]> => [right] }),
    // @ts-expect-error A field is missing.
    route({ ...about, answer, handle: async () => ({ id: 1, amount: money(1n) }) }),
    // @ts-expect-error A field is misspelt.
    route({ ...about, answer, handle: async () => ({ ...right, note: undefined, notes: null }) }),
    // @ts-expect-error An amount is no number.
    route({ ...about, answer, handle: async () => ({ ...right, amount: 0.01 }) }),
    // @ts-expect-error The same with a status of its own.
    route({ ...about, answer, handle: async () => new RouteResponse(201, { id: 1 }) }),
    // @ts-expect-error Nothing says that this answer may come.
    route({ ...about, answer, handle: async () => new RouteResponse(202, { job: 1 }) }),
    // @ts-expect-error One for several.
    route({ ...about, answer: z.array(answer), handle: async () => right }),
  ];
  expect(routes.map(({ status }) => status)).toEqual(routes.map(() => 200));
});
