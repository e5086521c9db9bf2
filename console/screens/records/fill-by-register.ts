import { isCep, plainCep } from '../../../src/accounting/cep.ts';
import { isCnpj, plainCnpj } from '../../../src/accounting/cnpj.ts';
import { api } from '../../data/client.ts';
import type { FieldSchema } from '../../ui/forms/form-schema.ts';
import type { FormRecord } from '../../ui/forms/form-value.ts';

/** What a register said: fields of the form, and where it is from. */
export interface Found {
  readonly fields: FormRecord;
  readonly source: string;
}

/** Asks the public registers where the change completed a CNPJ or a CEP; undefined where it did neither. */
export function askRegister(
  before: FormRecord,
  after: FormRecord,
): { field: string; found: Promise<Found> } | undefined {
  const cnpj = plainCnpj(String(after.cnpj ?? '').trim());
  if (after.cnpj !== before.cnpj && isCnpj(cnpj)) return { field: 'cnpj', found: ofCnpj(cnpj) };
  const zipCode = plainCep(String(after.zipCode ?? '').trim());
  if (after.zipCode !== before.zipCode && isCep(zipCode)) return { field: 'zipCode', found: ofZipCode(zipCode) };
  return undefined;
}

/** The form with what was found in the fields that are empty; what was typed stays. */
export function fillEmpty(schema: FieldSchema, record: FormRecord, { fields }: Found): FormRecord {
  const filled = Object.entries(fields).filter(
    ([name, value]) =>
      schema.fields?.[name] !== undefined && value !== null && value !== '' && (record[name] ?? '') === '',
  );
  return { ...record, ...Object.fromEntries(filled) };
}

async function ofCnpj(cnpj: string): Promise<Found> {
  const { source, ...fields } = await api.masterdata.lookUpCnpj({ path: { cnpj } });
  // The situation in the register is none of the record.
  const { status: _, cnpj: __, ...rest } = fields;
  return { fields: rest, source };
}

async function ofZipCode(zipCode: string): Promise<Found> {
  const { source, zipCode: _, ...fields } = await api.masterdata.lookUpZipCode({ path: { zipCode } });
  return { fields, source };
}
