import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The rules of an area are kept by tests that name them, so that a reader finds the proof of each.

const numbered = (area: string, last: number): string[] => Array.from({ length: last }, (_none, index) => `${area}-${index + 1}`);
const examples = (area: string, last: number): string[] => Array.from({ length: last }, (_none, index) => `${area}-E${index + 1}`);

/** The rules there are, by what they are about. */
const rules: { readonly [about: string]: readonly string[] } = {
  consumption: [...numbered('CON', 59), 'CON-32a'],
  'invoice lines, credits and taxes': [...numbered('BIL', 21).slice(12), 'BIL-34', 'BIL-35', 'PAY-18'],
  'plan changes': [...numbered('SUB', 52).slice(36), ...examples('SUB', 5), 'SUB-E9'],
  offers: [...numbered('OFR', 40), ...examples('OFR', 6)],
};

/** The text of all tests without comments. */
const texts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== path.basename(import.meta.filename))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/(^|\s)\/\/.*$/gm, '$1'))
  .join('\n');

test.each(Object.keys(rules))('every rule of %s is named by a test', (about) => {
  const isNamed = (rule: string): boolean => new RegExp(`\\b${rule}\\b`).test(texts);
  expect(rules[about]?.filter((rule) => !isNamed(rule))).toEqual([]);
});
