import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { books, newBatch, newBranch, newCompany, openMonth } from './support/books.ts';
import { byTurns, type Figure, type Measured, megabytes, perSecond, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import { ECD_NARRATION, linesOfEcd, writeLargeEcd } from './support/large-ecd.ts';
import { linesAsked } from './support/options.ts';

/** Lines of entries, or as many as --lines says. */
const ROWS = 300_000;
const ROWS_A_DOCUMENT = 1_000;

/**
 * A year's bookkeeping file into a company without books, from the upload to the proof, beside the CSV import of as many
 * lines of entries with the same texts.
 */
export const importingEcd: Figure = async (installation) => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-ecd-import-'));
  try {
    const path = join(folder, 'ecd.txt');
    const rows = linesAsked(ROWS);
    const lines = await writeLargeEcd(path, linesOfEcd(rows / 2));
    const csv = await csvOf(installation, rows);
    const memory: { ours?: number; bare?: number } = {};
    const speed = await byTurns(
      async (round) => {
        const place = await emptyBranch(installation, `ECD${round}`);
        installation.peakMemory();
        const seconds = await secondsOf(() => importEcd(installation, place, path, rows));
        memory.ours = Math.max(memory.ours ?? 0, installation.peakMemory() ?? 0);
        return rows / seconds;
      },
      async () => {
        const branch = await newBranch(installation);
        await openMonth(installation, branch, 1);
        const batchId = await newBatch(installation, branch, 1);
        installation.peakMemory();
        const seconds = await secondsOf(() => importCsv(installation, batchId, csv));
        memory.bare = Math.max(memory.bare ?? 0, installation.peakMemory() ?? 0);
        return rows / seconds;
      },
    );
    const measured: Measured[] = [
      {
        name: `import of a bookkeeping file (ECD) of ${lines.toLocaleString('en')} lines, ${rows.toLocaleString('en')} of them of entries`,
        against: 'the CSV import of as many lines of entries',
        detail: `${perSecond(speed.ours)} against ${perSecond(speed.bare)}`,
        value: speed.ratio,
        unit: 'ratio',
        atLeast: 0.6,
      },
    ];
    if (memory.ours)
      measured.push({
        name: '… memory of the program meanwhile',
        against: 'its limit',
        detail: `largest resident size; of the CSV import ${Math.round(megabytes(memory.bare!))} MB`,
        value: megabytes(memory.ours),
        unit: 'MB',
        atMost: 512,
      });
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

async function csvOf(installation: Installation, rows: number): Promise<Blob> {
  const { leaves } = await books(installation);
  const pieces = ['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\r\n'];
  for (let row = 0; row < rows; row++) {
    const entry = Math.floor(row / 2);
    const day = String(1 + (entry % 28)).padStart(2, '0');
    const account = leaves[(entry * (row % 2 === 0 ? 7 : 13)) % leaves.length]!.code;
    pieces.push(
      `${1 + Math.floor(row / ROWS_A_DOCUMENT)};${entry};${day};${row % 2 === 0 ? 'D' : 'C'};${account};;1234,56;${ECD_NARRATION} ${entry};\r\n`,
    );
  }
  return new Blob(pieces);
}

interface Place {
  readonly company: string;
  readonly branch: string;
}

async function emptyBranch(installation: Installation, company: string): Promise<Place> {
  await newCompany(installation, company);
  await installation.call('masterdata', 'POST', '/branch', { company, branch: '0001', name: 'Matriz' });
  return { company, branch: '0001' };
}

async function importEcd(
  installation: Installation,
  { company, branch }: Place,
  path: string,
  rows: number,
): Promise<void> {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'ecd.txt');
  const request = `/importEcd/${company}/${branch}?simular=false&plano=${company}`;
  const { id } = await installation.call<{ id: number }>('movements', 'POST', request, form);
  for (;;) {
    const job = await installation.call<EcdImportJob>('movements', 'GET', `/importEcd/jobs/${id}`);
    if (job.status === 'DONE' || job.status === 'ERROR') {
      const { importado, criados, prova } = job.resultado ?? {};
      if (importado && criados?.partidas === rows && prova?.diferencas === 0) return;
      throw new Error(JSON.stringify(job).slice(0, 1_000));
    }
    await sleep(20);
  }
}

interface EcdImportJob {
  readonly status: string;
  readonly resultado?: {
    readonly importado: boolean;
    readonly criados: { readonly partidas: number } | null;
    readonly prova: { readonly diferencas: number } | null;
  };
}

async function importCsv(installation: Installation, batchId: number, csv: Blob): Promise<void> {
  const form = new FormData();
  form.set('file', csv, 'rows.csv');
  const path = `/batch/${batchId}/import`;
  const result = await installation.call<{ success: boolean }>('movements', 'POST', path, form);
  if (!result.success) throw new Error(JSON.stringify(result).slice(0, 500));
}
