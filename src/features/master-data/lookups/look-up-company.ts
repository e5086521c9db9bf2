import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { askProviders, type ProviderShape, providersOf } from './ask-providers.ts';
import { areEmpty, dayOf, decimalOf, digitsOf, type Fields, fieldsOf, requireKey, textOf } from './read-fields.ts';

/** What the public register says of a company. */
export interface RegisteredCompany {
  readonly cnpj: string;
  readonly name: string;
  readonly tradeName: string | null;
  readonly status: string | null;
  readonly openingDate: string | null;
  readonly legalNature: string | null;
  readonly mainActivity: { readonly code: string | null; readonly description: string | null } | null;
  /** Decimal text. */
  readonly capital: string | null;
  readonly street: string | null;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zipCode: string | null;
  readonly ibgeCode: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly source: string;
}

/** The company of a tax id; its form is checked already. */
export async function lookUpCompany(
  context: Context,
  config: Pick<Config, 'cnpjLookup'>,
  cnpj: string,
): Promise<RegisteredCompany> {
  const providers = providersOf(config.cnpjLookup, SHAPES);
  return (await askProviders(context, 'CNPJ', providers, cnpj)) ?? reject('NOT_FOUND', recordRef('CNPJ', cnpj), 'cnpj');
}

/** The register has at least one of them for every company. */
const REGISTER_FIELDS = ['razao_social', 'nome_fantasia', 'logradouro', 'municipio'];

const brasilApi: ProviderShape<RegisteredCompany> = (status, body, asked) => {
  if (status !== 200) return 'unknown';
  const fields = fieldsOf(body);
  if (areEmpty(fields, ...REGISTER_FIELDS)) return 'unknown';
  return {
    ...commonOf(fields, asked),
    status: textOf(fields.descricao_situacao_cadastral),
    mainActivity: activityOf(fields.cnae_fiscal, fields.cnae_fiscal_descricao),
    street: streetOf(fields.descricao_tipo_de_logradouro, fields.logradouro),
    ibgeCode: digitsOf(fields.codigo_municipio_ibge),
    phone: textOf(fields.ddd_telefone_1),
  };
};

const openCnpj: ProviderShape<RegisteredCompany> = (status, body, asked) => {
  if (status !== 200) return 'unknown';
  const fields = fieldsOf(body);
  if (areEmpty(fields, ...REGISTER_FIELDS)) return 'unknown';
  const [phone] = Array.isArray(fields.telefones) ? (fields.telefones as unknown[]) : [];
  const { ddd, numero } = (phone ?? {}) as Fields;
  return {
    ...commonOf(fields, asked),
    status: textOf(fields.situacao_cadastral),
    mainActivity: activityOf(fields.cnae_principal, null),
    street: streetOf(fields.tipo_logradouro, fields.logradouro),
    ibgeCode: null,
    phone: textOf(`${textOf(ddd) ?? ''}${textOf(numero) ?? ''}`),
  };
};

/** Responds 200 with status ERROR for an unknown key. */
const receitaWs: ProviderShape<RegisteredCompany> = (status, body, asked) => {
  const fields = fieldsOf(body);
  if (status !== 200 || fields.status === 'ERROR') return 'unknown';
  if (areEmpty(fields, 'nome', 'fantasia', 'logradouro', 'municipio')) return 'unknown';
  const [activity] = Array.isArray(fields.atividade_principal) ? (fields.atividade_principal as Fields[]) : [];
  return {
    cnpj: keyOf(fields.cnpj, asked),
    name: nameOf(fields.nome),
    tradeName: textOf(fields.fantasia),
    status: textOf(fields.situacao),
    openingDate: dayOf(fields.abertura),
    legalNature: textOf(fields.natureza_juridica),
    mainActivity: activityOf(activity?.code, activity?.text),
    capital: decimalOf(fields.capital_social),
    street: textOf(fields.logradouro),
    ...placeOf(fields),
    ibgeCode: null,
    phone: textOf(fields.telefone),
    email: textOf(fields.email),
  };
};

const SHAPES: Readonly<Record<Config['cnpjLookup'][number]['name'], ProviderShape<RegisteredCompany>>> = {
  brasilapi: brasilApi,
  receitaws: receitaWs,
  opencnpj: openCnpj,
};

/** Fields that BrasilAPI and OpenCNPJ name alike, both after the register's own files. */
function commonOf(fields: Fields, asked: string) {
  return {
    cnpj: keyOf(fields.cnpj, asked),
    name: nameOf(fields.razao_social),
    tradeName: textOf(fields.nome_fantasia),
    openingDate: dayOf(fields.data_inicio_atividade),
    legalNature: textOf(fields.natureza_juridica),
    capital: decimalOf(fields.capital_social),
    ...placeOf(fields),
    email: textOf(fields.email),
  };
}

function placeOf(fields: Fields) {
  return {
    number: textOf(fields.numero),
    complement: textOf(fields.complemento),
    district: textOf(fields.bairro),
    city: textOf(fields.municipio),
    state: textOf(fields.uf, 2),
    zipCode: digitsOf(fields.cep),
  };
}

function streetOf(kind: unknown, name: unknown): string | null {
  return textOf([textOf(kind), textOf(name)].filter((each) => each !== null).join(' '));
}

function keyOf(value: unknown, asked: string): string {
  requireKey(textOf(value)?.replace(/[^0-9A-Z]/g, ''), asked);
  return asked;
}

function nameOf(value: unknown): string {
  const name = textOf(value);
  if (name === null) throw new Error('answered without a name');
  return name;
}

function activityOf(code: unknown, description: unknown): RegisteredCompany['mainActivity'] {
  const activity = { code: digitsOf(code), description: textOf(description) };
  return activity.code === null && activity.description === null ? null : activity;
}
