import { createHash, createPublicKey, verify } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, importJWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKeyFile } from './file-signer.ts';
import { writeWhole } from './key-files.ts';
import { addPublished } from './published-keys.ts';
import { openSealKeys, type SealKeys } from './seal-keys.ts';
import { verifierKey } from './signed-note.ts';

const LOG = 'books.example.com/seals';
const NOW = new Date('2026-02-03T12:00:00Z');
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-seal-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Keys in a new file. */
async function madeKeys(): Promise<{ keys: SealKeys; file: string }> {
  const file = join(folder, `${count++}`, 'seal-key');
  await makeKeyFile(file, { replace: false });
  return { file, keys: openSealKeys({ file, command: undefined, logName: LOG }, () => NOW) };
}

/** Keys behind a command of these lines of a shell, in which $TOOL and $ALGORITHM are its last words. */
async function commandKeys(script: string): Promise<SealKeys> {
  const path = join(folder, `command-${count++}`);
  await writeFile(path, `#!/bin/sh\nTOOL="$1"; ALGORITHM="$2"\n${script}\n`, { mode: 0o700 });
  return openSealKeys({ file: join(folder, `${count++}`, 'seal-key'), command: [path], logName: LOG }, () => NOW);
}

describe('keys in a file', () => {
  test('sign what the published keys verify', async () => {
    const { keys } = await madeKeys();
    const jws = await keys.sign(Buffer.from('{"seal":1}'));
    const [es256, ed25519] = await keys.prepare();
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK({ ...es256! }));
    expect(Buffer.from(payload).toString()).toBe('{"seal":1}');
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: es256!.kid });
    expect(es256).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', since: NOW.toISOString() });
    expect(ed25519).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
    expect((await keys.published()).map(({ kid }) => kid).sort()).toEqual([es256!.kid, ed25519!.kid].sort());
  });

  test('are read by their owner alone, and a second start leaves them as they are', async () => {
    const { file } = await madeKeys();
    const before = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await makeKeyFile(file, { replace: false })).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('that cannot be written are named with the setting that places them', async () => {
    const inAFile = join((await madeKeys()).file, 'below');
    await expect(makeKeyFile(inAFile, { replace: true })).rejects.toThrow(
      `SEAL_KEY_FILE: ${inAFile} cannot be written`,
    );
    await expect(writeWhole(inAFile, '', { setting: 'DATA_DIR', mode: 0o644, replace: true })).rejects.toThrow(
      `DATA_DIR: ${inAFile} cannot be written`,
    );
  });

  test('of two that start at once one makes them', async () => {
    const file = join(folder, 'together', 'seal-key');
    const made = await Promise.all(Array.from({ length: 8 }, () => makeKeyFile(file, { replace: false })));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readdir(join(folder, 'together'))).toEqual(['seal-key']);
  });

  test('that others replace sign at once, and the older ones stay known', async () => {
    const { file, keys } = await madeKeys();
    const before = await keys.sign(Buffer.from('1'));
    const made = await openSealKeys({ file, command: undefined, logName: LOG }, () => NOW).rotate();
    const after = await keys.sign(Buffer.from('2'));
    const known = await keys.published();
    const keyOf = (jws: string) => {
      const { kid } = JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()) as { kid: string };
      return importJWK({ ...known.find((key) => key.kid === kid)! });
    };
    expect(known.filter(({ alg }) => alg === 'ES256')).toHaveLength(2);
    expect(made.every(({ kid }) => known.some((key) => key.kid === kid))).toBe(true);
    await expect(compactVerify(before, await keyOf(before))).resolves.toBeDefined();
    await expect(compactVerify(after, await keyOf(after))).resolves.toBeDefined();
    await expect(compactVerify(before, await keyOf(after))).rejects.toThrow();
  });

  test('of which many processes publish one at once are all known, and a torn line hinders none', async () => {
    const { file, keys } = await madeKeys();
    await keys.sign(Buffer.from('1'));
    await writeFile(`${file}.pub`, `${await readFile(`${file}.pub`, 'utf8')}{"alg":"ES2`);
    const published = await keys.published();
    expect(published).toHaveLength(1);
    const others = Array.from({ length: 20 }, (_, at) => ({ ...published[0]!, kid: String(at).padStart(43, '0') }));
    await Promise.all(others.map((key) => addPublished(file, key)));
    expect(await keys.published()).toHaveLength(21);
  });

  test.each([
    ['no file', async (file: string) => rm(file), 'is not there'],
    ['a file that others read', async (file: string) => chmod(file, 0o604), 'other users may read'],
    ['another file', async (file: string) => writeFile(file, '{}'), 'is no file of seal keys'],
    ['no JSON', async (file: string) => writeFile(file, 'x'), 'is no file of seal keys'],
    ['no key', async (file: string) => writeFile(file, '{"ES256":"x","EdDSA":"y"}'), 'is no private key'],
    ['other public keys', async (file: string) => writeFile(`${file}.pub`, '{"kid":1}\n'), 'is no public key'],
  ])('%s is said in one line', async (_, spoil, reason) => {
    const { file, keys } = await madeKeys();
    await spoil(file);
    const message = await keys.sign(Buffer.from('1')).then(String, (error: Error) => error.message);
    expect(message).toContain(reason);
    expect(message).not.toContain('\n');
    expect(message).toContain(file);
  });
});

