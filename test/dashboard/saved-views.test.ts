import { describe, expect, it } from 'vitest';
import { isSameView, searchOfSettings, viewSearchOf } from '../../src/dashboard/lists/view-search.ts';

describe('saved views', () => {
  it('keep filters, sorting and columns, and neither the place nor what is open', () => {
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

  it('open as they were saved, and as the whole list where their settings have another shape', () => {
    expect(searchOfSettings({ search: { status: 'is.active', at: '3', page: 2 } })).toEqual({
      status: 'is.active',
    });
    expect([null, 'text', {}, { search: null }].map(searchOfSettings)).toEqual([{}, {}, {}, {}]);
  });

  it('are the same in any order of names', () => {
    expect(isSameView({ q: 'ada', sort: 'name' }, { sort: 'name', q: 'ada' })).toBe(true);
    expect(isSameView({ q: 'ada' }, { q: 'ada', sort: 'name' })).toBe(false);
    expect(isSameView({ q: 'ada' }, { q: 'bob' })).toBe(false);
  });
});
