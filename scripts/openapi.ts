import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentOf } from '../src/http/openapi/document.ts';
import { SERVICE_NAMES } from '../src/platform/config.ts';
import { describedService } from '../src/services/services.ts';

// npm run openapi -- FOLDER: the documents of the six services, a file each. Nothing runs for it, no database either.

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run openapi -- FOLDER');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const service of SERVICE_NAMES) {
  await writeFile(
    join(folder, `${service}.json`),
    `${JSON.stringify(documentOf(describedService(service)), null, 2)}\n`,
  );
}
console.log(`openapi: ${SERVICE_NAMES.length} documents in ${folder}`);
