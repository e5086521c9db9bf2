import type { Register } from './layout.ts';

/** A line of a file in its fields: number 1 is its register. */
export class Line {
  readonly register: Register;
  readonly number: number;
  readonly fields: readonly string[];
  /** The line that it stands under, where that one is kept. */
  readonly parent: Line | undefined;
  #children: Line[] | undefined;

  constructor(register: Register, number: number, fields: readonly string[], parent?: Line) {
    this.register = register;
    this.number = number;
    this.fields = fields;
    this.parent = parent;
  }

  /** The text of a field by its name in the manual; empty where the line ends before it. */
  of(name: string): string {
    const place = this.register.places[name];
    if (place === undefined) throw new Error(`${this.register.code} has no field ${name}`);
    return this.fields[place] ?? '';
  }

  /** Kept lines of a register that stand under this one. */
  under(register: string): Line[] {
    return this.#children?.filter((child) => child.register.code === register) ?? [];
  }

  adopt(child: Line): void {
    if (this.#children === undefined) this.#children = [child];
    else this.#children.push(child);
  }
}

/** A copy that does not hold the piece of the file that a text was cut from. */
export function kept(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
