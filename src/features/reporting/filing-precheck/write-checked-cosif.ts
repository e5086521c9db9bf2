import type { Transaction } from '../../../platform/database/sql.ts';
import { checkFile } from '../filing-check/check-file.ts';
import type { CosifRequest, CosifSign, WrittenCosif } from '../filings/cosif/cosif-file.ts';
import { writeCosif } from '../filings/cosif/write-cosif.ts';
import type { FoundInFile } from '../filings/filing-finding.ts';
import { countsOf, mergeFindings, NOTHING_CHECKED } from './checked.ts';

export interface CheckedCosif extends WrittenCosif {
  readonly lines: number;
  readonly found: FoundInFile;
}

/** Writes a document 4010 or 4016 and checks it with the published sign, whichever it is written with. */
export async function writeCheckedCosif(
  sql: Transaction,
  request: CosifRequest,
  sign: CosifSign,
): Promise<CheckedCosif> {
  const written = await writeCosif(sql, request, sign);
  const { text, published, findings, origins } = written;
  const checked = text === undefined ? NOTHING_CHECKED : await checkFile(portion(published));
  const own = { findings, counts: countsOf(findings) };
  const lines = text === undefined ? 0 : text.split('\n').length - 1;
  return { ...written, lines, found: mergeFindings(own, checked, (line) => origins.get(line)) };
}

async function* portion(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
