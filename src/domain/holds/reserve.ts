// Highest prices that usage within the open holds of a feature can have (LIM-52, LIM-53).
import { ratesOf } from '../rates/card.ts';
import { exactOf } from '../rates/decimal.ts';
import { wholePart } from '../rates/exact.ts';
import type { HeldRate } from '../rates/held.ts';

/** Range of totals: the total of a window, and the total if all held units are used. */
export type TotalRange = { readonly from: bigint; readonly to: bigint };

/** Returns the totals at which the price of a unit can change. `free` is the number of units that aren't charged. */
function edgesOf(rates: HeldRate, free: bigint, { from }: TotalRange): bigint[] {
  return rates.flatMap(ratesOf).flatMap(({ tiers, per }) => {
    const bounds = tiers.flatMap(({ upTo }) => (upTo === null ? [] : [wholePart(exactOf(upTo))]));
    const charged = from > free ? from - free : 0n;
    const next = per > 1n ? [((charged + per - 1n) / per) * per] : [];
    return [...bounds, ...next].flatMap((bound) => [free + bound, free + bound + 1n]);
  });
}

const within = (totals: readonly bigint[], { from, to }: TotalRange): bigint[] => [
  ...new Set([from, to, ...totals.filter((total) => total > from && total < to)]),
];

/** Returns the totals of a range at which a price can be the highest. Between them, the price doesn't fall. */
export const peaksOf = (rates: HeldRate | null, free: bigint, range: TotalRange): bigint[] =>
  rates === null || range.from === range.to ? [range.from] : within(edgesOf(rates, free, range), range);

/** Returns the totals of a range from which `units` can have the highest price. */
export function startsOf(rates: HeldRate | null, free: bigint, range: TotalRange, units: bigint): bigint[] {
  if (rates === null || range.from === range.to) return [range.from];
  const edges = edgesOf(rates, free, range);
  return within([...edges, ...edges.map((edge) => edge - units)], range);
}
