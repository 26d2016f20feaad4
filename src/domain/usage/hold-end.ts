// Ends holds without usage: releases and expires them (LIM-55, LIM-60).
import type { EventBody } from '../events/event-data.ts';
import { ended, type HoldRow, isDue } from '../holds/hold.ts';
import type { HeldGauges } from '../limits/limit.ts';
import { withFreed, withHeld } from '../lots/account.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type Exact, minus, zero } from '../rates/exact.ts';
import type { ConsumingCustomer } from '../rows/usage-rows.ts';
import type { Subject, UsageBook } from './book.ts';
import { counterId } from './counter.ts';
import { heldAfter, withReserve } from './held-usage.ts';
import { holdEvent } from './hold-events.ts';
import { holdNotFound, holdSettled } from './hold-problems.ts';
import type { Recorded } from './record-event.ts';

/** Returns the customer, feature, and terms of a hold. `null` if the subscription no longer gives access to the feature. */
export function holdSubject(book: UsageBook, hold: HoldRow): Subject | null {
  const { customers, catalog } = book.details;
  const customer = customers.values().find(({ id }) => id === hold.customerId);
  const feature = catalog.features.get(hold.featureId);
  const [reference] = [...customers].find(([, one]) => one === customer) ?? [];
  if (reference === undefined || feature === undefined) return null;
  const subject = book.subjectOf(reference, feature.code);
  return 'code' in subject || subject.subscription.id !== hold.subscriptionId ? null : subject;
}

/** Frees the amounts that a hold reserves in the totals and the pool of its feature. */
function freeTotals(book: UsageBook, hold: HoldRow): void {
  const price: Exact = hold.price === null ? zero : minus(zero, exactDecimal(hold.price));
  const subject = holdSubject(book, hold);
  if (subject !== null) {
    const before = book.meterOf(subject);
    const counter = { ...before.counter, held: heldAfter(before.counter, -hold.units, price) };
    const reserved = withReserve(subject.terms, { ...before, counter });
    const { pool } = subject.terms;
    const after = pool === null ? reserved : { ...reserved, account: withFreed(reserved.account, pool.pool) };
    book.keep(after, before);
    book.limits?.lines.keep(subject, after);
    return;
  }
  const id = counterId(hold.subscriptionId, hold.featureId);
  const stored = book.counters.get(id) ?? book.details.counters.get(id);
  if (stored === undefined) return;
  const counter = { ...stored, held: heldAfter(stored, -hold.units, price) };
  book.counters.set(id, counter);
  const account = book.accountOf(hold.subscriptionId);
  if (account === null || counter.held !== null) return;
  const freed = Object.keys(account.pools).reduce(
    (next, pool) => withFreed(withHeld(next, pool, hold.featureId, 0n), pool),
    account,
  );
  if (freed !== account) book.putAccount(freed);
}

/** Frees the amounts that a hold reserves in the gauges of limits. */
export const freeGauges = (book: UsageBook, { customerId }: HoldRow, gauges: HeldGauges): void =>
  book.limits?.rows.free(customerId, gauges);

/** Ends a hold without usage, and frees everything that it reserves. */
function endUnused(book: UsageBook, hold: HoldRow, status: 'released' | 'expired', at: Date): HoldRow {
  freeTotals(book, hold);
  freeGauges(book, hold, hold.gauges);
  const next = ended(hold, status, at);
  book.holds.store(next);
  return next;
}

/** Returns the customer of a hold as events show it. */
const customerOf = (book: UsageBook, { customerId }: HoldRow): ConsumingCustomer =>
  book.details.customers.values().find(({ id }) => id === customerId) ?? {
    id: customerId,
    externalId: null,
    requireBudget: false,
  };

/** Emits an event about a hold. */
export function emitAbout(
  book: UsageBook,
  hold: HoldRow,
  eventFor: (customer: ConsumingCustomer, featureCode: string) => EventBody,
): void {
  const code = book.catalog.features.get(hold.featureId)?.code ?? '';
  book.emit(hold.customerId, eventFor(customerOf(book, hold), code));
}

/** Expires a hold whose time has come, and returns it. Returns other holds unchanged. */
export function expireDue(book: UsageBook, hold: HoldRow | null): HoldRow | null {
  if (hold === null || !isDue(hold, book.now)) return hold;
  const next = endUnused(book, hold, 'expired', hold.expiresAt);
  emitAbout(book, next, (customer, code) => holdEvent('hold.expired', customer, next, code));
  return next;
}

/** Releases a hold. A hold that was released or has expired doesn't change. */
export function releaseHold(book: UsageBook, reference: string): Recorded {
  const hold = expireDue(book, book.holds.find(reference));
  if (hold === null) return { rejection: holdNotFound };
  if (hold.status === 'settled') return { rejection: holdSettled };
  if (hold.status !== 'open') return { hold, isRepetition: true };
  return { hold: endUnused(book, hold, 'released', book.now), isRepetition: false };
}
