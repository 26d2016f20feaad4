// Levels that a customer holds from an earlier subscription (PRM-14).
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { UsageCounterRow } from '../../rows/usage-rows.ts';
import { counterIn } from '../../usage/counter.ts';
import type { Aggregate } from '../state/aggregate.ts';

/** Start of the window of a counter that counted nothing. */
const never = new Date(0);

/**
 * Returns a counter without usage for each level that an earlier subscription holds. `own` contains the counters of the subscription, and
 * `start` is the start of its usage window.
 */
export function heldLevels(
  { levels }: Pick<Aggregate, 'levels'>,
  { id: subscriptionId }: Pick<SubscriptionRow, 'id'>,
  own: readonly UsageCounterRow[],
  start: Date,
): UsageCounterRow[] {
  const known = new Set(
    own
      .filter(({ level, windowStart }) => level !== null || windowStart.getTime() === start.getTime())
      .map(({ featureId }) => featureId),
  );
  return levels
    .filter(({ featureId }) => !known.has(featureId))
    .map(({ customerId, featureId, level }) =>
      counterIn(null, { customerId, subscriptionId, featureId }, never, null, level),
    );
}
