import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { checkLineSums } from '../support/line-sums.ts';
import { askToCloseMonth, askToMoveEntries, endOfMonthClose, REOPENING } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';
import {
  accumulated,
  balanceOf,
  batchesInBooks,
  CREDIT_RESULT,
  closeDay,
  consolidate,
  currentDay,
  DAYS_IN_MONTH,
  DEBIT_RESULT,
  dayTakesEntries,
  documentsOf,
  LEAVES,
  LOSS,
  lastClosed,
  mayArchive,
  mayClose,
  mayOpen,
  openMonth,
  type PlainBatch,
  type PlainBook,
  type PlainDocument,
  type PlainEntry,
  PROFIT,
} from './plain-book.ts';

// The program and a plain book take the same random steps and must accept, reject and show the same. A
// failure prints MODEL_SEED and MODEL_PATH that replay it.

const STEPS = 40;
const RUNS = volumeOf('MODEL_RUNS');
const LANES = Math.min(8, RUNS);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const PATH = process.env.MODEL_PATH;
/** Without shrinking: who only asks whether something fails need not know the shortest way there. */
const END_ON_FAILURE = process.env.MODEL_SHRINK === 'off';
const MONTHS = DAYS_IN_MONTH.length;
const MONTH_NAMES = ['01/2026', '02/2026', '03/2026'] as const;
const FIRST_DAY = '2026-01-01';
const LAST_DAY = '2026-03-31';

const CHART: readonly AccountFixture[] = [...['1', '1.1', '2', '3', '7', '8'], ...LEAVES].map((code) => ({
  ...{ code, description: `Conta ${code}`, type: LEAVES.includes(code) ? 'A' : 'S', nature: 'M' },
  accountClass: ({ '1': '01', '2': '02', '3': '03' } as const)[code[0]!] ?? '04',
}));

let platform: Platform;
let first: Bank;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '24', JOB_WORKERS: '4' });
  first = await createBank(platform.admin, { accounts: CHART });
});
afterAll(() => platform?.stop());

test(`${RUNS} sequences of ${STEPS} steps leave the program where a plain book stands`, async () => {
  let done = 0;
  let failing: number | undefined;
  const began = performance.now();
  const lane = async (number: number) => {
    const property = fc.asyncProperty(
      beginning,
      fc.array(step, { minLength: STEPS, maxLength: STEPS }),
      (given, steps) =>
        follow(given, steps, () => failing !== undefined && failing !== number).then(
          (isWhole) => {
            if (isWhole) done++;
          },
          (error) => {
            failing ??= number;
            throw error;
          },
        ),
    );
    return fc.check(property, {
      ...(PATH === undefined ? {} : { path: PATH }),
      ...{ seed: SEED + number, numRuns: Math.floor((RUNS + number) / LANES), endOnFailure: END_ON_FAILURE },
    });
  };
  const results = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  const failed = results.find((result) => result.failed);
  if (failed) {
    const again = `MODEL_RUNS=1 MODEL_SEED=${failed.seed} MODEL_PATH=${failed.counterexamplePath}`;
    throw new Error(`${done} runs passed; the failing one again: ${again}\n${fc.defaultReportMessage(failed)}`, {
      cause: failed.errorInstance,
    });
  }
  expect((await checkLineSums(platform.program.database.under(SYSTEM_SCOPE))).wrong).toEqual([]);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`plain book: ${done} runs of ${STEPS} steps in ${seconds} s`);
}, 1_800_000);

// ---- What may happen

/** Where something happens: where it fits, or anywhere by this number. */
type Place = 'fitting' | number;

interface Row {
  readonly day: number;
  readonly accounts: number;
  readonly cents: number;
  readonly side: 'D' | 'C';
  readonly history: string | null;
  /** The document among those that the file may name. */
  readonly document: number;
  /** A third account takes a part: three rows without offset accounts. */
  readonly compound: boolean;
}

type Step =
  | { readonly kind: 'pause' | 'closeDay' }
  | { readonly kind: 'post'; readonly place: Place; readonly pick: number; readonly row: Row }
  | { readonly kind: 'addBatch' | 'addDocument'; readonly place: Place; readonly pick: number }
  | {
      readonly kind: 'importCsv' | 'importJson';
      readonly place: Place;
      readonly pick: number;
      readonly rows: readonly Row[];
      readonly fault: 'none' | 'unbalanced' | 'account';
    }
  | {
      readonly kind: 'deleteEntries' | 'deleteDocuments' | 'deleteBatches';
      readonly place: Place;
      readonly picks: readonly number[];
    }
  | { readonly kind: 'open' | 'reopen' | 'consolidate' | 'purge' | 'restore'; readonly place: Place };

