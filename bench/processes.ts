import { createBank } from '../test/support/banks.ts';
import { book, entryBody, newDocument } from '../test/support/books.ts';
import { openMonth } from '../test/support/months.ts';
import { SeveralProcesses } from '../test/support/several-processes.ts';
import { type BareHttp, type BareRequest, bareHttp } from './support/bare-http.ts';
import { median, perSecond, ratePerSecond } from './support/figure.ts';

// node bench/processes.ts: how much one, two and three processes on one database post and read, by turns: into one document,
// and each into its own. The clients are divided among the processes without a proxy, which would need a share of the
// same processors.

const MOST = 3;
const CLIENTS = 24;
const ROUNDS = 3;
const TURN_MS = 2_000;

const processes = await SeveralProcesses.begin(MOST);
try {
  const { admin, programs } = processes;
  const bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  const documents: number[] = [];
  for (let each = 0; each < MOST; each++) documents.push(await newDocument(admin, bank, '01/2026'));
  const [entry] = book`15/01  1.1.1  D  1,00  2.1.1`;
  const posting = (documentId: number): BareRequest => ({
    method: 'POST',
    path: '/entry',
    body: entryBody(bank, documentId, [entry!]),
    expected: 201,
    token: admin.token,
  });
  const reading: BareRequest = {
    method: 'GET',
    path: `/monthOpening/${bank.company}/${bank.branch}`,
    expected: 200,
    token: admin.token,
  };
  const connections = await Promise.all(programs.map((program) => bareHttp(program.address('movements'), CLIENTS)));
  const requests: Record<string, (place: number) => BareRequest> = {
    'POST /entry into one document': () => posting(documents[0]!),
    'POST /entry, each process into its own': (place) => posting(documents[place]!),
    'GET /monthOpening': () => reading,
  };
  for (const [what, requestOf] of Object.entries(requests)) {
    const turns = Array.from({ length: MOST }, (): number[] => []);
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++)
      for (let count = 1; count <= MOST; count++) {
        const rate = await rateOf(connections.slice(0, count), requestOf);
        if (round > 0) turns[count - 1]!.push(rate);
      }
    console.log(`${what}: ${turns.map((each, at) => `${at + 1}: ${perSecond(median(each))}`).join(', ')}`);
  }
  for (const each of connections.flat()) each.close();
} finally {
  await processes.remove();
}

function rateOf(places: readonly (readonly BareHttp[])[], requestOf: (place: number) => BareRequest): Promise<number> {
  return ratePerSecond(CLIENTS, TURN_MS, async (client) => {
    const place = client % places.length;
    await places[place]![client]!.ask(requestOf(place));
  });
}
