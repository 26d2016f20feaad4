import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { FailedFiles } from './test/support/failed-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

const require = createRequire(import.meta.url);

export default defineConfig({
  resolve: {
    // Node resolves graphql to one file for everybody; Vite would give our sources its module twin, whose types are strangers to Pothos.
    alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // A third of what a worker does is waiting, for a browser or a clock.
    maxWorkers: 3,
    // Files share the modules of their worker: importing the product anew for each costs more than most of them take.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A test whose checks all stand in a loop over nothing would pass.
    expect: { requireAssertions: true },
    // Journeys in a browser take a minute where other work shares the machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', new FailedFiles()],
  },
});
