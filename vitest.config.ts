import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/database-server.ts'],
    pool: 'threads',
    maxWorkers: 2,
    // Bounds in milliseconds are measured on shared cores: one more try before a slow moment counts as a defect.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
