import { closedYear } from './stating.ts';
import { type Branch, newCompany } from './support/books.ts';
import { type Figure, type Measured, secondsOf, warmSecondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CHART = 'COSIF_ARQUIVOS';
const ACCOUNTS = '4,032 accounts';

/** A year over the whole chart of the central bank, every account of it moved in every month: what its files take. */
export const filings: Figure = async (installation) => {
  const branch = await closedYear(installation, CHART, await newCompany(installation, 'ARQUIVOS'));
  return [
    await prechecked(installation, branch, 'precheck of an ECD', 'ECD&livro=B'),
    await prechecked(installation, branch, 'precheck of a 4010', '4010&mes=6'),
    await written(installation, branch, '4010'),
    await written(installation, branch, '4016'),
  ];
};

async function prechecked(
  installation: Installation,
  { company }: Branch,
  name: string,
  asked: string,
): Promise<Measured> {
  const path = `/regulatory/precheck?empresa=${company}&ano=2026&arquivo=${asked}`;
  return {
    name: `${name} over ${ACCOUNTS}, without its entries`,
    against: 'its limit',
    detail: 'a year over HTTP, warm',
    value: await warmSecondsOf(() => installation.call('reports', 'GET', path)),
    unit: 's',
    atMost: 1,
  };
}

async function written(installation: Installation, { company }: Branch, documento: '4010' | '4016'): Promise<Measured> {
  const body = { empresa: company, documento, ano: 2026, mes: 6, comErros: true };
  let lines = 0;
  const seconds = await secondsOf(async () => {
    const { id } = await installation.call<{ id: number }>('reports', 'POST', '/regulatory/cosif', body);
    lines = await ended(installation, id);
  });
  return {
    name: `document ${documento} over ${ACCOUNTS}, ${lines} lines`,
    against: 'its limit',
    detail: 'from its order to the end of its job, written and checked',
    value: seconds,
    unit: 's',
    atMost: 2,
  };
}

async function ended(installation: Installation, id: number): Promise<number> {
  for (;;) {
    const job = await installation.call<{ status: string; linhas: number }>('reports', 'GET', `/regulatory/jobs/${id}`);
    if (job.status === 'DONE') return job.linhas;
    if (job.status === 'ERROR') throw new Error(`job ${id} failed`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
