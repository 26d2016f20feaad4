import { expect, it } from 'vitest';
import { changesOf, linesOf, withLines } from '../../src/dashboard/pages/settings/settings-input.ts';

it('sends what differs, and null for a text that was emptied', () => {
  const stored = { name: 'Acme', country: 'US', kinds: ['refund'], isOn: true };
  expect(changesOf(stored, { ...stored })).toEqual({});
  expect(changesOf(stored, { name: 'Acme', country: '', kinds: [], isOn: false })).toEqual({
    country: null,
    kinds: [],
    isOn: false,
  });
});

it('reads lists of lines without empty ones', () => {
  expect(linesOf(' https://a.example \n\nhttps://b.example')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(
    withLines<{ origins: string | null; slug: string }>({ origins: null, slug: 'a' }, ['origins']),
  ).toEqual({
    origins: [],
    slug: 'a',
  });
});
