import { defaultRejection } from '../../domain/errors/errors.ts';
import type { EventOrigin } from '../../domain/events/events.ts';
import { LotsNeededError } from '../../domain/lots/open-lots.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { expireDue } from '../../domain/usage/hold-end.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { Recorded } from '../../domain/usage/record-event.ts';
import { recordRequest } from '../../domain/usage/record-request.ts';
import type { Context } from '../../request/context.ts';
import { type PartReaders, withParts } from './cells.ts';
import { allLots, type LoadedUsage, type UsageNeeds, type UsageRows, usageDetailsOf } from './load.ts';
import { customersWithHolds, type DueHolds, withDueHolds } from './load-holds.ts';
import type { QueuedOperation, UsageOutcome, UsageResponse } from './operation.ts';

// Decides a batch in memory: first the usage events in order of arrival, then the responses.

/** Returns the data to load for the operations' requests. */
export function needsOf(operations: readonly Pick<QueuedOperation, 'requests'>[]): UsageNeeds {
  const [customers, featureCodes, eventIds, models] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const { requests } of operations) {
    for (const { customerId, featureCode, eventId, model } of requests) {
      customers.add(customerId);
      featureCodes.add(featureCode);
      if (eventId !== null) eventIds.add(eventId);
      if (model !== null) models.add(model);
    }
  }
  return {
    customers: [...customers],
    featureCodes: [...featureCodes],
    eventIds: [...eventIds],
    models: [...models],
  };
}

/** Response to an operation, or the error that was thrown while the response was created. */
type Responded = UsageResponse<unknown> | { readonly error: unknown };

/** Decided batch: the rows that the decision is based on, the data to write, and the responses. */
export type DecidedBatch = {
  readonly rows: UsageRows;
  readonly details: LoadedUsage;
  readonly book: UsageBook;
  readonly responses: ReadonlyMap<QueuedOperation, Responded>;
};

/** Rows for the decision of a batch. */
export type DecisionRows = PartReaders & {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  /** Reads stored events by the event IDs in the requests. `null` if the events are already loaded. */
  readonly readEvents: (() => Promise<UsageRows['sets']['events']>) | null;
  /** Reads the open lots of subscriptions, as many as `limit` per asset. */
  readonly readLots: (ids: readonly string[], limit: number) => Promise<UsageRows['lots']>;
  /** Reads the due holds of customers. `null` if they were read. */
  readonly readDue: ((customerIds: readonly string[], now: Date) => Promise<DueHolds>) | null;
  /** Holds that expire before the requests are decided. */
  readonly due: DueHolds | null;
};

/** Records a request. The result of a step of a hold contains the feature and the budget, because the response can't read them. */
export function recordWithSubject(book: UsageBook, request: UsageRequest): Recorded {
  const recorded = recordRequest(book, request);
  if (request.hold === undefined || 'rejection' in recorded) return recorded;
  const { featureCode, budget: budgetKey = null } = request;
  return { ...recorded, subject: { featureCode, budgetKey } };
}

/** Records a request. If the request needs lots that aren't loaded, adds its account to `short`. */
function recordOrNote(book: UsageBook, request: UsageRequest, short: Set<string>): Recorded {
  try {
    return recordWithSubject(book, request);
  } catch (error) {
    if (!(error instanceof LotsNeededError)) throw error;
    short.add(error.accountId);
    // The decision is discarded.
    return { rejection: defaultRejection('internal_error') };
  }
}

function decideRequests(
  book: UsageBook,
  { requests, origin }: QueuedOperation,
  short: Set<string>,
): UsageOutcome {
  book.begin(origin);
  const written = () => book.entries.length + book.events.length + book.outbox.length + book.holds.changes;
  const before = written();
  const results = requests.map((request) => recordOrNote(book, request, short));
  return { results, hasChanges: written() > before };
}

function respond({ operation }: QueuedOperation, outcome: UsageOutcome): Responded {
  try {
    return operation.respond(outcome);
  } catch (error) {
    return { error };
  }
}

/** Returns true if the operation records nothing. */
const isUndone = (responded: Responded): boolean => 'error' in responded || responded.isUndone;

/** Decided requests. `short` contains the IDs of accounts for which more lots must be loaded before the batch can be decided. */
type Decision = {
  readonly book: UsageBook;
  readonly outcomes: ReadonlyMap<QueuedOperation, UsageOutcome>;
  readonly short: ReadonlySet<string>;
};

/** Origin of the expiry of holds. */
const expiry: EventOrigin = { source: 'worker', actorId: null, requestId: null };

/** Returns a book in which the holds of the usage data that are due have expired. */
export function bookWithoutDue(details: LoadedUsage): UsageBook {
  const book = new UsageBook(details);
  book.begin(expiry);
  for (const id of details.dueHolds) expireDue(book, book.holds.find(id));
  return book;
}

function decideAll(details: LoadedUsage, operations: readonly QueuedOperation[]): Decision {
  const book = bookWithoutDue(details);
  const short = new Set<string>();
  const outcomes = new Map(
    operations.map((operation) => [operation, decideRequests(book, operation, short)]),
  );
  return { book, outcomes, short };
}

