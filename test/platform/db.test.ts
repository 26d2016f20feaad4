import { expect, it } from 'vitest';
import { statementNames } from '../../src/platform/db/postgres.ts';

it('statementNames returns a stable name per statement, up to a maximum number of names', () => {
  const nameOf = statementNames(2);
  const [first, second] = [nameOf('SELECT 1'), nameOf('SELECT 2')];
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(second).not.toBe(first);
  expect([nameOf('SELECT 1'), nameOf('SELECT 3'), nameOf('SELECT 2')]).toEqual([first, undefined, second]);
});
