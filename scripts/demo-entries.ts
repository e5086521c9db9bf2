/** A pair of accounts that a bank moves every day, with the size of one movement in reais. */
interface Pattern {
  readonly debit: string;
  readonly credit: string;
  readonly narration: string;
  readonly typical: number;
}

/** Prefixes of COSIF accounts; each entry draws leaves below them. */
const PATTERNS: readonly Pattern[] = [
  { debit: '1.1.1', credit: '4.1.1', narration: 'Depósito à vista de cliente', typical: 12_000 },
  { debit: '4.1.1', credit: '1.1.1', narration: 'Saque em conta corrente', typical: 3_000 },
  { debit: '1.6.1', credit: '4.1.1', narration: 'Liberação de empréstimo', typical: 45_000 },
  { debit: '4.1.1', credit: '1.6.1', narration: 'Amortização de empréstimo', typical: 9_000 },
  { debit: '4.1.1', credit: '7.1.1', narration: 'Juros de empréstimo', typical: 800 },
  { debit: '1.2.1', credit: '1.1.3', narration: 'Aplicação em operações compromissadas', typical: 500_000 },
  { debit: '1.1.3', credit: '1.2.1', narration: 'Resgate de operações compromissadas', typical: 480_000 },
  { debit: '8.1.7', credit: '1.1.1', narration: 'Despesa administrativa', typical: 4_000 },
  { debit: '1.1.1', credit: '6.1.1', narration: 'Aumento de capital', typical: 1_000_000 },
  { debit: '4.1.1', credit: '7.1.7', narration: 'Tarifa bancária', typical: 35 },
];

/** A month of plausible entries for a bank as a movements CSV, the same for the same month. */
export function plausibleMonth(
  chart: readonly { cdAccounting: string; accountType: string }[],
  month: number,
  entries: number,
): string {
  const draw = randomFrom(month);
  const leaves = chart.filter((account) => account.accountType === 'A').map((account) => account.cdAccounting);
  const below = new Map<string, string[]>();
  const leafBelow = (prefix: string) => {
    const known = below.get(prefix) ?? leaves.filter((code) => code.startsWith(prefix));
    below.set(prefix, known);
    if (known.length === 0) throw new Error(`the chart has no leaf below ${prefix}`);
    return known[Math.floor(draw() * known.length)]!;
  };
  const rows = ['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico'];
  for (let entry = 1; entry <= entries; entry++) {
    const pattern = PATTERNS[Math.floor(draw() * PATTERNS.length)]!;
    const cents = Math.max(1, Math.round(pattern.typical * 100 * (0.2 + draw() * 1.6)));
    const value = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
    const day = 1 + Math.floor(draw() * 28);
    const accounts = `D;${leafBelow(pattern.debit)};${leafBelow(pattern.credit)}`;
    rows.push(`${Math.ceil(entry / 100)};${entry};${day};${accounts};${value};${pattern.narration};`);
  }
  return `${rows.join('\r\n')}\r\n`;
}

/** A small repeatable generator (mulberry32): numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
