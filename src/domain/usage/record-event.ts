// Records usage events that settle no hold (CON-6 to CON-13).
import type { Rejection } from '../errors/errors.ts';
import type { HoldRow } from '../holds/hold.ts';
import { type Throttle, throttleOf } from '../limits/throttle.ts';
import { attempt, rejectMovement, type Usage } from './attempt.ts';
import type { UsageBook } from './book.ts';
import { otherEvent, repeatsMeasured, repetitionProblem, timeProblem } from './event-checks.ts';
import { movementNodes } from './movement-nodes.ts';
import type { Quantity, UsageEventRow, UsageRequest } from './record.ts';
import { partsOf, sourceProblem, storeUsage } from './sourced.ts';
import { requestedBudgetId } from './usage-limits.ts';

/**
 * Result of a usage request: the recorded event, or the hold after a step that records no event. If a request is repeated, the result is
 * the stored event or hold.
 */
export type Recorded =
  | ({ readonly event: UsageEventRow } & Result)
  | ({ readonly hold: HoldRow } & Result)
  | { readonly rejection: Rejection };

/** Fields of all results. `subject` is absent if the request names no hold. */
type Result = {
  readonly isRepetition: boolean;
  /** Delay that limits ask for. Absent or `null` if no limit throttles the usage, and for repetitions. */
  readonly throttle?: Throttle | null;
  readonly subject?: { readonly featureCode: string; readonly budgetKey: string | null };
};

/** Records usage of a quantity for its feature and for the features that count its events, or returns the rejection. */
function recordQuantity(
  book: UsageBook,
  usage: Usage & { readonly request: UsageRequest },
  quantity: Quantity,
): Recorded {
  const parts = partsOf(book, usage, quantity);
  if ('code' in parts) return { rejection: parts };
  const tried = attempt(book, usage, quantity);
  if (tried.rejection !== null) return rejectMovement(book, usage.subject, tried);
  const stored = storeUsage(book, usage, tried, { parts });
  return 'rejection' in stored
    ? stored
    : { event: stored.event, isRepetition: false, throttle: throttleOf(tried.tried) };
}

/** Records one usage event, or returns the rejection. A rejected event only can emit an alert. */
export function recordEvent(book: UsageBook, request: UsageRequest): Recorded {
  const subject = book.subjectOf(request.customerId, request.featureCode);
  if ('code' in subject) return { rejection: subject };
  const unnamed = sourceProblem(book, subject);
  if (unnamed !== null) return { rejection: unnamed };
  const stored = book.stored(request.eventId);
  if (stored !== null && stored.hold !== null) return { rejection: otherEvent };
  const budgetId = stored === null ? null : requestedBudgetId(request, subject.customer.id, book.limits);
  if (stored !== null && repeatsMeasured(stored, subject, budgetId, request))
    return { event: stored, isRepetition: true };
  const ts = request.timestamp ?? book.now;
  const quantity = book.quantityOf(request, subject, ts);
  if ('code' in quantity) return { rejection: quantity };
  if (stored !== null) {
    const meter = subject.terms.meter?.document ?? null;
    const { customer, feature } = subject;
    const about = { customerId: customer.id, featureId: feature.id, budgetId, meter };
    const problem = repetitionProblem(stored, about, quantity);
    return problem === null ? { event: stored, isRepetition: true } : { rejection: problem };
  }
  const problem = timeProblem(ts, book.now, subject.subscription.startDate);
  if (problem !== null) return { rejection: problem };
  const nodes = movementNodes(book.limits, subject, request.budget ?? null);
  return 'code' in nodes
    ? { rejection: nodes }
    : recordQuantity(book, { request, subject, ts, nodes }, quantity);
}
