// Stored limits on the number of seats or quota units of a feature (LIM-23). Their value is the number itself, so they have no gauge.
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { Tried } from '../limits/admission.ts';
import { BookLimits } from '../limits/book-limits.ts';
import { crossingEvents } from '../limits/events.ts';
import type { LimitCrossingRow, LimitRow, RaiseRow } from '../limits/limit.ts';
import { whole } from '../rates/exact.ts';
import type { ConsumingCustomer, ConsumingSubscription } from '../rows/usage-rows.ts';
import { limitRejection } from './limit-rejection.ts';
import type { UsageTerms } from './terms.ts';

/** Limits on numbers of seats and quota units that can apply to a customer, and the current raises. */
export type LevelLimits = { readonly limits: readonly LimitRow[]; readonly raises: readonly RaiseRow[] };

export const noLevelLimits: LevelLimits = { limits: [], raises: [] };

/** Change of the number of seats or quota units of a customer. */
export type LevelMovement = {
  readonly customer: ConsumingCustomer;
  readonly subscription: ConsumingSubscription & { readonly planId: string };
  readonly featureCode: string;
  readonly before: bigint;
  readonly after: bigint;
};

/** Time and ID generator of a decision. */
type Tools = { readonly now: Date; readonly newId: (prefix: string) => string };

const unbounded = { start: 0, end: null };

type TriedLevel = { readonly book: BookLimits; readonly tried: readonly Tried[] };

/** Returns the limits at a change of a number. */
function tryLevel({ limits, raises }: LevelLimits, movement: LevelMovement, tools: Tools): TriedLevel {
  const { customer, subscription, featureCode, before, after } = movement;
  const details = {
    ...{ limits, raises, budgets: [], states: new Map(), convert: null },
    ...{ timeZones: new Map(), shared: new Map() },
  };
  const book = new BookLimits(details, tools.now, tools.newId);
  const { planId, currency } = subscription;
  const windows = { usageWindow: unbounded, billingPeriod: unbounded };
  const tried = book.tryOn(
    { customerId: customer.id, planId, currency, windows },
    book.countedNodes(customer.id, null, planId),
    ({ measure, filter }) =>
      measure === 'level' && filter.features.includes(featureCode)
        ? { delta: whole(after - before), used: whole(before), rounded: null }
        : null,
  );
  return { book, tried };
}

/** Returns the error of a change that stored limits reject. `null` if all limits accept it. */
export const levelRejection = (
  limits: LevelLimits,
  movement: LevelMovement,
  terms: UsageTerms,
  now: Date,
): Rejection | null =>
  limits.limits.length === 0
    ? null
    : limitRejection(tryLevel(limits, movement, { now, newId: () => '' }).tried, terms);

/** Returns the crossings of an accepted change, and their events. A number that was at the amount already doesn't reach it again. */
export function levelCrossings(
  limits: LevelLimits,
  movement: LevelMovement,
  tools: Tools,
): { readonly rows: readonly LimitCrossingRow[]; readonly events: readonly EventBody[] } {
  if (limits.limits.length === 0 || movement.after <= movement.before) return { rows: [], events: [] };
  const { book, tried } = tryLevel(limits, movement, tools);
  const { customer, subscription, before } = movement;
  const isNew = tried.map(({ limit, raise }) => limit.amount === null || before < limit.amount + raise);
  const fresh = new Set(tried.filter((_one, index) => isNew[index]));
  const crossings = book.accept(tried, () => true);
  const shown = crossings.flatMap((crossing, index) => {
    const row = book.crossings[index];
    const isKnown = crossing.kind === 'reached' && !fresh.has(crossing.tried);
    return row === undefined || isKnown ? [] : [{ crossing, row }];
  });
  const events = crossingEvents(
    shown.map(({ crossing }) => crossing),
    { customer, subscription },
  );
  return { rows: shown.map(({ row }) => row), events };
}
