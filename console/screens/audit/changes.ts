import { instantText } from '../../ui/format.ts';
import { fieldText } from './audit-words.ts';

// Before and after of a change, field by field.

export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isChanged: boolean;
}

/** The fields of both images in their order, those that differ first. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])];
  const changes = names.map((field) => {
    const [was, is] = [textOf(old[field]), textOf(now[field])];
    return { field, before: was, after: is, isChanged: was !== is };
  });
  return changes.sort((one, other) => Number(other.isChanged) - Number(one.isChanged));
}

function fieldsOf(image: unknown): Readonly<Record<string, unknown>> {
  if (image === null || image === undefined) return {};
  if (typeof image === 'object' && !Array.isArray(image)) return image as Record<string, unknown>;
  return { valor: image };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  if (typeof value === 'string') return INSTANT.test(value) ? instantText(value) : value;
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => [name, textOf(each)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${fieldText(name)} ${text}`)
    .join(', ');
}
