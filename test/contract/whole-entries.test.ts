import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalances } from '../support/balances.ts';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Entries of a document as a person types them: with all their lines, posted, read and replaced as wholes.

let platform: Platform;
let bank: Bank;
let maria: Client;
let stranger: Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  const other = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await createHistories(platform.admin, ['00010']);
  const member = async (username: string, company: string) => {
    const user = await createUser(platform.admin, { username, permissions: [{ company }] });
    return platform.as(username, user.password);
  };
  maria = await member('maria', bank.company);
  stranger = await member('alheio', other.company);
});
afterAll(() => platform?.stop());

const freshDocument = () => newDocument(maria, bank, '01/2026');
const line = (debcre: 'D' | 'C', conta: string, valor: number, historico?: string) => ({
  debcre,
  contaId: bank.accounts.get(conta),
  valor,
  historico,
});
const DEPOSIT = () => ({
  day: '29',
  historico: 'Depósitos do dia, com tarifa',
  partidas: [line('D', '1.1.1', 1650), line('C', '2.1.1', 1250), line('C', '7.2', 400, 'Tarifa')],
});
// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
const send = (documentId: number, body: any, client = maria) =>
  client.post('movements', `/document/${documentId}/entries`, body);
// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
const put = (documentId: number, lancamento: string, body: any, client = maria) =>
  client.call('movements', 'PUT', `/document/${documentId}/entries/${encodeURIComponent(lancamento)}`, body);
const read = (documentId: number, query = '') =>
  bodyOf(maria.get('movements', `/document/${documentId}/entries${query}`));

test('a compound entry is posted, read and kept as one', async () => {
  const documentId = await freshDocument();
  const posted = await send(documentId, DEPOSIT());
  expect(posted.status).toBe(201);
  expect(posted.body).toMatchObject({
    lancamento: '1',
    day: '29',
    historico: 'Depósitos do dia, com tarifa',
    cdhistorico: null,
    createdBy: 'maria',
    updatedBy: 'maria',
    estornadoPor: null,
    estornoDe: null,
    partidas: [
      { ...line('D', '1.1.1', 1650, 'Depósitos do dia, com tarifa'), contrapartida: null },
      { ...line('C', '2.1.1', 1250, 'Depósitos do dia, com tarifa'), contrapartida: null },
      { ...line('C', '7.2', 400, 'Tarifa'), contrapartida: null },
    ],
  });
  await bodyOf(postEntry(maria, bank, documentId, book`05/01 1.1.1 D 10,00 3.1 "Aporte"`));
  const { content, ...page } = await read(documentId, '?totais=true');
  expect(page).toMatchObject({
    documento: '1',
    ano: 2026,
    mes: 1,
    totalElements: 2,
    totalEntries: 5,
    totalDebit: 1660,
    totalCredit: 1660,
    difference: 0,
  });
  expect(content[0]).toEqual(posted.body);
  expect(content[1]).toMatchObject({
    lancamento: '2',
    partidas: [
      { ...line('D', '1.1.1', 10, 'Aporte'), contrapartida: bank.accounts.get('3.1') },
      { ...line('C', '3.1', 10, 'Aporte'), contrapartida: bank.accounts.get('1.1.1') },
    ],
  });
  // Its lines are those of the other reads.
  const lines = await bodyOf(maria.get('movements', `/allentry/${documentId}`));
  expect(lines.map((each: { id: number }) => each.id)).toEqual(
    content.flatMap((each: { partidas: { id: number }[] }) => each.partidas.map(({ id }) => id)),
  );
});

