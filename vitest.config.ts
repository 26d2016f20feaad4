import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { cacheFolder } from './src/platform/db/prepared.ts';
import { FailedFiles } from './test/support/failed-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers keep what they compile for the next run.
process.env['NODE_COMPILE_CACHE'] ??= path.join(cacheFolder, 'compiled-tests');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // A third of what a worker does is waiting, for a browser or a clock.
    maxWorkers: 3,
    // Files share the modules of their worker: importing the product anew for each costs more than most of them take.
    isolate: false,
    // What a request makes is garbage before so much room is full; with less, collections copy what is still used.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=128'],
    // Node loads sources as it does in production. Vite's loader turns every use of an import into a property read, a fifth of what tests compute.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    // A test whose checks all stand in a loop over nothing would pass.
    expect: { requireAssertions: true },
    // Journeys in a browser take a minute and a half where other work shares a slow machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', new FailedFiles()],
  },
});
