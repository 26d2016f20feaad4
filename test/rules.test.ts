import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The rules of consumption are kept by tests that name them, so that a reader finds the proof of each.

/** The rules there are: CON-1 to CON-59, and one inserted later. */
const rules = [...Array.from({ length: 59 }, (_none, index) => `CON-${index + 1}`), 'CON-32a'];

/** Rules no title names, each with where it is proved. */
const unnamed: Readonly<Record<string, string>> = {
  'CON-1': 'Seats, quota and boolean features know no consumption model; stories of seats are told on metered plans.',
  'CON-29': 'A canceled subscription gives no access, which stories of consumption show; reactivation comes with its operation.',
  'CON-38': 'True-ups are worked out in domain/consumption/counts.test.ts under their example, CON-E5.',
  'CON-41': 'Lines of seats and quota stand in the stories of seats.',
  'CON-48': 'Balances of seats are tried among the operations of seats.',
  'CON-59': 'Killed and repeated clock runs leave the same documents in process/kill.test.ts.',
};

/** The text of all tests without comments. */
const texts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== path.basename(import.meta.filename))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/(^|\s)\/\/.*$/gm, '$1'))
  .join('\n');

test('every rule of consumption is named by the title of a test, or says where else it is proved', () => {
  const isNamed = (rule: string): boolean => new RegExp(`\\b${rule}\\b`).test(texts);
  expect(rules.filter((rule) => !isNamed(rule) && !Object.hasOwn(unnamed, rule))).toEqual([]);
});
