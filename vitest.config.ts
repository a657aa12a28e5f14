import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Some machines force colours on what they run; tests compare plain text.
    env: { NO_COLOR: '1' },
    // Limits for what hangs, not for what is slow: many tests start interpreters, and a busy machine takes its time.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Two cores are the machine this must pass on: more workers only fight each other.
    maxWorkers: 2,
  },
});
