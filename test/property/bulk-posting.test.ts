import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountFixture, type Bank, createBank, PLAIN_CHART } from '../support/banks.ts';
import { newDocument } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';

// Entries sent together leave the books where the same entries leave them one by one, and are rejected for the same reasons.

let platform: Platform;
let together: Bank;
let oneByOne: Bank;

const MEMORANDUM: AccountFixture = {
  code: '9',
  description: 'Compensação',
  type: 'A',
  nature: 'M',
  accountClass: '05',
};

beforeAll(async () => {
  platform = await startPlatform();
  together = await createBank(platform.admin, { accounts: [...PLAIN_CHART, MEMORANDUM] });
  oneByOne = await createBank(platform.admin, { accounts: [...PLAIN_CHART, MEMORANDUM] });
  for (const bank of [together, oneByOne]) {
    await openMonth(platform.admin, bank, '01/2026');
    const day = { company: bank.company, branch: bank.branch, date: '2026-01-08', businessDay: true, status: 'F' };
    await bodyOf(platform.admin.post('masterdata', `/calendar/${bank.company}/${bank.branch}`, day));
  }
});
afterAll(() => platform?.stop());

const account = fc.constantFrom('1.1.1', '1.1.2', '2.1.1', '3.1', '1.1', '9');
const given = fc.record({
  debit: account,
  credit: account,
  day: fc.constantFrom('05', '07', '08', '31'),
  cents: fc.constantFrom(0, 1, 10, 99_999, 123_456_789),
  number: fc.constantFrom(undefined, undefined, '1', '3', '7', 'A'),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const posted = async (bank: Bank) => {
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&tamanho=1000`;
  const { content } = await bodyOf(platform.admin.get('queries', path));
  return content.map((line: Record<string, unknown>) =>
    [line.data, line.conta, line.contrapartida, line.debcre, line.valor, line.historico].join(' '),
  );
};

async function postTogether(entries: readonly Given[], documentId: number): Promise<string[]> {
  const place = { empresa: together.company, filial: together.branch, ano: 2026, mes: 1, documentId };
  const body = entries.map(({ debit, credit, day, cents, number }) => ({
    ...place,
    day,
    lancamento: number,
    historico: 'Teste',
    lines: [
      { debcre: 'D', conta: debit, valor: cents / 100 },
      { debcre: 'C', conta: credit, valor: cents / 100 },
    ],
  }));
  const { results } = await bodyOf(platform.admin.post('movements', '/entries/bulk', { entries: body, atomic: false }));
  return results.map((each: { errors: { code: string }[] }) => each.errors[0]?.code ?? 'STORED');
}

async function postEach(entries: readonly Given[], documentId: number): Promise<string[]> {
  const codes: string[] = [];
  // In bulk, those without a number come behind all that are given.
  const order = [...entries.keys()].sort(
    (a, b) => Number(entries[a]!.number === undefined) - Number(entries[b]!.number === undefined),
  );
  for (const at of order) {
    const { debit, credit, day, cents, number } = entries[at]!;
    const { status, body } = await platform.admin.post('movements', '/entry', {
      documentId,
      lancamento: number,
      debcre: 'D',
      day,
      contaId: oneByOne.accounts.get(debit),
      contrapartida: oneByOne.accounts.get(credit),
      valor: cents / 100,
      historico: 'Teste',
    });
    codes[at] = status === 201 ? 'STORED' : body.code;
  }
  return codes;
}

test('random entries in bulk and one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 12 }), async (entries) => {
      const [one, other] = [
        await newDocument(platform.admin, together, '01/2026'),
        await newDocument(platform.admin, oneByOne, '01/2026'),
      ];
      expect(await postTogether(entries, one)).toEqual(await postEach(entries, other));
      expect((await posted(together)).toSorted()).toEqual((await posted(oneByOne)).toSorted());
    }),
    { numRuns: Math.min(25, volumeOf('MODEL_RUNS')) },
  );
});
