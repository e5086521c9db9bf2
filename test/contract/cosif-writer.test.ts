import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COSIF_SIGNS, type CosifSign } from '../../src/features/reporting/filings/cosif/cosif-file.ts';
import { runAdmin } from '../support/admin-command.ts';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { downloadFiling, writeFiling } from '../support/filings.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Documents 4010 and 4016 of the sample bank, three branches with a closing in June.

const { company } = DEMO_HEAD_OFFICE;
const january = { ano: DEMO_YEAR, mes: 1 };
const june = { empresa: company, ano: DEMO_YEAR, mes: 6 };

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  await workDemoYear(platform.admin, 7);
}, 300_000);
afterAll(() => platform?.stop());

/** The balances of a document by account, in centavos, in the order of the document. */
function balancesOf(document: string): Map<string, bigint> {
  const rows = document.matchAll(/<conta codigoConta="(\d{10})" saldo="(-?)(\d+)\.(\d\d)"\/>/g);
  return new Map([...rows].map(([, code, sign, reais, cents]) => [code!, BigInt(`${sign}${reais}${cents}`)]));
}

async function documentOf(request: object): Promise<{ text: string; balances: Map<string, bigint> }> {
  const job = await writeFiling(platform.admin, 'cosif', request);
  expect(job).toMatchObject({ status: 'DONE', erros: 0, achados: [] });
  const bytes = await downloadFiling(platform, job);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.sha256);
  expect(bytes.length).toBe(job.bytes);
  const text = bytes.toString('utf8');
  expect(text.split('\n').length - 1).toBe(job.linhas);
  return { text, balances: balancesOf(text) };
}

describe('a document 4010', () => {
  test('has every balance before the closing, in the order of the codes, and passes the check', async () => {
    const { text, balances } = await documentOf({ ...june, documento: '4010' });
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<documento codigoDocumento="4010" cnpj="\w{8}" dataBase="2025-06" tipoRemessa="I">\n/,
    );
    const codes = [...balances.keys()];
    expect(codes).toEqual(codes.toSorted());
    expect([...balances.values()]).not.toContain(0n);
    const groups = codes.filter((code) => /^\d0{8}\d$/.test(code)).map((code) => code[0]);
    expect(groups).toEqual(expect.arrayContaining(['1', '4', '6', '7', '8']));
    expect(balances.get('1000000009')).toBeGreaterThan(0n);
  });
});

test('a document 4016 has them after the closing, without results', async () => {
  const { balances } = await documentOf({ ...june, documento: '4016' });
  expect([...balances.keys()].filter((code) => /^[78]/.test(code))).toEqual([]);
  expect(balances.size).toBeGreaterThan(10);
});

