import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavosFromDecimal, decimalOf } from '../../src/accounting/money.ts';
import { printedAmount } from '../support/amounts.ts';
import { createBank, PLAIN_CHART } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { hasTool } from '../support/system-tools.ts';

const ENTRIES = 400;
/** Seeds of books that once differed. */
const KEPT_SEEDS: readonly number[] = [];
const SEED = Number(process.env.BOOKS_SEED ?? Date.now() % 2 ** 31);

const hasLedger = hasTool('ledger', { reason: 'no independent trial balance to compare with' });

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

/** An independent double-entry program computes the same books: the trial balances agree to the cent. */
test.runIf(hasLedger).each([SEED, ...KEPT_SEEDS])(
  'the same journal gives the same trial balance in ledger (BOOKS_SEED=%i)',
  async (seed) => {
    const leaves = PLAIN_CHART.filter((account) => account.type === 'A').map((account) => account.code);
    const leaf = fc.constantFrom(...leaves);
    const drawn = fc
      .record({ debit: leaf, credit: leaf, day: fc.integer({ min: 1, max: 28 }), cents: fc.bigInt(1n, 99_999_999n) })
      .filter(({ debit, credit }) => debit !== credit);
    const journal = fc
      .sample(drawn, { numRuns: ENTRIES, seed })
      .map((entry, at) => ({ ...entry, number: at + 1, value: decimalOf(entry.cents) }));

    const bank = await createBank(platform.admin);
    await openMonth(platform.admin, bank, '01/2026');
    const written = journal.map(({ day, debit, credit, cents }) => {
      return `${String(day).padStart(2, '0')}/01  ${debit}  D  ${printedAmount(cents)}  ${credit}`;
    });
    await post(platform.admin, bank, book`${written.join('\n')}`);

    const folder = await mkdtemp(join(tmpdir(), 'partidas-ledger-'));
    try {
      const file = join(folder, 'journal.ledger');
      // Dots would be decimal points in a name: accounts are reported by letters.
      const nameOf = (code: string) => `Conta:${code.replaceAll('.', '-')}`;
      const text = journal.map(
        (each) =>
          `2026-01-${String(each.day).padStart(2, '0')} entry ${each.number}\n    ${nameOf(each.debit)}  BRL ${each.value}\n    ${nameOf(each.credit)}  BRL -${each.value}\n`,
      );
      await writeFile(file, text.join('\n'));
      const output = execFileSync('ledger', [
        '-f',
        file,
        'balance',
        '--flat',
        '--no-total',
        '--format',
        '%(account)|%(quantity(display_total))\n',
      ]).toString();
      const theirs = new Map(
        output
          .trim()
          .split('\n')
          .map((line) => line.split('|'))
          .map(([account = '', quantity = '']) => [
            account.replace('Conta:', '').replaceAll('-', '.'),
            centavosFromDecimal(quantity.trim())!,
          ]),
      );
      for (const code of leaves) {
        const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', {
          contaId: bank.accounts.get(code),
          empresa: bank.company,
          filial: bank.branch,
          anomesini: '01/2026',
          anomesfim: '01/2026',
        });
        expect(centavosFromDecimal(body[0].accumulatedBalance.toFixed(2)), code).toBe(theirs.get(code) ?? 0n);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
