import { describe, expect, it } from 'vitest';
import { stepLater } from '../../src/dashboard/shell/clock-steps.ts';
import { type PaletteEntry, prefixOf, ranked, rankOf } from '../../src/dashboard/shell/palette/entries.ts';

const entry = (label: string, words?: string): PaletteEntry => ({
  id: label,
  label,
  run: () => undefined,
  ...(words === undefined ? {} : { words }),
});

describe('the command palette', () => {
  it.each([
    ['Promo codes', 'pro', 3],
    ['Promo codes', 'cod', 2],
    ['Promo codes', 'ode', 1],
    ['Promo codes', 'xyz', 0],
    ['Facturación', 'facturacio', 3],
    ['Refunds and disputes', ' DISP', 2],
    ['Home', '', 3],
  ])('ranks the label %s for the query "%s" as %i', (label, typed, rank) => {
    expect(rankOf(label, typed)).toBe(rank);
  });

  it('ranks label matches first and then keyword matches, each by frequency of use', () => {
    const entries = [entry('Plans', 'Catalog'), entry('Payouts'), entry('Payments'), entry('Catalog rules')];
    const labels = (typed: string, uses = {}) => ranked(entries, typed, uses).map(({ label }) => label);
    expect(labels('cata')).toEqual(['Catalog rules', 'Plans']);
    expect(labels('pay')).toEqual(['Payouts', 'Payments']);
    expect(labels('pay', { Payments: 2 })).toEqual(['Payments', 'Payouts']);
    expect(labels('zzz')).toEqual([]);
  });

  it.each([
    ['>dark', { part: 'actions', text: 'dark' }],
    ['@ada', { part: 'things', text: 'ada' }],
    ['# cus_1', { part: 'things', text: 'cus_1' }],
    ['ada', { part: 'all', text: 'ada' }],
  ])('parses the prefix of the query %s', (typed, parts) => {
    expect(prefixOf(typed)).toEqual(parts);
  });
});

describe('stepLater', () => {
  it.each([
    ['2027-03-14T09:00:00.000Z', '2027-04-14T09:00:00.000Z'],
    ['2027-01-31T00:00:00.000Z', '2027-02-28T00:00:00.000Z'],
    ['2028-01-31T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    ['2027-12-31T12:00:00.000Z', '2028-01-31T12:00:00.000Z'],
  ])('moves %s one month later to %s', (from, to) => {
    expect(stepLater(from, 'month')).toBe(to);
  });
});
