import { readFileSync } from 'node:fs';
import { ACCOUNT_COLUMNS, type AccountRow } from '../src/features/master-data/chart/chart.read.sql.ts';
import { type Figure, type Measured, median, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CHART = 'COSIF-LISTED';
const LISTS = 30;
/** Before them: the figure is of a program that has compiled what it runs. */
const WARMING = 15;
/** Accounts created in each turn, small chart and large one by turns. */
const CREATED = 20;
const TURNS = 5;
const SMALL = 100;

/** The chart of a bank: loaded, listed at one connection, and growing by single accounts. */
export const charting: Figure = async (installation) => {
  const loaded = await secondsOf(() =>
    upload(installation, `/chartOfAccounts/import?chart=${CHART}`, 'cosif/cosif2025_accounts.csv'),
  );
  const { planRef_uuid } = await installation.call<{ planRef_uuid: string }>(
    'masterdata',
    'POST',
    '/referenceChartOfAccounts',
    {
      code: 'RFB-10-LISTED',
      name: 'Instituições financeiras',
    },
  );
  const reference = await secondsOf(() =>
    upload(installation, `/referenceChartOfAccounts/${planRef_uuid}/import`, 'referencial/REF_10_2021.csv'),
  );
  const branch = { company: 'CHART', branch: '0001' };
  await installation.call('masterdata', 'POST', '/company', {
    company: 'CHART',
    name: 'C',
    cnpj: '11222333000181',
    zipCode: '01001000',
    street: 'S',
  });
  await installation.call('masterdata', 'POST', '/branch', { ...branch, name: 'B' });
  await installation.call('masterdata', 'POST', '/company/options', {
    ...branch,
    chartCode: CHART,
    baseYearMonth: '01/2026',
  });
  await installation.owner.query('ANALYZE account');
  const bare = await medianOf(LISTS, async () => {
    const { rows } = await installation.owner.query<AccountRow>(
      `SELECT ${ACCOUNT_COLUMNS} FROM account JOIN chart ON chart.id = account.chart_id
        WHERE chart.code = $1 ORDER BY account.sort_key`,
      [CHART],
    );
    JSON.stringify(rows);
  });
  const listed: Measured[] = [];
  for (const [name, path] of [
    ['getallcoa', '/chartOfAccounts/getallcoa/CHART/0001'],
    ['detail', `/chartOfAccounts/detail/?chart=${CHART}`],
  ] as const) {
    const seconds = await medianOf(LISTS, () => installation.call('masterdata', 'GET', path));
    listed.push({
      name: `/chartOfAccounts/${name} of 4,032 accounts, one connection, warm`,
      against: 'a bound in seconds',
      detail: `${milliseconds(seconds)}; the rows alone by the bare driver, as JSON, ${milliseconds(bare)}`,
      value: seconds,
      unit: 's',
      atMost: 0.06,
    });
  }
  return [
    bound('COSIF chart of 4,032 accounts by import', loaded, 2),
    bound('referential table of 5,340 accounts by import', reference, 2),
    ...listed,
    await growth(installation),
  ];
};

/** Creating one account in a chart of 4,032 against one of 100. */
async function growth(installation: Installation): Promise<Measured> {
  const small = grower(installation, 'SMALL-CHART', '1');
  await small.begin();
  for (let at = 0; at < SMALL; at++) await small.create();
  const large = grower(installation, CHART, '10');
  await large.begin();
  const quotients: number[] = [];
  const seconds: { small: number; large: number }[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const one = {
      small: await secondsOf(() => times(CREATED, small.create)),
      large: await secondsOf(() => times(CREATED, large.create)),
    };
    seconds.push(one);
    quotients.push(one.large / one.small);
  }
  return {
    name: 'an account created in a chart of 4,032 accounts',
    against: `one in a chart of ${SMALL}`,
    detail: `${milliseconds(median(seconds.map((each) => each.large)) / CREATED)} against ${milliseconds(median(seconds.map((each) => each.small)) / CREATED)}`,
    value: median(quotients),
    unit: 'ratio',
    atMost: 1.5,
  };
}

function grower(installation: Installation, chartCode: string, root: string) {
  let at = 0;
  const post = (cdAccounting: string, accountType: 'S' | 'A') =>
    installation.call('masterdata', 'POST', '/chartOfAccounts', {
      chartCode,
      cdAccounting,
      description: 'Conta',
      accountType,
      normalBalance: 'D',
      accountClass: '01',
    });
  return { begin: () => post(root, 'S'), create: () => post(`${root}.${++at}`, 'A') };
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await work();
}

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  await times(WARMING, work);
  const taken: number[] = [];
  for (let at = 0; at < count; at++) taken.push(await secondsOf(work));
  return median(taken);
}

async function upload(installation: Installation, path: string, seed: string): Promise<void> {
  const form = new FormData();
  const content = readFileSync(new URL(`../src/seeds/${seed}`, import.meta.url));
  form.append('file', new Blob([new Uint8Array(content)]), seed.split('/')[1]);
  const result = await installation.call<{ success: boolean; message: string }>('masterdata', 'POST', path, form);
  if (!result.success) throw new Error(`${path}: ${result.message}`);
}

function bound(name: string, value: number, atMost: number): Measured {
  return { name, against: 'a bound in seconds', detail: 'multipart over HTTP', value, unit: 's', atMost };
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(0)} ms`;
}
