import { expect, test } from 'vitest';
import { catalogOf, noCatalogRows, type PriceOverrideRow } from '../../src/domain/pricing/catalog.ts';
import { lastingValues } from '../../src/domain/pricing/lasting.ts';
import type { ConsumingSubscription } from '../../src/domain/rows/usage-rows.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00Z`);

const override: PriceOverrideRow = {
  id: 'o1',
  seq: 1n,
  priceId: 'price',
  marketId: null,
  currency: 'eur',
  amountMinor: 900n,
  includedBalanceRate: 0n,
  validFrom: at('2027-03-01'),
  validTo: at('2027-05-01'),
};

// The functions under test use subscriptions only as keys.
const subscriptions = ['sub_1', 'sub_2'].map((id) => ({ id })) as ConsumingSubscription[];
const key = {};

test('a value lasts as soon as all rows of the catalog have started or ended', () => {
  const catalog = catalogOf({ ...noCatalogRows, priceOverrides: [override] });
  const lasting = lastingValues<object, number>();
  let calculated = 0;
  const valueAt = (time: string, subscription = subscriptions[0]) =>
    subscription === undefined
      ? null
      : lasting(catalog, subscription, key, at(time), () => {
          calculated += 1;
          return calculated;
        });
  expect(['2027-04-01', '2027-04-01', '2027-05-01'].map((time) => valueAt(time))).toEqual([1, 2, 3]);
  expect(['2027-05-02', '2027-05-03', '2028-01-01'].map((time) => valueAt(time))).toEqual([4, 4, 4]);
  expect(valueAt('2027-05-02', subscriptions[1])).toBe(5);
  expect(valueAt('2027-04-01')).toBe(6);
});

test('a value is calculated again for another catalog', () => {
  const lasting = lastingValues<object, object>();
  const [one, other] = [catalogOf(noCatalogRows), catalogOf(noCatalogRows)];
  const [subscription] = subscriptions;
  if (subscription === undefined) throw new Error('There is a subscription.');
  const value = lasting(one, subscription, key, at('2027-01-01'), () => ({}));
  expect(lasting(one, subscription, key, at('2027-01-02'), () => ({}))).toBe(value);
  expect(lasting(other, subscription, key, at('2027-01-02'), () => ({}))).not.toBe(value);
});
