import type { CompanyId } from '../../src/accounting/ids.ts';
import type { Day } from '../../src/accounting/period.ts';
import { checkFile } from '../../src/features/reporting/filing-check/check-file.ts';
import type { Checked } from '../../src/features/reporting/filing-check/findings.ts';
import type { EcdOptions, EcdRequest, Origin, WrittenEcd } from '../../src/features/reporting/filings/ecd/ecd-file.ts';
import { writeEcd } from '../../src/features/reporting/filings/ecd/write-ecd.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import type { Platform } from './platform.ts';

export interface WholeEcd extends WrittenEcd {
  readonly bytesOfFile: Buffer;
  /** The fields of its lines, without what is before the first pipe. */
  readonly rows: readonly (readonly string[])[];
  readonly origins: ReadonlyMap<number, Origin>;
  /** Of a register. */
  of(register: string): readonly (readonly string[])[];
}

/** The file of a year, or of what the request says, written from the books of a platform. */
export async function writeWhole(
  platform: Pick<Platform, 'ownerUrl'>,
  request: { readonly companyId: CompanyId; readonly company: string; readonly year: number } & Partial<EcdRequest>,
  options: EcdOptions & { readonly onPortion?: () => Promise<void> } = {},
): Promise<WholeEcd> {
  const { year, ...rest } = request;
  const database = openDatabase(platform.ownerUrl, { max: 1, name: 'test-ecd' });
  const portions: Buffer[] = [];
  const origins = new Map<number, Origin>();
  try {
    const written = await database.snapshot(SYSTEM_SCOPE, (sql) =>
      writeEcd(
        sql,
        { book: 'G', from: `${year}-01-01` as Day, to: `${year}-12-31` as Day, ...rest },
        {
          write: async (bytes) => {
            portions.push(Buffer.from(bytes));
            await options.onPortion?.();
          },
          origin: (line, origin) => void origins.set(line, origin),
        },
        options,
      ),
    );
    const bytesOfFile = Buffer.concat(portions);
    const rows = bytesOfFile
      .toString('latin1')
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split('|').slice(1, -1));
    return { ...written, bytesOfFile, rows, origins, of: (register) => rows.filter(([code]) => code === register) };
  } finally {
    await database.close();
  }
}

/** What the checker says of it. */
export function checkWhole({ bytesOfFile }: WholeEcd): Promise<Checked> {
  async function* pieces() {
    for (let at = 0; at < bytesOfFile.length; at += 65_536) yield bytesOfFile.subarray(at, at + 65_536);
  }
  return checkFile(pieces());
}
