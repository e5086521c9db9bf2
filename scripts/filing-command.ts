import { open } from 'node:fs/promises';
import { checkFile } from '../src/features/reporting/filing-check/check-file.ts';
import type { Checked } from '../src/features/reporting/filing-check/findings.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import { findingRow } from './finding-row.ts';
import { unreadable } from './import-commands.ts';

const PIECE = 1 << 18;

/** `npm run admin -- check …`: a file of the regulators against their rules, without a database. */
export const FILING_COMMANDS = {
  check: {
    usage: 'check <file>',
    manage: async (_: Config, [path]: readonly string[]): Promise<number> => {
      if (path === undefined) throw new StartError('file is missing');
      const checked = await checkedFile(path).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      for (const row of rowsOf(checked)) console.log(row);
      return checked.errors > 0 ? 1 : 0;
    },
  },
} as const;

async function checkedFile(path: string): Promise<Checked> {
  const file = await open(path);
  return checkFile(file.createReadStream({ highWaterMark: PIECE }));
}

/** A line a finding, parted by tabs, and what they add up to. */
function rowsOf({ kind, lines, errors, warnings, findings, counts, notProven }: Checked): string[] {
  const rows = findings.map(findingRow);
  for (const [rule, count] of Object.entries(counts)) {
    const listed = findings.filter((finding) => finding.rule === rule).length;
    if (count > listed) rows.push(`${rule}: ${count} ao todo, ${listed} mostrados`);
  }
  rows.push(`${kind}: linhas ${lines}, erros ${errors}, avisos ${warnings}`);
  if (notProven.length > 0) rows.push(`este arquivo sozinho não prova: ${notProven.join(', ')}`);
  return rows;
}
