import { ecdLayout } from '../../../reporting/filing-check/layout.ts';
import type { Ending, LineConsumer } from '../../../reporting/filing-check/read-lines.ts';

// Files of earlier years have the fields of their layout. What is known of the differences stands here: layouts 5 and 6
// have statements without a tree and the reference chart in I051, 7 has the tree, 8 is 9 but for its number. None of it
// was compared with the official programs.

/** The layouts that are read: of the years since 2016. */
export const LAYOUTS: readonly string[] = ['5.00', '6.00', '7.00', '8.00', '9.00'];
export const CURRENT = '9.00';

/** Makes lines of an earlier layout those of layout 9, and hands them on. */
export class LayoutConverter implements LineConsumer {
  /** The reference chart that lines I051 of layouts before 8 name. */
  referencePlan = '';
  readonly #layout: number;
  readonly #consumer: LineConsumer;
  /** A line of a statement, which is a total when the next one is deeper. */
  #held: { readonly fields: string[]; readonly ending: Ending } | undefined;
  /** Codes above the lines of a statement, by level. */
  #above: string[] = [];
  #order = 0;

  constructor(layout: string, consumer: LineConsumer) {
    this.#layout = Number(layout);
    this.#consumer = consumer;
  }

  get isDone(): boolean {
    return this.#consumer.isDone;
  }

  line(text: string, ending: Ending): void {
    const code = text.slice(1, 5);
    if (this.#layout >= 8 && code !== 'I010') {
      this.#consumer.line(this.#layout === 9 ? text : padded(text, code), ending);
      return;
    }
    const fields = text.split('|');
    if (this.#layout < 7 && (code === 'J100' || code === 'J150')) {
      this.#hold(fields, code, ending);
      return;
    }
    this.#release(undefined);
    this.#hand(this.#converted(fields, code), ending);
  }

  piece(text: string, ending: Ending | undefined): void {
    this.#release(undefined);
    this.#consumer.piece(text, ending);
  }

  /** After the last line. */
  end(): void {
    this.#release(undefined);
  }

  #converted(fields: string[], code: string): string[] {
    if (code === 'I010' && fields[3] === `${this.#layout}.00`) return fields.with(3, CURRENT);
    if (this.#layout >= 8) return fields;
    if (code === '0000' && fields.length === 22) return [...fields.slice(0, 21), '0', '0', '', ''];
    if (code === 'I051' && fields.length === 6) {
      this.referencePlan ||= fields[2]!;
      return fields.toSpliced(2, 1);
    }
    if (code === 'J005') {
      this.#order = 0;
      this.#above = [];
    }
    // Layout 7: the balance sheet as today, the income statement without its order and its year before.
    if (code === 'J150' && fields.length === 12) {
      const [above, end] = [fields.slice(2, 7), fields.slice(7)];
      return ['', 'J150', String(++this.#order), ...above, '', '', ...end];
    }
    return fields;
  }

  /** Lines of statements before layout 7 have a level and no parent. */
  #hold(fields: string[], code: string, ending: Ending): void {
    const line = code === 'J100' ? this.#balanceLine(fields) : this.#incomeLine(fields);
    this.#release(line);
    this.#held = { fields: line, ending };
  }

  #balanceLine(fields: string[]): string[] {
    const [, , code = '', level = '', group = '', name = '', final = '', side = '', opening = '', before = ''] = fields;
    const grouped = group === '1' ? 'A' : group === '2' ? 'P' : group;
    const amounts = [opening || '0,00', before || 'D', final, side];
    return ['', 'J100', code, 'D', level, this.#parentAt(code, level), grouped, name, ...amounts, fields[10] ?? '', ''];
  }

  #incomeLine(fields: string[]): string[] {
    const [, , code = '', level = '', name = '', final = '', kind = '', before = '', beforeKind = ''] = fields;
    const parent = this.#parentAt(code, level);
    const amounts = [before, before === '' ? '' : sideOf(beforeKind), final, sideOf(kind)];
    const group = kind === 'R' || kind === 'P' ? 'R' : 'D';
    const order = String(++this.#order);
    return ['', 'J150', order, code || `L${order}`, 'D', level, parent, name, ...amounts, group, '', ''];
  }

  #parentAt(code: string, level: string): string {
    const depth = Number(level) || 1;
    this.#above.length = Math.min(this.#above.length, depth - 1);
    this.#above[depth - 1] = code;
    return this.#above[depth - 2] ?? '';
  }

  /** Hands on what is held, now that the line behind it is known. */
  #release(next: readonly string[] | undefined): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const [indicator, level] = held.fields[1] === 'J100' ? [3, 4] : [4, 5];
    const isTotal = next?.[1] === held.fields[1] && Number(next![level]) > Number(held.fields[level]);
    this.#hand(isTotal ? held.fields.with(indicator, 'T') : held.fields, held.ending);
  }

  #hand(fields: readonly string[], ending: Ending): void {
    this.#consumer.line(padded(fields.join('|'), fields[1] ?? ''), ending);
  }
}

/** D and N take away from a result, R and P add to it. */
function sideOf(kind: string): string {
  return kind === 'R' || kind === 'P' ? 'C' : 'D';
}

/** With the fields at the end that came later. */
function padded(text: string, code: string): string {
  const register = ecdLayout().byCode.get(code);
  if (register === undefined || !text.endsWith('|')) return text;
  let count = -2;
  for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) count++;
  const missing = register.fields.length - 2 - count;
  return missing > 0 ? text + '|'.repeat(missing) : text;
}
