import type { Pool } from 'undici';
import { ask } from './support/ask.ts';
import { ACCOUNTS, type Books, type Branch, books, newBranch, openMonth } from './support/books.ts';
import { byTurns, type Figure, type Measured, perSecond, ratePerSecond } from './support/figure.ts';
import { type Floor, floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const CONNECTIONS = 4;
const TURN_MS = 2_500;
const FLOOR_SECONDS = 2;
/** Entries of two lines in a request: as many as it may have. */
const ENTRIES = 5_000;
/** Lines of one INSERT of the floor. */
const FLOOR_LINES = 1_000;

/** POST /entries/bulk against a bare INSERT of many rows, without and with what feeding systems say of their entries. */
export const bulkPosting: Figure = async (installation) => {
  const floor = floorOn(installation);
  if (floor === undefined) return [];
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  const { leaves } = await books(installation);
  const http = installation.connections('movements', CONNECTIONS);
  const postBare = await bareInserts(installation, floor);
  try {
    const figures: Measured[] = [];
    for (const isSourced of [false, true]) {
      const posted = () => postOver(http, installation.token, branch, leaves, isSourced);
      await posted();
      const { ours, bare, ratio } = await byTurns(posted, postBare);
      figures.push({
        name: `POST /entries/bulk, entries of two lines${isSourced ? ' with origin and external id' : ''}, ${CONNECTIONS} connections`,
        against: `INSERT of ${FLOOR_LINES} rows by pgbench, prepared, ${CONNECTIONS} connections`,
        detail: `${perSecond(ours)} against ${perSecond(bare)} lines`,
        value: ratio,
        unit: 'ratio',
        atLeast: isSourced ? 0.15 : 0.3,
      });
    }
    return figures;
  } finally {
    await installation.owner.query('DROP TABLE bare_line');
  }
};

let requests = 0;

/** Lines per second; each request makes a document of its own. */
async function postOver(
  http: Pool,
  token: string,
  { company: empresa, branch: filial }: Branch,
  leaves: Books['leaves'],
  isSourced: boolean,
): Promise<number> {
  const rate = await ratePerSecond(CONNECTIONS, TURN_MS, async () => {
    const request = ++requests;
    const place = { empresa, filial, ano: 2026, mes: 1, lote: 'CARGA', documento: String(request) };
    const entries = Array.from({ length: ENTRIES }, (_, at) => {
      const valor = (100 + ((request * 7919 + at) % 90_000)) / 100;
      const conta = (which: number) => leaves[(request + at * 2 + which) % leaves.length]!.code;
      return {
        ...place,
        day: String(1 + (at % 28)).padStart(2, '0'),
        historico: `Compra no cartão ${at}`,
        ...(isSourced ? { origin: 'CARTOES', externalId: `${request}-${at}` } : {}),
        lines: [
          { debcre: 'D', conta: conta(0), valor },
          { debcre: 'C', conta: conta(1), valor },
        ],
      };
    });
    await ask(http, { path: '/entries/bulk', token, expected: 201, body: { entries } });
  });
  return rate * ENTRIES * 2;
}

/** The floor's table and script: lines of the same shape, accounts of the same number, in the same indexes. */
async function bareInserts({ owner }: Installation, floor: Floor): Promise<() => Promise<number>> {
  await owner.query('CREATE TABLE bare_line (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES)');
  const rows = Array.from(
    { length: FLOOR_LINES },
    (_, at) =>
      `('${1 + (at >> 1)}', ${1 + (at & 1)}, ${at}, '${at & 1 ? 'C' : 'D'}'::"char", 'Compra no cartão ${at >> 1}')`,
  );
  // pgbench takes 255 parameters a statement: what changes from one to the next stands once.
  const script = `\\set document random(1, 9000000000000)
INSERT INTO bare_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                       offset_account_id, side, amount, narration, created_by)
SELECT 1, 1, :document::bigint, '2026-01-01', '2026-01-05', line.number, line.sequence, 1 + (:document::bigint + line.place) % ${ACCOUNTS}, 1,
       line.side, 12.34, line.narration, 'admin'
  FROM (VALUES ${rows.join(',\n')}) AS line (number, sequence, place, side, narration);
`;
  return async () => (await floor.rate(script, { clients: CONNECTIONS, seconds: FLOOR_SECONDS })) * FLOOR_LINES;
}
