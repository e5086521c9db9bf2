import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildConsole, serveChromium } from '../../scripts/chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers where the browser listens. */
    chromiumUrl: string;
  }
}

/**
 * One Chromium for the whole run, and the console as its sources are now. Both are made when the first file asks for
 * them: a run without screens has none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let chromium: ReturnType<typeof serveChromium> | undefined;
  const begin = async () => {
    buildConsole();
    return serveChromium();
  };
  const door = createServer((_, response) => {
    chromium ??= begin();
    chromium.then(
      (server) => response.end(server.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  project.provide('chromiumUrl', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    await (await chromium)?.close();
  };
}
