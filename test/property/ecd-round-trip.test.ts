import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountFixture, type Bank, closureSettings, createBank, createHistories } from '../support/banks.ts';
import { createEmptyBranch, importEcd } from '../support/ecd-imports.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { volumeOf } from '../support/volumes.ts';
import { checkWhole, type WholeEcd, writeWhole } from '../support/written-ecd.ts';

// Random books are written as a bookkeeping file, imported into an empty company, and written again: the bytes are the same. A file
// of several branches is imported into one, whose entries keep the whole numbers: from then on the bytes are the same.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  await createHistories(platform.admin, ['R1', 'R2']);
});
afterAll(() => platform?.stop());

const YEAR = 2025;

const account = (
  code: string,
  description: string,
  accountClass: AccountFixture['accountClass'],
  nature: AccountFixture['nature'],
): AccountFixture => ({ code, description, accountClass, nature, type: code.split('.').length === 4 ? 'A' : 'S' });

const CHART: readonly AccountFixture[] = [
  account('1', 'ATIVO', '01', 'D'),
  account('1.1', 'Circulante', '01', 'D'),
  account('1.1.1', 'Disponível', '01', 'D'),
  account('1.1.1.1', 'Caixa – agência', '01', 'D'),
  account('1.1.1.2', 'Depósitos bancários', '01', 'D'),
  account('1.1.2', 'Créditos', '01', 'D'),
  account('1.1.2.1', 'Operações de crédito', '01', 'D'),
  account('1.1.2.9', '(-) Provisão para perdas', '01', 'C'),
  account('2', 'PASSIVO', '02', 'C'),
  account('2.1', 'Exigível', '02', 'C'),
  account('2.1.1', 'Obrigações', '02', 'C'),
  account('2.1.1.1', 'Depósitos à vista', '02', 'C'),
  account('2.1.1.2', 'Tributos a recolher', '02', 'C'),
  account('3', 'PATRIMÔNIO LÍQUIDO', '03', 'C'),
  account('3.1', 'Patrimônio', '03', 'C'),
  account('3.1.1', 'Patrimônio social', '03', 'C'),
  account('3.1.1.1', 'Capital', '03', 'C'),
  account('3.1.1.2', 'Lucros ou prejuízos acumulados', '03', 'M'),
  account('3.1.1.3', 'Apuração do resultado', '03', 'M'),
  account('7', 'RECEITAS', '04', 'C'),
  account('7.1', 'Operacionais', '04', 'C'),
  account('7.1.1', 'Rendas', '04', 'C'),
  account('7.1.1.1', 'Rendas de operações', '04', 'C'),
  account('7.1.1.2', 'Tarifas', '04', 'C'),
  account('8', 'DESPESAS', '04', 'D'),
  account('8.1', 'Operacionais', '04', 'D'),
  account('8.1.1', 'Gerais', '04', 'D'),
  account('8.1.1.1', 'Pessoal', '04', 'D'),
  account('8.1.1.2', 'Provisões', '04', 'D'),
];
const POSTING = CHART.filter(({ type }) => type === 'A').map(({ code }) => code);
const TEXTS = [
  'Liquidação da cessão nº 12',
  'Ação; "aspas" e 100%',
  'Pró-labore',
  'Transferência | filial',
  'ÁÉÍÓÚ çãõ',
];

type Random = ReturnType<typeof seededRandom>;
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const money = (random: Random) => (random() * (random() < 0.1 ? 1e9 : 1e4) + 0.01).toFixed(2).replace('.', ',');

const monthName = (month: number) => `${String(month).padStart(2, '0')}/${YEAR}`;

