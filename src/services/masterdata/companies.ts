import { z } from 'zod';
import { hasValidCnpjDigits } from '../../accounting/cnpj.ts';
import { reject } from '../../accounting/problem.ts';
import type { Address, BranchRow, CompanyRow } from '../../features/master-data/companies/companies.read.sql.ts';
import type { BranchInput, CompanyInput } from '../../features/master-data/companies/companies.sql.ts';
import {
  branchCode,
  cnpj,
  companyCode,
  id,
  instant,
  isoDay,
  nameText,
  optional,
  readOnly,
  text,
  zipCode,
} from '../../http/fields.ts';
import type { Config } from '../../platform/config.ts';

const address = {
  street: optional(text(200).meta({ example: 'Praça da Sé' })),
  number: optional(text(20).meta({ example: '1' })),
  complement: optional(text(200).meta({ example: 'lado ímpar' })),
  district: optional(text(200).meta({ example: 'Sé' })),
  city: optional(text(200).meta({ example: 'São Paulo' })),
  state: optional(
    text(2)
      .refine((value) => /^([A-Z]{2})?$/.test(value), 'must be two capital letters | deve ter duas letras maiúsculas')
      .meta({ example: 'SP' }),
  ),
  ibgeCode: optional(
    text(7)
      .refine((value) => /^(\d{7})?$/.test(value), 'must be 7 digits | deve ter 7 dígitos')
      .meta({ example: '3550308' }),
  ),
};

const ignored = { id: readOnly, createdAt: readOnly, updatedAt: readOnly, warnings: readOnly };

export const companyBody = z.strictObject({
  ...ignored,
  company: optional(companyCode),
  name: nameText(200).meta({ example: 'Banco Exemplo S.A.' }),
  cnpj,
  zipCode,
  tradeName: optional(text(200).meta({ example: 'Banco Exemplo' })),
  ...address,
  phone: optional(text(40).meta({ example: '1130000000' })),
  email: optional(text(200).meta({ example: 'contato@exemplo.com.br' })),
  nire: optional(text(20).meta({ example: '35300000000' })),
  nireDate: optional(isoDay),
  institutionType: optional(z.enum(['BANCO', 'DTVM', 'CTVM', 'FUNDO', 'COOPERATIVA', 'CONSORCIO', 'OUTRA'])),
  active: optional(z.boolean().meta({ example: true })),
});

export const branchBody = z.strictObject({
  ...ignored,
  company: companyCode,
  branch: branchCode,
  name: nameText(200).meta({ example: 'Matriz' }),
  cnpj: optional(cnpj),
  headOffice: optional(z.boolean().meta({ example: true })),
  zipCode: optional(zipCode),
  ...address,
  nire: optional(text(20).meta({ example: '35300000000' })),
  nireDate: optional(isoDay),
  active: optional(z.boolean().meta({ example: true })),
});

const addressAnswer = {
  street: z.string().nullable(),
  number: z.string().nullable(),
  complement: z.string().nullable(),
  district: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  ibgeCode: z.string().nullable(),
};

export const companyAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  name: z.string(),
  cnpj: z.string().meta({ example: '11222333000181' }),
  zipCode: z.string().meta({ example: '01001000' }),
  tradeName: z.string().nullable(),
  ...addressAnswer,
  phone: z.string().nullable(),
  email: z.string().nullable(),
  nire: z.string().nullable(),
  nireDate: z.string().nullable().meta({ example: '2026-01-31' }),
  institutionType: z.string().nullable().meta({ example: 'BANCO' }),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const branchAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  name: z.string(),
  cnpj: z.string().nullable().meta({ example: '11222333000181' }),
  headOffice: z.boolean(),
  zipCode: z.string().nullable().meta({ example: '01001000' }),
  ...addressAnswer,
  nire: z.string().nullable(),
  nireDate: z.string().nullable().meta({ example: '2026-01-31' }),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

/** Answers to creations and changes say what is doubtful about the record as saved. */
export const warned = { warnings: z.array(z.string()).meta({ example: [] }) };

export function companyFromWire(body: z.output<typeof companyBody>): CompanyInput {
  const { id: _id, createdAt: _created, updatedAt: _updated, warnings: _warnings, company, active, ...same } = body;
  return { ...withoutEmpty(same), code: company, active: active ?? true };
}

export function branchFromWire(body: z.output<typeof branchBody>): BranchInput {
  const { id: _id, createdAt: _created, updatedAt: _updated, warnings: _warnings, company: _company, ...same } = body;
  const { branch, active, headOffice, ...rest } = same;
  return { ...withoutEmpty(rest), code: branch, active: active ?? true, headOffice: headOffice ?? false };
}

export function companyToWire(row: CompanyRow): z.output<typeof companyAnswer> {
  const { id, code, name, cnpj, zipCode, tradeName, phone, email, nire, nireDate, institutionType, active } = row;
  return {
    id,
    company: code,
    name,
    cnpj,
    zipCode,
    tradeName,
    ...addressToWire(row),
    phone,
    email,
    nire,
    nireDate,
    institutionType,
    active,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function branchToWire(row: BranchRow): z.output<typeof branchAnswer> {
  const { id, company, code, name, cnpj, headOffice, zipCode, nire, nireDate, active } = row;
  return {
    id,
    company,
    branch: code,
    name,
    cnpj,
    headOffice,
    zipCode,
    ...addressToWire(row),
    nire,
    nireDate,
    active,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Wrong check digits are refused, warned about or ignored, as CNPJ_CHECK_DIGITS says. */
export function cnpjWarnings(cnpj: string | undefined, config: Pick<Config, 'cnpjCheckDigits'>): string[] {
  if (cnpj === undefined || config.cnpjCheckDigits === 'off' || hasValidCnpjDigits(cnpj)) return [];
  if (config.cnpjCheckDigits === 'strict') {
    reject(
      'INVALID_FIELD',
      { reason: 'its check digits are wrong', reasonPt: 'dígitos verificadores incorretos' },
      'cnpj',
    );
  }
  return [`cnpj: dígitos verificadores incorretos (${cnpj})`];
}

function addressToWire({ street, number, complement, district, city, state, ibgeCode }: Address) {
  return { street, number, complement, district, city, state, ibgeCode };
}

/** An empty text says as little as none. */
function withoutEmpty<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Fields;
}