interface Beginning {
  readonly openings: readonly number[];
  readonly closingMonths: readonly number[];
}

const beginning: fc.Arbitrary<Beginning> = fc.record({
  openings: fc.array(fc.integer({ min: -9_999_999, max: 9_999_999 }), { maxLength: LEAVES.length - 1 }),
  closingMonths: fc.uniqueArray(fc.nat(MONTHS - 1), { maxLength: 2 }),
});

const place: fc.Arbitrary<Place> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('fitting' as const) },
  { weight: 1, arbitrary: fc.nat(MONTHS - 1) },
);
const pick = fc.nat(1_000);
const row: fc.Arbitrary<Row> = fc.record({
  day: fc.constantFrom(1, 2, 3, 5, 6, 20, 28, 28, 30, 31),
  accounts: pick,
  cents: fc.oneof(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom(1, 10, 29, 1_005, 99_999_999)),
  side: fc.constantFrom('D', 'C'),
  history: fc.option(fc.constantFrom('Aporte de cotistas', 'Tarifa nº 7; "à vista"', '=1+1')),
  document: pick,
  compound: fc.nat(3).map((number) => number === 0),
});
const importing = {
  ...{ place, pick, rows: fc.array(row, { minLength: 1, maxLength: 3 }) },
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'unbalanced', 'account'),
} as const;
const deleting = { place, picks: fc.array(pick, { minLength: 1, maxLength: 2 }) };

/** A shorter counterexample pauses where the longer one did something. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' } as const) },
  { weight: 24, arbitrary: fc.record({ kind: fc.constant('post'), place, pick, row }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('addBatch', 'addDocument'), place, pick }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constantFrom('importCsv', 'importJson'), ...importing }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('deleteEntries'), ...deleting }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('deleteDocuments', 'deleteBatches'), ...deleting }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('open'), place }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('consolidate'), place }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('reopen'), place }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('purge'), place }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('restore'), place }) },
  { weight: 6, arbitrary: fc.constant({ kind: 'closeDay' } as const) },
) as fc.Arbitrary<Step>;

// ---- Both sides take the steps

interface Pair {
  readonly bank: Bank;
  readonly book: PlainBook;
  /** The last number that a file gave to an entry: no two files are the same. */
  lastNumber: number;
}

/** False when it ended early because another lane has failed. */
async function follow(given: Beginning, steps: readonly Step[], isOver: () => boolean): Promise<boolean> {
  if (isOver()) return false;
  const pair = await begin(given);
  await open(pair, 0);
  for (const [at, each] of steps.entries()) {
    if (isOver()) return false;
    await take(pair, each);
    await [sameLines, sameBalances, sameStanding][at % 3]!(pair);
  }
  await sameEverywhere(pair, steps.length);
  return true;
}

let branches = 0;

async function begin({ openings, closingMonths }: Beginning): Promise<Pair> {
  const branch = String(++branches + 1).padStart(4, '0');
  const { company, chartCode } = first;
  const bank = await createBank(platform.admin, { existing: true, accounts: [], company, branch, chartCode });
  const balances = new Map(openings.map((cents, at) => [LEAVES[at + 1]!, cents]));
  balances.set(LEAVES[0]!, -openings.reduce((sum, cents) => sum + cents, 0));
  const body = [...balances].map(([cdAccounting, cents]) => ({
    cdAccounting,
    ...{ balance: Math.abs(cents) / 100, dc: cents < 0 ? 'C' : 'D' },
  }));
  expectStatus(await platform.admin.call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, body), 200);
  if (closingMonths.length > 0) await settleClosing(bank, closingMonths);
  const book: PlainBook = {
    ...{ openings: balances, closingMonths: new Set(closingMonths), months: [], purged: new Set() },
    ...{ closedDays: new Set(), batches: [] },
  };
  return { bank, book, lastNumber: 0 };
}

