import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { cacheFolder } from './src/platform/db/prepared.ts';
import { FailedFiles } from './test/support/failed-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers keep compiled code for the next run.
process.env['NODE_COMPILE_CACHE'] ??= path.join(cacheFolder, 'compiled-tests');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Workers spend a third of their time waiting, for a browser or a clock.
    maxWorkers: 3,
    // Files share the modules of their worker, because importing the product again for each file takes longer than most of them run.
    isolate: false,
    // Objects of a request are garbage before this space is full. With less space, collections copy objects that are still used.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=128'],
    // Node loads sources as in production. Vite's loader turns every use of an import into a property read, which costs a fifth of the tests'
    // computing time.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    // A test whose assertions are all in a loop over nothing would pass. Pages of a browser need longer than the default of one second for a poll.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    // Browser journeys take a minute and a half if other work shares a slow machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', new FailedFiles()],
  },
});
