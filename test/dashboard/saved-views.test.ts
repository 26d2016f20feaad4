import { describe, expect, it } from 'vitest';
import { isSameView, searchOfSettings, viewSearchOf } from '../../src/dashboard/lists/view-search.ts';

describe('a saved view', () => {
  it('stores filters, sort order, and columns, but neither the scroll position nor the open sheet', () => {
    expect(
      viewSearchOf({
        status: 'is.active',
        sort: '-created',
        hide: 'email',
        q: undefined,
        at: '120',
        open: 'cus_1',
        saved: 'svw_1',
      }),
    ).toEqual({ status: 'is.active', sort: '-created', hide: 'email' });
  });

  it('opens as saved, or as the unfiltered list if its settings have an unknown format', () => {
    expect(searchOfSettings({ search: { status: 'is.active', at: '3', page: 2 } })).toEqual({
      status: 'is.active',
    });
    expect([null, 'text', {}, { search: null }].map(searchOfSettings)).toEqual([{}, {}, {}, {}]);
  });

  it('equals another view with the same settings in a different order', () => {
    expect(isSameView({ q: 'ada', sort: 'name' }, { sort: 'name', q: 'ada' })).toBe(true);
    expect(isSameView({ q: 'ada' }, { q: 'ada', sort: 'name' })).toBe(false);
    expect(isSameView({ q: 'ada' }, { q: 'bob' })).toBe(false);
  });
});
