import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reject } from '../../accounting/problem.ts';
import { BESIDE_THE_CONTRACT, type Page, pageOf } from '../../http/pages.ts';

const INDEX = 'index.html';
/** Files whose name holds the hash of their bytes. */
const HASHED = 'assets/';
const YEAR = 'public, max-age=31536000, immutable';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Of everything that the console itself answers. */
export const SAFETY_HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

interface Asset extends Page {
  /** The same bytes by Brotli. */
  readonly packed: Buffer | undefined;
}

type Assets = ReadonlyMap<string, Asset>;

/** The pages of the console: known files by their names, and the same page for every other place, which it reads itself. */
export function addAssets(server: FastifyInstance, folder: string): void {
  const assets = newestOf(folder);
  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!.slice(1);
    const found = assets();
    const asset = found.get(path === '' ? INDEX : path);
    if (asset !== undefined) return sendAsset(request, reply, asset, path.startsWith(HASHED) ? YEAR : 'no-cache');
    // A page that was built before asks for a file of its own time: a 404 makes it load anew.
    if (path.startsWith(HASHED)) reject('ROUTE_NOT_FOUND');
    return sendAsset(request, reply, found.get(INDEX) ?? NOT_BUILT, found.has(INDEX) ? 'no-cache' : 'no-store');
  };
  for (const url of ['/', '/*']) server.get(url, BESIDE_THE_CONTRACT, serve);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, caching: string): FastifyReply {
  const { type, bytes, packed, tag } = asset;
  reply.headers({ etag: tag, 'cache-control': caching, vary: 'Accept-Encoding' });
  if (request.headers['if-none-match']?.includes(tag)) return reply.status(304).send();
  if (asset === NOT_BUILT) reply.status(503);
  const takesPacked = packed !== undefined && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (takesPacked) reply.header('content-encoding', 'br');
  return reply.type(type).send(takesPacked ? packed : bytes);
}

/** Read again when they have been built again. */
function newestOf(folder: string): () => Assets {
  let read: { readonly assets: Assets; readonly builtAt: number } | undefined;
  return () => {
    const builtAt = statSync(join(folder, INDEX), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (read?.builtAt !== builtAt) read = { builtAt, assets: builtAt === 0 ? new Map() : readAssets(folder) };
    return read.assets;
  };
}

/** All files of the folder, by the paths that name them: no other path reaches a file. */
function readAssets(folder: string): Assets {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(files.map((name) => [name.split(sep).join('/'), assetOf(join(folder, name))]));
}

function assetOf(file: string): Asset {
  const packed = `${file}.br`;
  return {
    ...pageOf(TYPES[extname(file)]!, readFileSync(file)),
    packed: existsSync(packed) ? readFileSync(packed) : undefined,
  };
}

const NOT_BUILT: Asset = {
  ...pageOf(
    TYPES['.html']!,
    `<!DOCTYPE html>
<html lang="pt-BR">
  <head><meta charset="utf-8"><title>Partidas</title></head>
  <body>
    <h1>O console ainda não foi construído</h1>
    <p>Execute <code>npm install --include=dev</code> e <code>node scripts/build-console.ts</code>, e recarregue esta
    página. Os serviços funcionam sem ele.</p>
  </body>
</html>
`,
  ),
  packed: undefined,
};
