// Amounts that a hold reserves in the gauges of limits (LIM-53).
import type { Tried } from '../limits/admission.ts';
import { gaugeKey } from '../limits/gauge.ts';
import type { HeldGauges } from '../limits/limit.ts';
import { signedDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, isZero, larger, minus, plus, smaller, zero } from '../rates/exact.ts';

/** Hold that usage settles. */
export type SettledHold = {
  readonly gauges: HeldGauges;
  /** True if the rest of the hold is freed. */
  readonly isFinal: boolean;
  /** True if an earlier settlement counted as a call. */
  readonly isCounted: boolean;
};

const reservedIn = (gauges: HeldGauges, nodeId: string, key: string): Exact =>
  signedDecimal(gauges[nodeId]?.[key] ?? '0');

/** Returns the change of a held amount by a settlement that uses an amount. Never positive. */
export function freedBy({ gauges, isFinal }: SettledHold, nodeId: string, key: string, used: Exact): Exact {
  const reserved = reservedIn(gauges, nodeId, key);
  return minus(zero, isFinal ? reserved : smaller(reserved, larger(zero, used)));
}

/** Returns the gauges of a hold with changed amounts. Amounts of 0 are omitted. */
function withChange(gauges: HeldGauges, nodeId: string, key: string, change: Exact): HeldGauges {
  const amount = larger(zero, plus(reservedIn(gauges, nodeId, key), change));
  const { [key]: _before, ...others } = gauges[nodeId] ?? {};
  const next = isZero(amount) ? others : { ...others, [key]: exactText(amount) };
  const { [nodeId]: _node, ...nodes } = gauges;
  return Object.keys(next).length === 0 ? nodes : { ...nodes, [nodeId]: next };
}

/** Returns the gauges of a hold after a movement. `tried` contains the limits at the movement, whose gauges are stored. */
export function gaugesAfter(gauges: HeldGauges, tried: readonly Tried[]): HeldGauges {
  const changes = new Map(
    tried.map(({ limit, node, heldDelta }) => [`${node.id} ${gaugeKey(limit)}`, { limit, node, heldDelta }]),
  );
  return [...changes.values()].reduce(
    (all, { limit, node, heldDelta }) => withChange(all, node.id, gaugeKey(limit), heldDelta),
    gauges,
  );
}
