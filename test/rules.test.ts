import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// A test must name each rule, so that readers can find the test that verifies it.

const numbered = (area: string, last: number): string[] =>
  Array.from({ length: last }, (_none, index) => `${area}-${index + 1}`);
const examples = (area: string, last: number): string[] =>
  Array.from({ length: last }, (_none, index) => `${area}-E${index + 1}`);

/** IDs between BIL-1 and BIL-60 that no billing rule uses. */
const unused = ['BIL-36', 'BIL-37', 'BIL-38', 'BIL-39', 'BIL-49'];

/** IDs of the existing rules, by topic. */
const rules: { readonly [about: string]: readonly string[] } = {
  consumption: [...numbered('CON', 59), 'CON-32a'],
  subscriptions: [
    ...numbered('SUB', 58),
    'SUB-14a',
    'SUB-28a',
    'SUB-60',
    'SUB-61',
    'SUB-62',
    'SUB-63',
    ...numbered('SUB', 73).slice(69),
    'SUB-80',
    ...examples('SUB', 9),
  ],
  billing: [
    ...numbered('BIL', 60).filter((rule) => !unused.includes(rule)),
    'BIL-27a',
    'PAY-18',
    ...examples('BIL', 6),
  ],
  offers: [...numbered('OFR', 40), ...examples('OFR', 6)],
  payments: [...numbered('PAY', 40), ...examples('PAY', 7)],
  metrics: [
    ...['MET-3', 'MET-4', 'MET-5', 'MET-6', 'MET-10', 'MET-11', 'MET-12', 'MET-13', 'MET-14', 'MET-20'],
    ...['MET-21', 'MET-22'],
    ...['MET-33a', 'MET-70', 'MET-71a', 'MET-72a', 'MET-73', 'MET-74a'],
    ...['MET-E1', 'MET-E2', 'MET-E3', 'MET-E4', 'MET-E5', 'MET-E7', 'MET-E8'],
  ],
  exports: ['DAT-30', 'DAT-31', 'DAT-32', 'DAT-33', 'DAT-34', 'DAT-35a', 'DAT-35b', 'DAT-36'],
};

/** Source code of all tests, without comments. */
const texts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== path.basename(import.meta.filename))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/(^|\s)\/\/.*$/gm, '$1'))
  .join('\n');

test.each(Object.keys(rules))('a test cites every rule on %s', (about) => {
  const isNamed = (rule: string): boolean => new RegExp(`\\b${rule}\\b`).test(texts);
  expect(rules[about]?.filter((rule) => !isNamed(rule))).toEqual([]);
});
