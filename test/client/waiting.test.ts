import { expect, test } from 'vitest';
import { PartidasProblem } from '../../client/src/problem.ts';
import { throwIfWaiting } from '../../client/src/waiting.ts';

const WAITING = { id: 7, requestHash: 'a'.repeat(64), draft: { batch: '12' } };

test('a request that waits for a second person is thrown, in the language of the client', () => {
  const problem = (language?: string) => {
    try {
      throwIfWaiting(202, WAITING, language);
    } catch (error) {
      return error;
    }
  };
  expect(problem('pt-BR')).toBeInstanceOf(PartidasProblem);
  expect(problem('pt-BR')).toMatchObject({
    status: 202,
    code: 'PENDING_APPROVAL',
    message:
      'Aguardando aprovação: o pedido 7 espera por outra pessoa, e nada foi feito ainda. O lote 12 passaria do limite da filial.',
  });
  expect(problem()).toMatchObject({
    message:
      'Pending approval: request 7 waits for a second person, and nothing is done yet. Batch 12 would pass the limit of its branch.',
  });
});

test.each([
  ['a job that goes on in the background', 202, { jobId: 7 }],
  ['an approval that is read', 200, WAITING],
  ['no body', 202, undefined],
])('%s is an answer', (_, status, answer) => {
  expect(() => throwIfWaiting(status, answer, 'pt-BR')).not.toThrow();
});
