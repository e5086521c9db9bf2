/** The record at fault in a problem: its kind, and the key that identifies it. */
export interface RecordRef {
  readonly record: RecordName;
  readonly key?: string | number;
}

/** The same, with what prevents its removal or change. */
export interface UsedRecord extends RecordRef {
  readonly by: readonly RecordUser[];
}

/** The record of that kind and key: `recordRef('Branch', '0001')`. */
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
  | 'Approval'
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
  | 'Fee accrual'
  | 'Fund fee'
  | 'Fund settings'
  | 'Fund type'
  | 'Group'
  | 'Narration'
  | 'Identity'
  | 'Issued book'
  | 'Import'
  | 'Job'
  | 'Process'
  | 'Quota configuration'
  | 'Quota movement'
  | 'Short code'
  | 'Reference account'
  | 'Reference chart'
  | 'Template use'
  | 'Report'
  | 'Routine'
  | 'Routine access'
  | 'Rule'
  | 'Signing key'
  | 'Service account'
  | 'Secret'
  | 'Entry template'
  | 'Statement'
  | 'Statement line'
  | 'Tax quota'
  | 'Session'
  | 'User'
  | 'Webhook'
  | 'Delivery';

/** What may use a record. */
export type RecordUser =
  | 'a posted document'
  | 'accesses'
  | 'accounts'
  | 'base balances'
  | 'approval requests'
  | 'batches'
  | 'branches'
  | 'calendar days'
  | 'child accounts'
  | 'closure settings'
  | 'company options'
  | 'control balances'
  | 'compliance processes'
  | 'documents'
  | 'entries'
  | 'fees accrued'
  | 'fund fees'
  | 'fund settings'
  | 'narrations'
  | 'imports'
  | 'issued books'
  | 'members'
  | 'opened months'
  | 'printed reports'
  | 'other records'
  | 'quota configuration'
  | 'quotas calculated'
  | 'reference accounts'
  | 'deliveries to regulators'
  | 'regulatory profiles'
  | 'statement facts'
  | 'template uses'
  | 'entry templates';
