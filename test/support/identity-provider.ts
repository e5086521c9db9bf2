import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

export async function newKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const use = { kid, alg, use: 'sig' };
  return {
    kid,
    alg,
    privateKey,
    privateJwk: { ...(await exportJWK(privateKey)), ...use },
    publicJwk: { ...(await exportJWK(publicKey)), ...use },
  };
}

/** A provider that signs whatever it is reported to and answers for its keys whatever it is reported to. */
export interface FakeProvider {
  readonly issuer: string;
  readonly jwksUri: string;
  keys: JWK[];
  /** Takes the place of the key set when set. */
  answer: RequestListener | undefined;
  /** How often the keys were requested. */
  visits: number;
  idToken(key: SigningKey, claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): void;
}

export async function startFakeProvider(audience: string): Promise<FakeProvider> {
  const server = createServer((request, response) => {
    provider.visits++;
    if (provider.answer) provider.answer(request, response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: provider.keys }));
  });
  const address = await listening(server);
  const provider: FakeProvider = {
    issuer: address,
    jwksUri: `${address}/keys`,
    keys: [],
    answer: undefined,
    visits: 0,
    idToken: (key, claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: address,
        aud: audience,
        sub: 'subject',
        iat: now,
        exp: now + 300,
        jti: crypto.randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
        .sign(key.privateKey);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

/** Listens on a free port of this machine; returns the address. */
export async function listening(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
