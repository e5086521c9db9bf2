/** How a field is written and shown; `readOnly` is answered and never sent. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'flag'
  | 'list'
  | 'record'
  | 'readOnly'
  | 'uuid'
  | 'date'
  | 'year-month'
  | 'month-year'
  | 'day-month'
  | 'cnpj'
  | 'cpf'
  | 'cep';

/** A field of a request's body, as the document of its service describes it. */
export interface FieldSchema {
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** The texts that are allowed. */
  readonly values?: readonly string[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  /** Of a list: what it holds. */
  readonly item?: FieldSchema;
  /** Of a record: its fields, in the order of the document. */
  readonly fields?: Readonly<Record<string, FieldSchema>>;
}

/** What an operation takes: the names in its path and query, and its body. */
export interface OperationForm {
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body?: FieldSchema;
}
