import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';

// What legacy systems read, byte for byte: names and order of the fields, how amounts and days are written. January is
// closed, February open. UPDATE_GOLDEN=1 writes the files anew: read the difference before you keep it.

const BOOK = book`
  02/01     1.1.2  D  9.999.999.999,99  3.1    "Integralização de capital"
  05/01  2  8.1    D          7.000,07  2.1.1  "Folha; "janeiro""
  31/01     1.1.1  D          1.234,50  1.1.2  "Saque"
  03/02     2.1.1  D          7.000,07  1.1.2  "=1+1"
  28/02     1.1.2  D              0,01  7.1    "Juros"
`;

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, BOOK, { company: 'OURO', months: ['01/2026', '02/2026'] });
  await closeMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const BALANCES = 'consulta-contabil';
const LINES = 'lancamentos-contabeis';
const FEW_DAYS = 'dataInicio=2026-01-31&dataFim=2026-02-01';

test.each([
  ['monthly.json', BALANCES, 'dataInicio=2026-01-01&dataFim=2026-02-28', undefined],
  ['monthly-second-page.json', BALANCES, 'dataInicio=2026-01-01&dataFim=2026-02-28&pagina=1&tamanho=4', undefined],
  ['daily.json', BALANCES, `${FEW_DAYS}&tipoSaldo=D`, undefined],
  ['daily.csv', BALANCES, `${FEW_DAYS}&tipoSaldo=D`, 'text/csv'],
  ['monthly.csv', BALANCES, 'dataInicio=2026-01-01&dataFim=2026-02-28', 'text/csv'],
  ['lines.json', LINES, 'dataInicio=2026-01-01&dataFim=2026-12-31', undefined],
  ['nothing.json', LINES, 'dataInicio=2027-01-01&dataFim=2027-12-31', undefined],
])('%s', async (file, endpoint, query, accept) => {
  expectGolden(file, await legacy(endpoint, query, accept));
});

test.each([
  ['0', 'monthly.json', 'dataInicio=2026-01-01&dataFim=2026-02-28'],
  ['M', 'monthly.json', 'dataInicio=2026-01-01&dataFim=2026-02-28'],
  ['1', 'daily.json', FEW_DAYS],
])('tipoSaldo %s gives %s as well', async (kind, file, query) => {
  expectGolden(file, await legacy(BALANCES, `${query}&tipoSaldo=${kind}`));
});

async function legacy(endpoint: string, query: string, accept?: string): Promise<string> {
  const path = `/api/v1/legacy-integration/${endpoint}?empresa=${bank.company}&filial=${bank.branch}&${query}`;
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const answer = await platform.admin.call('queries', 'GET', path, undefined, headers);
  expect(answer.status, answer.text).toBe(200);
  // A line a record keeps the files readable; nothing else of the text is touched.
  return accept === undefined ? `${answer.text.replaceAll('{"codigo_empresa"', '\n{"codigo_empresa"')}\n` : answer.text;
}

function expectGolden(file: string, text: string): void {
  const path = new URL(`legacy/${file}.txt`, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1' || !existsSync(path)) {
    writeFileSync(path, text);
    if (process.env.UPDATE_GOLDEN !== '1') throw new Error(`${file} did not exist; it was written, read it`);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
