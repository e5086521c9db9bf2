import { afterAll, beforeAll, expect, test } from 'vitest';
import { nationalDay } from '../../src/accounting/holidays.ts';
import { type Day, daysOf, type Month } from '../../src/accounting/period.ts';
import { book, post } from '../support/books.ts';
import { calculate, closeDay, createFund, type Fund, move, reopenDay } from '../support/funds.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { seededRandom } from '../support/seeded-random.ts';

// Random days of a fund against a plain fold over its entries and movements, in whole numbers: what is confirmed, what an entry or
// movement of the past makes stale, and what reprocessing makes of it.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

interface Movement {
  readonly day: Day;
  readonly sign: bigint;
  readonly amount: bigint;
  /** With eight decimals. */
  quotas: bigint | undefined;
}
interface Confirmed {
  readonly value: bigint;
  readonly equity: bigint;
  readonly quantity: bigint;
  readonly flow: bigint;
}

const FIRST_QUOTAS = 100n * 10n ** 8n;
const FIRST_EQUITY = 100_000n;

/** The books as anybody would keep them on paper. */
class PlainFund {
  readonly entries: { day: Day; cents: bigint }[] = [];
  readonly movements: Movement[] = [];
  readonly confirmed = new Map<Day, Confirmed>();

  equity(day: Day): bigint {
    return this.entries.filter((each) => each.day <= day).reduce((sum, { cents }) => sum + cents, FIRST_EQUITY);
  }

  quantity(day: Day, isBefore = false): bigint {
    return this.movements
      .filter((each) => each.day < day || (!isBefore && each.day === day))
      .reduce((sum, { sign, quotas = 0n }) => sum + sign * quotas, FIRST_QUOTAS);
  }

  flow(day: Day): bigint {
    return this.movements.filter((each) => each.day === day).reduce((sum, { sign, amount }) => sum + sign * amount, 0n);
  }

  confirm(day: Day): void {
    const flow = this.flow(day);
    const before = ((this.equity(day) - flow) * 10n ** 14n) / this.quantity(day, true);
    for (const each of this.movements) {
      if (each.day === day) each.quotas = (each.amount * 10n ** 14n) / before;
    }
    const [equity, quantity] = [this.equity(day), this.quantity(day)];
    this.confirmed.set(day, { value: (equity * 10n ** 14n) / quantity, equity, quantity, flow });
  }

  isStale(day: Day): boolean {
    const { equity, quantity, flow } = this.confirmed.get(day)!;
    return this.equity(day) !== equity || this.quantity(day) !== quantity || this.flow(day) !== flow;
  }
}

const scaled = (text: string) => BigInt(text.replace('.', ''));
const printed = (cents: bigint) => `${cents / 100n},${String(cents % 100n).padStart(2, '0')}`;

async function compare(fund: Fund, plain: PlainFund): Promise<void> {
  const shown = await bodyOf(platform.admin.get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31`));
  const found = shown.map((each: Record<string, string>) => [
    each.referenceDate,
    scaled(each.quotaValue!),
    scaled(each.numberOfQuotas!),
    each.status,
  ]);
  const expected = [...plain.confirmed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { value, quantity }]) => [day, value, quantity, plain.isStale(day) ? 'STALE' : 'CONFIRMED']);
  expect(found).toEqual(expected);
}

test.each([11, 12, 13])(
  'days, movements, corrections and reprocessing agree with a plain fold (seed %i)',
  { timeout: 180_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const upTo = (limit: number) => Math.floor(random() * limit);
    const client = platform.admin;
    const fund = await createFund(client);
    const plain = new PlainFund();
    const days = daysOf('2026-01' as Month).filter((day) => nationalDay(day).businessDay);
    const enter = async (day: Day, cents: bigint, sign = 1n) => {
      const date = `${day.slice(8)}/${day.slice(5, 7)}`;
      const amount = printed(cents);
      await post(client, fund, sign > 0n ? book`${date} 1.1.1 D ${amount} 7.1` : book`${date} 8.1 D ${amount} 1.1.1`);
      plain.entries.push({ day, cents: sign * cents });
    };
    const pay = async (day: Day, kind: 'SUBSCRIPTION' | 'REDEMPTION') => {
      const amount = BigInt(100 + upTo(9_000));
      const sign = kind === 'SUBSCRIPTION' ? 1n : -1n;
      await bodyOf(move(client, fund, { date: day, kind, amount: Number(amount) / 100 }));
      await enter(day, amount, sign);
      plain.movements.push({ day, sign, amount, quotas: undefined });
    };
    for (const [at, day] of days.slice(0, 12).entries()) {
      await enter(day, BigInt(1 + upTo(500)), random() < 0.3 ? -1n : 1n);
      if (random() < 0.6) await pay(day, random() < 0.6 ? 'SUBSCRIPTION' : 'REDEMPTION');
      await bodyOf(calculate(client, fund, { date: day, confirmed: true }));
      plain.confirm(day);
      await compare(fund, plain);
      await closeDay(client, fund);
      if (at < 2 || random() < 0.5) continue;
      // A correction of a day before: an entry, a movement, or an entry that is undone at once.
      const past = days[upTo(at)]!;
      await reopenDay(client, fund, past);
      const cents = BigInt(1 + upTo(2_000));
      const way = upTo(3);
      if (way === 0) await pay(past, 'SUBSCRIPTION');
      else await enter(past, cents);
      if (way === 2) {
        await enter(past, cents, -1n);
        await compare(fund, plain);
      }
      await closeDay(client, fund);
      await compare(fund, plain);
      const body = { from: past, to: day, reason: 'Correção' };
      await bodyOf(client.post('masterdata', `${fund.quotas}/reprocess`, body));
      for (const each of days.slice(days.indexOf(past), at + 1)) plain.confirm(each);
      await compare(fund, plain);
    }
    expect(plain.confirmed.size).toBe(12);
  },
);