async function settleClosing(bank: Bank, closingMonths: readonly number[]): Promise<void> {
  const { company, branch } = bank;
  const settings = {
    ...{ company, branch, closingMonths: closingMonths.map((month) => month + 1) },
    ...{ revenueGroups: ['7'], expenseGroups: ['8'] },
    ...{ creditResultAccountId: id(bank, CREDIT_RESULT), debitResultAccountId: id(bank, DEBIT_RESULT) },
    ...{ profitAccountId: id(bank, PROFIT), lossAccountId: id(bank, LOSS) },
  };
  expectStatus(await platform.admin.post('masterdata', '/closuresettings', settings), 201);
}

async function take(pair: Pair, each: Step): Promise<void> {
  const { book } = pair;
  switch (each.kind) {
    case 'pause':
      return;
    case 'post':
      return post(pair, chosen(batchesAt(book, each.place).flatMap(withDocuments), each.pick), each.row);
    case 'addBatch':
      return addBatch(pair, monthAt(book, each.place));
    case 'addDocument':
      return addDocument(pair, chosen(batchesAt(book, each.place), each.pick));
    case 'importCsv':
      return importCsv(pair, chosen(batchesAt(book, each.place), each.pick), each.rows, each.fault);
    case 'importJson':
      return importJson(pair, monthAt(book, each.place), each.rows, each.fault);
    case 'deleteEntries':
      return deleteEntries(pair, each.place, each.picks);
    case 'deleteDocuments':
      return deleteDocuments(pair, each.place, each.picks);
    case 'deleteBatches':
      return deleteBatches(pair, each.place, each.picks);
    case 'open':
      return each.place === 'fitting' && book.months.length === MONTHS
        ? undefined
        : open(pair, each.place === 'fitting' ? book.months.length : each.place);
    case 'reopen':
      return open(pair, each.place === 'fitting' ? Math.max(0, lastClosed(book)) : each.place);
    case 'consolidate':
      return close(pair, each.place === 'fitting' ? Math.min(lastClosed(book) + 1, MONTHS - 1) : each.place);
    case 'closeDay':
      return closeCurrentDay(pair);
    case 'purge':
      return purge(pair, each.place === 'fitting' ? Math.max(0, lastClosed(book)) : each.place);
    case 'restore':
      return restore(pair, each.place === 'fitting' ? Math.max(0, ...book.purged) : each.place);
  }
}

/** A month that is open, the latest one first, or the month given. */
function monthAt(book: PlainBook, place: Place): number {
  return place === 'fitting' ? Math.max(0, book.months.lastIndexOf('open')) : place;
}

/** Batches made by hand of the open months, or of the month given. */
function batchesAt(book: PlainBook, place: Place): PlainBatch[] {
  return book.batches.filter(
    (batch) => !batch.closing && (place === 'fitting' ? book.months[batch.month] === 'open' : batch.month === place),
  );
}

function withDocuments(batch: PlainBatch): (readonly [PlainBatch, PlainDocument])[] {
  return batch.documents.map((document) => [batch, document] as const);
}

function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(items.length, 1)];
}

function expectStatus(answer: HttpAnswer, status: number): void {
  if (answer.status !== status) expect(`${answer.status} ${answer.text}`).toBe(`${status}`);
}

function id(bank: Bank, code: string): number {
  return bank.accounts.get(code)!;
}

function accountsOf(row: Row): [string, string, string] {
  const at = row.accounts % LEAVES.length;
  const rest = LEAVES.filter((_, other) => other !== at);
  const counter = rest[Math.floor(row.accounts / LEAVES.length) % rest.length]!;
  return [LEAVES[at]!, counter, rest.find((code) => code !== counter)!];
}

function simpleLines(row: Row): PlainEntry['lines'] {
  const [account, counter] = accountsOf(row);
  const { side, cents } = row;
  return [
    { account, counter, side, cents },
    { account: counter, counter: account, side: side === 'D' ? 'C' : 'D', cents },
  ];
}

