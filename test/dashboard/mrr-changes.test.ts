import { describe, expect, it } from 'vitest';
import {
  type ChangesFilter,
  changesFrom,
  changesText,
  daysOfPoint,
} from '../../src/dashboard/pages/metrics/changes.ts';

const known = { kinds: { churn: 'Churn' }, reasons: { canceled: 'Canceled' } };
const days = { from: '2027-01-01', to: '2027-01-31' };

describe('the list of revenue changes behind a chart bar', () => {
  it.each<[string, ChangesFilter]>([
    ['2027-01-01.2027-01-31', days],
    ['2027-01-01.2027-01-31.churn', { ...days, kind: 'churn' }],
    ['2027-01-01.2027-01-31.churn.canceled', { ...days, kind: 'churn', reason: 'canceled' }],
    ['2027-01-01.2027-01-31..canceled', { ...days, reason: 'canceled' }],
  ])('applies the filter in the URL %s', (text, filter) => {
    expect(changesText(filter)).toBe(text);
    expect(changesFrom(text, known)).toEqual(filter);
  });

  it.each([
    undefined,
    '',
    'churn',
    '2027-01-01',
    '2027-01-01.soon',
    '2027-01-01.2027-01-31.churn.canceled.x',
  ])("isn't shown for the invalid URL %s", (text) => {
    expect(changesFrom(text, known)).toBeNull();
  });

  it('ignores an unknown type and an unknown reason', () => {
    expect(changesFrom('2027-01-01.2027-01-31.toString.none', known)).toEqual(days);
  });

  it("covers the days of a chart point within the chart's date range", () => {
    const points = [{ start: '2027-01-01' }, { start: '2027-02-01' }, { start: '2027-03-01' }];
    const range = { from: '2027-01-15', to: '2027-03-10' };
    expect([0, 1, 2].map((index) => daysOfPoint(points, index, range))).toEqual([
      { from: '2027-01-15', to: '2027-01-31' },
      { from: '2027-02-01', to: '2027-02-28' },
      { from: '2027-03-01', to: '2027-03-10' },
    ]);
  });
});
