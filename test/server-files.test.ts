import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serverFiles } from './support/server-files.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Condition of a test that an embedded run skips. */
const needsServer = /(?:skipIf\([^)]*serverUrl\(\) === undefined|runIf\(serverUrl\(\) !== undefined)/;

test('a test that needs a PostgreSQL server runs on one', () => {
  const needing = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    needsServer.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(needing.length).toBeGreaterThan(10);
  const run = new Set(serverFiles());
  expect(needing.filter((file) => !run.has(file))).toEqual([]);
});
