import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Some machines force colours on what they run; tests compare plain text.
    env: { NO_COLOR: '1' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are the machine this must pass on: more workers only fight each other.
    maxWorkers: 2,
  },
});
