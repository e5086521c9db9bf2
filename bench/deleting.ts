import { type Branch, type Filled, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const LINES = 200_000;
const ROUNDS = 3;
/** As the program writes them. */
const LINES_IN_A_ROW = 200;

/** A batch by request against bare statements that remove the same rows and keep them in the trail. */
export const deleting: Figure = async (installation) => {
  const batches: { branch: Branch; filled: Filled }[] = [];
  for (let each = 0; each < 2 * ROUNDS; each++) {
    const branch = await newBranch(installation);
    await openMonth(installation, branch, 1);
    batches.push({ branch, filled: await fillMonth(installation, branch, 1, LINES) });
  }
  await settle(installation);
  const { ours, bare, ratio } = await byTurns(
    (round) =>
      secondsOf(() => installation.call('movements', 'DELETE', `/batch/${batches[2 * round]!.filled.batchId}`)),
    (round) => secondsOf(() => deleteBare(installation, batches[2 * round + 1]!)),
    ROUNDS,
  );
  return [
    {
      name: `DELETE /batch of ${LINES.toLocaleString('en')} lines`,
      against:
        'the bare DELETE statements in one transaction, without triggers, and one INSERT of the lines into the trail',
      detail: `${ours.toFixed(2)} s against ${bare.toFixed(2)} s`,
      value: 1 / ratio,
      unit: 'ratio',
      atLeast: 0.5,
    },
  ];
};

async function deleteBare(
  { owner }: Installation,
  { branch, filled }: { branch: Branch; filled: Filled },
): Promise<void> {
  const { companyId, branchId } = branch;
  await owner.query('BEGIN');
  await owner.query(
    `INSERT INTO audit (username, action, entity, company_id, branch_id, before)
     SELECT 'bench', 'DELETE', 'entry_line', $1, $3, jsonb_agg(to_jsonb(numbered))
       FROM (SELECT entry_line.*, row_number() OVER () / $4 AS piece FROM entry_line
              WHERE entry_line.company_id = $1 AND entry_line.document_id = $2) AS numbered
      GROUP BY numbered.piece`,
    [companyId, filled.documentId, branchId, LINES_IN_A_ROW],
  );
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
