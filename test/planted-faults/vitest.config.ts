import path from 'node:path';
import config from '../../vitest.config.ts';

/** Settings of the domain tests, which need neither a database nor built pages. */
export default {
  ...config,
  root: path.resolve(import.meta.dirname, '../..'),
  test: { ...config.test, globalSetup: [] },
};
