import type { Rejection } from '../../errors.ts';
import { maxOf, rateToMinor } from '../../money.ts';
import type { FeatureRow } from '../../pricing/catalog.ts';
import { addSeats, futureCount, removeSeats, setQuota, wantSeats } from '../../usage/counts.ts';
import { featureProblem } from '../../usage/record.ts';
import type { FeatureCountRow } from '../../usage/rows.ts';
import type { UsageTerms } from '../../usage/terms.ts';
import { countOf, emitSeats, type HeldCount, putCount, termsOf } from '../allowances/allowance.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { accessStatuses } from '../state/transitions.ts';

/**
 * One change of a count. `add` and `remove` come with a count of at least 1, `set` with one of at least 0
 * (CON-36).
 */
export type CountChange = {
  /** Id of the event that records it. */
  readonly eventId: string;
  readonly featureCode: string;
  readonly op: 'add' | 'remove' | 'set';
  readonly count: bigint;
  /** The caller's path to the change, where feature and count have one in common. */
  readonly param?: string;
};

/** What is counted. */
export type CountType = 'seats' | 'quota';

type Input = Timed & {
  readonly type: CountType;
  readonly changes: readonly CountChange[];
};

/** A change that may be made: what is held after it, and the count before. */
type Allowed = { readonly change: CountChange; readonly held: HeldCount; readonly before: FeatureCountRow };

/**
 * Changes counts of a customer that has a subscription with access, all of them or none. Rejections come in
 * the order of CON-35, feature by feature as they were named: `no_active_subscription`, `feature_not_found`,
 * `validation_error` for a feature of another type, `feature_not_in_plan`, `feature_disabled`, then those of
 * the count itself. Each change is recorded by an event; `seats.updated` and `seats.limit_reached` tell of
 * seats that came at once (CON-47).
 */
export const countsChange = customerCommand({
  kind: 'counts.change',
  needs: ({ changes }: Input) => ({ featureCodes: changes.map(({ featureCode }) => featureCode) }),
  decide(draft: Draft, { type, changes }: Input): Decision {
    const subscription = draft.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
    if (subscription === undefined) {
      const message = 'The customer has no subscription that gives access.';
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
  return sizeRejection(terms, before, count) ?? { change, held: { feature, terms, count }, before };
}

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

// The largest number a response can hold.
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** The rejection of a rise to a count no response can hold, or whose price no invoice can. */
function sizeRejection(
  terms: UsageTerms,
  before: FeatureCountRow,
  { count }: FeatureCountRow,
): Rejection | null {
  if (count <= before.count) return null;
  const tooLarge = problemRejection([
    { field: 'count', message: 'The count would become larger than can be shown or billed.' },
  ]);
  if (count > largest) return tooLarge;
  if (terms.unlimited || !terms.allowsOverage || terms.unitPriceRate === null) return null;
  const excess = maxOf(0n, count - terms.includedAmount);
  return rateToMinor(excess * terms.unitPriceRate, terms.currency) > largest ? tooLarge : null;
}

/** The rejection with the caller's own path to what is at fault. */
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
}
