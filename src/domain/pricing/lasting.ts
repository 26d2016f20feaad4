import type { ConsumingSubscription } from '../rows/usage-rows.ts';
import type { Catalog } from './catalog.ts';

type Dated = { readonly validFrom: Date | string; readonly validTo?: Date | null };

/** Returns the last start or end of a catalog row, in milliseconds since the epoch. */
function lastChangeOf(catalog: Catalog): number {
  const rows: Iterable<readonly Dated[]>[] = [
    catalog.priceVersions.values(),
    catalog.priceOverrides.values(),
    catalog.exchangeRates.values(),
    catalog.addonVersions.values(),
    catalog.features.values().map(({ meters }) => meters),
    ...catalog.featureVersions.values().map((versions) => versions.values()),
  ];
  let last = 0;
  for (const lists of rows)
    for (const list of lists)
      for (const { validFrom, validTo } of list)
        last = Math.max(last, new Date(validFrom).getTime(), validTo?.getTime() ?? 0);
  return last;
}

const lastChanges = new WeakMap<Catalog, number>();

/**
 * Returns a function that calculates values once per catalog, subscription, and key. The values must depend only on these
 * three and the time. A value is calculated again at each time until all rows of the catalog have started or ended, because
 * values don't depend on later times.
 */
export function lastingValues<Key extends object, Value>() {
  const known = new WeakMap<Catalog, WeakMap<ConsumingSubscription, WeakMap<Key, Value>>>();
  return (
    catalog: Catalog,
    subscription: ConsumingSubscription,
    key: Key,
    at: Date,
    calculate: () => Value,
  ): Value => {
    if (at.getTime() <= lastChanges.getOrInsertComputed(catalog, lastChangeOf)) return calculate();
    return known
      .getOrInsertComputed(catalog, () => new WeakMap<ConsumingSubscription, WeakMap<Key, Value>>())
      .getOrInsertComputed(subscription, () => new WeakMap<Key, Value>())
      .getOrInsertComputed(key, calculate);
  };
}
