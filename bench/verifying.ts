import { runAdmin, type Taken } from './support/admin.ts';
import { branchOfMonths, settle } from './support/books.ts';
import { type Figure, type Measured, megabytes } from './support/figure.ts';

const MONTH_LINES = 200_000;
const MONTHS = 5;
const SIZES = [1, 10] as const;

/** All books verified from the command line, with 1,000,000 lines and with 10,000,000, each month but the last one closed and sealed. */
export const verifying: Figure = async (installation) => {
  const taken: Taken[] = [];
  let branches = 0;
  for (const millions of SIZES) {
    // Each of 1,000,000 lines.
    for (; branches < millions; branches++) await branchOfMonths(installation, MONTHS, MONTH_LINES);
    await settle(installation);
    const { databaseUrl, dataDir } = installation;
    taken.push(await runAdmin(['verify'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }));
  }
  const [small, large] = taken as [Taken, Taken];
  const measured: Measured[] = taken.map(({ seconds, text }, at) => ({
    name: `verify of ${SIZES[at]},000,000 lines`,
    against: 'its limit',
    detail: text.trim(),
    value: seconds,
    unit: 's',
    atMost: 30 * SIZES[at]!,
  }));
  measured.push({
    name: '… memory of its process with ten times the lines',
    against: 'with 1,000,000',
    detail: `${Math.round(megabytes(large.peak))} MB against ${Math.round(megabytes(small.peak))} MB`,
    value: large.peak / small.peak,
    unit: 'ratio',
    atMost: 1.25,
  });
  return measured;
};