/**
 * Returns true if a request with an event ID is rejected, because the request can repeat an accepted event.
 */
const mayBeRepeated = ({ outcomes }: Decision): boolean =>
  outcomes
    .entries()
    .some(([{ requests }, { results }]) =>
      results.some((result, index) => 'rejection' in result && requests[index]?.eventId !== null),
    );

type Responses = Pick<DecidedBatch, 'book' | 'responses'> & Pick<Decision, 'short'>;

/**
 * Creates the responses. If a response is a failure, decides the batch again without the failed operation. Creates no
 * responses if more lots must be loaded.
 */
function respondAll(details: LoadedUsage, decision: Decision): Responses {
  const { book, short } = decision;
  if (short.size > 0) return { book, short, responses: new Map() };
  const responses = new Map<QueuedOperation, Responded>();
  for (const [operation, outcome] of decision.outcomes) responses.set(operation, respond(operation, outcome));
  const undone = new Map(responses.entries().filter(([, responded]) => isUndone(responded)));
  if (undone.size === 0) return { book, short, responses };
  const others = decideAll(
    details,
    [...decision.outcomes.keys()].filter((operation) => !undone.has(operation)),
  );
  const rest = respondAll(details, others);
  return { ...rest, responses: new Map([...undone, ...rest.responses]) };
}

/** Factor by which more lots are loaded if the loaded lots aren't sufficient. */
const lotGrowth = 16;

/** Returns the subscriptions with lots that aren't loaded and can have expired, which changes the amounts of their accounts. */
const expiringLots = (lots: UsageRows['lots'], now: Date): string[] =>
  [...lots].flatMap(([id, { unloaded }]) =>
    unloaded !== null && unloaded.endsAt !== null && unloaded.endsAt <= now ? [id] : [],
  );

/** Returns the rows for a decision with more lots of some subscriptions. */
async function withLots(input: DecisionRows, ids: readonly string[], limit: number): Promise<DecisionRows> {
  const { rows, readLots } = input;
  return { ...input, rows: { ...rows, lots: new Map([...rows.lots, ...(await readLots(ids, limit))]) } };
}

/** Returns the needs with the features of due holds. */
const withFeatures = (needs: UsageNeeds, due: DueHolds | null): UsageNeeds =>
  due === null
    ? needs
    : { ...needs, featureCodes: [...new Set([...needs.featureCodes, ...due.featureCodes])] };

/**
 * Reads the due holds of rejected customers, so that an expired hold never causes a rejection (LIM-60), and the ends of their open holds. `null` if nothing is held for the
 * customers whose usage was rejected or cut.
 */
async function readExpired(
  details: LoadedUsage,
  { constrained, now }: UsageBook,
  readDue: NonNullable<DecisionRows['readDue']>,
): Promise<DueHolds | null> {
  if (constrained.size === 0) return null;
  const held = customersWithHolds(details);
  const ids = [...constrained].filter((id) => held.has(id));
  return ids.length === 0 ? null : readDue(ids, now);
}

/**
 * Decides the operations' requests and creates their responses. If events weren't loaded and a request with
 * an event ID is rejected, loads the events and decides again, because the request can repeat an accepted
 * event. An accepted request needs no lookup, because its write fails if the event ID is already stored. Also decides
 * again after loading more lots if the requests draw on more lots than were loaded.
 */
export async function decideBatch(
  tx: Context,
  operations: readonly QueuedOperation[],
  input: DecisionRows,
): Promise<DecidedBatch> {
  const { rows, readEvents, readDue, due } = input;
  const needs = withFeatures(input.needs, due);
  const uncertain = expiringLots(rows.lots, tx.clock.now());
  if (uncertain.length > 0) return decideBatch(tx, operations, await withLots(input, uncertain, allLots));
  const loaded = await usageDetailsOf(tx, needs, rows, true);
  const requests = operations.flatMap((operation) => operation.requests);
  const parts = await withParts(loaded, requests, input);
  const details = due === null ? parts : withDueHolds(parts, due);
  const decision = decideAll(details, operations);
  const isLookedUp = decision.short.size > 0 || readEvents === null || !mayBeRepeated(decision);
  const events = isLookedUp ? null : await readEvents();
  if (events !== null)
    return decideBatch(tx, operations, {
      ...input,
      rows: { ...rows, sets: { ...rows.sets, events } },
      readEvents: null,
    });
  const expired = readDue === null ? null : await readExpired(details, decision.book, readDue);
  if (expired !== null && expired.holds.length + expired.open.length > 0)
    return decideBatch(tx, operations, { ...input, due: expired, readDue: null });
  const { book, responses, short } = respondAll(details, decision);
  if (short.size === 0) return { rows, details, book, responses };
  const most = Math.max(...short.values().map((id) => rows.lots.get(id)?.unloaded?.limit ?? 0));
  return decideBatch(tx, operations, await withLots(input, [...short], most * lotGrowth));
}