/** Random rows of a month: entries of two lines, of many against one, and one that is undone the same day. */
function rowsOf(random: Random): string[] {
  const rows = ['documento;lancamento;dia;debcre;conta;valor;historico;cdhistorico'];
  const count = Math.floor(random() * 8) + 1;
  for (let entry = 1; entry <= count; entry++) {
    const head = `${Math.floor(random() * 3) + 1};${entry};${Math.floor(random() * 28) + 1}`;
    const [one, other] = [pick(random, POSTING.slice(0, 7)), pick(random, POSTING.slice(-4))];
    const [text, code] = [pick(random, TEXTS), pick(random, ['', '', 'R1', 'R2'])];
    const amount = money(random);
    rows.push(`${head};D;${one};${amount};"${text.replaceAll('"', '""')}";${code}`);
    rows.push(`${head};C;${other};${amount};${code === '' ? 'Contrapartida' : ''};${code}`);
    if (random() < 0.3) {
      const again = head.replace(/;\d+;/, `;${count + entry};`);
      rows.push(`${again};D;${other};${amount};Estorno;`, `${again};C;${one};${amount};Estorno;`);
    }
  }
  return rows;
}

/** Branches, first and last month. */
type Shape = readonly [number, number, number];

/** So that a short run has all of it; what is posted is random everywhere. */
const SHAPES: readonly Shape[] = [
  [1, 1, 12],
  [2, 12, 12],
  [3, 5, 7],
];

/** Mostly with a closing of the result in it. */
function randomShape(random: Random): Shape {
  const count = Math.floor(random() * 12) + 1;
  const last = pick(random, [6, 12, count]) < count ? count : pick(random, [12, Math.max(count, 6)]);
  return [Math.floor(random() * 3) + 1, last - count + 1, last];
}

interface Books {
  readonly banks: readonly Bank[];
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

async function randomBooks(random: Random, seed: number): Promise<Books> {
  const { admin } = platform;
  const [branches, first, last] = SHAPES[seed - 1] ?? randomShape(random);
  const company = `V${seed}`;
  const base = { company, chartCode: `VIDA${seed}`, baseYearMonth: monthName(first) };
  const banks: Bank[] = [];
  for (let at = 1; at <= branches; at++) {
    const isFirst = at === 1;
    const branch = String(at).padStart(4, '0');
    const more = isFirst ? { accounts: CHART } : { accounts: [], existing: true };
    const bank = await createBank(admin, { ...base, branch, ...more, options: { signatories: SIGNATORIES } });
    banks.push(bank);
    const settings = closureSettings({ ...bank, accounts: closingAccounts(bank) }, [6, 12]);
    await bodyOf(admin.post('masterdata', '/closuresettings', settings));
    const opening = 1_000 * at;
    await bodyOf(
      admin.call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, [
        { cdAccounting: '1.1.1.1', balance: opening, dc: 'D' },
        { cdAccounting: '3.1.1.1', balance: opening, dc: 'C' },
      ]),
    );
  }
  await bodyOf(admin.post('masterdata', '/statements/default', { chartCode: base.chartCode, kinds: ['BP', 'DRE'] }));
  for (let month = first; month <= last; month++) {
    for (const bank of banks) await workMonth(bank, month, random);
  }
  return { banks, name: `Banco ${company}`, first, last };
}

const SIGNATORIES = [
  { name: 'MARIA DIRETORA', cpf: '12345678909', qualification: '203', legalResponsible: true },
  {
    ...{ name: 'JOÃO CONTADOR', cpf: '11144477735', qualification: '900', crc: '1SP123456', ufCrc: 'SP' },
    ...{ email: 'joao@exemplo.com', phone: '1133334444', legalResponsible: false },
  },
];

function closingAccounts({ accounts }: Bank): Bank['accounts'] {
  return new Map([
    ['3.3', accounts.get('3.1.1.3')!],
    ['3.2', accounts.get('3.1.1.2')!],
  ]);
}

async function workMonth(bank: Bank, month: number, random: Random): Promise<void> {
  const { admin } = platform;
  await openMonth(admin, bank, monthName(month));
  const place = { empresa: bank.company, filial: bank.branch, ano: YEAR, mes: month };
  const { id } = await bodyOf(admin.post('movements', '/batch', place));
  const form = new FormData();
  form.set('file', new Blob([rowsOf(random).join('\n')]), 'entries.csv');
  const { success, errors } = await bodyOf(admin.post('movements', `/batch/${id}/import`, form));
  if (!success) throw new Error(errors.join('; '));
  await closeMonth(admin, bank, monthName(month));
}

