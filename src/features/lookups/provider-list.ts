import type { Provider } from './ask-providers.ts';

/** How one provider answers. */
export type ProviderShape<Found> = (status: number, body: unknown, key: string) => Omit<Found, 'source'> | 'unknown';

/**
 * Providers of a list `provider=template,…` in its order; a bare template answers as BrasilAPI does. The key takes the
 * place of {cnpj} or {cep} in the template.
 */
export function providersOf<Found>(
  list: string,
  shapes: Readonly<Record<string, ProviderShape<Found>>>,
): Provider<Found>[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [, named, rest] = /^([a-z]+)=(.*)$/.exec(each) ?? [];
      const name = named ?? 'brasilapi';
      const template = rest ?? each;
      const shape = Object.hasOwn(shapes, name) ? shapes[name]! : unknownProvider(name);
      return {
        name,
        addressOf: (key) => template.replace(/\{(cnpj|cep)\}/g, encodeURIComponent(key)),
        read: (status, body, key) => {
          const found = shape(status, body, key);
          return found === 'unknown' ? found : ({ ...found, source: name } as Found);
        },
      };
    });
}

function unknownProvider(name: string): ProviderShape<never> {
  return () => {
    throw new Error(`no such provider: ${name}`);
  };
}
