import { expect, test } from 'vitest';
import { newId, newShortId } from '../../src/platform/ids.ts';

// New IDs are unique, have a fixed length, and are in ascending order, so new rows are appended to the end of indexes.

const later = Date.parse('2100-01-01T00:00:00.000Z');

/** Sorts IDs by code unit, as the database does. */
const sorted = (ids: readonly string[]): string[] => ids.toSorted((a, b) => (a < b ? -1 : 1));

test('newId returns ascending, unique IDs within a millisecond', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('inv', later));
  expect(ids.filter((id) => !/^inv_[0-9A-HJKMNP-TV-Za-hjkmnp-z]{22}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(5_000);
  expect(sorted(ids)).toEqual(ids);
});

test('newId returns ascending IDs over time, even if the clock is set back', () => {
  const times = [later + 1, later + 2, later, later + 2, later + 60_000];
  const ids = times.map((time) => newId('inv', time));
  expect(sorted(ids)).toEqual(ids);
});

test("newId continues with the next millisecond when a millisecond's sequence numbers are used up", () => {
  const ids = Array.from({ length: 54 ** 3 + 10 }, () => newId('x', later + 120_000));
  const beginnings = new Set(ids.map((id) => id.slice(2, 10)));
  expect(beginnings.size).toBe(2);
  expect(sorted(ids.slice(-20))).toEqual(ids.slice(-20));
});

test('newShortId returns short random IDs for environments', () => {
  const ids = Array.from({ length: 100 }, () => newShortId('env'));
  expect(ids.filter((id) => !/^env_[0-9A-Za-z]{8}$/.test(id))).toEqual([]);
  expect(new Set(ids.map((id) => id.slice(4, 8))).size).toBeGreaterThan(90);
});
