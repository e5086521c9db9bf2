import type { AccountId, ChartId } from '../../../../accounting/ids.ts';
import type { StatementKind } from '../../../../accounting/statements/statement-definition.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import type { Tenant } from '../../../access/access.ts';
import type { ImportMark } from '../staging.sql.ts';
import type { EcdContents } from './ecd-contents.ts';
import type { EcdCreated, EcdImportOptions, EcdImportProgress } from './ecd-import.ts';
import type { ImportFindings } from './import-findings.ts';

/** One import under way: where it writes, for whom, and what it has found and made. */
export interface EcdSession {
  readonly sql: Transaction;
  /** Everything that a use case does through it is part of the one transaction. */
  readonly context: Context;
  readonly tenant: Tenant;
  readonly contents: EcdContents;
  readonly findings: ImportFindings;
  readonly options: EcdImportOptions;
  readonly mark: ImportMark;
  readonly created: Counts;
  /** Those that this import made. */
  readonly newStatements: Set<StatementKind>;
  /** The text of a problem, in the words of the books. */
  readonly describe: (error: unknown) => string;
  readonly tell: (progress: EcdImportProgress) => void;
}

type Counts = { -readonly [Name in keyof EcdCreated]: EcdCreated[Name] };

/** Nothing made yet. */
export function nothingCreated(): Counts {
  return {
    ...{ accounts: 0, narrations: 0, mappings: 0, statements: 0, signatories: 0, openingBalances: 0 },
    ...{ months: 0, batches: 0, documents: 0, entries: 0, lines: 0 },
  };
}

/** The chart that the file's accounts are in. */
export interface EcdChart {
  readonly id: ChartId;
  readonly code: string;
  /** By the code of the file. */
  readonly accounts: ReadonlyMap<string, { readonly id: AccountId; readonly code: string }>;
}
