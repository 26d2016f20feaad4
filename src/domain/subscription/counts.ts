// Changing how many seats or units of quota a customer holds (CON-35 to CON-52).
import { addSeats, futureCount, removeSeats, setQuota, wantSeats } from '../consumption/counts.ts';
import { featureProblem } from '../consumption/record.ts';
import type { FeatureCountRow } from '../consumption/rows.ts';
import type { UsageTerms } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import { maxOf, rateToMinor } from '../money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import type { ChangeCountsCommand, CountChange, Decision } from './aggregate.ts';
import { countOf, type HeldCount, putCount, tellSeats, termsOf } from './allowance.ts';
import { problemRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import { accessStatuses } from './state.ts';
import type { Work } from './work.ts';

type CountType = ChangeCountsCommand['type'];

/** A change that may be made: what is held after it, and the count before. */
type Allowed = { readonly change: CountChange; readonly held: HeldCount; readonly before: FeatureCountRow };

/**
 * Changes counts of a customer that has a subscription with access, all of them or none. Refusals come in the order of CON-35, feature by
 * feature as they were named: `no_active_subscription`, `feature_not_found`, `validation_error` for a feature of another type,
 * `feature_not_in_plan`, `feature_disabled`, then those of the count itself. Each change is recorded by an event; `seats.updated` and
 * `seats.limit_reached` tell of seats that came at once (CON-47).
 */
export function changeCounts(work: Work, { type, changes }: ChangeCountsCommand): Decision {
  const subscription = work.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
  if (subscription === undefined) {
    const message = 'The customer has no subscription that gives access.';
    return work.refuse({ code: 'no_active_subscription', message, param: 'customerId' });
  }
  const allowed: Allowed[] = [];
  for (const change of changes) {
    const result = allow(work, subscription, type, change);
    if ('code' in result) return work.refuse(atParam(result, change.param));
    allowed.push(result);
  }
  for (const one of allowed) write(work, subscription, one);
  return work.done('done', subscription.id);
}

function allow(work: Work, subscription: SubscriptionRow, type: CountType, change: CountChange): Allowed | Refusal {
  const feature = featureByCode(work, change.featureCode);
  const terms = feature === null ? null : termsOf(work, subscription, feature);
  const problem = featureProblem(feature, terms, type);
  if (problem !== null) return problem;
  if (feature === null || terms === null) throw new Error('A feature without terms has a problem.');
  const before = countOf(work, feature);
  const count = type === 'seats' ? changeSeats(terms, before, change, work.now) : changeQuota(terms, before, change, work.now);
  if ('code' in count) return count;
  return sizeRefusal(terms, before, count) ?? { change, held: { feature, terms, count }, before };
}

const featureByCode = (work: Work, code: string): FeatureRow | null =>
  [...work.aggregate.catalog.features.values()].find((feature) => feature.code === code && feature.deletedAt === null) ?? null;

function changeSeats(terms: UsageTerms, before: FeatureCountRow, { op, count }: CountChange, now: Date): FeatureCountRow | Refusal {
  if (op === 'add') return addSeats(terms, before, count, now);
  return op === 'remove' ? removeSeats(before, count, now) : wantSeats(terms, before, count, now);
}

function changeQuota(terms: UsageTerms, before: FeatureCountRow, { op, count }: CountChange, now: Date): FeatureCountRow | Refusal {
  if (op === 'set') return setQuota(terms, before, count, now);
  return setQuota(terms, before, op === 'add' ? before.count + count : before.count - count, now);
}

// Beyond this no answer could carry the number (protocols B9).
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** Refuses a rise to a count that no answer could show, or whose price no invoice could. */
function sizeRefusal(terms: UsageTerms, before: FeatureCountRow, { count }: FeatureCountRow): Refusal | null {
  if (count <= before.count) return null;
  const tooLarge = problemRefusal([{ field: 'count', message: 'The count would become larger than can be shown or billed.' }]);
  if (count > largest) return tooLarge;
  if (terms.unlimited || !terms.allowsOverage || terms.unitPriceRate === null) return null;
  const excess = maxOf(0n, count - terms.includedAmount);
  return rateToMinor(excess * terms.unitPriceRate, terms.currency) > largest ? tooLarge : null;
}

/** The refusal with the caller's own path to what is at fault. */
function atParam(refusal: Refusal, param: string | undefined): Refusal {
  if (param === undefined) return refusal;
  if (refusal.code !== 'validation_error') return { ...refusal, param };
  return { ...refusal, param, details: [{ field: param, message: refusal.message }] };
}

function write(work: Work, subscription: SubscriptionRow, { change, held, before }: Allowed): void {
  putCount(work, held.count);
  work.countEvents.push({
    id: change.eventId,
    seq: null,
    customerId: subscription.customerId,
    featureId: held.feature.id,
    previousBalance: futureCount(before),
    newBalance: futureCount(held.count),
    createdAt: work.now,
  });
  tellSeats(work, subscription, held, before.count);
}
