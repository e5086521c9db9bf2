import type { Transaction } from '../../../../platform/database/sql.ts';
import type { EcdOptions, EcdRequest, EcdSink, WrittenEcd } from './ecd-file.ts';

/**
 * Writes a bookkeeping file (ECD, layout 9) of what one snapshot shows: `sql` is that of `context.snapshot`, under a scope that
 * reaches the whole company. The same books and request make the same bytes. Lines are counted before and again while
 * they are written; a difference throws.
 */
export function writeEcd(
  _sql: Transaction,
  _request: EcdRequest,
  _sink: EcdSink,
  _options: EcdOptions = {},
): Promise<WrittenEcd> {
  throw new Error('not built yet');
}
