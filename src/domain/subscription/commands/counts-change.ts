import type { Rejection } from '../../errors/errors.ts';
import type { FeatureRow } from '../../pricing/catalog.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { FeatureCountRow } from '../../rows/usage-rows.ts';
import { addSeats, futureCount, removeSeats, setQuota, wantSeats } from '../../usage/counts.ts';
import { featureProblem } from '../../usage/event-checks.ts';
import { type LevelMovement, levelCrossings, levelRejection } from '../../usage/level-limits.ts';
import type { UsageTerms } from '../../usage/terms.ts';
import { isTotalBillable } from '../../usage/window.ts';
import { countOf, emitSeats, type HeldCount, putCount, termsOf } from '../allowances/allowance.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection } from '../state/rejections.ts';
import { accessStatuses } from '../state/transitions.ts';

/**
 * Change to a seats or quota count. `count` is at least 1 for `add` and `remove`, and at least 0 for `set`
 * (CON-36).
 */
export type CountChange = {
  readonly eventId: string;
  readonly featureCode: string;
  readonly op: 'add' | 'remove' | 'set';
  readonly count: bigint;
  /** Path of the change in the API input, for errors. */
  readonly param?: string;
};

export type CountType = 'seats' | 'quota';

type Input = Timed & {
  readonly type: CountType;
  readonly changes: readonly CountChange[];
};

type Allowed = { readonly change: CountChange; readonly held: HeldCount; readonly before: FeatureCountRow };

/**
 * Changes several seats or quota counts of a customer whose subscription gives access. Applies all changes or none.
 * For each feature in input order, the checks follow CON-35: `no_active_subscription`, `feature_not_found`,
 * `validation_error` for another feature type, `feature_not_in_plan`, `feature_disabled`, then the checks of the
 * count. Records an event per change. Emits `seats.updated` and `seats.limit_reached` if seats are added immediately
 * (CON-47).
 */
export const countsChange = customerCommand({
  kind: 'counts.change',
  ignoresUsage: true,
  needs({ changes }: Input) {
    const featureCodes = changes.map(({ featureCode }) => featureCode);
    return { featureCodes, levels: featureCodes };
  },
  decide(draft: Draft, { type, changes }: Input): Decision {
    const subscription = draft.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
    if (subscription === undefined) {
      const message =
        'The customer has no subscription that gives access to features. Create a subscription first.';
      return draft.reject({ code: 'no_active_subscription', message, param: 'customerId' });
    }
    const allowed: Allowed[] = [];
    for (const change of changes) {
      const result = allow(draft, subscription, type, change);
      if ('code' in result) return draft.reject(atParam(result, change.param));
      allowed.push(result);
    }
    for (const one of allowed) write(draft, subscription, one);
    return draft.done('done', subscription.id);
  },
});

function allow(
  draft: Draft,
  subscription: SubscriptionRow,
  type: CountType,
  change: CountChange,
): Allowed | Rejection {
  const feature = featureByCode(draft, change.featureCode);
  const terms = feature === null ? null : termsOf(draft, subscription, feature);
  const problem = featureProblem(feature, terms, type);
  if (problem !== null) return problem;
  if (feature === null || terms === null) throw new Error('A feature without terms has a problem.');
  const before = countOf(draft, feature);
  const count =
    type === 'seats'
      ? changeSeats(terms, before, change, draft.now)
      : changeQuota(terms, before, change, draft.now);
  if ('code' in count) return count;
  const movement = movementOf(draft, subscription, feature, { before, after: count });
  return (
    sizeRejection(terms, before, count) ??
    levelRejection(draft.aggregate.levelLimits, movement, terms, draft.now) ?? {
      change,
      held: { feature, terms, count },
      before,
    }
  );
}

/** Returns the change of a number as limits measure it. Seats whose removal is scheduled still count. */
const movementOf = (
  { customer }: Draft,
  subscription: SubscriptionRow,
  { code: featureCode }: FeatureRow,
  { before, after }: { readonly before: FeatureCountRow; readonly after: FeatureCountRow },
): LevelMovement => ({ customer, subscription, featureCode, before: before.count, after: after.count });

const featureByCode = (draft: Draft, code: string): FeatureRow | null =>
  [...draft.aggregate.catalog.features.values()].find(
    (feature) => feature.code === code && feature.deletedAt === null,
  ) ?? null;

function changeSeats(
  terms: UsageTerms,
  before: FeatureCountRow,
  { op, count }: CountChange,
  now: Date,
): FeatureCountRow | Rejection {
  if (op === 'add') return addSeats(terms, before, count, now);
  return op === 'remove' ? removeSeats(before, count, now) : wantSeats(terms, before, count, now);
}

function changeQuota(
  terms: UsageTerms,
  before: FeatureCountRow,
  { op, count }: CountChange,
  now: Date,
): FeatureCountRow | Rejection {
  if (op === 'set') return setQuota(terms, before, count, now);
  return setQuota(terms, before, op === 'add' ? before.count + count : before.count - count, now);
}

// Largest integer that an API response can represent exactly.
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the rejection for an increase in seats or quota if the new count can't be represented in a response, or if
 * its price exceeds the largest invoice (GLO-14a).
 */
function sizeRejection(
  terms: UsageTerms,
  before: FeatureCountRow,
  { count }: FeatureCountRow,
): Rejection | null {
  if (count <= before.count || (count <= largest && isTotalBillable(terms, count))) return null;
  return problemRejection([
    {
      field: 'count',
      message: 'The number of units would exceed the maximum that can be billed. Request fewer units.',
    },
  ]);
}

/** Returns the rejection with the path of the API input. */
function atParam(rejection: Rejection, param: string | undefined): Rejection {
  if (param === undefined) return rejection;
  if (rejection.code !== 'validation_error') return { ...rejection, param };
  return { ...rejection, param, details: [{ field: param, message: rejection.message }] };
}

function write(draft: Draft, subscription: SubscriptionRow, { change, held, before }: Allowed): void {
  putCount(draft, held.count);
  draft.countEvents.push({
    id: change.eventId,
    seq: null,
    customerId: subscription.customerId,
    featureId: held.feature.id,
    previousBalance: futureCount(before),
    newBalance: futureCount(held.count),
    createdAt: draft.now,
  });
  emitSeats(draft, subscription, held, before.count);
  const movement = movementOf(draft, subscription, held.feature, { before, after: held.count });
  const { rows, events } = levelCrossings(draft.aggregate.levelLimits, movement, draft);
  for (const event of events) draft.emit(event);
  draft.limitCrossings.push(...rows);
}
