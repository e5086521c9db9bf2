import { maskedCnpj } from '../../../src/accounting/cnpj.ts';
import { dayText, instantText } from '../../ui/format.ts';
import type { FieldSchema } from '../../ui/forms/form-schema.ts';
import { decimalText } from '../../ui/forms/readings.ts';
import { valueLabelOf } from './labels.ts';

/** A value of a record as people read it. */
export function valueText(field: string, schema: FieldSchema | undefined, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  if (Array.isArray(value)) return value.map((each) => valueText(field, schema?.item, each)).join(', ');
  if (typeof value === 'object')
    return Object.values(value)
      .map((each) => valueText(field, undefined, each))
      .join(' ');
  const text = String(value);
  if (schema?.kind === 'decimal' || DECIMALS.has(field)) return decimalText(text);
  if (field === 'cnpj') return maskedCnpj(text);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return instantText(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dayText(text);
  return valueLabelOf(field, text) ?? text;
}

/** Figures that are only answered: their schema says nothing of them. */
const DECIMALS: ReadonlySet<string> = new Set(['lastQuotaValue', 'lastNetEquity']);

/** Whether a column of the field stands at the end, below each other. */
export function isFigure(field: string, schema: FieldSchema | undefined): boolean {
  return schema?.kind === 'decimal' || schema?.kind === 'integer' || DECIMALS.has(field);
}
