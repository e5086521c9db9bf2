import { setTimeout as sleep } from 'node:timers/promises';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { askProviders, type ProviderShape, providersOf } from './ask-providers.ts';
import { areEmpty, digitsOf, fieldsOf, requireKey, textOf } from './read-fields.ts';

/** What is known of a postal code. */
export interface PostalAddress {
  readonly zipCode: string;
  readonly street: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly ibgeCode: string | null;
  readonly source: string;
}

/** Longest that the creation of a company waits for its address. */
const PATIENCE_MS = 2_000;

/** The address of a postal code when it is known in time; a company is created without it as well. Never throws. */
export async function lookupPostalCode(
  context: Context,
  config: Pick<Config, 'cepLookup'>,
  zipCode: string,
): Promise<PostalAddress | undefined> {
  const patience = new AbortController();
  try {
    return await Promise.race([
      addressOf(context, config, zipCode).catch(() => undefined),
      sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }),
    ]);
  } finally {
    patience.abort();
  }
}

/** The address of a postal code; its form is checked already. */
export async function lookUpAddress(
  context: Context,
  config: Pick<Config, 'cepLookup'>,
  zipCode: string,
): Promise<PostalAddress> {
  return (await addressOf(context, config, zipCode)) ?? reject('NOT_FOUND', recordRef('CEP', zipCode), 'zipCode');
}

function addressOf(
  context: Context,
  config: Pick<Config, 'cepLookup'>,
  zipCode: string,
): Promise<PostalAddress | undefined> {
  return askProviders(context, 'CEP', providersOf(config.cepLookup, SHAPES), zipCode);
}

const brasilApi: ProviderShape<PostalAddress> = (status, body, asked) => {
  if (status !== 200) return 'unknown';
  const fields = fieldsOf(body);
  if (areEmpty(fields, 'street', 'neighborhood', 'city', 'state')) return 'unknown';
  requireKey(digitsOf(fields.cep) ?? undefined, asked);
  const ibge = (fields.ibge ?? {}) as { city?: unknown };
  return {
    zipCode: asked,
    street: textOf(fields.street),
    complement: null,
    district: textOf(fields.neighborhood),
    city: textOf(fields.city),
    state: textOf(fields.state, 2),
    ibgeCode: digitsOf(ibge.city),
  };
};

/** Responds 200 with erro true, or "true", for an unknown key. */
const viaCep: ProviderShape<PostalAddress> = (status, body, asked) => {
  if (status !== 200) return 'unknown';
  const fields = fieldsOf(body);
  if (fields.erro === true || fields.erro === 'true') return 'unknown';
  if (areEmpty(fields, 'logradouro', 'bairro', 'localidade', 'uf')) return 'unknown';
  requireKey(digitsOf(fields.cep) ?? undefined, asked);
  return {
    zipCode: asked,
    street: textOf(fields.logradouro),
    complement: textOf(fields.complemento),
    district: textOf(fields.bairro),
    city: textOf(fields.localidade),
    state: textOf(fields.uf, 2),
    ibgeCode: digitsOf(fields.ibge),
  };
};

const SHAPES: Readonly<Record<Config['cepLookup'][number]['name'], ProviderShape<PostalAddress>>> = {
  brasilapi: brasilApi,
  viacep: viaCep,
};
