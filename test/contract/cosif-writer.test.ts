import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../support/admin-command.ts';
import { DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { downloadFiling, writeFiling } from '../support/filings.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Documents 4010 and 4016 of the sample bank, three branches with a closing in June.

const { company } = DEMO_HEAD_OFFICE;
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

test('the command line writes the same document', async () => {
  const job = await writeFiling(platform.admin, 'cosif', { ...june, documento: '4010' });
  const folder = await mkdtemp(join(tmpdir(), 'partidas-cosif-'));
  try {
    const path = join(folder, '4010.xml');
    const ended = await runAdmin(platform, ['cosif', company, '4010', `${DEMO_YEAR}-06`, '--out', path]);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`sinal PUBLISHED, sha256 ${job.sha256}`) });
    expect((await readFile(path)).equals(await downloadFiling(platform, job))).toBe(true);
    for (const [document, month] of [
      ['4060', '2025-06'],
      ['4010', '2025-13'],
      ['4016', '2025-05'],
      ['4010', '2025-12'],
    ])
      expect(await runAdmin(platform, ['cosif', company, document!, month!, '--out', path])).toMatchObject({ code: 1 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

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
