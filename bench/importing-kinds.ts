import { type Branch, books, newBatch, newBranch, openMonth } from './support/books.ts';
import { byTurns, type Figure, type Measured, megabytes, perSecond, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const ROWS = 300_000;
const ROWS_A_DOCUMENT = 1_000;
const ROUNDS = 3;

/** The same lines as IPL and as JSON against CSV, each into a branch of its own. */
export const importingKinds: Figure = async (installation) => {
  const lines = await linesOf(installation);
  const csv = csvOf(lines);
  const measured: Measured[] = [];
  for (const [kind, send] of [
    ['IPL', (branch: Branch) => sendText(installation, branch, iplOf(lines, branch))],
    [
      'JSON',
      (branch: Branch) => sendRaw(installation, '/importMovimentJson', 'application/json', jsonOf(lines, branch)),
    ],
  ] as const) {
    let memory: number | undefined;
    const { ours, bare, ratio } = await byTurns(
      async () => {
        const branch = await openBranch(installation);
        installation.peakMemory();
        const rate = ROWS / (await send(branch));
        memory = installation.peakMemory();
        return rate;
      },
      async () => {
        const branch = await openBranch(installation);
        const batchId = await newBatch(installation, branch, 1, '1');
        return ROWS / (await secondsOf(() => sendCsv(installation, batchId, csv)));
      },
      ROUNDS,
    );
    measured.push({
      name: `${kind} import of ${ROWS.toLocaleString('en')} lines`,
      against: 'the CSV import of the same lines',
      detail: `${perSecond(ours)} against ${perSecond(bare)}`,
      value: ratio,
      unit: 'ratio',
      atLeast: 0.7,
    });
    if (memory !== undefined) {
      measured.push({
        name: '… memory of the program meanwhile',
        against: 'its limit',
        detail: 'largest resident size',
        value: megabytes(memory),
        unit: 'MB',
        // A JSON body is parsed whole, the files line by line.
        atMost: kind === 'JSON' ? 1_024 : 512,
      });
    }
  }
  return measured;
};

interface Line {
  readonly document: string;
  readonly entry: string;
  readonly day: string;
  readonly side: 'D' | 'C';
  readonly account: string;
  readonly offsetAccount: string;
  readonly cents: number;
  readonly narration: string;
}

async function linesOf(installation: Installation): Promise<Line[]> {
  const { leaves } = await books(installation);
  return Array.from({ length: ROWS }, (_, row) => {
    const entry = Math.floor(row / 2);
    return {
      document: String(1 + Math.floor(row / ROWS_A_DOCUMENT)),
      entry: String(entry + 1),
      day: String(1 + (entry % 28)).padStart(2, '0'),
      side: row % 2 === 0 ? 'D' : 'C',
      account: leaves[(entry * 2 + (row % 2)) % leaves.length]!.code,
      offsetAccount: leaves[(entry * 2 + 1 - (row % 2)) % leaves.length]!.code,
      cents: 100 + (entry % 90_000),
      narration: `Liquidação da operação ${entry}`,
    };
  });
}

async function openBranch(installation: Installation): Promise<Branch> {
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  return branch;
}

function csvOf(lines: readonly Line[]): Blob {
  const rows = lines.map(
    (line) =>
      `${line.document};${line.entry};${line.day};${line.side};${line.account};${line.offsetAccount};${(
        line.cents / 100
      )
        .toFixed(2)
        .replace('.', ',')};${line.narration};`,
  );
  return new Blob([
    `documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\r\n${rows.join('\r\n')}\r\n`,
  ]);
}

function iplOf(lines: readonly Line[], { company, branch }: Branch): Blob {
  const place = `${company.padEnd(5)}${branch.padEnd(5)}000001`;
  const rows = lines.map(
    (line) =>
      `2${place}${line.document.padEnd(10)}202601${line.day}${line.entry.padStart(6, '0')}${line.side}${line.account.padEnd(
        20,
      )}${line.offsetAccount.padEnd(20)}${String(line.cents).padStart(17, '0')}${' '.repeat(5)}${line.narration.padEnd(52)}`,
  );
  return new Blob([`${rows.join('\r\n')}\r\n`]);
}

function jsonOf(lines: readonly Line[], { company, branch }: Branch): Blob {
  const documents = Map.groupBy(lines, (line) => line.document);
  return new Blob([
    JSON.stringify({
      empresa: company,
      filial: branch,
      lote: '1',
      ano: 2026,
      mes: 1,
      documentos: [...documents].map(([documento, of]) => ({
        documento,
        lancamentos: of.map((line) => ({
          lancamento: line.entry,
          debcre: line.side,
          day: line.day,
          conta: line.account,
          contrapartida: line.offsetAccount,
          valor: line.cents / 100,
          historico: line.narration,
        })),
      })),
    }),
  ]);
}

async function sendCsv(installation: Installation, batchId: number, csv: Blob): Promise<void> {
  const form = new FormData();
  form.set('file', csv, 'rows.csv');
  const result = await installation.call<{ success: boolean }>('movements', 'POST', `/batch/${batchId}/import`, form);
  if (!result.success) throw new Error(JSON.stringify(result).slice(0, 500));
}

function sendText(installation: Installation, { company, branch }: Branch, body: Blob): Promise<number> {
  return sendRaw(installation, `/importMoviment/${company}/${branch}/rows.ipl`, 'text/plain', body);
}

/** Seconds of a request whose body goes as it is. */
function sendRaw(installation: Installation, path: string, type: string, body: Blob): Promise<number> {
  return secondsOf(async () => {
    const response = await fetch(`${installation.address('movements')}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${installation.token}`, 'content-type': type },
      body,
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  });
}
