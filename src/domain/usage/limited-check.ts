// Usage checks with limits.
import type { Rejection } from '../errors/errors.ts';
import { isAccepting, isBlocking, type LimitNode, roomOf, type Tried } from '../limits/admission.ts';
import { type NodeLimit, nodeLimit, shareUsed } from '../limits/entry.ts';
import { type Throttle, throttleOf } from '../limits/throttle.ts';
import { largestTotal, maxOf, minOf } from '../money/money.ts';
import { ratesOf } from '../rates/card.ts';
import { exactOf } from '../rates/decimal.ts';
import { compare, ratio, times, wholePart } from '../rates/exact.ts';
import { admit, type Draw } from './admission.ts';
import type { Subject, UsageBook } from './book.ts';
import { limitRejection } from './limit-rejection.ts';
import { unitScale } from './metered-terms.ts';
import type { PricedRequest, Quantity } from './record.ts';
import { hasTokens } from './request-shape.ts';
import { countingSubjects, partProblem, partsOf } from './sourced.ts';
import type { UsageTerms } from './terms.ts';

/** Limits in the result of a usage check. Absent if no limit applies. */
export type LimitCheck = {
  /** Limits that apply: limits that reject the usage first, then by the used share. */
  readonly limits: readonly NodeLimit[];
  /** Largest whole quantity that all limits, pools, and features accept. `null` if every quantity is accepted, or for AI models. */
  readonly maxQuantity: bigint | null;
  readonly throttle: Throttle | null;
  /** Rejection by a limit. `null` if the terms of the feature reject the usage. */
  readonly rejection: Rejection | null;
};

/** Returns the limits at usage of a quantity. `null` if the terms of the feature reject the usage. Forced usage can exceed the terms. */
function triedAt(
  book: UsageBook,
  subject: Subject,
  nodes: readonly LimitNode[],
  quantity: Quantity & Pick<Draw, 'isForced'>,
  { properties }: PricedRequest,
): readonly Tried[] | null {
  const before = book.meterOf(subject);
  const result = admit(subject.terms, before, quantity);
  if ('rejection' in result) return null;
  const movement = { subject, properties, quantity, before, after: result.meter };
  return book.limits?.tryOn(nodes, movement) ?? [];
}

const descending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0);

/**
 * Returns the quantities that reach the first unit of a tier. With a volume rate, the price falls there, so that a
 * larger quantity can be accepted although a smaller quantity isn't.
 */
function tierQuantities({ rates, meter }: UsageTerms, total: bigint): bigint[] {
  const used = total / unitScale({ meter });
  const bounds = (rates ?? []).flatMap((list) =>
    ratesOf(list).flatMap(({ tiers }) =>
      tiers.flatMap(({ upTo }) => (upTo === null ? [] : [wholePart(exactOf(upTo)) + 1n - used])),
    ),
  );
  return [...new Set(bounds)].filter((quantity) => quantity > 0n);
}

/** Returns the largest whole quantity that is accepted. `null` if every quantity is accepted. */
function largest(
  book: UsageBook,
  subject: Subject,
  nodes: readonly LimitNode[],
  request: PricedRequest,
): bigint | null {
  const fits = (value: bigint): boolean => {
    const tested = { ...request, value, quantity: null };
    const quantity = book.quantityOf(tested, subject);
    if ('code' in quantity) return false;
    if (triedAt(book, subject, nodes, quantity, tested)?.every(isAccepting) !== true) return false;
    const usage = { request: { ...tested, eventId: null }, subject, ts: book.now, nodes };
    return partProblem(book, usage, quantity) === null;
  };
  /** Quantity that fits if all units have the price of the next unit. */
  const guess = (): bigint => {
    const next = { ...request, value: 1n, quantity: null };
    const one = book.quantityOf(next, subject);
    if ('code' in one) return 0n;
    const rooms = (triedAt(book, subject, nodes, one, next) ?? []).flatMap((limit) => {
      const { numerator, denominator } = limit.delta;
      const room = isBlocking(limit.limit) && numerator > 0n ? roomOf(limit) : null;
      return room === null ? [] : [wholePart(times(room, ratio(denominator, numerator)))];
    });
    return rooms.reduce(minOf, largestTotal - 1n);
  };
  if (fits(largestTotal)) return null;
  const tier = [subject, ...countingSubjects(book, subject)]
    .flatMap((one) => tierQuantities(one.terms, book.meterOf(one).counter.total))
    .toSorted(descending)
    .find(fits);
  return lastThat(fits, tier ?? guess(), tier ?? 0n);
}

/** Returns the largest number that `fits`. `least` must fit. Searches outward from a guess, in growing steps. */
function lastThat(fits: (value: bigint) => boolean, guess: bigint, least: bigint): bigint {
  let [low, high, step] = [maxOf(least, guess), maxOf(least, guess) + 1n, 1n];
  if (low > least && !fits(low)) {
    [low, high] = [maxOf(least, low - step), low];
    for (; low > least && !fits(low); step *= 2n) [low, high] = [maxOf(least, low - step), low];
  } else {
    for (; high < largestTotal && fits(high); step *= 2n) [low, high] = [high, high + step];
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

const byUsedShare = (a: Tried, b: Tried): number => {
  const [first, second] = [shareUsed(a), shareUsed(b)];
  if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1;
  return compare(second, first);
};

/** Returns true if a limit applies to a feature that counts the usage. */
function isLimitedInParts(
  book: UsageBook,
  subject: Subject,
  nodes: readonly LimitNode[],
  request: PricedRequest,
  quantity: Quantity,
): boolean {
  const usage = { request: { ...request, eventId: null }, subject, ts: book.now, nodes };
  const parts = partsOf(book, usage, quantity);
  return (
    !('code' in parts) &&
    parts.some((part) => triedAt(book, part.usage.subject, nodes, part.quantity, request)?.length !== 0)
  );
}

/** Returns the limits for usage of a customer's feature. `null` if no limit applies. */
export function checkLimits(
  book: UsageBook,
  subject: Subject,
  nodes: readonly LimitNode[],
  request: PricedRequest,
): LimitCheck | null {
  const quantity = book.quantityOf(request, subject);
  if (book.limits === null || 'code' in quantity) return null;
  const admitted = triedAt(book, subject, nodes, quantity, request);
  const maxQuantity = (): bigint | null =>
    hasTokens(request) ? null : largest(book, subject, nodes, request);
  if (admitted?.length === 0) {
    const most = isLimitedInParts(book, subject, nodes, request, quantity) ? maxQuantity() : null;
    return most === null ? null : { limits: [], maxQuantity: most, throttle: null, rejection: null };
  }
  // A check lists the limits also if the terms of the feature reject the usage.
  const tried = admitted ?? triedAt(book, subject, nodes, { ...quantity, isForced: true }, request) ?? [];
  const sorted = tried.toSorted(
    (a, b) => Number(isAccepting(a)) - Number(isAccepting(b)) || byUsedShare(a, b),
  );
  return {
    limits: sorted.map(nodeLimit),
    maxQuantity: maxQuantity(),
    throttle: throttleOf(admitted ?? []),
    rejection: limitRejection(admitted ?? [], subject.terms),
  };
}
