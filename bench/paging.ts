import { fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, secondsOf } from './support/figure.ts';

const LINES = 1_000_000;
const SIZE = 100;
const LAST = LINES / SIZE;
const ROUNDS = 5;

/** The last page of a big document against its first one, totals included. */
export const paging: Figure = async (installation) => {
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  const { documentId } = await fillMonth(installation, branch, 1, LINES);
  await settle(installation);
  // Pages are counted from 0 on the wire.
  const page = async (number: number) => {
    const answer = await installation.call<{ content: { lancamento: string }[]; totalElements: number }>(
      'movements',
      'GET',
      `/allentry/${documentId}/page?page=${number - 1}&size=${SIZE}`,
    );
    const first = answer.content[0]?.lancamento;
    if (answer.totalElements !== LINES || first !== String(((number - 1) * SIZE) / 2 + 1)) {
      throw new Error(`page ${number} begins with ${first}, of ${answer.totalElements} lines`);
    }
  };
  await page(1);
  await page(LAST);
  const { ours, bare, ratio } = await byTurns(
    () => secondsOf(() => page(LAST)),
    () => secondsOf(() => page(1)),
    ROUNDS,
  );
  return [
    {
      name: `page ${LAST.toLocaleString('en')} of a document's ${LINES.toLocaleString('en')} lines`,
      against: 'its page 1',
      detail: `${(ours * 1000).toFixed(0)} ms against ${(bare * 1000).toFixed(0)} ms`,
      value: ratio,
      unit: 'ratio',
      atMost: 5,
    },
  ];
};
