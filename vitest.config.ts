import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { cacheFolder } from './src/platform/db/prepared.ts';
import { dashboardConfig } from './src/web/vite.ts';
import { FailedFiles } from './test/support/failed-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers keep compiled code for the next run.
process.env['NODE_COMPILE_CACHE'] ??= path.join(cacheFolder, 'compiled-tests');

/** Components of the dashboard, built by its own Vite plugins, in an emulated browser. Only the network is replaced. */
const components = 'test/components/**/*.test.tsx';

const dashboard = dashboardConfig();

export default defineConfig({
  test: {
    pool: 'forks',
    // Workers spend a third of their time waiting, for a browser or a clock.
    maxWorkers: 3,
    // Files share the modules of their worker, because importing the product again for each file takes longer than most of them run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A test whose assertions are all in a loop over nothing would pass. Pages of a browser need longer than the default of one second for a poll.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    // Browser journeys take a minute and a half if other work shares a slow machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', new FailedFiles()],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          // Objects of a request are garbage before this space is full. With less space, collections copy objects that are still used.
          execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=128'],
          // Node loads sources as in production. Vite's loader turns every use of an import into a property read, which costs a fifth of the tests'
          // computing time.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        plugins: dashboard.plugins ?? [],
        define: dashboard.define ?? {},
        test: {
          name: 'components',
          include: [components],
          environment: './test/components/support/environment.ts',
          environmentOptions: { happyDOM: { url: 'http://localhost/dashboard/sandbox' } },
          setupFiles: ['test/components/support/browser.ts'],
        },
      },
    ],
  },
});
