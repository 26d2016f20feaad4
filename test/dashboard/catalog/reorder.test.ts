import { expect, test } from 'vitest';
import { movedIds } from '../../../src/dashboard/kit/moved-ids.ts';

test('things are moved before or behind another one', () => {
  const ids = ['a', 'b', 'c', 'd'];
  expect(movedIds(ids, new Set(['d']), 'b', true)).toEqual(['a', 'd', 'b', 'c']);
  expect(movedIds(ids, new Set(['a']), 'c', false)).toEqual(['b', 'c', 'a', 'd']);
  expect(movedIds(ids, new Set(['a', 'c']), 'd', false)).toEqual(['b', 'd', 'a', 'c']);
});