async function post({ bank, book }: Pair, target: readonly [PlainBatch, PlainDocument] | undefined, row: Row) {
  if (!target) return;
  const [batch, document] = target;
  const [account, counter] = accountsOf(row);
  const answer = await platform.admin.post('movements', '/entry', {
    ...{ documentId: document.id, debcre: row.side, day: String(row.day), valor: row.cents / 100 },
    ...{ contaId: id(bank, account), contrapartida: id(bank, counter), historico: row.history },
  });
  if (book.purged.has(batch.month)) return expectStatus(answer, 404);
  if (!dayTakesEntries(book, batch.month, row.day)) return expectStatus(answer, 400);
  expectStatus(answer, 201);
  const number = String(Math.max(0, ...document.entries.map((entry) => Number(entry.number))) + 1);
  document.entries.push({ number, day: row.day, history: row.history, lines: simpleLines(row) });
}

async function addBatch({ bank, book }: Pair, month: number): Promise<void> {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: month + 1 };
  const answer = await platform.admin.post('movements', '/batch', place);
  if (book.months[month] !== 'open') return expectStatus(answer, 400);
  expectStatus(answer, 201);
  book.batches.push({ id: answer.body.id, number: answer.body.lote, month, closing: false, documents: [] });
}

async function addDocument({ book }: Pair, batch: PlainBatch | undefined): Promise<void> {
  if (!batch) return;
  const answer = await platform.admin.post('movements', '/document', { batchId: batch.id });
  if (book.purged.has(batch.month)) return expectStatus(answer, 404);
  if (book.months[batch.month] !== 'open') return expectStatus(answer, 400);
  expectStatus(answer, 201);
  batch.documents.push({ id: answer.body.id, number: answer.body.documento, entries: [] });
}

interface FiledEntry extends PlainEntry {
  readonly document: string;
  /** The rows say one line each; else one row stands for a line and its offset line. */
  readonly compound: boolean;
}

/** Entries as a file brings them; documents that the batch has already come first among those it may name. */
function filed(pair: Pair, rows: readonly Row[], documents: readonly string[]): FiledEntry[] {
  const names = [...new Set([...documents, 'I1', 'I2'])];
  const taken = documentsOf(pair.book.batches).flatMap((document) =>
    document.entries.map(({ number }) => Number(number)),
  );
  pair.lastNumber = Math.max(pair.lastNumber, ...taken);
  return rows.map((row) => {
    const [account, counter, third] = accountsOf(row);
    const other = row.side === 'D' ? 'C' : 'D';
    const lines: PlainEntry['lines'] = row.compound
      ? [
          { account, counter: null, side: row.side, cents: row.cents },
          { account: third, counter: null, side: row.side, cents: 7 },
          { account: counter, counter: null, side: other, cents: row.cents + 7 },
        ]
      : simpleLines(row);
    const { day, history, compound } = row;
    return { number: String(++pair.lastNumber), document: chosen(names, row.document)!, day, history, compound, lines };
  });
}

/** The rows of the file as cells, with the fault in the last one. */
function fileRows(entries: readonly FiledEntry[], fault: 'none' | 'unbalanced' | 'account') {
  const rows = entries.flatMap((entry) =>
    (entry.compound ? entry.lines : entry.lines.slice(0, 1)).map((line) => ({ ...entry, ...line })),
  );
  const last = rows.at(-1)!;
  const broken = fault === 'account' ? { account: '1.1' } : fault === 'unbalanced' ? { counter: null, cents: 3 } : {};
  return [...rows.slice(0, -1), { ...last, ...broken }];
}

async function importCsv(
  pair: Pair,
  batch: PlainBatch | undefined,
  rows: readonly Row[],
  fault: 'none' | 'unbalanced' | 'account',
): Promise<void> {
  if (!batch) return;
  const { book } = pair;
  const entries = filed(
    pair,
    rows,
    batch.documents.map((document) => document.number),
  );
  const lines = fileRows(entries, fault).map((row) =>
    [
      ...[row.document, row.number, row.day, row.side, row.account, row.counter ?? ''],
      ...[(row.cents / 100).toFixed(2).replace('.', ','), `"${(row.history ?? '').replaceAll('"', '""')}"`],
    ].join(';'),
  );
  const form = new FormData();
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
  form.set('file', new Blob([[header, ...lines].join('\n')]), 'rows.csv');
  const answer = await platform.admin.post('movements', `/batch/${batch.id}/import`, form);
  if (book.purged.has(batch.month)) return expectStatus(answer, 404);
  if (book.months[batch.month] !== 'open') return expectStatus(answer, 400);
  expectStatus(answer, 200);
  const isRight = fault === 'none' && entries.every(({ day }) => dayTakesEntries(book, batch.month, day));
  expect(answer.body, answer.text).toMatchObject({ success: isRight });
  if (isRight) await file(batch, entries);
}

