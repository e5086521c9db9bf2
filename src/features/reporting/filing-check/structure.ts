import type { Book } from './book.ts';
import { FORMS, type Form, type Layout, type Register } from './layout.ts';
import type { Line } from './line.ts';
import type { Reporter } from './reporter.ts';
import { ECD_RULES } from './rules/index.ts';

/** Which registers are open: what a line may follow. */
export class Hierarchy {
  readonly #open: (Register | undefined)[] = [];
  readonly #lines: (Line | undefined)[] = [];

  /** Opens a register, and says whether it stands where it may. */
  enter(register: Register): boolean {
    const { level, parent, order } = register;
    const open = this.#open;
    const before = open[level];
    const isUnderParent = level === 0 ? before === undefined : open[level - 1] === parent;
    const isAscending = before === undefined || order >= before.order;
    if (before !== register) open[level] = register;
    for (let deeper = level + 1; deeper < open.length; deeper++) {
      open[deeper] = undefined;
      this.#lines[deeper] = undefined;
    }
    return isUnderParent && isAscending;
  }

  parentOf({ level, parent }: Register): Line | undefined {
    const line = level === 0 ? undefined : this.#lines[level - 1];
    return line?.register === parent ? line : undefined;
  }

  hold(line: Line | undefined, level: number): void {
    this.#lines[level] = line;
  }
}

/** Registers that the official program fills in: their absence is a notice. */
const RECOVERED: ReadonlySet<string> = new Set(['C001', 'C990']);

/** Registers that a field of 0000 makes obligatory: field, value, registers. */
const CONDITIONS: readonly (readonly [string, string, readonly string[]])[] = [
  ['TIP_ECD', '1', ['0035']],
  ['IDENT_MF', 'S', ['I020']],
  ['IND_FIN_ESC', '1', ['J801', 'J932']],
  ['IND_ESC_CONS', 'S', ['K001', 'K990']],
  ['IND_GRANDE_PORTE', '1', ['J935']],
  ['IND_CENTRALIZADA', '1', ['0020']],
  ['IND_MUDANC_PC', '1', ['I157']],
];

/** Which registers a book of its form must have and must not have. */
export function checkComposition(
  layout: Layout,
  book: Book,
  firstLines: ReadonlyMap<string, number>,
  reporter: Reporter,
): void {
  const known = FORMS.includes(book.form);
  const isOf = (register: Register, letter: string) =>
    known
      ? register.forms[book.form as Form] === letter
      : FORMS.every((form) => register.forms[form as Form] === letter);
  for (const register of layout.registers) {
    const { code, block } = register;
    const count = book.countOf(code);
    if (count > 0 && isOf(register, 'N'))
      reporter.everywhere('REGRA_REGISTRO_NAO_SE_APLICA', firstLines.get(code)!, code);
    if (count > 1 && register.isSingle && !(`${code} REGRA_OCORRENCIA_UNITARIA_ARQ` in ECD_RULES))
      reporter.own('PARTIDAS_REGISTRO_REPETIDO', firstLines.get(code), code);
    const isWanted = block !== 'K' || book.countOf('K001') > 0;
    if (count > 0 || !isWanted || !isOf(register, 'O') || RECOVERED.has(code)) continue;
    reporter.everywhere('REGRA_REGISTRO_OBRIGATORIO', book.physicalLines, code);
  }
  for (const [field, value, registers] of CONDITIONS) {
    if (book.given('0000', field) !== value) continue;
    for (const code of registers)
      if (book.countOf(code) === 0)
        reporter.everywhere('REGRA_REGISTRO_OBRIGATORIO', book.physicalLines, code, field, value);
  }
  if (known && isOf(layout.byCode.get('C001')!, 'O') && book.countOf('C001') === 0)
    reporter.own('PARTIDAS_SEM_BLOCO_C', undefined, 'C001');
}

/** Keys of the manual's tables without a rule of their own. */
const KEYS: readonly (readonly [string, readonly string[], 'file' | 'parent'])[] = [
  ['I051', ['COD_CCUS'], 'parent'],
  ['J005', ['DT_INI', 'DT_FIN', 'ID_DEM'], 'file'],
  ['J935', ['NI_CPF_CNPJ'], 'file'],
];

export function checkKeys(book: Book, reporter: Reporter): void {
  for (const [register, fields, within] of KEYS) {
    const seen = new Map<object, Set<string>>();
    for (const row of book.rows(register)) {
      const owner = within === 'file' ? book : (row.parent ?? book);
      const keys = seen.get(owner) ?? new Set();
      seen.set(owner, keys);
      const key = fields.map((field) => row.of(field)).join('|');
      if (keys.has(key)) reporter.own('PARTIDAS_CHAVE_REPETIDA', row.number, register, key);
      keys.add(key);
    }
  }
}
