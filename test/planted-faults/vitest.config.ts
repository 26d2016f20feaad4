import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { FailedFiles } from '../support/failed-files.ts';

/** Settings for the domain tests, which need neither a database nor built pages. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/domain/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    experimental: { viteModuleRunner: false },
    expect: { requireAssertions: true },
    reporters: ['default', new FailedFiles()],
  },
});
