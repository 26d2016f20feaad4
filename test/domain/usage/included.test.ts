import { describe, expect, test } from 'vitest';
import {
  catalogOf,
  noCatalogRows,
  type PlanPriceVersionRow,
  type PriceOverrideRow,
} from '../../../src/domain/pricing/catalog.ts';
import { heldIncluded } from '../../../src/domain/usage/included.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00Z`);
const version = (
  seq: bigint,
  validFrom: string,
  includedCredits: bigint,
  includedBalanceRate = 0n,
): PlanPriceVersionRow => ({
  id: `v${seq}`,
  seq,
  priceId: 'price',
  validFrom: at(validFrom),
  priceMinor: 1_000n,
  trialDays: 0,
  includedCredits,
  includedBalanceRate,
  includedUnits: {},
  minimumMinor: null,
});
const override = (
  seq: bigint,
  validFrom: string,
  validTo: string | null,
  includedBalanceRate: bigint,
): PriceOverrideRow => ({
  id: `o${seq}`,
  seq,
  priceId: 'price',
  marketId: null,
  currency: 'eur',
  amountMinor: 900n,
  includedBalanceRate,
  validFrom: at(validFrom),
  validTo: validTo === null ? null : at(validTo),
});
const price = {
  id: 'price',
  seq: 1n,
  planId: 'plan',
  billingInterval: 'monthly',
  isDefault: true,
  inheritsFromPriceId: null,
  introductoryOfferId: null,
  archivedAt: null,
} as const;
const catalog = (priceVersions: PlanPriceVersionRow[], priceOverrides: PriceOverrideRow[] = []) =>
  catalogOf({ ...noCatalogRows, prices: [price], priceVersions, priceOverrides });
const holder = { seq: 5n, priceId: 'price', currency: 'usd', marketId: null, termsFrom: at('2027-06-01') };
const credits = (versions: PlanPriceVersionRow[], of: object = {}, on = '2027-06-01') =>
  heldIncluded(catalog(versions), { ...holder, ...of }, at(on))['credits'];

describe('the number of included units in a window (CAT-49)', () => {
  const before = version(1n, '0001-01-01', 100n);

  test('is the number at the start of the terms, plus each later increase', () => {
    const versions = [before, version(7n, '2027-06-10', 150n), version(8n, '2027-06-20', 40n)];
    expect(credits(versions)).toBe(100n);
    expect(credits(versions, {}, '2027-06-10')).toBe(150n);
    expect(credits(versions, {}, '2027-06-25')).toBe(150n);
    expect(credits(versions, { termsFrom: at('2027-07-01') }, '2027-07-01')).toBe(40n);
  });

  test('ignores a decrease at the start of the terms only if the decrease was saved after the subscription', () => {
    const lowered = [before, version(7n, '2027-06-01', 40n)];
    expect(credits(lowered)).toBe(100n);
    expect(credits(lowered, {}, '2027-06-30')).toBe(100n);
    expect(credits(lowered, { seq: 9n })).toBe(40n);
    expect(credits([before, version(7n, '2027-06-01', 150n)])).toBe(150n);
    expect(credits([before, version(7n, '2027-06-01', 150n), version(8n, '2027-06-01', 40n)])).toBe(150n);
  });

  test('is the current number before the first window', () => {
    expect(credits([before, version(7n, '2027-06-01', 40n)], { termsFrom: null })).toBe(40n);
    expect(credits([before, version(7n, '2027-06-01', 40n)], { seq: null, termsFrom: null })).toBe(40n);
  });

  test('changes with edits of a regional value in the same way', () => {
    const rate = (overrides: PriceOverrideRow[], seq: bigint) =>
      heldIncluded(
        catalog([version(1n, '0001-01-01', 0n, 10_000n)], overrides),
        { ...holder, seq, currency: 'eur' },
        at('2027-06-01'),
      )['balance'];
    const edited = [
      override(2n, '2027-01-01', '2027-06-01', 9_000n),
      override(7n, '2027-06-01', null, 3_000n),
    ];
    expect(rate(edited, 5n)).toBe(9_000n);
    expect(rate(edited, 9n)).toBe(3_000n);
    expect(
      rate([override(2n, '2027-01-01', '2027-06-01', 3_000n), override(7n, '2027-06-01', null, 9_000n)], 5n),
    ).toBe(9_000n);
    const twice = [
      override(2n, '2027-01-01', '2027-06-01', 4_000n),
      override(6n, '2027-06-01', '2027-06-01', 9_000n),
      override(7n, '2027-06-01', null, 3_000n),
    ];
    expect([rate(twice, 5n), rate(twice, 6n), rate(twice, 9n)]).toEqual([9_000n, 9_000n, 3_000n]);
  });
});
