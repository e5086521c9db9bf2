import {
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  handleWhen,
  type IPolicy,
  isBrokenCircuitError,
  retry,
  wrap,
} from 'cockatiel';
import { problem, RetryLater } from '../../../accounting/problem.ts';
import type { LookupProvider } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { fetchWithin } from '../../../platform/fetch-within.ts';
import { type LookupKind, saveFound, selectFound } from './lookup-cache.sql.ts';

/** A public service that knows companies or addresses. */
export interface Provider<Found> {
  readonly name: string;
  /** Address with the key in its place. */
  readonly addressOf: (key: string) => string;
  /** The parsed response; 'unknown' when the key is not known. Throws for a response of another shape. */
  readonly read: (status: number, body: unknown, key: string) => Found | 'unknown';
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
/** Consecutive failures that open the circuit breaker of a provider. */
const FAILURES_TO_OPEN = 5;
const LEFT_ALONE_MS = 30_000;

/**
 * The response of the first provider that knows the key, cached for 24 hours; undefined when no provider that responded
 * knows it. Throws a 503 when none responded.
 */
export async function askProviders<Found>(
  context: Pick<Context, 'sql' | 'log'>,
  kind: LookupKind,
  providers: readonly Provider<Found>[],
  key: string,
): Promise<Found | undefined> {
  const kept = await selectFound<Found>(context.sql, kind, key);
  if (kept !== undefined) return kept;
  let answered = false;
  for (const provider of providers) {
    try {
      const found = await policyOf(provider.addressOf('')).execute(() => ask(provider, key));
      answered = true;
      if (found === 'unknown') continue;
      await saveFound(context.sql, kind, key, found);
      return found;
    } catch (error) {
      context.log.warn({ provider: provider.name, reason: (error as Error).message.slice(0, 200) }, 'lookup failed');
    }
  }
  if (!answered) throw new RetryLater(problem('LOOKUP_UNAVAILABLE'), LEFT_ALONE_MS / 1_000);
  return undefined;
}

/** One retry, and a circuit breaker for each provider of this process. */
const policies = new Map<string, IPolicy>();

function policyOf(address: string): IPolicy {
  const known =
    policies.get(address) ??
    wrap(
      retry(
        handleWhen((error) => !isBrokenCircuitError(error)),
        { maxAttempts: 1 },
      ),
      circuitBreaker(handleAll, {
        halfOpenAfter: LEFT_ALONE_MS,
        breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
      }),
    );
  policies.set(address, known);
  return known;
}

async function ask<Found>(provider: Provider<Found>, key: string): Promise<Found | 'unknown'> {
  const address = provider.addressOf(key);
  const { status, text } = await fetchWithin(address, { milliseconds: TIMEOUT_MS, bytes: MAX_BYTES });
  if (![200, 400, 404].includes(status)) throw new Error(`answered ${status}`);
  return provider.read(status, JSON.parse(text), key);
}

/** The response format of one provider. */
export type ProviderShape<Found> = (status: number, body: unknown, key: string) => Omit<Found, 'source'> | 'unknown';

/** The configured providers in their order, each with the shape of its answers. */
export function providersOf<Name extends string, Found>(
  configured: readonly LookupProvider<Name>[],
  shapes: Readonly<Record<Name, ProviderShape<Found>>>,
): Provider<Found>[] {
  return configured.map(({ name, template }) => ({
    name,
    addressOf: (key) => template.replace(/\{(cnpj|cep)\}/g, encodeURIComponent(key)),
    read: (status, body, key) => {
      const found = shapes[name](status, body, key);
      return found === 'unknown' ? found : ({ ...found, source: name } as Found);
    },
  }));
}
