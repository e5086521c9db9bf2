import { writeFile } from 'node:fs/promises';
import { problemCatalogue } from '../src/http/openapi/problem-catalogue.ts';

// npm run codes: writes docs/problem-codes.md from the table of codes. A test sees that it is fresh.

await writeFile(new URL('../docs/problem-codes.md', import.meta.url), problemCatalogue());
