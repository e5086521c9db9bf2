import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A timestamp authority of openssl (RFC 3161). */
export interface TimestampAuthority {
  /** PEM file of the certificate that signs, which is its own root. */
  readonly certificate: string;
  readonly answer: (request: Buffer) => Promise<Buffer>;
}

const SETTINGS = (folder: string) => `
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = Test authority
[extensions]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = authority
[authority]
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/authority.pem
signer_key = ${folder}/authority.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;

/** Makes one in the folder; undefined where openssl is not installed. */
export async function makeAuthority(folder: string): Promise<TimestampAuthority | undefined> {
  const [settings, certificate, key] = ['authority.cnf', 'authority.pem', 'authority.key'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(settings, SETTINGS(folder));
  try {
    const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
    await run('openssl', ['req', '-x509', ...made, '-config', settings]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    certificate,
    answer: async (request) => {
      const [query, reply] = [join(folder, `${randomUUID()}.tsq`), join(folder, `${randomUUID()}.tsr`)];
      await writeFile(query, request);
      await run('openssl', ['ts', '-reply', '-config', settings, '-queryfile', query, '-out', reply]);
      return readFile(reply);
    },
  };
}

/** The authority behind an address; `fails` makes it answer 503. */
export async function serveAuthority(
  authority: TimestampAuthority,
): Promise<{ readonly url: string; fails: boolean; readonly stop: () => void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (served.fails) return response.writeHead(503).end();
    const answer = await authority.answer(Buffer.concat(chunks));
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const served = { url: `http://127.0.0.1:${port}/`, fails: false, stop: () => void server.close() };
  return served;
}
