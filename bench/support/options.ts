import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: 'string' },
    folder: { type: 'string' },
    funds: { type: 'string' },
    'close-minutes': { type: 'string' },
  },
});

/** The figures that the command line names. */
export function figuresAsked(): string[] {
  return positionals;
}

/** How large the largest books are; where a figure is not about that, it is ignored. */
export function linesAsked(usual: number): number {
  return values.lines === undefined ? usual : Number(values.lines);
}

/** Where the largest books are kept for the next run; undefined: they are removed. */
export function folderAsked(): string | undefined {
  return values.folder;
}

export function fundsAsked(usual: number): number {
  return values.funds === undefined ? usual : Number(values.funds);
}

/** How long the months of branches that nobody measures are closed. */
export function closeMinutesAsked(): number {
  return Number(values['close-minutes'] ?? Number.POSITIVE_INFINITY);
}
