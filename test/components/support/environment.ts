import { builtinEnvironments, type Environment } from 'vitest/runtime';

const { 'happy-dom': browser } = builtinEnvironments;

/** Emulated browser that all test files in a worker share, because the dashboard's modules keep a reference to its window. */
export default {
  name: 'shared-browser',
  viteEnvironment: 'client',
  setup: async (global: typeof globalThis, options: Record<string, unknown>) => {
    if (!('happyDOM' in global)) await browser.setup(global, options);
    return { teardown: () => undefined };
  },
} satisfies Environment;
