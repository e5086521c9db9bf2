import { dayFromIso, type Month, monthFromIso, monthFromSlash, slashOf } from '../../../src/accounting/period.ts';
import { dayText } from '../format.ts';
import { dayFromTyped, monthFromTyped } from '../typed-field.tsx';
import type { FieldKind, FieldSchema } from './form-schema.ts';
import type { FormRecord } from './form-value.ts';

/** How the text of a field becomes what is sent. What cannot be read stays as it was typed. */
export interface TextReading {
  /** Undefined where the text cannot be read. */
  readonly read: (text: string, near: Month) => unknown;
  /** Of a value as it is sent. */
  readonly write: (value: unknown) => string;
  /** Whether the value is one that can be sent. */
  readonly isRead: (value: unknown) => boolean;
  readonly wrong: string;
}

const INTEGER: TextReading = {
  read: (text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined),
  write: String,
  isRead: (value) => typeof value === 'number',
  wrong: 'Escreva um número inteiro.',
};

const DECIMAL: TextReading = {
  read: decimalFromTyped,
  write: (value) => decimalText(String(value)),
  isRead: (value) => /^-?\d+(?:\.\d+)?$/.test(String(value)),
  wrong: 'Escreva um número como 1.234,5678.',
};

const DAY: TextReading = {
  read: dayFromTyped,
  write: (value) => dayText(String(value)),
  isRead: (value) => dayFromIso(String(value)) !== undefined,
  wrong: 'Escreva um dia como 05/10/2026.',
};

const MONTH_WRONG = 'Escreva um mês como 10/2026.';

/** Of the values that people type in a form of their own; the other texts are sent as they are. */
export const READINGS: Readonly<Partial<Record<FieldKind, TextReading>>> = {
  integer: INTEGER,
  decimal: DECIMAL,
  date: DAY,
  'year-month': {
    read: monthFromTyped,
    write: (value) => slashOf(value as Month),
    isRead: (value) => monthFromIso(String(value)) !== undefined,
    wrong: MONTH_WRONG,
  },
  'month-year': {
    read: (text, near) => {
      const month = monthFromTyped(text, near);
      return month && slashOf(month);
    },
    write: String,
    isRead: (value) => monthFromSlash(String(value)) !== undefined,
    wrong: MONTH_WRONG,
  },
};

/** The fields whose text could not be read, by path with points: they would be sent as something else. */
export function unreadFields(schema: FieldSchema, value: unknown, path = ''): Record<string, string> {
  if (value === undefined || value === null || schema.kind === 'readOnly') return {};
  if (schema.kind === 'list') {
    const items = value as readonly unknown[];
    return Object.assign({}, ...items.map((item, at) => unreadFields(schema.item!, item, below(path, at))));
  }
  if (schema.kind === 'record') {
    const fields = Object.entries(schema.fields ?? {});
    return Object.assign(
      {},
      ...fields.map(([name, field]) => unreadFields(field, (value as FormRecord)[name], below(path, name))),
    );
  }
  const reading = READINGS[schema.kind];
  return reading === undefined || reading.isRead(value) ? {} : { [path]: reading.wrong };
}

function below(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** '1.234,5678', '1234,5678' and '1234.5678' as '1234.5678'. */
export function decimalFromTyped(text: string): string | undefined {
  const bare = text.trim();
  const isPlain = /^-?\d+\.\d+$/.test(bare) && !/^-?\d{1,3}(?:\.\d{3})+$/.test(bare);
  const typed = isPlain ? bare : bare.replaceAll('.', '').replace(',', '.');
  return /^-?\d{1,18}(?:\.\d{1,18})?$/.test(typed) ? typed : undefined;
}

/** '1234.5678' as '1.234,5678'. */
export function decimalText(decimal: string): string {
  const [whole = '', places] = decimal.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, '.');
  return places === undefined ? grouped : `${grouped},${places}`;
}
