import type { LookupProvider } from '../../../platform/config.ts';
import type { Provider } from './ask-providers.ts';

/** How one provider answers. */
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
