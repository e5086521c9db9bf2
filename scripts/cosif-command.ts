import { createHash } from 'node:crypto';
import { monthFromIso } from '../src/accounting/period.ts';
import { writeCheckedCosif } from '../src/features/reporting/filing-precheck/write-checked-cosif.ts';
import { COSIF_DOCUMENTS } from '../src/features/reporting/filings/cosif/cosif-file.ts';
import { assertDocumentOfMonth } from '../src/features/reporting/filings/request-filing.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import { companyOf, foundRows } from './filing-words.ts';
import { operand } from './operand.ts';
import { writeWholeFile } from './whole-file.ts';

/** `npm run admin -- cosif …`: a document 4010 or 4016, checked; one with errors is not written. */
export const COSIF_COMMANDS = {
  cosif: {
    usage: 'cosif <company> 4010|4016 <YYYY-MM> --out <file>',
    words: 3,
    needsBooks: true,
    run: async (
      context: Context,
      [company, kind, word]: readonly string[],
      { out }: { readonly out?: string | undefined },
      { config }: { readonly config: Pick<Config, 'cosifSign'> },
    ): Promise<number> => {
      const path = operand('--out', out);
      const document = COSIF_DOCUMENTS.find((each) => each === kind);
      if (document === undefined) throw new StartError('a document is 4010 or 4016');
      const month = monthFromIso(operand('month', word));
      if (month === undefined) throw new StartError('a month is written as 2025-06');
      assertDocumentOfMonth({ document, month });
      const { text, lines, found, remittance } = await context.snapshot(async (sql) =>
        writeCheckedCosif(sql, { ...(await companyOf(sql, company)), document, month }, config.cosifSign),
      );
      for (const row of foundRows(found)) console.log(row);
      if (text === undefined || found.errors > 0) {
        console.log('arquivo não gerado');
        return 1;
      }
      await writeWholeFile(path, (makeFile) => makeFile((write) => write(Buffer.from(text))));
      const sha256 = createHash('sha256').update(text).digest('hex');
      console.log(`linhas ${lines}, remessa ${remittance}, sinal ${config.cosifSign}, sha256 ${sha256}`);
      return 0;
    },
  },
} as const;
