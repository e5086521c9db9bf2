/** What a problem says of the record at fault: its kind, and the key that tells it from others. */
export interface RecordRef {
  readonly record: RecordName;
  readonly key?: string | number;
}

/** The same, and what stands in the way of removing or changing it. */
export interface UsedRecord extends RecordRef {
  readonly by: readonly RecordUser[];
}

/** The record of that name, and the one that the key tells from others: `recordRef('Branch', '0001')`. */
export function recordRef(record: RecordName, key?: string | number | null): RecordRef {
  return key === undefined || key === null || key === '' ? { record } : { record, key };
}

/** The record and what uses it. */
export function usedBy(record: RecordRef, by: readonly RecordUser[]): UsedRecord {
  return { ...record, by };
}

/** Every kind of record that a problem may name. */
export type RecordName =
  | 'Account'
  | 'Batch'
  | 'Branch'
  | 'Business system'
  | 'CEP'
  | 'CNPJ'
  | 'Chart'
  | 'Closure settings'
  | 'Severity'
  | 'Code'
  | 'Column'
  | 'Company'
  | 'Company options'
  | 'Month close'
  | 'Day'
  | 'Document'
  | 'Entry'
  | 'Fund settings'
  | 'Fund type'
  | 'Group'
  | 'Narration'
  | 'Identity'
  | 'Job'
  | 'Process'
  | 'Quota configuration'
  | 'Short code'
  | 'Reference account'
  | 'Reference chart'
  | 'Template use'
  | 'Report'
  | 'Routine'
  | 'Routine access'
  | 'Rule'
  | 'Signing key'
  | 'Entry template'
  | 'Tax quota'
  | 'User';

/** What may use a record. */
export type RecordUser =
  | 'a posted document'
  | 'accesses'
  | 'accounts'
  | 'base balances'
  | 'batches'
  | 'branches'
  | 'calendar days'
  | 'child accounts'
  | 'closure settings'
  | 'company options'
  | 'compliance processes'
  | 'documents'
  | 'entries'
  | 'fund settings'
  | 'narrations'
  | 'imports'
  | 'members'
  | 'opened months'
  | 'other records'
  | 'quota configuration'
  | 'quotas calculated'
  | 'reference accounts'
  | 'template uses'
  | 'entry templates';