describe('keys behind a command', () => {
  /** What a key service does, played by openssl-like lines of Node. */
  const SERVICE = (made: string) => `exec ${process.execPath} -e '
    const { createPrivateKey, createPublicKey, sign } = require("node:crypto");
    const keys = JSON.parse(require("node:fs").readFileSync("${made}", "utf8"));
    const [tool, algorithm] = process.argv.slice(1);
    const key = createPrivateKey(keys[algorithm]);
    if (tool === "public-key") process.stdout.write(createPublicKey(key).export({ type: "spki", format: "pem" }));
    else process.stdout.write(sign(algorithm === "ES256" ? "sha256" : null, require("node:fs").readFileSync(0), key).toString("base64") + "\\n");
  ' "$TOOL" "$ALGORITHM"`;

  test('sign the same, also where the signature comes in DER', async () => {
    const { file } = await madeKeys();
    const keys = await commandKeys(SERVICE(file));
    for (let turn = 0; turn < 4; turn++) {
      const jws = await keys.sign(Buffer.from(`record ${turn}`));
      const [es256] = await keys.prepare();
      const { payload } = await compactVerify(jws, await importJWK({ ...es256! }));
      expect(Buffer.from(payload).toString()).toBe(`record ${turn}`);
    }
    await expect(keys.signCheckpoint({ company: '1', branch: '1' }, 1, Buffer.alloc(32))).resolves.toBeDefined();
  });

  test.each([
    ['exit 3', 'public-key ES256 ended with 3'],
    ['echo no key', 'public-key wrote no public key in PEM'],
    ['yes', 'public-key ES256 wrote too much'],
    ['kill -9 $$', 'public-key ES256 ended with null'],
  ])('a command that does %s is said in one line', async (script, reason) => {
    const keys = await commandKeys(script);
    await expect(keys.sign(Buffer.from('1'))).rejects.toThrow(`SEAL_SIGN_COMMAND: ${reason}`);
  });

  test('a signature of another key is not taken', async () => {
    const [one, other] = [await madeKeys(), await madeKeys()];
    const keys = await commandKeys(`if [ "$TOOL" = sign ]; then ${SERVICE(one.file)}; else ${SERVICE(other.file)}; fi`);
    await expect(keys.sign(Buffer.from('1'))).rejects.toThrow('the signature (ES256) does not fit the public key');
    const wrong = await commandKeys(`if [ "$TOOL" = sign ]; then echo AAAA; else ${SERVICE(one.file)}; fi`);
    await expect(wrong.sign(Buffer.from('1'))).rejects.toThrow('sign wrote no signature in base64');
  });

  test('no shell reads its words', async () => {
    const mark = join(folder, 'mark');
    const keys = openSealKeys(
      { file: join(folder, 'x'), logName: LOG, command: ['/bin/echo', `$(touch`, `${mark})`, ';', `touch`, mark] },
      () => NOW,
    );
    await expect(keys.sign(Buffer.from('1'))).rejects.toThrow('wrote no public key');
    await expect(stat(mark)).rejects.toThrow('ENOENT');
    const absent = openSealKeys(
      { file: join(folder, 'x'), logName: LOG, command: [join(folder, 'absent')] },
      () => NOW,
    );
    await expect(absent.sign(Buffer.from('1'))).rejects.toThrow('could not be started (ENOENT)');
  });
});

describe('a checkpoint', () => {
  test('is a note that a reader of C2SP verifies with the key in the form of witnesses', async () => {
    const { keys } = await madeKeys();
    const root = createHash('sha256').digest();
    const name = `${LOG}/0001/S%C3%A3o%20Paulo%2B1`;
    const note = await keys.signCheckpoint({ company: '0001', branch: 'São Paulo+1' }, 7, root);
    const ed25519 = (await keys.prepare()).find(({ alg }) => alg === 'EdDSA')!;
    const vkey = verifierKey(name, Buffer.from(ed25519.x, 'base64url'));
    expect(openNote(note, vkey)).toBe(`${name}\n7\n${root.toString('base64')}\n`);
    for (let at = 0; at < note.length; at++)
      expect(openNote(`${note.slice(0, at)}!${note.slice(at + 1)}`, vkey)).toBeUndefined();
  });

  test('has the hash of a published key: PeterNeumann of the module golang.org/x/mod/sumdb/note', () => {
    const [name, hash, key] = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'.split('+') as [
      string,
      string,
      string,
    ];
    expect(verifierKey(name, Buffer.from(key, 'base64').subarray(1))).toBe(`${name}+${hash}+${key}`);
  });
});

/** The text of a note that the key has signed, read as the specification says and by nothing of the program. */
function openNote(note: string, vkey: string): string | undefined {
  const split = note.lastIndexOf('\n\n');
  const text = note.slice(0, split + 1);
  // The key is base64, which has a plus of its own.
  const [, name, hash, key] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(vkey)!;
  const publicBytes = Buffer.from(key!, 'base64');
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  const publicKey = createPublicKey({
    key: Buffer.concat([prefix, publicBytes.subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  for (const line of note.slice(split + 2).split('\n')) {
    const [, signer, signature] = /^— (\S+) ([A-Za-z\d+/=]+)$/.exec(line) ?? [];
    const bytes = Buffer.from(signature ?? '', 'base64');
    if (signer !== name || bytes.subarray(0, 4).toString('hex') !== hash) continue;
    if (bytes.toString('base64') !== signature) continue;
    if (publicBytes[0] === 1 && verify(null, Buffer.from(text), publicKey, bytes.subarray(4))) return text;
  }
  return undefined;
}
