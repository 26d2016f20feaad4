import { expect, test } from 'vitest';
import { movedIds } from '../../../src/dashboard/kit/moved-ids.ts';

test('reordering moves an item before or after another item', () => {
  const ids = ['a', 'b', 'c', 'd'];
  expect(movedIds(ids, new Set(['d']), 'b', true)).toEqual(['a', 'd', 'b', 'c']);
  expect(movedIds(ids, new Set(['a']), 'c', false)).toEqual(['b', 'c', 'a', 'd']);
  expect(movedIds(ids, new Set(['a', 'c']), 'd', false)).toEqual(['b', 'd', 'a', 'c']);
});