async function importJson(
  pair: Pair,
  month: number,
  rows: readonly Row[],
  fault: 'none' | 'unbalanced' | 'account',
): Promise<void> {
  const { bank, book } = pair;
  const entries = filed(pair, rows, []);
  const lines = fileRows(entries, fault);
  const answer = await platform.admin.post('movements', '/importMovimentJson', {
    ...{ empresa: bank.company, filial: bank.branch, ano: 2026, mes: month + 1 },
    documentos: [...new Set(lines.map((row) => row.document))].map((documento) => ({
      documento,
      lancamentos: lines
        .filter((row) => row.document === documento)
        .map((row) => ({
          ...{ lancamento: row.number, debcre: row.side, day: String(row.day), valor: row.cents / 100 },
          ...{ conta: row.account, contrapartida: row.counter, historico: row.history },
        })),
    })),
  });
  const isRight = fault === 'none' && entries.every(({ day }) => dayTakesEntries(book, month, day));
  if (!isRight) return expectStatus(answer, 400);
  expectStatus(answer, 201);
  const batch = { id: answer.body.id, number: answer.body.lote, month, closing: false, documents: [] };
  book.batches.push(batch);
  await file(batch, entries);
}

/** Puts the entries of an accepted file into the plain batch; asks the program only for the ids of new documents. */
async function file(batch: PlainBatch, entries: readonly FiledEntry[]): Promise<void> {
  const { body } = await platform.admin.get<{ id: number; documento: string }[]>(
    'movements',
    `/alldocument/${batch.id}`,
  );
  for (const { document: name, compound: _, ...entry } of entries) {
    let document = batch.documents.find((each) => each.number === name);
    if (!document) {
      document = { id: body.find((each) => each.documento === name)?.id, number: name, entries: [] };
      batch.documents.push(document);
    }
    document.entries.push(entry);
  }
}

async function deleteEntries({ book }: Pair, place: Place, picks: readonly number[]): Promise<void> {
  const entries = batchesAt(book, place)
    .filter((batch) => !book.purged.has(batch.month))
    .flatMap(withDocuments)
    .flatMap(([batch, document]) => document.entries.map((entry) => ({ batch, document, entry })));
  const targets = [...new Set(picks.map((pick) => chosen(entries, pick)))].filter((each) => each !== undefined);
  if (targets.length === 0) return;
  const ids: number[] = [];
  for (const [at, { document, entry }] of targets.entries()) {
    const { body } = await platform.admin.get('movements', `/allentry/${document.id}`);
    const lines = body.filter((line: { lancamento: string }) => line.lancamento === entry.number);
    expect(lines).toHaveLength(entry.lines.length);
    ids.push(lines[picks[at]! % lines.length].id);
  }
  const answer = await remove('entry', ids);
  const isAllowed = targets.every(({ batch, entry }) => dayTakesEntries(book, batch.month, entry.day));
  expectStatus(answer, isAllowed ? 200 : 400);
  if (!isAllowed) return;
  for (const { document, entry } of targets) document.entries = document.entries.filter((each) => each !== entry);
}

async function deleteDocuments({ book }: Pair, place: Place, picks: readonly number[]): Promise<void> {
  const documents = batchesAt(book, place).flatMap(withDocuments);
  const targets = new Map(picks.flatMap((pick) => [chosen(documents, pick)]).filter((each) => each !== undefined));
  if (targets.size === 0) return;
  const answer = await remove(
    'document',
    [...targets.values()].map((document) => document.id!),
  );
  if (!expectDeleted(book, answer, [...targets])) return;
  for (const [batch, gone] of targets) batch.documents = batch.documents.filter((document) => document !== gone);
}

async function deleteBatches({ book }: Pair, place: Place, picks: readonly number[]): Promise<void> {
  const candidates = batchesAt(book, place);
  const targets = [...new Set(picks.map((pick) => chosen(candidates, pick)))].filter((each) => each !== undefined);
  if (targets.length === 0) return;
  const answer = await remove(
    'batch',
    targets.map((batch) => batch.id!),
  );
  const places = targets.flatMap((batch): (readonly [PlainBatch, PlainDocument | undefined])[] => [
    [batch, undefined],
    ...withDocuments(batch),
  ]);
  if (!expectDeleted(book, answer, places)) return;
  book.batches = book.batches.filter((batch) => !targets.includes(batch));
}

