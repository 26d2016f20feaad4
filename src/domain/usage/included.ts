import { maxOf } from '../money.ts';
import type { Catalog, PlanPriceRow, PriceOverrideRow } from '../pricing/catalog.ts';
import { priceAt } from '../pricing/resolve.ts';
import { beganAfter } from '../pricing/terms.ts';
import type { SubscriptionRow } from '../subscription/state/rows.ts';
import type { Included } from './pools.ts';

const nothing: Included = { credits: 0n, balanceRate: 0n };

type Holder = Pick<SubscriptionRow, 'seq' | 'priceId' | 'currency' | 'marketId' | 'termsFrom'>;

const isSameScope = (a: PriceOverrideRow, b: PriceOverrideRow): boolean =>
  a.marketId === b.marketId && a.currency === b.currency;

/** The overrides without those written later; the last before one of these is in force again. */
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
 * The catalog as it was at an instant before anything with a higher seq was written of a price at that
 * instant.
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

/** What a price includes in the market and currency of its holder; null while it has no value there. */
function includedAt(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  { marketId, currency }: Holder,
): Included | null {
  const resolved = priceAt(catalog, price, at, { market: marketId, currency });
  if ('failure' in resolved) return null;
  return { credits: resolved.includedCredits ?? 0n, balanceRate: resolved.includedBalanceRate ?? 0n };
}

/**
 * What a window of a subscription holds at an instant: what its price included when the terms began, and
 * every raise since; what was lowered waits for the next period (CAT-49). An edit at the very instant the
 * terms began came after it when it was written after the subscription. Nothing on free plans, which have no
 * price, and while the price has no value in the currency.
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
    return {
      credits: maxOf(held.credits, raised.credits),
      balanceRate: maxOf(held.balanceRate, raised.balanceRate),
    };
  }, opened ?? nothing);
}
