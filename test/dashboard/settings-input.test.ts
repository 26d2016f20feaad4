import { expect, it } from 'vitest';
import { changesOf, linesOf, withLines } from '../../src/dashboard/pages/settings/settings-input.ts';

it('the settings form sends changed settings, and clears emptied text fields with null', () => {
  const stored = { name: 'Acme', country: 'US', kinds: ['refund'], isOn: true };
  expect(changesOf(stored, { ...stored })).toEqual({});
  expect(changesOf(stored, { name: 'Acme', country: '', kinds: [], isOn: false })).toEqual({
    country: null,
    kinds: [],
    isOn: false,
  });
});

it('the settings form parses one entry per line, and skips empty lines', () => {
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