function remove(record: string, ids: readonly number[]): Promise<HttpAnswer> {
  return ids.length === 1
    ? platform.admin.call('movements', 'DELETE', `/${record}/${ids[0]}`)
    : platform.admin.post('movements', `/${record}/delete-multiple`, { ids });
}

function expectDeleted(
  book: PlainBook,
  answer: HttpAnswer,
  places: readonly (readonly [PlainBatch, PlainDocument | undefined])[],
): boolean {
  const isAllowed = places.every(
    ([{ month }, document]) =>
      book.months[month] === 'open' &&
      (document?.entries ?? []).every((entry) => dayTakesEntries(book, month, entry.day)),
  );
  const isArchived = places.some(([{ month }]) => book.purged.has(month));
  expectStatus(answer, isArchived ? 404 : isAllowed ? 200 : 400);
  return isAllowed;
}

async function open(pair: Pair, month: number): Promise<void> {
  const { bank, book } = pair;
  const path = `/monthOpening/${bank.company}/${bank.branch}`;
  const answer = await platform.admin.post('movements', path, { newyearmonth: MONTH_NAMES[month], ...REOPENING });
  expectStatus(answer, mayOpen(book, month) ? 201 : 400);
  if (!mayOpen(book, month)) return;
  const isFirstTime = month === book.months.length;
  openMonth(book, month);
  if (!isFirstTime) return;
  await addBatch(pair, month);
  await addDocument(pair, book.batches.at(-1));
}

async function close({ bank, book }: Pair, month: number): Promise<void> {
  const run = await askToCloseMonth(platform.admin, bank, MONTH_NAMES[month]!);
  const isOpen = book.months[month] === 'open';
  expectStatus(run, isOpen ? 200 : 400);
  if (!isOpen) return;
  const state = await endOfMonthClose(platform.admin, run.body.id);
  const isAllowed = mayClose(book, month);
  expect(state, state.message ?? '').toMatchObject({ status: isAllowed ? 'DONE' : 'ERROR' });
  if (isAllowed) consolidate(book, month);
}

async function closeCurrentDay({ bank, book }: Pair): Promise<void> {
  const current = currentDay(book);
  const answer = await platform.admin.get('movements', `/calendar/closeday/${bank.company}/${bank.branch}`);
  expectStatus(answer, current ? 200 : 400);
  if (!current) return;
  expect(answer.body.msg).toContain(`${String(current.day).padStart(2, '0')}/${MONTH_NAMES[current.month]}`);
  closeDay(book, current);
}

async function purge({ bank, book }: Pair, month: number): Promise<void> {
  const messages = await move(bank, month, true);
  expect(messages.length === 0, messages.join()).toBe(mayArchive(book, month));
  if (mayArchive(book, month)) for (let each = 0; each <= month; each++) book.purged.add(each);
}

async function restore({ bank, book }: Pair, month: number): Promise<void> {
  const messages = await move(bank, month, false);
  expect(messages.length === 0, messages.join()).toBe(month < book.months.length);
  for (const each of [...book.purged]) if (each >= month) book.purged.delete(each);
}

async function move(bank: Bank, month: number, doSend: boolean): Promise<string[]> {
  const answer = await askToMoveEntries(platform.admin, bank, MONTH_NAMES[month]!, doSend);
  expectStatus(answer, 200);
  return answer.body;
}

// ---- Both sides show the same

async function sameEverywhere(pair: Pair, pick: number): Promise<void> {
  await sameBalances(pair, true);
  await sameLines(pair);
  await sameStanding(pair);
  await sameDays(pair, pick % MONTHS);
  await samePlan(pair, (pick + 1) % MONTHS);
  await sameInquiry(pair, CHART[pick % CHART.length]!.code);
  await sameBatches(pair);
}

const cents = (value: number) => Math.round(value * 100) + 0;