test('pages hold whole entries, from either end', async () => {
  const documentId = await freshDocument();
  for (let at = 1; at <= 7; at++) {
    await bodyOf(
      send(
        documentId,
        at % 2
          ? DEPOSIT()
          : {
              ...DEPOSIT(),
              partidas: DEPOSIT()
                .partidas.slice(0, 1)
                .concat(line('C', '3.1', 1650)),
            },
      ),
    );
  }
  const numbers: string[] = [];
  for (let page = 0; page < 4; page++) {
    const { content, totalPages } = await read(documentId, `?page=${page}&size=2`);
    expect(totalPages).toBe(4);
    for (const each of content) {
      numbers.push(each.lancamento);
      expect(each.partidas).toHaveLength(Number(each.lancamento) % 2 ? 3 : 2);
    }
  }
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  expect((await read(documentId, '?page=4&size=2')).content).toEqual([]);
});

test('the same request under one key posts once', async () => {
  const documentId = await freshDocument();
  const headers = { 'idempotency-key': 'linha-301' };
  const path = `/document/${documentId}/entries`;
  const [first, again] = [
    await maria.call('movements', 'POST', path, DEPOSIT(), headers),
    await maria.call('movements', 'POST', path, DEPOSIT(), headers),
  ];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  expect((await read(documentId)).totalElements).toBe(1);
  const other = await maria.call('movements', 'POST', path, { ...DEPOSIT(), day: '28' }, headers);
  expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test.each([
  [
    'an unbalanced entry',
    {
      partidas: [
        ['D', '1.1.1', 10],
        ['C', '3.1', 9.99],
      ],
    },
    'UNBALANCED_ENTRY',
    'partidas',
  ],
  ['one line', { partidas: [['D', '1.1.1', 10]] }, 'UNBALANCED_ENTRY', 'partidas'],
  ['no line', { partidas: [] }, 'INVALID_FIELD', 'partidas'],
  [
    'a summary account',
    {
      partidas: [
        ['D', '1.1', 10],
        ['C', '3.1', 10],
      ],
    },
    'ACCOUNT_SYNTHETIC',
    'partidas.0.contaId',
  ],
  [
    'an amount of zero',
    {
      partidas: [
        ['D', '1.1.1', 0],
        ['C', '3.1', 0],
      ],
    },
    'AMOUNT_NOT_POSITIVE',
    'partidas.0.valor',
  ],
  [
    'three decimals',
    {
      partidas: [
        ['D', '1.1.1', 1.005],
        ['C', '3.1', 1.005],
      ],
    },
    'INVALID_FIELD',
    'partidas.0.valor',
  ],
  ['a day that the month lacks', { day: '32' }, 'INVALID_FIELD', 'day'],
  ['an unknown narration', { cdhistorico: '99999' }, 'UNKNOWN_HISTORY', 'cdhistorico'],
  ['a fact after its posting', { dataFato: '2026-01-30' }, 'FACT_NOT_EARLIER', 'dataFato'],
  ['an unknown field', { conta: 1 }, 'UNKNOWN_FIELD', 'conta'],
  ['a long number', { lancamento: '12345678901' }, 'INVALID_FIELD', 'lancamento'],
])('%s is rejected where it is wrong, and nothing is stored', async (_, change, code, field) => {
  const documentId = await freshDocument();
  const { partidas, ...rest } = change as { partidas?: ['D' | 'C', string, number][] };
  const lines = partidas === undefined ? {} : { partidas: partidas.map((each) => line(...each)) };
  const refused = await send(documentId, { ...DEPOSIT(), ...rest, ...lines });
  expect(refused.status).toBe(400);
  expect([refused.body.code, refused.body.errors[0].field]).toEqual([code, field]);
  expect((await read(documentId)).totalElements).toBe(0);
  // A change is rejected for the same reasons.
  await bodyOf(send(documentId, DEPOSIT()));
  const kept = (await read(documentId)).content;
  const unchanged = await put(documentId, '1', { ...DEPOSIT(), ...rest, ...lines });
  expect(unchanged.status).toBe(400);
  expect((await read(documentId)).content).toEqual(kept);
});

test('a number is taken once, and a document of others does not exist', async () => {
  const documentId = await freshDocument();
  expect((await send(documentId, { ...DEPOSIT(), lancamento: 'A/1' })).body.lancamento).toBe('A/1');
  const twice = await send(documentId, { ...DEPOSIT(), lancamento: 'A/1' });
  expect([twice.status, twice.body.code, twice.body.errors[0].field]).toEqual([400, 'DUPLICATE', 'lancamento']);
  expect((await put(documentId, 'A/1', { ...DEPOSIT(), day: '28' })).body.day).toBe('28');
  expect((await put(documentId, 'A/1', { ...DEPOSIT(), lancamento: '9' })).body.code).toBe('ID_MISMATCH');
  expect((await put(documentId, '77', DEPOSIT())).status).toBe(404);
  for (const [id, client] of [
    [999_999_999, maria],
    [documentId, stranger],
  ] as const) {
    expect((await send(id, DEPOSIT(), client)).status).toBe(404);
    expect((await put(id, 'A/1', DEPOSIT(), client)).status).toBe(404);
    expect((await client.get('movements', `/document/${id}/entries`)).status).toBe(404);
  }
});

test('a change replaces all lines: ids stay in their order, author, number and origin too, and the balances follow', async () => {
  const branch = await createBank(platform.admin, {
    company: bank.company,
    existing: true,
    branch: '0002',
    chartCode: bank.chartCode,
    accounts: [],
  });
  await openMonth(platform.admin, branch, '01/2026');
  await openMonth(platform.admin, branch, '02/2026');
  const documentId = await newDocument(maria, branch, '01/2026');
  const posted = (await send(documentId, { ...DEPOSIT(), cdhistorico: '00010' })).body;
  const wider = {
    ...posted,
    day: '28',
    partidas: [
      ...posted.partidas.map((each: object, at: number) => ({ ...each, valor: [1700, 1250, 400][at] })),
      line('C', '2.1.2', 50),
    ],
  };
  const changed = await put(documentId, '1', wider, platform.admin);
  expect(changed.status).toBe(200);
  const ids = posted.partidas.map((each: { id: number }) => each.id);
  expect(changed.body.partidas.map((each: { id: number }) => each.id)).toEqual([...ids, expect.any(Number)]);
  expect(changed.body).toMatchObject({
    lancamento: '1',
    day: '28',
    createdBy: 'maria',
    updatedBy: 'admin',
    cdhistorico: '00010',
  });
  expect(changed.body.createdAt).toBe(posted.createdAt);
  const two = await put(documentId, '1', { ...DEPOSIT(), partidas: [line('D', '1.1.2', 5), line('C', '3.1', 5)] });
  expect(two.body.partidas).toMatchObject([
    { id: ids[0], contrapartida: bank.accounts.get('3.1') },
    { id: ids[1], contrapartida: bank.accounts.get('1.1.2') },
  ]);
  await expectBalances(
    platform.admin,
    branch,
    '01/2026',
    `
    account  opening  debit  credit  balance
    1.1.2    0,00     5,00   0,00    5,00 D
    3.1      0,00     0,00   5,00    5,00 C
  `,
  );
  const trail = await platform.admin.get('authentication', `/api/admin/audit?entity=entry&entityId=${ids[0]}`);
  expect(trail.body.content.map((each: { action: string }) => each.action)).toEqual(['UPDATE', 'UPDATE']);
});

test('who changes what somebody else has changed meanwhile is told so, and nothing is lost', async () => {
  const documentId = await freshDocument();
  const seen = (await send(documentId, DEPOSIT())).body;
  const first = await put(documentId, '1', { ...seen, historico: 'De um', partidas: seen.partidas }, platform.admin);
  expect(first.status).toBe(200);
  const late = await put(documentId, '1', { ...seen, day: '28' });
  expect([late.status, late.body.code, late.body.errors[0].field]).toEqual([400, 'ENTRY_CHANGED_SINCE', 'updatedAt']);
  expect(late.body.detail).toContain('admin');
  expect((await read(documentId)).content).toEqual([first.body]);
  expect((await put(documentId, '1', { ...first.body, day: '28' })).body.day).toBe('28');
});

test('two changes at once: one is written, the other is told', async () => {
  const documentId = await freshDocument();
  const seen = (await send(documentId, DEPOSIT())).body;
  const answers = await Promise.all([1, 2, 3, 4].map((day) => put(documentId, '1', { ...seen, day: `0${day}` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect((await read(documentId)).content).toEqual([answers.find(({ status }) => status === 200)!.body]);
});

test('a late entry says the day of its fact; a text that stays is printed as it was', async () => {
  const documentId = await freshDocument();
  const late = { ...DEPOSIT(), dataFato: '2025-12-20' };
  const posted = (await send(documentId, late)).body;
  expect(posted.dataFato).toBe('2025-12-20');
  const printed = async () =>
    (
      await bodyOf(
        maria.get(
          'queries',
          `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31&documento=1&texto=extempor`,
        ),
      )
    ).content
      .filter((each: { documentId: number }) => each.documentId === documentId)
      .map((each: { historico: string }) => each.historico);
  const before = await printed();
  expect(before).toEqual([
    'Lançamento extemporâneo – fato de 20/12/2025: Depósitos do dia, com tarifa',
    'Lançamento extemporâneo – fato de 20/12/2025: Depósitos do dia, com tarifa',
    'Lançamento extemporâneo – fato de 20/12/2025: Tarifa',
  ]);
  await bodyOf(put(documentId, '1', { ...posted, day: '30' }));
  expect(await printed()).toEqual(before);
  expect((await put(documentId, '1', { ...DEPOSIT() })).body).not.toHaveProperty('dataFato');
  expect(await printed()).toEqual([]);
});

test('what mirrors or is mirrored does not change, and both say so', async () => {
  const documentId = await freshDocument();
  const posted = (await send(documentId, DEPOSIT())).body;
  const reversal = await bodyOf(
    maria.post('movements', `/entry/${posted.partidas[0].id}/reversal`, {
      day: '2026-01-30',
      motivo: 'Em duplicidade',
    }),
  );
  const mirror = { documentId: reversal[0].documentId, lancamento: reversal[0].lancamento };
  expect((await read(documentId)).content[0].estornadoPor).toEqual(mirror);
  expect((await read(mirror.documentId)).content[0].estornoDe).toEqual({ documentId, lancamento: '1' });
  expect((await put(documentId, '1', DEPOSIT())).body.code).toBe('MIRRORED');
  expect((await put(mirror.documentId, mirror.lancamento, DEPOSIT())).body.code).toBe('MIRRORED');
});

test('a closed day and a closed month keep their entries', async () => {
  const branch = await createBank(platform.admin, {
    company: bank.company,
    existing: true,
    branch: '0003',
    chartCode: bank.chartCode,
    accounts: [],
  });
  await openMonth(platform.admin, branch, '01/2026');
  const documentId = await newDocument(maria, branch, '01/2026');
  await bodyOf(send(documentId, { ...DEPOSIT(), day: '01' }));
  await bodyOf(platform.admin.get('movements', `/calendar/closeday/${branch.company}/${branch.branch}`));
  expect((await put(documentId, '1', DEPOSIT())).body.code).toBe('DAY_CLOSED');
  expect((await send(documentId, { ...DEPOSIT(), day: '01' })).body).toMatchObject({
    code: 'DAY_CLOSED',
    errors: [{ field: 'day' }],
  });
  await closeMonth(platform.admin, branch, '01/2026');
  expect((await put(documentId, '1', DEPOSIT())).body.code).toBe('MONTH_CONSOLIDATED');
  expect((await send(documentId, DEPOSIT())).body).toMatchObject({
    code: 'MONTH_CONSOLIDATED',
    errors: [{ field: 'id' }],
  });
});
