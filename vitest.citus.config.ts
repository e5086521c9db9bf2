import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

// npm run citus: the same tests on a cluster, one file after the other, with more time for each.
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    globalSetup: ['test/support/citus-cluster.ts', 'test/support/shared-chromium.ts'],
    // These read what one server's catalogue says of tables and roles; what each login sees there, access-matrix.test.ts tries.
    exclude: [
      'test/contract/database-roles.test.ts',
      'test/contract/row-level-security.test.ts',
      // Plans of one server.
      'test/contract/query-plans.test.ts',
    ],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
