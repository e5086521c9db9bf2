import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/accounting/problem.ts';
import { type AccountFixture, type Bank, createBank, createHistories, PLAIN_CHART } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { codeOfText } from '../support/problem-codes.ts';

// Each rule of posting at each way in: rejected with the same code, and nothing stored.

let platform: Platform;
let bank: Bank;
/** Its chart has the account 55, which that of the bank has not. */
let other: Bank;

const leaf = (code: string, accountClass: AccountFixture['accountClass']): AccountFixture => ({
  code,
  description: `Conta ${code}`,
  type: 'A',
  nature: 'M',
  accountClass,
});

const CHART: readonly AccountFixture[] = [
  ...PLAIN_CHART,
  leaf('1.3', '01'),
  leaf('1.4', '01'),
  leaf('9', '05'),
  leaf('99', '09'),
];

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin, { accounts: CHART });
  other = await createBank(platform.admin, { accounts: [leaf('55', '01')] });
  await createHistories(platform.admin, ['ATIVO']);
  await createHistories(platform.admin, ['VELHO'], { active: false });
  await createHistories(platform.admin, ['COMPL'], { requiresComplement: true });
  await openMonth(platform.admin, bank, '01/2026');
  await changeAccount('1.3', { active: false });
  await changeAccount('1.4', { startDate: '2025-01-01', endDate: '2025-12-31' });
  const day = { company: bank.company, branch: bank.branch, date: '2026-01-08', businessDay: true, status: 'F' };
  await right(platform.admin.post('masterdata', `/calendar/${bank.company}/${bank.branch}`, day));
});
afterAll(() => platform?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = HttpAnswer<any>;

/** A simple entry as every way in can say it; accounts by code. */
interface Given {
  readonly debit: string;
  readonly credit: string;
  readonly day: number;
  readonly valor: number;
  readonly historico: string;
  readonly cdhistorico: string;
}

const RIGHT: Given = { debit: '1.1.1', credit: '2.1.1', day: 5, valor: 10, historico: 'Compra', cdhistorico: '' };

const RULES: readonly (readonly [ProblemCode, Partial<Given>])[] = [
  ['AMOUNT_NOT_POSITIVE', { valor: 0 }],
  ['DAY_NOT_IN_MONTH', { day: 31 + 28 }],
  ['DAY_CLOSED', { day: 8 }],
  ['ACCOUNT_NOT_IN_CHART', { debit: '55' }],
  ['ACCOUNT_SYNTHETIC', { debit: '1.1' }],
  ['ACCOUNT_INACTIVE', { debit: '1.3' }],
  ['ACCOUNT_OUT_OF_VALIDITY', { debit: '1.4' }],
  ['ACCOUNT_OUT_OF_VALIDITY', { credit: '1.4' }],
  ['SAME_ACCOUNT', { credit: '1.1.1' }],
  ['UNKNOWN_HISTORY', { cdhistorico: 'NADA' }],
  ['HISTORY_INACTIVE', { cdhistorico: 'VELHO' }],
  ['COMPLEMENT_REQUIRED', { historico: '', cdhistorico: 'COMPL' }],
  ['MEMORANDUM_MIXED', { debit: '9' }],
  ['MEMORANDUM_MIXED', { credit: '99' }],
];

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
const right = async (answer: Promise<Answer>): Promise<any> => {
  const { status, text, body } = await answer;
  expect(status, text).toBeLessThan(300);
  return body;
};

async function changeAccount(code: string, change: object) {
  const path = `/chartOfAccounts/${bank.accounts.get(code)}`;
  const account = await right(platform.admin.get('masterdata', path));
  await right(platform.admin.call('masterdata', 'PUT', path, { ...account, ...change }));
}

const place = () => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 });
const idOf = (code: string) => bank.accounts.get(code) ?? other.accounts.get(code);
/** Days after January are those of February. */
const dateOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
let serial = 0;

async function newDocument(): Promise<number> {
  const batch = await right(platform.admin.post('movements', '/batch', { ...place(), lote: `D${++serial}` }));
  return (await right(platform.admin.post('movements', '/document', { batchId: batch.id }))).id;
}

