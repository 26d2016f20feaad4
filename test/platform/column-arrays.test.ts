import { afterAll, beforeAll, expect, it } from 'vitest';
import { textArray } from '../../src/platform/db/column-arrays.ts';
import { freshDatabase } from '../support/template.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await fresh.database.close();
  await fresh.drop();
});

it('array literals preserve every string', async () => {
  const texts = [
    '',
    'plain',
    'NULL',
    'a,b {c}',
    'a "quoted" \\ word',
    JSON.stringify({ name: 'A "name"', note: 'two\nlines\ttab' }),
    'two\nlines and a "quote"',
    '\u0001 "control" \u007f',
    '"pairs" 😀 𝒳',
    '"separators" \u2028 \u2029 \uffff',
    '"\\"',
  ];
  const [row] = await fresh.database.query<{ texts: string[] }>('SELECT $1::text[] AS texts', [
    textArray(texts),
  ]);
  expect(row?.texts).toEqual(texts);
});
