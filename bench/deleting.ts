import { type Branch, type Filled, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, secondsOf } from './support/figure.ts';
import type { House } from './support/house.ts';

const LINES = 200_000;
const ROUNDS = 3;

/** A batch by request against the DELETE statements alone, on rows of the same kind in the same tables. */
export const deleting: Figure = async (house) => {
  const batches: { branch: Branch; filled: Filled }[] = [];
  for (let each = 0; each < 2 * ROUNDS; each++) {
    const branch = await newBranch(house);
    await openMonth(house, branch, 1);
    batches.push({ branch, filled: await fillMonth(house, branch, 1, LINES) });
  }
  await settle(house);
  const { ours, bare, ratio } = await byTurns(
    (round) => secondsOf(() => house.call('movements', 'DELETE', `/batch/${batches[2 * round]!.filled.batchId}`)),
    (round) => secondsOf(() => deleteBare(house, batches[2 * round + 1]!)),
    ROUNDS,
  );
  return [
    {
      name: `DELETE /batch of ${LINES.toLocaleString('en')} lines`,
      against: 'the bare DELETE statements in one transaction, without triggers and without the lines in the trail',
      detail: `${ours.toFixed(2)} s against ${bare.toFixed(2)} s`,
      value: 1 / ratio,
      unit: 'ratio',
      atLeast: 0.2,
    },
  ];
};

async function deleteBare({ owner }: House, { branch, filled }: { branch: Branch; filled: Filled }): Promise<void> {
  const { companyId } = branch;
  await owner.query('BEGIN');
  await owner.query('SET LOCAL session_replication_role = replica');
  await owner.query('DELETE FROM entry_line WHERE company_id = $1 AND document_id = $2', [
    companyId,
    filled.documentId,
  ]);
  // Documents and batches have foreign keys, which the measured side pays for as well.
  await owner.query('SET LOCAL session_replication_role = origin');
  await owner.query('DELETE FROM document WHERE company_id = $1 AND id = $2', [companyId, filled.documentId]);
  await owner.query('DELETE FROM batch WHERE company_id = $1 AND id = $2', [companyId, filled.batchId]);
  await owner.query('COMMIT');
}
