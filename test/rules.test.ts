import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The rules of consumption are kept by tests that name them, so that a reader finds the proof of each.

/** The rules there are: CON-1 to CON-59, and one inserted later. */
const rules = [...Array.from({ length: 59 }, (_none, index) => `CON-${index + 1}`), 'CON-32a'];

/** The text of all tests without comments. */
const texts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== path.basename(import.meta.filename))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/(^|\s)\/\/.*$/gm, '$1'))
  .join('\n');

test('every rule of consumption is named by a test', () => {
  const isNamed = (rule: string): boolean => new RegExp(`\\b${rule}\\b`).test(texts);
  expect(rules.filter((rule) => !isNamed(rule))).toEqual([]);
});
