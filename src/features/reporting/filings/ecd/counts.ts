import type { EcdLine, LineMaker } from './ecd-line.ts';
import type { EcdParts } from './ecd-parts.ts';

/** How many lines of each register the file has, in its order: block C is filled in by the official program. */
export function expectedLines(parts: EcdParts, bulk: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (register: string, lines = 1) => {
    if (lines > 0) counts.set(register, (counts.get(register) ?? 0) + lines);
  };
  const addAll = (lines: readonly EcdLine[]) => {
    for (const { register } of lines) add(register);
  };
  addAll(parts.head);
  add('0990');
  for (const register of ['I001', 'I010', 'I030']) add(register);
  addAll(parts.chart);
  for (const [register, lines] of Object.entries(bulk)) add(register, lines);
  addAll(parts.results);
  add('I990');
  add('J001');
  addAll(parts.statements);
  add('J900');
  addAll(parts.signatories);
  add('J990');
  add('9001');
  // Each register has a line that counts it, those of this block among them.
  add('9900', counts.size + 3);
  add('9990');
  add('9999');
  return counts;
}

/** The lines that say how many there are. */
export function closingLines(make: LineMaker, expected: ReadonlyMap<string, number>) {
  const counted = [...expected];
  const sumOf = (block: string) =>
    counted.reduce((sum, [code, lines]) => sum + (code.startsWith(block) ? lines : 0), 0);
  const total = sumOf('');
  return {
    total,
    ofBlock: (block: '0' | 'I' | 'J') => make.line(`${block}990`, [sumOf(block)]),
    ofFile: [
      make.line('9001', ['0']),
      ...counted.map(([code, lines]) => make.line('9900', [code, lines])),
      make.line('9990', [sumOf('9')]),
      make.line('9999', [total]),
    ],
  };
}
