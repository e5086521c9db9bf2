import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify as yamlOf } from 'yaml';
import { BESIDE_THE_CONTRACT, memoize, type Page, pageOf, servePage } from './pages.ts';

/**
 * A service's documents, and the page that shows them, below the prefix. Rendering them takes a quarter of a second,
 * and the page is public: they are built at the first request and cached as bytes.
 */
export function addDocs(app: FastifyInstance, prefix: string, title: string, document: () => object): void {
  addDocuments(app, prefix, document);
  const index = pageOf('text/html; charset=utf-8', indexOf(title));
  // The router treats both alike, but from /docs the page's relative links would point one folder higher.
  servePage(app, `${prefix}/docs/`, () => index, { preHandler: redirectToFolder });
  app.get(`${prefix}/docs-ui.html`, BESIDE_THE_CONTRACT, (_request, reply) => reply.redirect('docs/'));
  for (const [name, page] of Object.entries(assets())) servePage(app, `${prefix}/docs/static/${name}`, () => page);
}

/** The documents alone, for machines. */
export function addDocuments(app: FastifyInstance, prefix: string, document: () => object): void {
  const text = memoize(() => JSON.stringify(document()));
  const json = memoize(() => pageOf('application/json; charset=utf-8', text()));
  const yaml = memoize(() => pageOf('application/yaml', yamlOf(JSON.parse(text()))));
  for (const path of ['/v3/api-docs', '/openapi.json', '/swagger.json']) servePage(app, prefix + path, json);
  servePage(app, `${prefix}/v3/api-docs.yaml`, yaml);
}

async function redirectToFolder(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  return request.url.split('?', 1)[0]!.endsWith('/') ? undefined : reply.redirect('docs/');
}

/** Scripts and styles of the page, the same for every service. */
const assets = memoize((): Readonly<Record<string, Page>> => {
  const folder = import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css');
  const file = (name: string) => readFileSync(new URL(name, folder));
  const script = 'application/javascript; charset=utf-8';
  return {
    'swagger-ui-bundle.js': pageOf(script, file('swagger-ui-bundle.js')),
    'initializer.js': pageOf(script, INITIALIZER),
    'swagger-ui.css': pageOf('text/css; charset=utf-8', file('swagger-ui.css')),
    'favicon-32x32.png': pageOf('image/png', file('favicon-32x32.png')),
  };
});

const INITIALIZER = `window.onload = () => {
  SwaggerUIBundle({ url: '../v3/api-docs', dom_id: '#swagger-ui', deepLinking: true });
};
`;

function indexOf(title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <link rel="stylesheet" href="./static/swagger-ui.css">
    <link rel="icon" type="image/png" href="./static/favicon-32x32.png">
  </head>
  <body style="margin: 0">
    <header style="padding: 10px 20px; background: #1b1b1b; color: #fff; font: 600 26px sans-serif">Partidas</header>
    <div id="swagger-ui"></div>
    <script src="./static/swagger-ui-bundle.js"></script>
    <script src="./static/initializer.js"></script>
  </body>
</html>
`;
}
