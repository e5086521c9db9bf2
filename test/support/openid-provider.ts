import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { listening, type SigningKey } from './identity-provider.ts';

export const CLIENT_SECRET = 'client secret';

/** A real OpenID provider of this machine: whatever account one names at its sign-in page is a person of it. */
export async function startRealProvider(options: {
  readonly port: number;
  readonly signingKey: SigningKey;
  readonly clientId: string;
  readonly redirectUri: string;
}): Promise<{ close(): Promise<void> }> {
  const { port, signingKey, clientId, redirectUri } = options;
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [{ client_id: clientId, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    jwks: { keys: [signingKey.privateJwk as never] },
    cookies: { keys: ['cookie key'] },
    pkce: { required: () => false },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const server = createServer(provider.callback());
  await listening(server, port);
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * A browser's way through the provider, from an address of it: to its sign-in page, its consent page, and back with a code.
 * Returns where it is sent back to.
 */
export async function signInAtProvider(address: string, account: string, redirectUri: string): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  const visit = async (place: string, form?: Record<string, string>) => {
    const response = await fetch(new URL(place, origin), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    return response;
  };
  let answer = await visit(address);
  for (let step = 0; step < 12; step++) {
    const location = answer.headers.get('location');
    if (location?.startsWith(redirectUri)) return location;
    if (location) {
      answer = await visit(location);
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (!action || !prompt) throw new Error(`the provider shows: ${answer.status} ${page.slice(0, 500)}`);
    answer = await visit(action, prompt === 'login' ? { prompt, login: account, password: 'x' } : { prompt });
  }
  throw new Error('the provider does not come to an end');
}

export async function freePort(): Promise<number> {
  for (;;) {
    // Below the ports that the system gives to connections: one of those could take it before its server listens.
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await listening(server, port).then(
      () => true,
      () => false,
    );
    if (isFree) await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
