import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

// A whole journal of a year (ECD, layout 9) of any length, for the checker: entries of two lines, and the balances that
// they make, added up here.

const ACCOUNTS = 2_000;
const MONTHS = 12;
const CENTS = 123_456;
const AMOUNT = '1234,56';
/** Before the number of the entry. */
export const ECD_NARRATION = 'RECEBIMENTO DE TARIFA DE COBRANCA, TITULO';

/** Lines of a file of as many entries. */
export function linesOfEcd(entries: number): number {
  return entries * 3 + ACCOUNTS * (MONTHS + 1);
}

interface Moved {
  readonly debits: number[];
  readonly credits: number[];
}

/** Writes about `lines` lines and returns how many. */
export async function writeLargeEcd(path: string, lines: number): Promise<number> {
  const entries = Math.floor((lines - linesOfEcd(0)) / 3);
  const counts = new Map<string, number>();
  let total = 0;
  const out = createWriteStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 });
  let waiting: string[] = [];
  const line = async (text: string) => {
    const register = text.slice(0, 4);
    counts.set(register, (counts.get(register) ?? 0) + 1);
    total++;
    if (waiting.push(`|${text}|\r\n`) < 5_000) return;
    const isFull = !out.write(waiting.join(''));
    waiting = [];
    if (isFull) await once(out, 'drain');
  };
  const all = linesIn(entries);
  for (const text of headOf(all)) await line(text);
  for (const text of balancesOf(entries)) await line(text);
  for (const text of entriesOf(entries)) await line(text);
  await line(`I990|${[...counts].reduce((sum, [register, count]) => sum + (register.startsWith('I') ? count : 0), 1)}`);
  for (const text of tailOf(all)) await line(text);
  for (const register of [...counts.keys(), '9900', '9990', '9999'])
    await line(`9900|${register}|${register === '9900' ? REGISTERS : (counts.get(register) ?? 1)}`);
  await line(`9990|${REGISTERS + 3}`);
  await line(`9999|${total + 1}`);
  out.end(waiting.join(''));
  await once(out, 'finish');
  return total;
}

const MONTH_END = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const REGISTERS = 23;
const two = (number: number) => String(number).padStart(2, '0');
const accountOf = (number: number) => `1.1.1.${String(number % ACCOUNTS).padStart(5, '0')}`;
const monthOf = (entry: number, entries: number) => Math.floor((entry * MONTHS) / entries);

function movedIn(month: number, entries: number): Moved {
  const moved: Moved = { debits: new Array(ACCOUNTS).fill(0), credits: new Array(ACCOUNTS).fill(0) };
  for (let entry = 0; entry < entries; entry++) {
    if (monthOf(entry, entries) !== month) continue;
    moved.debits[(entry * 7) % ACCOUNTS]! += CENTS;
    moved.credits[(entry * 13) % ACCOUNTS]! += CENTS;
  }
  return moved;
}

function* headOf(all: number): Generator<string> {
  yield '0000|LECD|01012025|31122025|BANCO DE MEDIDAS S.A.|11222333000181|SP|||||0|0|0||0|0||N|N|0|0|';
  yield '0001|0';
  yield '0007|00|';
  yield '0990|4';
  yield 'C001|1';
  yield 'C990|2';
  yield 'I001|0';
  yield 'I010|G|9.00';
  yield `I030|TERMO DE ABERTURA|1|DIARIO GERAL|${all}|BANCO DE MEDIDAS S.A.||11222333000181|01012010|||31122026`;
  yield 'I050|01012025|01|S|1|1||ATIVO';
  yield 'I050|01012025|01|S|2|1.1|1|CIRCULANTE';
  yield 'I050|01012025|01|S|3|1.1.1|1.1|DISPONIVEL';
  for (let each = 0; each < ACCOUNTS; each++) yield `I050|01012025|01|A|4|${accountOf(each)}|1.1.1|CONTA ${each}`;
}

function* balancesOf(entries: number): Generator<string> {
  const balances = new Array<number>(ACCOUNTS).fill(0);
  for (let month = 0; month < MONTHS; month++) {
    yield `I150|01${two(month + 1)}2025|${MONTH_END[month]}${two(month + 1)}2025`;
    const { debits, credits } = movedIn(month, entries);
    for (let each = 0; each < ACCOUNTS; each++) {
      const before = balances[each]!;
      balances[each]! += debits[each]! - credits[each]!;
      yield `I155|${accountOf(each)}||${sided(before)}|${plain(debits[each]!)}|${plain(credits[each]!)}|${sided(balances[each]!)}`;
    }
  }
}

function* entriesOf(entries: number): Generator<string> {
  for (let entry = 0; entry < entries; entry++) {
    const month = two(monthOf(entry, entries) + 1);
    const day = two((entry % 28) + 1);
    yield `I200|2025${month}.1.1.${entry}|${day}${month}2025|${AMOUNT}|N|`;
    yield `I250|${accountOf(entry * 7)}||${AMOUNT}|D|||${ECD_NARRATION} ${entry}|`;
    yield `I250|${accountOf(entry * 13)}||${AMOUNT}|C|||${ECD_NARRATION} ${entry}|`;
  }
}

function* tailOf(all: number): Generator<string> {
  yield 'J001|0';
  yield `J900|TERMO DE ENCERRAMENTO|1|DIARIO GERAL|BANCO DE MEDIDAS S.A.|${all}|01012025|31122025`;
  yield 'J930|MARIA DIRETORA|12345678909|Diretor|203|||||||S';
  yield 'J930|JOAO CONTADOR|11144477735|Contador|900|1SP123456|joao@exemplo.com|1133334444|SP|SP/2026/123|31122026|N';
  yield 'J990|5';
  yield '9001|0';
}

/** All lines of the file: those of the head, balances, entries, and the rest. */
function linesIn(entries: number): number {
  return 12 + ACCOUNTS + MONTHS * (ACCOUNTS + 1) + entries * 3 + 1 + 6 + REGISTERS + 2;
}

const plain = (cents: number) => `${Math.floor(cents / 100)},${two(cents % 100)}`;
const sided = (cents: number) => `${plain(Math.abs(cents))}|${cents < 0 ? 'C' : 'D'}`;
