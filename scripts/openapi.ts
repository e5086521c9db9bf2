import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentOf } from '../src/http/openapi/document.ts';
import { DOOR_NAMES } from '../src/platform/config.ts';
import { describedService } from '../src/services/services.ts';

// npm run openapi -- FOLDER [--compact]: the documents of the seven services, a file each. Nothing runs for it, no
// database either. With --compact as test/openapi keeps those of a release: what a client depends on, a line each.

const [folder, form] = process.argv.slice(2);
if (folder === undefined || (form !== undefined && form !== '--compact')) {
  console.error('usage: npm run openapi -- FOLDER [--compact]');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const service of DOOR_NAMES) {
  const document = documentOf(describedService(service));
  const text = form === '--compact' ? compactText(document) : JSON.stringify(document, null, 2);
  await writeFile(join(folder, `${service}.json`), `${text}\n`);
}
console.log(`openapi: ${DOOR_NAMES.length} documents in ${folder}`);

/** Without what people read; a path and a component of each kind have a line. */
function compactText(document: object): string {
  const { openapi, info, paths, components } = JSON.parse(
    JSON.stringify(document, (name, value) => (isForPeople(name, value) ? undefined : value)),
  );
  const lines = (parts: object) =>
    Object.entries(parts).map(([name, part]) => `${JSON.stringify(name)}: ${JSON.stringify(part)}`);
  const kinds = Object.entries(components as Record<string, object>).map(
    ([kind, parts]) => `${JSON.stringify(kind)}: {\n${lines(parts).join(',\n')}\n}`,
  );
  return `{\n"openapi": "${openapi}",\n"info": ${JSON.stringify(info)},\n"paths": {\n${lines(paths).join(',\n')}\n},\n"components": {\n${kinds.join(',\n')}\n}\n}`;
}

/** A field of a record may have such a name, too: its schema is an object. */
function isForPeople(name: string, value: unknown): boolean {
  if (['description', 'summary', 'title'].includes(name)) return typeof value === 'string';
  return name === 'example' || name === 'license' || (['tags', 'servers'].includes(name) && Array.isArray(value));
}
