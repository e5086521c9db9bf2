import { defineConfig } from 'vitest/config';

/** `npm run test:unit`: the rules and the plumbing that need no database, without what measures time or fuzzes for long. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/support/*.test.ts'],
    exclude: [
      'src/platform/{database,embedded-postgres,render}/**',
      'src/platform/{json,redact}.test.ts',
      'src/http/movements/bulk-body.test.ts',
      'src/accounting/rule-language/{bounds,rule-language.fuzz}.test.ts',
    ],
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
  },
});
