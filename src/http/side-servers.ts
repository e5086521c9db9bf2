import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Place, StartError } from '../platform/config.ts';

/** Separate servers for what has an address of its own: one for each address. */
export class SideServers {
  readonly #open: () => Promise<FastifyInstance>;
  readonly #servers = new Map<
    string,
    { readonly app: FastifyInstance; readonly host: string; readonly port: number }
  >();

  constructor(open: () => Promise<FastifyInstance>) {
    this.#open = open;
  }

  get apps(): FastifyInstance[] {
    return [...this.#servers.values()].map(({ app }) => app);
  }

  /**
   * Adds something of a service where it is configured: on its own server, or on a separate one below the service's
   * name.
   */
  async show(
    place: Place,
    service: string,
    own: FastifyInstance,
    add: (app: FastifyInstance, prefix: string) => void,
  ): Promise<void> {
    if (place === 'off') return;
    if (place === 'on') return add(own, '');
    const key = `${place.host}:${place.port}`;
    const app = this.#servers.get(key)?.app ?? (await this.#open());
    this.#servers.set(key, { app, ...place });
    add(app, `/${service}`);
  }

  /** Begins to listen; returns the addresses. */
  async listen(): Promise<string[]> {
    const addresses: string[] = [];
    for (const { app, host, port } of this.#servers.values()) {
      try {
        await app.listen({ host, port });
      } catch (error) {
        const { code } = error as { code?: string };
        throw new StartError(`DOCS or METRICS: cannot listen on ${host}:${port} (${code})`);
      }
      const { port: bound } = app.server.address() as AddressInfo;
      addresses.push(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    }
    return addresses;
  }
}
