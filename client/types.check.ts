import { type Client, createClient, type Decimal, PartidasProblem, type ProblemCode } from 'partidas-client';

// Read by the compiler alone: what is right passes, and a line that it would let through fails the check.

const client: Client = createClient({
  addresses: { movements: 'http://127.0.0.1:3003' },
  username: 'a',
  password: 'b',
});

const dates = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };

export async function right(): Promise<Decimal[]> {
  const entry = await client.movements.postEntry(
    { body: { documentId: 1, debcre: 'D', day: '05', contaId: 1, contrapartida: 2, valor: '1000.00' } },
    { idempotencyKey: 'x' },
  );
  const amounts: Decimal[] = [entry.valor];
  for await (const line of client.queries.findEntries.pages({ path: { company: '1', branch: '1' }, query: dates })) {
    amounts.push(line.valor);
  }
  for await (const each of client.movements.getEntryPage.pages({ path: { documentId: 1 } })) amounts.push(each.valor);
  const companies = await client.masterdata.listCompanies();
  const codes: string[] = companies.map((company) => company.company);
  const file: Response = await client.reports.downloadBook({ path: { company: codes[0]!, id: 1 } });
  await client.movements.importEntriesCsv({ path: { batchId: 1 }, body: { file: await file.blob() } });
  return amounts;
}

export function codeOf(error: unknown): ProblemCode | 'PENDING_APPROVAL' | 'UNKNOWN' | undefined {
  return error instanceof PartidasProblem ? error.code : undefined;
}

export async function wrong(): Promise<void> {
  // @ts-expect-error There is no such operation.
  await client.movements.addEntry({ body: {} });
  const body = { documentId: 1, debcre: 'D', day: '05', contaId: 1, valor: '1.00' } as const;
  await client.movements.postEntry({ body });
  // @ts-expect-error An amount is text.
  await client.movements.postEntry({ body: { ...body, valor: 1 } });
  // @ts-expect-error One of two sides.
  await client.movements.postEntry({ body: { ...body, debcre: 'X' } });
  // @ts-expect-error The body is missing.
  await client.movements.postEntry();
  // @ts-expect-error The path is missing.
  await client.movements.getEntry({});
  // @ts-expect-error There is no such code.
  if (codeOf(undefined) === 'NO_SUCH_CODE') return;
}