const entryBody = (documentId: number, given: Given) => ({
  documentId,
  debcre: 'D',
  day: String(Math.min(given.day, 31)),
  contaId: idOf(given.debit),
  contrapartida: idOf(given.credit),
  valor: given.valor,
  historico: given.historico || undefined,
  cdhistorico: given.cdhistorico || undefined,
});

/** The code of a rejection in JSON; CSV answers texts, which are reported apart by the catalogue. */
const codeOf = ({ status, body }: Answer): string => (status < 300 ? 'STORED' : body.code);

function codeOfCsv({ body }: Answer): string {
  return body.success ? 'STORED' : codeOfText(body.errors[0].replace(/^row 2: [a-z]+: /, ''));
}

const ipl = (text: string, width: number) => text.padEnd(width).slice(0, width);

const WAYS: Readonly<Record<string, (given: Given) => Promise<string>>> = {
  'POST /entry of movements': async (given) =>
    codeOf(await platform.admin.post('movements', '/entry', entryBody(await newDocument(), given))),
  'POST /entry of master data': async (given) =>
    codeOf(await platform.admin.post('masterdata', '/entry', entryBody(await newDocument(), given))),
  'PUT /entry': async (given) => {
    const documentId = await newDocument();
    const entry = await right(platform.admin.post('movements', '/entry', entryBody(documentId, RIGHT)));
    const changed = await platform.admin.call('movements', 'PUT', `/entry/${entry.id}`, entryBody(documentId, given));
    await right(platform.admin.call('movements', 'DELETE', `/entry/${entry.id}`));
    return codeOf(changed);
  },
  CSV: async (given) => {
    const batch = await right(platform.admin.post('movements', '/batch', { ...place(), lote: `C${++serial}` }));
    const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
    const { debit, credit, valor, historico, cdhistorico } = given;
    const day = given.day > 31 ? dateOf(given.day) : given.day;
    const form = new FormData();
    form.set(
      'file',
      new Blob([`${header}\n1;1;${day};D;${debit};${credit};${valor};${historico};${cdhistorico}`]),
      'a.csv',
    );
    return codeOfCsv(await platform.admin.post('movements', `/batch/${batch.id}/import?force=true`, form));
  },
  IPL: async (given) => {
    const amount = String(given.valor * 100).padStart(17, '0');
    const codes = ipl(given.debit, 20) + ipl(given.credit, 20);
    const text = ipl(given.cdhistorico, 5) + ipl(given.historico, 52);
    const batch = String(100_000 + ++serial);
    const head = `2${ipl(bank.company, 5)}${ipl(bank.branch, 5)}${batch}${ipl('1', 10)}`;
    const line = `${head}${dateOf(given.day).replaceAll('-', '')}000001D${codes}${amount}${text}`;
    const path = `/importMoviment/${bank.company}/${bank.branch}/mov.txt?force=true`;
    return codeOf(
      await platform.admin.call('movements', 'POST', path, `${line}\r\n`, { 'content-type': 'text/plain' }),
    );
  },
  JSON: async (given) => {
    const line = {
      debcre: 'D',
      day: given.day > 31 ? dateOf(given.day) : String(given.day),
      contaId: idOf(given.debit),
      contrapartidaId: idOf(given.credit),
      valor: given.valor,
      historico: given.historico,
      cdhistorico: given.cdhistorico,
    };
    const documentos = [{ documento: '1', lancamentos: [line] }];
    const body = { ...place(), lote: `J${++serial}`, documentos };
    return codeOf(await platform.admin.post('movements', '/importMovimentJson?force=true', body));
  },
  'bulk posting': async (given) => {
    const line = (debcre: 'D' | 'C', conta: string) => ({ debcre, conta, valor: given.valor });
    const entry = {
      ...place(),
      lote: `B${++serial}`,
      documento: '1',
      day: String(Math.min(given.day, 31)),
      historico: given.historico,
      cdhistorico: given.cdhistorico,
      lines: [line('D', given.debit), line('C', given.credit)],
    };
    return codeOf(await platform.admin.post('movements', '/entries/bulk', { entries: [entry] }));
  },
  'a release': async (given) => {
    const { company, branch } = bank;
    const code = `R${++serial}`;
    const line = {
      sequence: 1,
      debcre: 'D',
      contaId: idOf(given.debit),
      contrapartida: idOf(given.credit),
      valueType: 'INFORMADO',
      historico: given.historico || undefined,
      cdhistorico: given.cdhistorico || undefined,
    };
    const release = { company, branch, code, description: 'Modelo', lines: [line] };
    const saved = await platform.admin.post('masterdata', `/release/${company}/${branch}`, release);
    if (saved.status >= 300) return codeOf(saved);
    const date = { year: 2026, month: given.day > 31 ? 2 : 1, day: given.day > 31 ? given.day - 31 : given.day };
    const valores = [{ sequence: 1, valor: given.valor }];
    const data = { company, branch, code, ...date, status: 'LANCADO', valores };
    return codeOf(await platform.admin.post('masterdata', '/releasedata/', data));
  },
};

