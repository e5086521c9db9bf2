import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { RecordName } from '../../../accounting/record-name.ts';
import type { Fragment } from '../../../platform/database/statement.ts';
import type { Fields, InputOf, RowOf } from './fields.ts';

/** A table of records: its name, its fields, who its rows belong to. Their rules are in use cases. */
export interface RecordDefinition<F extends Fields = Fields> {
  /** Its name in errors. */
  readonly name: RecordName;
  readonly table: string;
  /** GLOBAL: everybody's. TENANT: of a company and branch. EITHER: of a branch when it says so, else everybody's. */
  readonly owner: 'GLOBAL' | 'TENANT' | 'EITHER';
  readonly fields: F;
  readonly orderBy: Fragment;
  /** The field reported for a duplicate. */
  readonly uniqueField: string;
}

/** What is written, by field name; decimals in NUMERIC text. */
export type RecordInput<Definition extends RecordDefinition = RecordDefinition> = InputOf<Definition['fields']>;

/** A row also has its key, `id`, and where it has an owner, `company` and `branch`. */
export type RecordRow<Definition extends RecordDefinition = RecordDefinition> = RowOf<Definition['fields']> & {
  readonly createdAt: Date;
  readonly updatedAt: Date;
} & Readonly<Record<string, unknown>>;

export type RecordKey = number | string;

/** The tenant of a record; both null for everybody's. */
export interface RecordOwner {
  readonly companyId: CompanyId | null;
  readonly branchId: BranchId | null;
}

export const EVERYBODY: RecordOwner = { companyId: null, branchId: null };
