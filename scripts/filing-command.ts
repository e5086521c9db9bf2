import { open } from 'node:fs/promises';
import { checkFile } from '../src/features/reporting/filing-check/check-file.ts';
import type { Checked } from '../src/features/reporting/filing-check/findings.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import { unlistedRows } from './filing-words.ts';
import { findingRow } from './finding-row.ts';
import { unreadable } from './import-commands.ts';

const PIECE = 1 << 18;

const KINDS = ['ECD', '4010', '4016'] as const;

export const FILING_OPTIONS = { kind: { type: 'string' } } as const;

interface FilingWords {
  readonly kind?: string | undefined;
}

/** `npm run admin -- check …`: a file of the regulators against their rules, without a database. */
export const FILING_COMMANDS = {
  check: {
    usage: 'check <file> [--kind ecd|4010|4016]',
    manage: async (_: Config, [path]: readonly string[], { kind }: FilingWords): Promise<number> => {
      if (path === undefined) throw new StartError('file is missing');
      const wanted = kindOf(kind);
      const checked = await checkedFile(path).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      for (const row of rowsOf(checked)) console.log(row);
      const isOther = wanted !== undefined && checked.kind !== wanted;
      if (isOther) console.log(`o arquivo não é ${wanted}`);
      return isOther || checked.errors > 0 ? 1 : 0;
    },
  },
} as const;

function kindOf(text: string | undefined): Checked['kind'] | undefined {
  const kind = KINDS.find((each) => each === text?.toUpperCase());
  if (text !== undefined && kind === undefined) throw new StartError('--kind is ecd, 4010 or 4016');
  return kind;
}

async function checkedFile(path: string): Promise<Checked> {
  const file = await open(path);
  return checkFile(file.createReadStream({ highWaterMark: PIECE }));
}

/** A line a finding, parted by tabs, and what they add up to. */
function rowsOf({ kind, lines, errors, warnings, findings, counts, notProven }: Checked): string[] {
  const rows = [...findings.map(findingRow), ...unlistedRows(findings, counts)];
  rows.push(`${kind}: linhas ${lines}, erros ${errors}, avisos ${warnings}`);
  if (notProven.length > 0) rows.push(`este arquivo sozinho não prova: ${notProven.join(', ')}`);
  return rows;
}
