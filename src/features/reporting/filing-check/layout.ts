import { rowsOf } from './tables.ts';

/** A field as the manual describes it. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'digits' | 'amount' | 'date';
  /** Lengths that it may have; none: at most `most`. */
  readonly lengths: readonly number[];
  readonly most: number;
  readonly decimals: number;
  readonly required: boolean;
  readonly values: ReadonlySet<string> | undefined;
}

export type Form = 'G' | 'R' | 'A' | 'B' | 'Z';
export const FORMS: readonly string[] = ['G', 'R', 'A', 'B', 'Z'] satisfies Form[];

/** A register: one kind of line. */
export interface Register {
  readonly code: string;
  readonly block: string;
  readonly level: number;
  /** Its place in the manual's order. */
  readonly order: number;
  readonly parent: Register | undefined;
  /** By their number; the first one is 1. */
  readonly fields: readonly (Field | undefined)[];
  /** The number of a field by its name. */
  readonly places: Readonly<Record<string, number>>;
  /** At most one in a file. */
  readonly isSingle: boolean;
  /** Whether a book of a form must (O) or must not (N) have it. */
  readonly forms: Readonly<Record<Form, string>>;
}

export interface Layout {
  readonly registers: readonly Register[];
  readonly byCode: ReadonlyMap<string, Register>;
}

let remembered: Layout | undefined;

/** Layout 9 of the ECD, as the tables have it. */
export function ecdLayout(): Layout {
  remembered ??= readLayout();
  return remembered;
}

function readLayout(): Layout {
  const fields = Map.groupBy(rowsOf('regulatory/ecd9-fields.csv'), ({ register }) => register!);
  const registers: Register[] = [];
  for (const row of rowsOf('regulatory/ecd9-registers.csv')) {
    const { register: code, block, level } = row;
    // Fields of a functional currency come with the additional fields of I020.
    const own = (fields.get(code!) ?? []).filter(({ required }) => required !== 'MF').map(fieldOf);
    // Blocks open right under the first register of all.
    const isAbove = (each: Register) => each.level === Number(level) - 1 && (each.level === 0 || each.block === block);
    registers.push({
      code: code!,
      block: block!,
      level: Number(level),
      order: registers.length,
      parent: registers.findLast(isAbove),
      fields: [undefined, ...own],
      places: Object.fromEntries(own.map(({ name }, place) => [name, place + 1])),
      isSingle: /^[01]:1$/.test(row.occurrence!),
      forms: { G: row.G!, R: row.R!, A: row.A!, B: row.B!, Z: row.Z! },
    });
  }
  return { registers, byCode: new Map(registers.map((each) => [each.code, each])) };
}

function fieldOf(row: Readonly<Record<string, string>>): Field {
  const { name = '', type, size = '', dec, required, domain = '', rule = '' } = row;
  const values = valuesOf(domain);
  const decimals = Number(dec || 0);
  const kind = kindOf(name, type!, decimals);
  const lengths = kind === 'amount' || values !== undefined ? [] : lengthsOf(name, type!, size);
  return {
    name,
    kind,
    lengths,
    most: mostOf(size),
    decimals,
    required: required === 'S',
    values: rule.includes('REGRA_VERSAO_LC') ? undefined : values,
  };
}

function kindOf(name: string, type: string, decimals: number): Field['kind'] {
  if (/^(?:DT|DATA)_/.test(name)) return 'date';
  // Numbers of companies have had letters since 2026, which the manual of 2024 could not know.
  if (type === 'C' || /CNPJ|^COD_SCP/.test(name)) return 'text';
  return decimals > 0 ? 'amount' : 'digits';
}

/** Codes have their length exactly; names and texts at most. */
function lengthsOf(name: string, type: string, size: string): readonly number[] {
  if (size.startsWith('CPF')) return [11, 14];
  const length = Number(size);
  const isCode = type === 'N' ? length > 0 && length <= 14 : length > 0 && length <= 4;
  return isCode || /HASH_(?:SUB|AUX|ECD)/.test(name) ? [length] : [];
}

const LONGEST_TEXT = 255;

function mostOf(size: string): number {
  if (size === '30 MB') return Number.POSITIVE_INFINITY;
  return Number(size) || LONGEST_TEXT;
}

/** '[0; 1]', '["D","C"]', '"LECD"': the values that a field may have. */
function valuesOf(written: string): ReadonlySet<string> | undefined {
  if (written.startsWith('"')) return new Set([written.replaceAll('"', '')]);
  if (!written.startsWith('[') || written.startsWith('[do ')) return undefined;
  const inner = written.slice(1, written.indexOf(']'));
  return new Set(inner.split(/[;,]/).map((each) => each.replaceAll('"', '').trim()));
}