/** The file of a company's months. */
async function fileOf(company: string, { first, last }: Books): Promise<WholeEcd> {
  const { id } = await bodyOf(platform.admin.get('masterdata', `/companies/bycompany/${company}`));
  const day = (month: number, isLast: boolean) =>
    new Date(Date.UTC(YEAR, isLast ? month : month - 1, isLast ? 0 : 1)).toISOString().slice(0, 10);
  const span = { from: day(first, false), to: day(last, true) } as unknown as { from: undefined };
  const file = await writeWhole(platform, { companyId: id, company, year: YEAR, ...span });
  expect(file.findings.filter(({ severity }) => severity === 'ERRO')).toEqual([]);
  return file;
}

/** The same books again: imported into a company of the same name, whose months are closed then. */
async function nextGeneration(file: WholeEcd, books: Books): Promise<{ company: string; file: WholeEcd }> {
  const { admin } = platform;
  const branch = await createEmptyBranch(admin, { name: books.name });
  const { resultado, mensagem } = await importEcd(admin, branch, file.bytesOfFile as Uint8Array<ArrayBuffer>);
  expect({ mensagem, ...resultado, achados: stopping(resultado) }).toMatchObject({ importado: true, achados: [] });
  expect(resultado.prova).toMatchObject({ meses: books.last - books.first + 1, diferencas: 0 });
  for (let month = books.first; month <= books.last; month++) await closeMonth(admin, branch, monthName(month));
  return { company: branch.company, file: await fileOf(branch.company, books) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
const stopping = (result: any) => result.achados.filter(({ impede }: { impede: boolean }) => impede);

/** Registers that have no number of an entry: of several branches in one they are the same the first time already. */
const BUT_NUMBERS = ['I050', 'I051', 'I052', 'I075', 'I155', 'I250', 'I355', 'J100', 'J150'];
const sorted = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('|')).toSorted();

/** What the books of this run had, so that none of it stays untried. */
const tried = new Set<string>();

test.each(Array.from({ length: volumeOf('ROUND_TRIPS') }, (_, at) => at + 1))(
  'books %i: written, imported and written again, the bytes are the same',
  async (seed) => {
    const books = await randomBooks(seededRandom(seed), seed);
    const first = await fileOf(books.banks[0]!.company, books);
    const { findings } = await checkWhole(first);
    expect(findings.filter(({ severity }) => severity === 'ERRO')).toEqual([]);
    const second = (await nextGeneration(first, books)).file;
    for (const code of BUT_NUMBERS) expect(sorted(second.of(code)), code).toEqual(sorted(first.of(code)));
    const same = books.banks.length === 1 ? first : (await nextGeneration(second, books)).file;
    expect(same.rows).toEqual(second.rows);
    expect(same.sha256).toBe(second.sha256);
    tried.add(`branches: ${books.banks.length}`);
    if (first.of('I200').some((row) => row[4] === 'E')) tried.add('closing entries');
    if (first.of('J150').length > 0) tried.add('statements');
    if (first.of('I250').some((row) => row[7] === 'Pró-labore')) tried.add('accents');
    if (first.of('I075').length > 0) tried.add('narrations');
    if (first.of('I050').some((row) => row[5] === '1.1.2.9')) tried.add('rectifying account');
    if (first.of('I155').some(([, , , , , debits, , final]) => debits !== '0,00' && final === '0,00'))
      tried.add('zero balances');
  },
  120_000,
);

test('the books had all that a file can bring', () => {
  expect([...tried].toSorted()).toEqual([
    ...['accents', 'branches: 1', 'branches: 2', 'branches: 3', 'closing entries', 'narrations'],
    ...['rectifying account', 'statements', 'zero balances'],
  ]);
});
