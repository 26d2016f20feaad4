import type { Included } from '../lots/movements.ts';
import { maxOf } from '../money/money.ts';
import type { Catalog, PlanPriceRow, PriceOverrideRow } from '../pricing/catalog.ts';
import { creditsPool, moneyPool } from '../pricing/pools.ts';
import { priceAt } from '../pricing/resolve.ts';
import { beganAfter } from '../pricing/terms.ts';
import type { SubscriptionRow } from '../rows/rows.ts';

const nothing: Included = {};

type Holder = Pick<SubscriptionRow, 'seq' | 'priceId' | 'currency' | 'marketId' | 'termsFrom'>;

const isSameScope = (a: PriceOverrideRow, b: PriceOverrideRow): boolean =>
  a.marketId === b.marketId && a.currency === b.currency;

/**
 * Removes the overrides for which `isLater` returns true. If a removed override had replaced another
 * override, the earlier override applies again.
 */
function withoutLater(
  rows: readonly PriceOverrideRow[],
  isLater: (row: PriceOverrideRow) => boolean,
): PriceOverrideRow[] {
  const later = rows.filter(isLater);
  const kept = rows.filter((row) => !isLater(row));
  const isReplaced = (row: PriceOverrideRow): boolean =>
    later.some((one) => isSameScope(one, row) && one.validFrom.getTime() === row.validTo?.getTime()) &&
    !kept.some((one) => isSameScope(one, row) && one.seq > row.seq);
  return kept.map((row) => (isReplaced(row) ? { ...row, validTo: null } : row));
}

/**
 * Returns the catalog without price rows that start at `instant` and have a higher seq than `seq`. If `seq`
 * is `null`, returns the whole catalog.
 */
function asWritten(catalog: Catalog, ids: readonly string[], instant: Date, seq: bigint | null): Catalog {
  const isLater = (row: { readonly validFrom: Date; readonly seq: bigint }): boolean =>
    row.validFrom.getTime() === instant.getTime() && beganAfter(row, instant, seq);
  const { priceVersions, priceOverrides } = catalog;
  const isEdited = ids.some(
    (id) => priceVersions.get(id)?.some(isLater) || priceOverrides.get(id)?.some(isLater),
  );
  if (!isEdited) return catalog;
  const versions = ids.map(
    (id) => [id, (priceVersions.get(id) ?? []).filter((version) => !isLater(version))] as const,
  );
  const overrides = ids.map((id) => [id, withoutLater(priceOverrides.get(id) ?? [], isLater)] as const);
  return {
    ...catalog,
    priceVersions: new Map([...priceVersions, ...versions]),
    priceOverrides: new Map([...priceOverrides, ...overrides]),
  };
}

/**
 * Returns the amounts that a price includes in the subscription's market and currency. `null` if the price
 * has no value in the currency.
 */
function includedAt(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  { marketId, currency }: Holder,
): Included | null {
  const resolved = priceAt(catalog, price, at, { market: marketId, currency });
  if ('failure' in resolved) return null;
  const { includedCredits, includedBalanceRate, includedUnits } = resolved;
  const units = Object.entries<number>(includedUnits).map(
    ([pool, amount]) => [pool, BigInt(amount)] as const,
  );
  return {
    ...Object.fromEntries(units),
    [creditsPool]: includedCredits ?? 0n,
    [moneyPool]: includedBalanceRate ?? 0n,
  };
}

/**
 * Returns the included amounts for a subscription's current window: the amounts that its price included when
 * the terms started, plus every increase since. Decreases apply from the next period (CAT-49). If a price was
 * edited exactly when the terms started, the edit is treated as later if its seq is higher than the
 * subscription's. Returns 0 for free plans, and if the price has no value in the currency.
 */
export function heldIncluded(catalog: Catalog, holder: Holder, at: Date): Included {
  const { priceId, termsFrom } = holder;
  const seq = termsFrom === null ? null : holder.seq;
  const price = priceId === null ? undefined : catalog.prices.get(priceId);
  if (price === undefined) return nothing;
  const from = termsFrom ?? at;
  const ids = [...new Set([price.id, price.inheritsFromPriceId ?? price.id])];
  const changes = [
    ...ids.flatMap((id) => catalog.priceVersions.get(id) ?? []),
    ...ids.flatMap((id) => catalog.priceOverrides.get(id) ?? []),
  ].filter((change) => change.validFrom <= at && beganAfter(change, from, seq));
  const opened = includedAt(asWritten(catalog, ids, from, seq), price, from, holder);
  return changes.reduce((held, change) => {
    const written = asWritten(catalog, ids, change.validFrom, change.seq);
    const raised = includedAt(written, price, change.validFrom, holder) ?? nothing;
    const pools = new Set([...Object.keys(held), ...Object.keys(raised)]);
    return Object.fromEntries([...pools].map((pool) => [pool, maxOf(held[pool] ?? 0n, raised[pool] ?? 0n)]));
  }, opened ?? nothing);
}