/** `npm run admin -- cosif …` with its file, where it wrote one. */
async function commanded(document: string, month: string, sign: CosifSign = 'PUBLISHED', own = company) {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-cosif-'));
  try {
    const path = join(folder, 'f.xml');
    const ended = await runAdmin(platform, ['cosif', own, document, month, '--out', path], { COSIF_SIGN: sign });
    const [name, ...others] = await readdir(folder);
    expect(others).toEqual([]);
    return { ...ended, text: name === undefined ? undefined : await readFile(join(folder, name), 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('on the command line', () => {
  test('a document is the file of its job', async () => {
    const { text } = await documentOf({ ...june, documento: '4010' });
    const sha256 = createHash('sha256').update(text).digest('hex');
    const written = await commanded('4010', `${DEMO_YEAR}-06`);
    expect(written).toMatchObject({ code: 0, text, out: expect.stringContaining(`sinal PUBLISHED, sha256 ${sha256}`) });
  });

  test('a month that is not closed, and words that name none, write nothing', async () => {
    const open = await commanded('4010', `${DEMO_YEAR}-08`);
    expect(open).toMatchObject({ code: 1, text: undefined });
    expect(open.out).toContain('PARTIDAS_MES_NAO_CONSOLIDADO');
    expect(open.out).toContain('arquivo não gerado');
    for (const [document, month, own, reason] of [
      ['4016', `${DEMO_YEAR}-05`, company, 'month'],
      ['4060', `${DEMO_YEAR}-06`, company, 'a document is 4010 or 4016'],
      ['4010', '06/2025', company, 'a month is written as'],
      ['4010', `${DEMO_YEAR}-06`, 'NENHUMA', 'NENHUMA'],
    ] as const) {
      const failed = await commanded(document, month, 'PUBLISHED', own);
      expect(failed).toMatchObject({ code: 1, text: undefined, err: expect.stringContaining(reason) });
    }
  });

  test('each sign is the same document, and the answer names the one that was applied', async () => {
    const texts = new Map<CosifSign, string>();
    for (const sign of COSIF_SIGNS) {
      const { code, out, text } = await commanded('4010', `${DEMO_YEAR}-06`, sign);
      expect([code, out.includes(`sinal ${sign},`)]).toEqual([0, true]);
      texts.set(sign, text!);
    }
    const published = balancesOf(texts.get('PUBLISHED')!);
    const negative = balancesOf(texts.get('DEBIT_NEGATIVE')!);
    const absolute = balancesOf(texts.get('ABSOLUTE')!);
    expect([...negative.keys()]).toEqual([...published.keys()]);
    expect([...absolute.keys()]).toEqual([...published.keys()]);
    for (const [code, balance] of published) {
      expect(negative.get(code), code).toBe(/^[123]/.test(code) ? -balance : balance);
      expect(absolute.get(code), code).toBe(balance < 0n ? -balance : balance);
    }
    // Assets are positive where they are published, expenses and what rectifies assets negative.
    expect(published.get('1000000009')).toBeGreaterThan(0n);
    expect(published.get('8000000002')).toBeLessThan(0n);
    expect(published.get('2259930008') ?? published.get('2259900009')).toBeLessThan(0n);
    expect([...absolute.values()].every((balance) => balance > 0n)).toBe(true);
  });
});

test('a job names the sign of the installation', async () => {
  const job = await writeFiling(platform.admin, 'cosif', { ...june, documento: '4010' });
  expect(job.sinal).toBe('PUBLISHED');
});

describe('what the books can break of the rules of the documents', () => {
  test('every month of the sample bank breaks none', async () => {
    for (let mes = 1; mes <= 7; mes++) {
      const job = await writeFiling(platform.admin, 'cosif', { ...june, mes, documento: '4010' });
      expect(job, String(mes)).toMatchObject({ erros: 0, avisos: 0, contagens: {} });
    }
  });

  test('P06: what is due from a branch that keeps no books', async () => {
    const bank = await createBank(platform.admin, {
      company: '0088',
      chartCode: 'COSIF',
      baseYearMonth: '01/2025',
      accounts: [],
    });
    await openMonth(platform.admin, bank, '01/2025');
    await post(
      platform.admin,
      bank,
      book`
        02/01/2025  1.5.2.40.00.00-4  D  100,00  4.1.1.10.00.00-5  "agência sem livros"`,
    );
    await closeMonth(platform.admin, bank, '01/2025');
    const id = bank.accounts.get('1.5.2.40.00.00-4');
    const job = await writeFiling(platform.admin, 'cosif', { ...january, empresa: bank.company, documento: '4010' });
    expect(job.contagens).toEqual({ P06: 1 });
    expect(job.achados.find(({ regra }) => regra === 'P06').onde.caminho).toBe(`/chartOfAccounts/${id}`);
    // The books as they are say the same before any file is written.
    const asked = await platform.admin.get(
      'reports',
      `/regulatory/precheck?empresa=${bank.company}&arquivo=4010&ano=${DEMO_YEAR}&mes=1`,
    );
    expect(asked.body.contagens).toEqual(job.contagens);
  });
});