/** Every account, month by month; `all` with those that are not opened yet. */
async function sameBalances({ bank, book }: Pair, all = false): Promise<void> {
  const months = MONTH_NAMES.slice(0, all ? MONTHS : book.months.length);
  const last = `2026-0${months.length}-01`;
  const shown = (await legacyBalances(bank, FIRST_DAY, last)).map(
    (item) => [`${item.mes} ${item.codigo_conta}`, amountsOf(item)] as const,
  );
  const expected = months.flatMap((_, month) =>
    CHART.map(({ code }) => [`${month + 1} ${code}`, Object.values(balanceOf(book, code, month)).join(' ')] as const),
  );
  expect(told(shown)).toEqual(told(expected));
}

/** Every account, day by day of a month that is open or closed. */
async function sameDays({ bank, book }: Pair, month: number): Promise<void> {
  const last = DAYS_IN_MONTH[month]!;
  const dayName = (day: number) => `2026-0${month + 1}-${String(day).padStart(2, '0')}`;
  const days = [1, 2, 5, 28, last].filter((day, at, all) => all.indexOf(day) === at);
  for (const day of days) {
    const items = await legacyBalances(bank, dayName(day), dayName(day), 'D');
    const expected = CHART.map(
      ({ code }) => [code, Object.values(balanceOf(book, code, month, day)).join(' ')] as const,
    );
    const shown = items.map((item) => [String(item.codigo_conta), amountsOf(item)] as const);
    expect(told(shown), dayName(day)).toEqual(told(expected));
  }
}

type Item = Readonly<Record<string, number | string>>;

async function legacyBalances(bank: Bank, from: string, to: string, kind = 'M'): Promise<Item[]> {
  const branch = `empresa=${bank.company}&filial=${bank.branch}`;
  const period = `dataInicio=${from}&dataFim=${to}&tipoSaldo=${kind}&tamanho=1000`;
  const path = `/api/v1/legacy-integration/consulta-contabil?${branch}&${period}`;
  const answer = await platform.admin.get('queries', path);
  expectStatus(answer, 200);
  return answer.body.conteudo.content;
}

function amountsOf(item: Item): string {
  const names = ['saldo_anterior', 'valor_debito', 'valor_credito', 'valor_encerramento'];
  return names.map((name) => cents(Number(item[name]))).join(' ');
}

/** Accounts that have neither balance nor movement may be shown or not. */
function told(amounts: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(amounts.filter(([, text]) => text !== '0 0 0 0'));
}

/** Every line of the books; a request for archived ones gets an error, and is repeated from the month after them. */
async function sameLines({ bank, book }: Pair): Promise<void> {
  const linesFrom = (day: string) => {
    const path = `/entries/${bank.company}/${bank.branch}?dataInicio=${day}&dataFim=${LAST_DAY}&tamanho=1000`;
    return platform.admin.get<{ content: Item[]; code?: string }>('queries', path);
  };
  const firstMonth = Math.max(-1, ...book.purged) + 1;
  if (firstMonth > 0) {
    const refused = await linesFrom(FIRST_DAY);
    expect([refused.status, refused.body.code]).toEqual([400, 'MONTH_PURGED']);
  }
  if (firstMonth === MONTHS) return;
  const answer = await linesFrom(`2026-0${firstMonth + 1}-01`);
  expectStatus(answer, 200);
  const shown = answer.body.content.map((line) =>
    [
      ...[line.data, line.lote, line.documento, line.lancamento, line.conta, line.contrapartida, line.debcre],
      ...[cents(Number(line.valor)), line.historico, line.encerramento],
    ].join('|'),
  );
  const expected = batchesInBooks(book).flatMap((batch) =>
    batch.documents.flatMap((document) =>
      document.entries.flatMap((entry) =>
        entry.lines.map((line) =>
          [
            `2026-0${batch.month + 1}-${String(entry.day).padStart(2, '0')}`,
            ...[batch.number, document.number, entry.number, line.account, line.counter, line.side],
            ...[line.cents, entry.history, batch.closing],
          ].join('|'),
        ),
      ),
    ),
  );
  expect(shown.sort()).toEqual(expected.sort());
}

