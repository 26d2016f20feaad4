import { expect, it } from 'vitest';
import {
  arrangeStreams,
  type Places,
  type Stream,
} from '../../../../src/modules/messages/timeline/arrange-streams.ts';

type Row = { readonly id: string };

const stream = (name: string, hasMore: boolean, ...seconds: number[]): Stream<Row> => ({
  name,
  hasMore,
  rows: seconds.map((second, index) => ({
    row: { id: `${name}${index}` },
    at: new Date(second * 1_000),
    cursor: `${name}-${index}`,
  })),
});

const ids = ({ rows }: { readonly rows: readonly Row[] }) => rows.map(({ id }) => id);

it('merged lists return the latest row first, and rows with equal times in the order of the lists', () => {
  const merged = arrangeStreams([stream('a', false, 9, 5), stream('b', false, 9, 7, 1)], 10, {});
  expect(ids(merged)).toEqual(['a0', 'b0', 'b1', 'a1', 'b2']);
  expect(merged.hasMore).toBe(false);
  expect([...merged.places.values()]).toEqual([
    { a: 'a-0' },
    { a: 'a-0', b: 'b-0' },
    { a: 'a-0', b: 'b-1' },
    { a: 'a-1', b: 'b-1' },
    { a: 'a-1', b: 'b-2' },
  ]);
});

it("merged lists keep the order of each list, even if its times aren't sorted", () => {
  const merged = arrangeStreams([stream('a', false, 3, 8, 2), stream('b', false, 5)], 10, {});
  expect(ids(merged)).toEqual(['b0', 'a0', 'a1', 'a2']);
});

it('merged lists continue from the positions of the previous page, and indicate whether more rows exist', () => {
  const before: Places = { a: 'earlier', b: 'earlier' };
  const merged = arrangeStreams([stream('a', false, 9, 8), stream('b', true)], 1, before);
  expect([ids(merged), merged.hasMore, [...merged.places.values()]]).toEqual([
    ['a0'],
    true,
    [{ a: 'a-0', b: 'earlier' }],
  ]);
  expect(arrangeStreams([stream('a', true, 9)], 1, {}).hasMore).toBe(true);
  expect(arrangeStreams([stream('a', false, 9)], 1, {}).hasMore).toBe(false);
});
