import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

// What tests start in processes of their own (npm run admin, the program, report workers) is compiled once: a quarter
// less processor time in the files that start many.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  resolve: {
    alias: { '@node-rs/argon2': fileURLToPath(new URL('test/support/quick-argon2.ts', import.meta.url)) },
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // It writes what a release keeps: npm run record-release alone.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.RECORD_RELEASE ? [] : ['test/upgrade/record-release.test.ts']),
      // On a cluster, and beside it on one server: npm run citus.
      ...(process.env.BESIDE_A_CLUSTER ? [] : ['test/cluster/**']),
    ],
    globalSetup: ['test/support/database-server.ts', 'test/support/shared-chromium.ts'],
    pool: 'threads',
    maxWorkers: 2,
    // Files of one worker share its modules, as programs of one process would: half the processor time. What the program
    // remembers it keeps per database, and every file has its own.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
