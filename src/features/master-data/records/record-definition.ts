import type { RecordName } from '../../../accounting/record-name.ts';

/** How a field of a record is kept and shown. Decimals and instants need a word more than the column's own type. */
export interface RecordField {
  readonly column: string;
  readonly kind?: 'plain' | 'json' | 'decimal';
}

/**
 * A record without rules of its own: one table, its fields, who it belongs to. A record with rules is a use case of its
 * own, outside of this folder.
 */
export interface RecordDefinition {
  /** Its name in errors. */
  readonly name: RecordName;
  readonly table: string;
  /** GLOBAL: everybody's. TENANT: of a company and branch. EITHER: of a branch when it says so, else everybody's. */
  readonly owner: 'GLOBAL' | 'TENANT' | 'EITHER';
  /** Wire name of the key: an integer id, or a uuid. */
  readonly key: string;
  readonly fields: Readonly<Record<string, RecordField>>;
  readonly orderBy: string;
  /** Wire name of the field reported for a duplicate. */
  readonly uniqueField: string;
}

/** Values by wire name; amounts in NUMERIC text. */
export type RecordValues = Readonly<Record<string, unknown>>;