/** Where a way in cannot say what breaks the rule, or says another. */
const APART: Readonly<Record<string, Partial<Record<ProblemCode, string>>>> = {
  // A day of the month of the document is given by its number: 31 is one of January.
  'POST /entry of movements': { DAY_NOT_IN_MONTH: 'STORED' },
  'POST /entry of master data': { DAY_NOT_IN_MONTH: 'STORED' },
  'PUT /entry': { DAY_NOT_IN_MONTH: 'STORED' },
  'bulk posting': { DAY_NOT_IN_MONTH: 'STORED' },
  // An IPL line repeats the month of its file; an entry template names its month itself.
  IPL: { DAY_NOT_IN_MONTH: 'MONTH_NOT_OPEN' },
  'a release': { DAY_NOT_IN_MONTH: 'MONTH_NOT_OPEN' },
};

const stored = async (): Promise<number> => {
  const path = `/batchsummary/${bank.company}/${bank.branch}`;
  return (await right(platform.admin.get('movements', path))).totalEntries;
};

describe.each(Object.entries(WAYS))('%s', (way, send) => {
  test('takes a right entry, and one of memorandum accounts alone', async () => {
    const before = await stored();
    expect(await send(RIGHT)).toBe('STORED');
    expect(await send({ ...RIGHT, debit: '9', credit: '99', historico: '', cdhistorico: 'ATIVO' })).toBe('STORED');
    expect((await stored()) - before).toBe(way === 'PUT /entry' ? 0 : 4);
  });

  test.each(RULES)('%s %o', async (code, change) => {
    const expected = APART[way]?.[code] ?? code;
    const before = await stored();
    expect(await send({ ...RIGHT, ...change })).toBe(expected);
    if (expected !== 'STORED') expect(await stored()).toBe(before);
  });
});

test('a number that the month has no day for is rejected where days are numbers', async () => {
  await openMonth(platform.admin, bank, '02/2026');
  const batch = await right(platform.admin.post('movements', '/batch', { ...place(), mes: 2 }));
  const document = await right(platform.admin.post('movements', '/document', { batchId: batch.id }));
  const body = { ...entryBody(document.id, RIGHT), day: '30' };
  for (const service of ['movements', 'masterdata'] as const) {
    expect(codeOf(await platform.admin.post(service, '/entry', body))).toBe('DAY_NOT_IN_MONTH');
  }
  const lines = ['D', 'C'].map((debcre, at) => ({ debcre, conta: ['1.1.1', '2.1.1'][at], valor: 1 }));
  const entry = { ...place(), mes: 2, lote: 'B', documento: '1', day: '30', historico: 'Compra', lines };
  const bulk = await platform.admin.post('movements', '/entries/bulk', { entries: [entry] });
  expect(bulk.body).toMatchObject({ code: 'DAY_NOT_IN_MONTH', errors: [{ field: 'entries.0.day' }] });
});

