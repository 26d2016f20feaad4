// Reserves an estimate: decides a hold like an event, and changes only held amounts (LIM-51 to LIM-54).
import { startsOf } from '../holds/reserve.ts';
import type { LimitNode } from '../limits/admission.ts';
import { type Exact, minus } from '../rates/exact.ts';
import { admit, type Meter } from './admission.ts';
import { type Decided, decide, type RejectedMovement } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import { isCountable, tooLarge } from './countable.ts';
import { heldAfter, heldUnits, isPricedSeparately } from './held-usage.ts';
import { priceSoFar, windowOf } from './price-and-cost.ts';
import { type PricedRequest, priceUnits, type Quantity } from './record.ts';
import type { UsageMovement } from './usage-limits.ts';
import { freeUnits } from './window.ts';

/** Estimate of a hold, with the nodes whose limits count it. */
export type Estimate = {
  readonly request: PricedRequest;
  readonly subject: Subject;
  readonly nodes: readonly LimitNode[];
};

/** Reserved estimate. `price` is `null` if the price depends only on the total. */
export type Reserved = Decided & { readonly quantity: Quantity; readonly price: Exact | null };

/** Returns the price of an estimate that doesn't depend only on the total. `null` if it does. */
function ownPrice({ subject: { terms } }: Estimate, before: Meter, quantity: Quantity): Exact | null {
  if (!isPricedSeparately(terms)) return null;
  if (quantity.price !== null) return quantity.price;
  const total = before.counter.total + quantity.units;
  const after = priceSoFar(terms, { ...before.counter, total, cells: quantity.cells });
  const now = priceSoFar(terms, windowOf(before));
  return after === null || now === null ? null : minus(after, now);
}

/** Returns the movements that usage of a quantity can cause within the open holds. */
export function movementsOf(
  { subject, properties }: Pick<UsageMovement, 'properties'> & Pick<Estimate, 'subject'>,
  before: Meter,
  quantity: Quantity,
): UsageMovement[] {
  const { terms } = subject;
  const { counter } = before;
  const range = { from: counter.total, to: counter.total + heldUnits(counter) };
  const starts = isPricedSeparately(terms)
    ? [counter.total]
    : startsOf(terms.rates, freeUnits(terms, counter), range, quantity.units);
  return starts.map((total) => {
    const from: Meter = { ...before, counter: { ...counter, total } };
    const priced =
      quantity.price === null ? priceUnits(terms, quantity.units, from.counter, properties) : quantity;
    const cost = 'code' in priced ? quantity.cost : (priced.required ?? priced.cost);
    const after: Meter = {
      ...before,
      counter: { ...counter, total: total + quantity.units },
      ...(total === counter.total && quantity.cells !== undefined ? { cells: quantity.cells } : {}),
    };
    return { subject, properties, quantity: { cost, price: quantity.price }, before: from, after };
  });
}

/** Returns the meter as if all held units were used. */
const withHeldTotal = (meter: Meter): Meter => ({
  ...meter,
  counter: { ...meter.counter, total: meter.counter.total + heldUnits(meter.counter) },
});

/** Decides whether an estimate can be reserved, without storing anything. */
export function reserve(
  book: UsageBook,
  estimate: Estimate,
  quantity: Quantity,
): Reserved | RejectedMovement {
  const { subject, nodes, request } = estimate;
  const { terms } = subject;
  const before = book.meterOf(subject);
  const price = ownPrice(estimate, before, quantity);
  const held = heldAfter(before.counter, quantity.units, price);
  const cost = terms.pool === null ? null : 0n;
  const change = { units: 0n, cost, price: null, held, cells: before.cells };
  const result = admit(terms, before, change);
  if (!('rejection' in result) && !isCountable(terms, withHeldTotal(result.meter)))
    return { rejection: tooLarge, before, rejected: null, tried: [] };
  const { properties } = request;
  const reserves = movementsOf({ subject, properties }, before, quantity);
  const decided = decide(book, nodes, result, { subject, properties, quantity, before, reserves }, () =>
    admit(terms, before, { ...change, isForced: true }),
  );
  return decided.rejection === null ? { ...decided, quantity, price } : decided;
}

/** Returns the largest count between `least` and `most` that is accepted. `null` if `least` isn't. The price must not fall with the count. */
export function largestBetween(least: bigint, most: bigint, fits: (count: bigint) => boolean): bigint | null {
  if (!fits(least)) return null;
  let [accepted, rejected] = [least, most + 1n];
  while (rejected - accepted > 1n) {
    const middle = (accepted + rejected) / 2n;
    if (fits(middle)) accepted = middle;
    else rejected = middle;
  }
  return accepted;
}
