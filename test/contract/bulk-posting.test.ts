import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBalances } from '../support/balances.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { bodyOf, type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin, {});
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = HttpAnswer<any>;

interface Line {
  readonly debcre: string;
  readonly conta?: string;
  readonly contaId?: number;
  readonly valor: number;
}

const simple = (valor: number, debit = '1.1.1', credit = '3.1'): Line[] => [
  { debcre: 'D', conta: debit, valor },
  { debcre: 'C', conta: credit, valor },
];

const place = (of: Pick<Bank, 'company' | 'branch'> = bank) => ({
  empresa: of.company,
  filial: of.branch,
  ano: 2026,
  mes: 1,
});

const entry = (lote: string, more: object = {}) => ({
  ...place(),
  lote,
  documento: '1',
  day: '05',
  historico: 'Compras',
  lines: simple(10),
  ...more,
});

const bulk = (entries: readonly unknown[], more: object = {}): Promise<Answer> =>
  platform.admin.post('movements', '/entries/bulk', { entries, ...more });

test('posts simple and compound entries into batches and documents that it makes', async () => {
  const answer = await bulk([
    entry('A'),
    entry('A', {
      lines: [
        ...simple(7, '1.1.1', '3.1'),
        { debcre: 'D', conta: '1.1.2', valor: 1 },
        { debcre: 'C', conta: '3.1', valor: 1 },
      ],
    }),
    entry('B', { documento: '7', lancamento: '40', lines: simple(0.1) }),
    entry('B', { documento: '7', lines: simple(0.2) }),
  ]);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject({
    accepted: 4,
    rejected: 0,
    results: [
      { index: 0, status: 'CREATED', lancamento: '1', errors: [] },
      { index: 1, status: 'CREATED', lancamento: '2', errors: [] },
      { index: 2, status: 'CREATED', lancamento: '40', errors: [] },
      { index: 3, status: 'CREATED', lancamento: '41', errors: [] },
    ],
  });
  await expectBalances(
    platform.admin,
    bank,
    '01/2026',
    `
    account  opening  debit  credit  balance
    1.1.1    0,00     17,30  0,00    17,30 D
    1.1.2    0,00     1,00   0,00    1,00 D
    3.1      0,00     0,00   18,30   18,30 C
    `,
  );
});

const storedLines = async (): Promise<number> => {
  const path = `/batchsummary/${bank.company}/${bank.branch}`;
  return (await bodyOf(platform.admin.get('movements', path))).totalEntries;
};

const found = async (query: string, client: Client = platform.admin) =>
  (await bodyOf(client.get('queries', `/entries?${query}`))).content;

describe('places and accounts', () => {
  test('are named by number, code, short code or id', async () => {
    const { body: first } = await bulk([entry('P', { lancamento: '1' })]);
    const { documentId } = first.results[0];
    const document = await bodyOf(platform.admin.get('movements', `/document/${documentId}`));
    const { lote: _, documento: __, ...rest } = entry('P');
    const answer = await bulk([
      { ...rest, documentId },
      { ...rest, batchId: document.batchId, documento: '1' },
      { ...rest, batchId: document.batchId, documento: '2' },
      entry('P', {
        lines: [
          { debcre: 'D', contaId: bank.accounts.get('1.1.1'), valor: 1 },
          { debcre: 'C', conta: '3-1', valor: 1 },
        ],
      }),
    ]);
    expect(answer.status, answer.text).toBe(201);
    const { results } = answer.body;
    expect(results.map((each: { lancamento: string }) => each.lancamento)).toEqual(['2', '3', '1', '4']);
    expect([results[0], results[1], results[3]].map(({ documentId: id }) => id)).toEqual([
      documentId,
      documentId,
      documentId,
    ]);
    expect(results[2].documentId).not.toBe(documentId);
  });

  test('a simple entry keeps the offset account of each line, a compound one none', async () => {
    const { body } = await bulk([
      entry('O', { lines: simple(5) }),
      entry('O', { lines: [...simple(2), ...simple(3)] }),
    ]);
    const lines = await bodyOf(platform.admin.get('movements', `/allentry/${body.results[0].documentId}`));
    const id = (code: string) => bank.accounts.get(code);
    expect(lines.map((line: { contrapartida: number }) => line.contrapartida)).toEqual([
      id('3.1'),
      id('1.1.1'),
      ...new Array(4).fill(null),
    ]);
  });

  test('a batch or document of another month, or of nobody, is not found', async () => {
    const { lote: _, documento: __, ...rest } = entry('X');
    const answer = await bulk([
      { ...rest, documentId: 999_999_999 },
      { ...rest, batchId: 999_999_999, documento: '1' },
    ]);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'NOT_FOUND',
        errors: [{ field: 'entries.0.documentId' }, { field: 'entries.1.batchId' }],
      },
    });
  });
});