describe('a reversal', () => {
  const reversed = async (given: Partial<Given>, between: () => Promise<void>, day = '2026-01-20') => {
    const entry = await right(
      platform.admin.post('movements', '/entry', entryBody(await newDocument(), { ...RIGHT, ...given })),
    );
    await between();
    const before = await stored();
    const answer = await platform.admin.post('movements', `/entry/${entry.id}/reversal`, {
      day,
      motivo: 'Lançado em duplicidade',
    });
    const code = codeOf(answer);
    if (code !== 'STORED') expect(await stored()).toBe(before);
    return { code, lines: answer.body };
  };
  const nothing = () => Promise.resolve();

  test.each([
    ['DAY_CLOSED', {}, nothing, '2026-01-08'],
    ['MONTH_NOT_OPEN', {}, nothing, '2026-05-08'],
    ['ACCOUNT_INACTIVE', { debit: '1.1.2' }, () => changeAccount('1.1.2', { active: false })],
    ['ACCOUNT_OUT_OF_VALIDITY', { debit: '1.2' }, () => changeAccount('1.2', { endDate: '2026-01-10' })],
  ] as const)('%s', async (code, given, between, day?: string) => {
    expect((await reversed(given, between, day)).code).toBe(code);
  });

  test('MEMORANDUM_MIXED, of an entry posted while the branch let them mix', async () => {
    const options = await right(
      platform.admin.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`),
    );
    const mixing = async (memorandumMixing: string) => {
      const body = { ...options, memorandumMixing };
      await right(platform.admin.call('masterdata', 'PUT', `/company/options/${body.id}`, body));
    };
    await mixing('ALLOW');
    const { code } = await reversed({ debit: '9' }, () => mixing('REFUSE'));
    expect(code).toBe('MEMORANDUM_MIXED');
  });

  test('a retired narration does not prevent it, and cannot be used again', async () => {
    const body = { cdHistory: 'FIM', description: 'Encerrado' };
    const history = await right(platform.admin.post('masterdata', '/history', body));
    const { code, lines } = await reversed({ cdhistorico: 'FIM' }, () =>
      right(platform.admin.call('masterdata', 'PUT', `/history/${history.id}`, { ...history, active: false })),
    );
    expect(code).toBe('STORED');
    expect(lines.map((line: { cdhistorico: string | null }) => line.cdhistorico)).toEqual([null, null]);
  });
});

test('documents name known and active histories too', async () => {
  const batch = await right(platform.admin.post('movements', '/batch', place()));
  for (const [cdpadronizado, code] of [
    ['NADA', 'UNKNOWN_HISTORY'],
    ['VELHO', 'HISTORY_INACTIVE'],
  ]) {
    for (const service of ['movements', 'masterdata'] as const) {
      const answer = await platform.admin.post(service, '/document', { batchId: batch.id, cdpadronizado });
      expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ field: 'cdpadronizado' }] } });
    }
    const lancamentos = [{ debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1 }];
    const body = { ...place(), lote: `J${++serial}`, documentos: [{ documento: '1', cdpadronizado, lancamentos }] };
    const json = await platform.admin.post('movements', '/importMovimentJson', body);
    expect(json).toMatchObject({ status: 400, body: { code, errors: [{ field: 'documentos.0.cdpadronizado' }] } });
  }
});

test('the message of an account out of its validity tells its days', async () => {
  const answer = await platform.admin.post(
    'movements',
    '/entry',
    entryBody(await newDocument(), { ...RIGHT, debit: '1.4' }),
    { 'accept-language': 'pt-BR' },
  );
  expect(answer.body.errors).toEqual([
    { field: 'contaId', message: 'A conta 1.4 só é válida de 01/01/2025 a 31/12/2025' },
  ]);
});

test('of an entry with a wrong row only that row is reported', async () => {
  const lancamentos = [
    { lancamento: '1', debcre: 'D', day: '05', conta: '55', valor: 10 },
    { lancamento: '1', debcre: 'C', day: '05', conta: '2.1.1', valor: 10 },
  ];
  const body = { ...place(), lote: `J${++serial}`, documentos: [{ documento: '1', lancamentos }] };
  const { body: answer } = await platform.admin.post('movements', '/importMovimentJson', body);
  expect(answer.errors.map((each: { field: string }) => each.field)).toEqual(['documentos.0.lancamentos.0.conta']);
});
