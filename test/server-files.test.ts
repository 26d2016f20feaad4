import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serverFiles, serverOnlyFiles } from './support/server-files.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Condition of a test that an embedded run skips. */
const needsServer = /(?:skipIf\([^)]*serverUrl\(\) === undefined|runIf\(serverUrl\(\) !== undefined)/;
/** Condition of a test that a run on a server skips. */
const needsEmbedded = /(?:skipIf\([^)]*serverUrl\(\) !== undefined|runIf\(serverUrl\(\) === undefined)/;

/** Returns the test files that contain a condition. */
const filesWith = (condition: RegExp): string[] =>
  globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    condition.test(readFileSync(path.join(root, file), 'utf8')),
  );

test('a test that needs a PostgreSQL server runs on one', () => {
  const needing = filesWith(needsServer);
  expect(needing.length).toBeGreaterThan(10);
  const run = new Set(serverFiles());
  expect(needing.filter((file) => !run.has(file))).toEqual([]);
});

test('CI runs a test that needs the embedded database on it', () => {
  const skipped = new Set(serverOnlyFiles());
  expect(skipped.size).toBeGreaterThan(50);
  const needing = filesWith(needsEmbedded);
  expect(needing.length).toBeGreaterThan(3);
  expect(needing.filter((file) => skipped.has(file))).toEqual([]);
});