describe('what is refused', () => {
  const wrong: readonly (readonly [field: string, change: object])[] = [
    ['empresa', { empresa: 7 }],
    ['empresa', { empresa: 'NADA' }],
    ['filial', { filial: '*' }],
    ['filial', { filial: 'NADA' }],
    ['ano', { ano: 2026.5 }],
    ['ano', { ano: '2026' }],
    ['mes', { mes: 13 }],
    ['mes', { mes: 5 }],
    ['lote', { lote: 'x'.repeat(11) }],
    ['lote', { lote: undefined }],
    ['lote', { batchId: 1 }],
    ['batchId', { batchId: 0, lote: undefined }],
    ['documento', { documento: undefined }],
    ['documento', { documento: '\u0000' }],
    ['documento', { documentId: 1 }],
    ['lote', { documentId: 1, documento: undefined }],
    ['lancamento', { lancamento: '12345678901' }],
    ['day', { day: 5 }],
    ['day', { day: '32' }],
    ['historico', { historico: 'x'.repeat(501) }],
    ['cdhistorico', { cdhistorico: 'NADA' }],
    ['origin', { origin: '' }],
    ['origin', { origin: 'x'.repeat(41) }],
    ['externalId', { origin: 'A', externalId: 'x'.repeat(101) }],
    ['externalId', { origin: 'A', externalId: 'a\nb' }],
    ['metadata', { metadata: 'x' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 1])) }],
    ['metadata.a', { metadata: { a: { b: 1 } } }],
    ['metadata.a', { metadata: { a: 'x'.repeat(201) } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, 'é'.repeat(200)])) }],
    ['nada', { nada: 1 }],
    ['lines', { lines: undefined }],
    ['lines', { lines: [] }],
    ['lines', { lines: {} }],
    ['lines', { lines: [...simple(1), { debcre: 'D', conta: '1.1.1', valor: 1 }] }],
    ['lines.0', { lines: [null, ...simple(1)] }],
    ['lines.0.debcre', { lines: [{ conta: '1.1.1', valor: 1 }, simple(1)[1]] }],
    ['lines.0.conta', { lines: [{ debcre: 'D', valor: 1 }, simple(1)[1]] }],
    ['lines.0.conta', { lines: [{ debcre: 'D', conta: '1.1.1', contaId: 1, valor: 1 }, simple(1)[1]] }],
    ['lines.0.conta', { lines: [{ debcre: 'D', conta: '99.99', valor: 1 }, simple(1)[1]] }],
    ['lines.0.contaId', { lines: [{ debcre: 'D', contaId: 999_999_999, valor: 1 }, simple(1)[1]] }],
    ['lines.0.valor', { lines: [{ debcre: 'D', conta: '1.1.1', valor: 0.001 }, simple(1)[1]] }],
    ['lines.0.valor', { lines: [{ debcre: 'D', conta: '1.1.1', valor: 1e16 }, simple(1)[1]] }],
    ['lines.0.valor', { lines: [{ debcre: 'D', conta: '1.1.1', valor: '1' }, simple(1)[1]] }],
    ['lines.0.valor', { lines: [{ debcre: 'D', conta: '1.1.1', valor: null }, simple(1)[1]] }],
    ['lines.0.valor', { lines: simple(-1) }],
    ['lines.0.toString', { lines: [{ debcre: 'D', conta: '1.1.1', valor: 1, toString: 1 }, simple(1)[1]] }],
    ['constructor', { constructor: 1 }],
  ];

  test.each(wrong)('%s: %j', async (field, change) => {
    const before = await storedLines();
    const atomic = await bulk([entry('R', { lancamento: '1' }), entry('R', { lancamento: '2', ...change })]);
    expect(atomic.status, atomic.text).toBe(400);
    const { errors, code } = atomic.body;
    expect(errors.map((each: { field: string }) => each.field)).toContain(`entries.1.${field}`);
    expect(await storedLines()).toBe(before);
    const alone = await bulk([entry('R', change)], { atomic: false });
    expect(alone.status, alone.text).toBe(201);
    expect(alone.body).toMatchObject({ accepted: 0, rejected: 1, results: [{ index: 0, status: 'REJECTED' }] });
    const [{ documentId, lancamento, errors: own }] = alone.body.results;
    expect([documentId, lancamento]).toEqual([null, null]);
    expect(own.map((each: { code: string }) => each.code)).toContain(code);
    expect(own.map((each: { field: string }) => each.field)).toContain(`entries.0.${field}`);
    expect(await storedLines()).toBe(before);
  });

  test('every fault is told, and a wrong envelope or too many lines at once', async () => {
    const many = Array.from({ length: 1_500 }, () => entry('R', { lines: simple(0) }));
    const answer = await bulk(many);
    expect(answer.body.errors).toHaveLength(3_000);
    for (const [body, code] of [
      [{}, 'INVALID_FIELD'],
      [[], 'INVALID_FIELD'],
      [null, 'INVALID_FIELD'],
      [{ entries: [] }, 'INVALID_FIELD'],
      [{ entries: {} }, 'INVALID_FIELD'],
      [{ entries: [entry('R')], atomic: 'não' }, 'INVALID_FIELD'],
      [{ entries: [entry('R')], more: 1 }, 'UNKNOWN_FIELD'],
      [{ entries: Array.from({ length: 10_001 }, () => 1) }, 'INVALID_FIELD'],
      [{ entries: [entry('R', { lines: new Array(10_001).fill(simple(1)[0]) })] }, 'TOO_MANY_LINES'],
    ] as const) {
      const refused: Answer = await platform.admin.post('movements', '/entries/bulk', body);
      expect([refused.status, refused.body.code], JSON.stringify(body)?.slice(0, 80)).toEqual([400, code]);
    }
  });

  test('a body that is no JSON, too large, of another type, or has a key twice or __proto__', async () => {
    const send = (body: string, type = 'application/json'): Promise<Answer> =>
      platform.admin.call('movements', 'POST', '/entries/bulk', body, { 'content-type': type });
    expect(await send('{"entries":[')).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } });
    expect(await send('')).toMatchObject({ status: 400 });
    expect(await send('{"entries":[{"lines":[],"lines":[]}]}')).toMatchObject({ body: { code: 'INVALID_BODY' } });
    expect(await send('{"entries":[{"__proto__":1}]}')).toMatchObject({ body: { code: 'INVALID_BODY' } });
    expect(await send('{"entries":[{"valor":1e999}]}')).toMatchObject({ body: { code: 'INVALID_BODY' } });
    expect(await send('x'.repeat(9 << 20))).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect(await send('a=1', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
    expect(await send('a', 'text/plain')).toMatchObject({ status: 415 });
  });

  test('in one request only what is right is stored, if it says so', async () => {
    const before = await storedLines();
    const entries = [
      entry('M', { lancamento: '5' }),
      entry('M', { lancamento: '5' }),
      entry('M', { lines: simple(1, '1.1.1', '55') }),
      entry('N', { lines: simple(0) }),
      entry('M'),
      null,
    ];
    const atomic = await bulk(entries);
    expect(atomic.body.errors.map((each: { field: string }) => each.field)).toEqual([
      'entries.1.lancamento',
      'entries.2.lines.1.conta',
      'entries.3.lines.0.valor',
      'entries.3.lines.1.valor',
      'entries.5',
    ]);
    expect(await storedLines()).toBe(before);
    const { body } = await bulk(entries, { atomic: false });
    expect(body.results.map((each: { status: string }) => each.status)).toEqual([
      'CREATED',
      'REJECTED',
      'REJECTED',
      'REJECTED',
      'CREATED',
      'REJECTED',
    ]);
    expect(body).toMatchObject({ accepted: 2, rejected: 4 });
    expect(body.results[4].lancamento).toBe('6');
    expect(body.results[1].errors).toEqual([
      { code: 'DUPLICATE', field: 'entries.1.lancamento', message: 'Entry 5 already exists' },
    ]);
    expect(await storedLines()).toBe(before + 4);
    // The batch of a rejected entry is not made.
    const batches = await bodyOf(platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`));
    expect(batches.filter(({ lote }: { lote: string }) => lote === 'N')).toEqual([]);
  });

  test('a number that the document has already', async () => {
    await bodyOf(bulk([entry('T', { lancamento: '7' })]));
    const entries = [entry('T', { lancamento: '7' }), entry('T', { lancamento: '8' })];
    expect(await bulk(entries)).toMatchObject({
      status: 400,
      body: { code: 'DUPLICATE', errors: [{ field: 'entries.0.lancamento' }] },
    });
    const { body } = await bulk(entries, { atomic: false });
    expect(body.results.map((each: { status: string }) => each.status)).toEqual(['REJECTED', 'CREATED']);
    const last = entry('T', { documento: '2', lancamento: '9999999999' });
    expect(await bulk([last, entry('T', { documento: '2' })])).toMatchObject({
      body: { code: 'INVALID_FIELD', errors: [{ field: 'entries.1.lancamento' }] },
    });
  });
});

describe('NDJSON', () => {
  const send = (lines: string, query = ''): Promise<Answer> =>
    platform.admin.call('movements', 'POST', `/entries/bulk${query}`, lines, {
      'content-type': 'application/x-ndjson; charset=utf-8',
    });

  test('has an entry a line', async () => {
    const lines = [entry('J'), entry('J')].map((each) => JSON.stringify(each)).join('\r\n\n');
    expect(await send(lines)).toMatchObject({ status: 201, body: { accepted: 2 } });
  });

  test('a broken line is said, and costs only its own entry where each is for itself', async () => {
    const good = JSON.stringify(entry('J'));
    const lines = `${good}\n\n{"empresa":\n{"a":1,"a":2}\n${good}\n`;
    const atomic = await send(lines);
    expect(atomic).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_BODY',
        errors: [
          { field: 'entries.1', message: 'The body could not be read: line 3: not valid JSON' },
          { field: 'entries.2', message: 'The body could not be read: line 4: an object has a key twice' },
        ],
      },
    });
    const alone = await send(lines, '?atomic=false');
    expect(alone.body.results.map((each: { status: string }) => each.status)).toEqual([
      'CREATED',
      'REJECTED',
      'REJECTED',
      'CREATED',
    ]);
    expect(await send('\n\n')).toMatchObject({ status: 400, body: { code: 'MISSING_VALUE' } });
    expect(await send('1\n'.repeat(10_001))).toMatchObject({ status: 400, body: { code: 'TOO_MANY_LINES' } });
    expect(await send(good, '?atomic=talvez')).toMatchObject({ status: 400 });
  });
});

describe('tenants', () => {
  test('several in one request; one that the caller does not reach is answered like one that does not exist', async () => {
    const sibling = await createBank(platform.admin, { company: bank.company, branch: '0002', existing: true });
    const foreign = await createBank(platform.admin, {});
    for (const each of [sibling, foreign]) await openMonth(platform.admin, each, '01/2026');
    await createUser(platform.admin, {
      username: 'carga',
      permissions: [
        { company: bank.company, branch: bank.branch },
        { company: bank.company, branch: sibling.branch },
      ],
    });
    const client = await platform.as('carga', 'uma senha bem comprida');
    const of = (empresa: string, filial: string) => entry('Q', { empresa, filial, lines: simple(1) });
    const send = (entries: object[], more: object = {}): Promise<Answer> =>
      client.post('movements', '/entries/bulk', { entries, ...more });
    expect(await send([of(bank.company, bank.branch), of(sibling.company, sibling.branch)])).toMatchObject({
      status: 201,
      body: { accepted: 2 },
    });
    const refusal = async (empresa: string, filial: string) => {
      const { status, body } = await send([{ ...of(empresa, filial), lines: 'x' }]);
      return [status, body.code, JSON.stringify(body.errors).replaceAll(empresa, 'E').replaceAll(filial, 'F')];
    };
    expect(await refusal(foreign.company, foreign.branch)).toEqual(await refusal('NADA', 'NADA2'));
    const third = await createBank(platform.admin, { company: bank.company, branch: '0003', existing: true });
    expect(await refusal(bank.company, third.branch)).toEqual(await refusal(bank.company, 'NADA3'));
    const mixed = await send([of(foreign.company, foreign.branch), of(bank.company, bank.branch)], { atomic: false });
    expect(mixed.body).toMatchObject({
      accepted: 1,
      results: [
        { status: 'REJECTED', errors: [{ code: 'NOT_FOUND', field: 'entries.0.empresa' }] },
        { status: 'CREATED' },
      ],
    });
    // A document of a branch that the caller reaches is none of another of them.
    const { documentId } = mixed.body.results[1];
    const { lote: _, documento: __, ...rest } = of(sibling.company, sibling.branch);
    expect(await send([{ ...rest, documentId }])).toMatchObject({ status: 400, body: { code: 'NOT_FOUND' } });
  });

  test('a user without any permission is rejected before the body is read', async () => {
    await createUser(platform.admin, { username: 'nenhum', permissions: [] });
    const client = await platform.as('nenhum', 'uma senha bem comprida');
    expect(await client.post('movements', '/entries/bulk', { entries: 'x' })).toMatchObject({ status: 403 });
  });
});

describe('external ids', () => {
  const sent = (externalId: string, more: object = {}) => entry('E', { origin: 'CARTOES', externalId, ...more });

  test('a repeat answers the first for ever, another content is rejected', async () => {
    const metadata = { contrato: 'C-1', parcela: 3, ativo: true, nada: null };
    const first = await bodyOf(bulk([sent('a1', { metadata })]));
    const [{ documentId, lancamento }] = first.results;
    const { parcela, ...others } = metadata;
    const repeated = { index: 0, status: 'REPEATED', documentId, lancamento, errors: [] };
    const spelled = sent(' a1', { day: '5', metadata: { parcela, ...others }, lines: simple(10.0) });
    expect((await bodyOf(bulk([spelled]))).results).toEqual([repeated]);
    for (const atomic of [true, false]) {
      const other = await bulk([sent('a1', { lines: simple(11) })], { atomic });
      const problem = atomic ? other.body : other.body.results[0].errors[0];
      expect(problem.code).toBe('EXTERNAL_ID_REUSED');
    }
    const inPortuguese = await platform.admin.post(
      'movements',
      '/entries/bulk',
      { entries: [sent('a1', { day: '06' })] },
      { 'accept-language': 'pt-BR' },
    );
    expect(inPortuguese.body.errors).toEqual([
      {
        field: 'entries.0.externalId',
        message: 'O externalId a1 da origem CARTOES já foi usado em lançamento com outro conteúdo',
      },
    ]);
    // Of another origin it is another.
    expect((await bodyOf(bulk([sent('a1', { origin: 'OUTRA', metadata })]))).results[0].status).toBe('CREATED');
    const [line] = await bodyOf(platform.admin.get('movements', `/allentry/${documentId}`));
    expect(await bodyOf(platform.admin.get('movements', `/entry/${line.id}`))).toMatchObject({
      origin: 'CARTOES',
      externalId: 'a1',
      metadata,
    });
    expect(await found('origin=CARTOES&externalId=a1')).toMatchObject([
      { origin: 'CARTOES', externalId: 'a1', metadata, state: 'POSTED', documentId, lancamento, data: '2026-01-05' },
    ]);
    expect(await found('externalId=a1')).toHaveLength(2);
    await bodyOf(platform.admin.call('movements', 'DELETE', `/entry/${line.id}`));
    expect((await bodyOf(bulk([sent('a1', { metadata })]))).results).toEqual([repeated]);
    // Its number may be used again: what takes it is another entry.
    await bodyOf(bulk([entry('E', { lancamento })]));
    expect(await found('origin=CARTOES&externalId=a1')).toMatchObject([{ state: 'DELETED', lines: [], documentId }]);
  });

  test('twice in one request', async () => {
    const same = await bodyOf(bulk([sent('b1'), sent('b1'), sent('b2')]));
    expect(same.results.map((each: { status: string }) => each.status)).toEqual(['CREATED', 'REPEATED', 'CREATED']);
    expect(same.results[1].lancamento).toBe(same.results[0].lancamento);
    const other = [sent('b3'), sent('b3', { lines: simple(3) }), sent('b3')];
    expect(await bulk(other)).toMatchObject({
      status: 400,
      body: { code: 'EXTERNAL_ID_REUSED', errors: [{ field: 'entries.1.externalId' }] },
    });
    const alone = await bodyOf(bulk(other, { atomic: false }));
    expect(alone.results.map((each: { status: string }) => each.status)).toEqual(['CREATED', 'REJECTED', 'REPEATED']);
    const wrong = await bodyOf(
      bulk([sent('b4', { lines: simple(0) }), sent('b4', { lines: simple(0) })], { atomic: false }),
    );
    expect(wrong.results.map((each: { status: string }) => each.status)).toEqual(['REJECTED', 'REJECTED']);
    expect(await found('externalId=b4')).toEqual([]);
  });

  test('a repeat is answered in a month that is closed, and entries found in one that is archived', async () => {
    const own = await createBank(platform.admin, { baseYearMonth: '12/2025' });
    await openMonth(platform.admin, own, '12/2025');
    const old = { ...sent('c1'), ...place(own), ano: 2025, mes: 12 };
    const [first] = (await bodyOf(bulk([old]))).results;
    await closeMonth(platform.admin, own, '12/2025');
    expect((await bodyOf(bulk([old]))).results).toEqual([{ ...first, status: 'REPEATED' }]);
    expect(await bulk([{ ...old, externalId: 'c2' }])).toMatchObject({ body: { code: 'MONTH_CONSOLIDATED' } });
    await archiveMonth(platform.admin, own, '12/2025');
    expect((await bodyOf(bulk([old]))).results).toEqual([{ ...first, status: 'REPEATED' }]);
    expect(await found('externalId=c1')).toMatchObject([{ state: 'ARCHIVED', documentId: first.documentId }]);
    await unarchiveMonth(platform.admin, own, '12/2025');
    expect(await found('externalId=c1')).toMatchObject([{ state: 'POSTED', lines: [{}, {}] }]);
  });

  test('a reversal and a change leave what was said where it was', async () => {
    const [{ documentId }] = (await bodyOf(bulk([sent('d1', { documento: 'D1' })]))).results;
    const [line] = await bodyOf(platform.admin.get('movements', `/allentry/${documentId}`));
    const { id, debcre, day, contaId, contrapartida, valor } = line;
    const changed = { documentId, debcre, day, contaId, contrapartida, valor: valor + 1, historico: 'Outro' };
    await bodyOf(platform.admin.call('movements', 'PUT', `/entry/${id}`, changed));
    expect(await found('externalId=d1')).toMatchObject([{ lines: [{ id, valor: 11 }, { valor: 11 }] }]);
    const wanted = { day: '2026-01-20', motivo: 'Engano' };
    const mirror = await bodyOf(platform.admin.post('movements', `/entry/${id}/reversal`, wanted));
    expect(await found('externalId=d1')).toHaveLength(1);
    expect(await bodyOf(platform.admin.get('movements', `/entry/${mirror[0].id}`))).not.toHaveProperty('externalId');
  });

  test('pages of an origin, of what the caller reaches', async () => {
    const entries = Array.from({ length: 5 }, (_, at) => entry('F', { origin: 'PAGINAS', metadata: { at } }));
    await bodyOf(bulk(entries));
    const other = await createBank(platform.admin, {});
    await openMonth(platform.admin, other, '01/2026');
    await bodyOf(bulk([{ ...entry('F', { origin: 'PAGINAS', metadata: { at: 5 } }), ...place(other) }]));
    const seen: number[] = [];
    let next = '';
    do {
      const page = await bodyOf(
        platform.admin.get('queries', `/entries?origin=PAGINAS&tamanho=2${next && `&depoisDe=${next}`}`),
      );
      seen.push(...page.content.map((each: { metadata: { at: number } }) => each.metadata.at));
      next = page.proximo ?? '';
    } while (next !== '');
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    await createUser(platform.admin, { username: 'so-um', permissions: [{ company: other.company }] });
    const client = await platform.as('so-um', 'uma senha bem comprida');
    expect((await found('origin=PAGINAS', client)).map((each: { company: string }) => each.company)).toEqual([
      other.company,
    ]);
    for (const query of ['', 'tamanho=5', 'origin=A&depoisDe=x', 'origin=A&tamanho=0', 'origin=%00', 'nada=1']) {
      expect(await platform.admin.get('queries', `/entries?${query}`), query).toMatchObject({ status: 400 });
    }
  });

  test('of two requests at once one creates and the other repeats', async () => {
    for (let round = 0; round < 4; round++) {
      const entries = Array.from({ length: 40 }, (_, at) => sent(`r${round}-${at}`, { documento: `R${round}` }));
      const answers = await Promise.all(
        [entries, entries.toReversed(), entries, entries.toReversed()].map((each) =>
          bulk(each, { atomic: round % 2 === 0 }),
        ),
      );
      for (const answer of answers) expect(answer.status, answer.text).toBe(201);
      const byId = new Map<string, Set<string>>();
      let created = 0;
      for (const [at, { body }] of answers.entries()) {
        const order = at % 2 === 0 ? entries : entries.toReversed();
        for (const { index, status, documentId, lancamento } of body.results) {
          if (status === 'CREATED') created++;
          const key = (order[index] as { externalId?: string }).externalId!;
          byId.set(key, (byId.get(key) ?? new Set()).add(`${documentId}/${lancamento}`));
        }
      }
      expect(created).toBe(40);
      expect([...byId.values()].map((each) => each.size)).toEqual(new Array(40).fill(1));
    }
  });

  test('of two requests at once with the same numbers one has them', async () => {
    const entries = (from: number) =>
      Array.from({ length: 30 }, (_, at) => entry('V', { lancamento: String(from + at) }));
    for (let round = 0; round < 3; round++) {
      const from = 1 + round * 100;
      const [one, other] = await Promise.all([
        bulk(entries(from), { atomic: false }),
        bulk(entries(from + 15).toReversed(), { atomic: false }),
      ]);
      expect(one.body.accepted + other.body.accepted, one.text + other.text).toBe(45);
    }
  });
});

describe('Idempotency-Key', () => {
  test.each([
    ['application/json', ''],
    ['application/json', '?atomic=false'],
    ['application/x-ndjson', '?atomic=false'],
  ])('%s%s: the same request is answered with what the first was', async (type, query) => {
    const entries = [entry('K'), entry('K', { lines: simple(query === '' ? 1 : 0) })];
    const body =
      type === 'application/json'
        ? JSON.stringify({ entries })
        : entries.map((each) => JSON.stringify(each)).join('\n');
    const headers = { 'content-type': type, 'idempotency-key': `chave${query}${type}` };
    const send = (text: string): Promise<Answer> =>
      platform.admin.call('movements', 'POST', `/entries/bulk${query}`, text, headers);
    const [first, twin] = await Promise.all([send(body), send(body)]);
    expect(first.status, first.text).toBe(201);
    expect(twin.body).toEqual(first.body);
    const before = await storedLines();
    const again = await send(body);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await storedLines()).toBe(before);
    expect(await send(`${body} `)).toMatchObject({ status: 400, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test('a rejected request leaves the key free', async () => {
    const headers = { 'idempotency-key': 'livre' };
    const send = (valor: number): Promise<Answer> =>
      platform.admin.post('movements', '/entries/bulk', { entries: [entry('K', { lines: simple(valor) })] }, headers);
    expect((await send(0)).status).toBe(400);
    expect((await send(1)).status).toBe(201);
  });
});

test('the trail says who posted how much, where', async () => {
  const other = await createBank(platform.admin, { company: bank.company, branch: '0004', existing: true });
  await openMonth(platform.admin, other, '01/2026');
  const [{ documentId }] = (await bodyOf(bulk([entry('U'), entry('U'), { ...entry('U'), ...place(other) }]))).results;
  const { body } = await platform.admin.get('authentication', '/api/admin/audit?entity=entry&action=POST&size=2');
  const rows = body.content ?? body;
  expect(rows.map(({ after }: { after: object }) => after)).toContainEqual({
    entries: 2,
    lines: 4,
    documents: [documentId],
  });
});
