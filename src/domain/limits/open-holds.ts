// Amounts that open holds reserve until their ends.
import { signedDecimal } from '../rates/decimal.ts';
import { type Exact, ratio } from '../rates/exact.ts';
import type { HeldGauges } from './limit.ts';

/** Open hold with the amounts that it reserves. `units` are in counted units. */
export type OpenHold = {
  readonly customerId: string;
  readonly featureId: string;
  readonly units: bigint;
  readonly gauges: HeldGauges;
  readonly expiresAt: Date;
};

/** Amount that is free again at a time in milliseconds. */
export type Freed = { readonly at: number; readonly amount: Exact };

/** Returns the amounts that the ends of holds free in a gauge of a node. */
export const freedIn = (holds: readonly OpenHold[], nodeId: string, key: string): Freed[] =>
  holds.flatMap(({ gauges, expiresAt }) => {
    const amount = gauges[nodeId]?.[key];
    return amount === undefined ? [] : [{ at: expiresAt.getTime(), amount: signedDecimal(amount) }];
  });

/** Returns the units of a feature that the ends of holds free. `scale` is the number of counted units in one unit. */
export const freedUnits = (
  holds: readonly OpenHold[],
  { customerId, featureId, scale }: { customerId: string; featureId: string; scale: bigint },
): Freed[] =>
  holds
    .filter((hold) => hold.customerId === customerId && hold.featureId === featureId)
    .map(({ units, expiresAt }) => ({ at: expiresAt.getTime(), amount: ratio(units, scale) }));

/** Returns the amount that the last end of a customer's holds frees, if the amounts of single holds aren't known. */
export function freedLast(holds: readonly OpenHold[], customerId: string, amount: Exact): Freed[] {
  const ends = holds
    .filter((hold) => hold.customerId === customerId)
    .map(({ expiresAt }) => expiresAt.getTime());
  return ends.length === 0 ? [] : [{ at: Math.max(...ends), amount }];
}