/** Counts and sums of the branch, its months, and what is in the archive. */
async function sameStanding({ bank, book }: Pair): Promise<void> {
  const branch = `${bank.company}/${bank.branch}`;
  const [summary, months, purged] = await Promise.all([
    platform.admin.get('movements', `/batchsummary/${branch}?history=true`),
    platform.admin.get('movements', `/monthOpening/${branch}`),
    platform.admin.get('movements', `/purging/${branch}`),
  ]);
  const inBooks = await platform.admin.get('movements', `/batchsummary/${branch}`);
  expect(inBooks.status).toBe(book.purged.size > 0 ? 400 : 200);
  const { batches } = book;
  expect(summary.body).toMatchObject({
    ...{ totalBatches: batches.length, totalDocuments: documentsOf(batches).length },
    ...totalsOf(documentsOf(batches)),
  });
  const [firstOpen, lastOpen] = [book.months.indexOf('open'), book.months.lastIndexOf('open')];
  expect(months.body).toMatchObject({
    ...{ initialyearmonth: MONTH_NAMES[0], endyearmonth: MONTH_NAMES[book.months.length - 1] },
    ...{ firstPostingyearmonth: MONTH_NAMES[firstOpen] ?? null, lastPostingyearmonth: MONTH_NAMES[lastOpen] ?? null },
  });
  expect(purged.body).toEqual(
    [...book.purged].sort().map((month) => {
      const gone = book.batches.filter((batch) => batch.month === month);
      const lines = totalsOf(documentsOf(gone)).totalEntries;
      return { month: MONTH_NAMES[month], batches: gone.length, documents: documentsOf(gone).length, lines };
    }),
  );
}

function totalsOf(documents: readonly PlainDocument[]) {
  const entries = documents.flatMap((document) => document.entries);
  const lines = entries.flatMap((entry) => entry.lines);
  const sum = (side: 'D' | 'C') =>
    lines.reduce((total, line) => total + (line.side === side ? line.cents : 0), 0) / 100;
  const [totalDebit, totalCredit] = [sum('D'), sum('C')];
  return { totalEntries: lines.length, logicalEntryCount: entries.length, totalDebit, totalCredit, difference: 0 };
}

/** The plan balance of the reports service. */
async function samePlan({ bank, book }: Pair, month: number): Promise<void> {
  const query = `empresa=${bank.company}&filial=${bank.branch}&ano=2026&mes=${month + 1}&tamanho=1000`;
  const answer = await platform.admin.get('reports', `/api/v1/saldos/plano-saldo?${query}`);
  expectStatus(answer, 200);
  const shown = answer.body.conteudo.content.map((item: Item) => [
    String(item.cdContabil),
    ['saldoAnterior', 'debito', 'credito', 'encerramento'].map((name) => cents(Number(item[name]))).join(' '),
  ]);
  const expected = CHART.map(({ code }) => [code, Object.values(balanceOf(book, code, month)).join(' ')] as const);
  expect(told(shown)).toEqual(told(expected));
}

/** One account over all months. */
async function sameInquiry({ bank, book }: Pair, code: string): Promise<void> {
  const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', {
    ...{ contaId: id(bank, code), empresa: bank.company, filial: bank.branch },
    ...{ anomesini: MONTH_NAMES[0], anomesfim: MONTH_NAMES[MONTHS - 1] },
  });
  expect(body.map((item: { accumulatedBalance: number }) => cents(item.accumulatedBalance))).toEqual(
    MONTH_NAMES.map((_, month) => accumulated(balanceOf(book, code, month)) + 0),
  );
}

/** Each batch made by hand: its sums while in the books, its lines one by one while in the archive. */
async function sameBatches({ book }: Pair): Promise<void> {
  for (const batch of book.batches.filter((each) => !each.closing)) {
    if (!book.purged.has(batch.month)) {
      const { body } = await platform.admin.get('movements', `/entrysummary/${batch.id}`);
      expect(body).toMatchObject({ ...totalsOf(batch.documents), balanced: true });
      continue;
    }
    const [document] = batch.documents;
    if (!document) continue;
    const { body } = await platform.admin.get<Item[]>('movements', `/allentry/${document.id}?history=true`);
    const shown = body.map((line) => [
      line.lancamento,
      line.day,
      line.debcre,
      cents(Number(line.valor)),
      line.historico,
    ]);
    const expected = document.entries.flatMap(({ number, day, history, lines }) =>
      lines.map((line) => [number, String(day).padStart(2, '0'), line.side, line.cents, history]),
    );
    expect(shown.map((cells) => cells.join('|')).sort()).toEqual(expected.map((cells) => cells.join('|')).sort());
  }
}
