import { describe, expect, it } from 'vitest';
import { daysOfAgeing } from '../../src/dashboard/pages/metrics/day-filters.ts';
import { largest } from '../../src/dashboard/pages/metrics/largest.ts';
import { daysOf } from '../../src/dashboard/pages/metrics/spans.ts';
import { searchOfView, viewOf } from '../../src/dashboard/pages/metrics/views.ts';

describe('a metric view', () => {
  it('keeps the settings that both views share, and keeps the date range only if both show past data', () => {
    const search = { view: 'cash', from: '2027-01-01', until: '2027-02-28', interval: 'week', by: 'plan' };
    expect(searchOfView('usage', search)).toEqual({
      view: 'usage',
      from: '2027-01-01',
      until: '2027-02-28',
      interval: 'week',
      currency: undefined,
    });
    expect(searchOfView('mrr', search).view).toBeUndefined();
    expect(searchOfView('scheduled', search)).toEqual({
      view: 'scheduled',
      from: undefined,
      until: undefined,
      interval: 'week',
      currency: undefined,
    });
    expect(searchOfView('cash', { ...search, view: 'scheduled' }).from).toBeUndefined();
    expect([viewOf('trials'), viewOf('nonsense'), viewOf(undefined)]).toEqual(['trials', 'mrr', 'mrr']);
  });

  it('defaults to the past 12 months or the next 90 days', () => {
    const now = new Date('2027-03-15T10:00:00Z');
    expect(daysOf({}, now)).toEqual({ from: '2026-04-01', until: '2027-03-15' });
    expect(daysOf({}, now, 'ahead')).toEqual({ from: '2027-03-15', until: '2027-06-13' });
    const named = { from: '2027-01-01', until: '2027-01-31' };
    expect(daysOf(named, now, 'ahead')).toEqual(named);
  });

  it('links an aging bucket to invoices by due date', () => {
    expect(daysOfAgeing('notDue', '2027-03-31')).toEqual({ due: 'since:2027-03-31' });
    expect(daysOfAgeing('d1To30', '2027-03-31')).toEqual({ due: 'between:2027-03-01,2027-03-30' });
    expect(daysOfAgeing('d61To90', '2027-03-31')).toEqual({ due: 'between:2026-12-31,2027-01-29' });
    // Invoices at least 91 days overdue were due before the day 90 days ago.
    expect(daysOfAgeing('d91', '2027-03-31')).toEqual({ due: 'before:2026-12-31' });
  });

  it('shows the seven largest groups and combines the others', () => {
    const series = Array.from({ length: 9 }, (_, index) => ({
      id: `g${index}`,
      label: `Group ${index}`,
      values: [index, -10 * index],
    }));
    const shown = largest(series, 'Others');
    expect(shown.map(({ id }) => id)).toEqual(['g8', 'g7', 'g6', 'g5', 'g4', 'g3', 'g2', 'others']);
    // The last series contains the sums for groups `g1` and `g0`.
    expect(shown.at(-1)).toEqual({ id: 'others', label: 'Others', values: [1, -10] });
    expect(largest(series.slice(0, 2), 'Others').map(({ id }) => id)).toEqual(['g1', 'g0']);
  });
});
