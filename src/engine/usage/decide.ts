import type { UsageCellRow, UsageValueRow } from '../../domain/rows/usage-rows.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import type { Context } from '../../request/context.ts';
import { type DividedWindow, withCells } from './cells.ts';
import { type LoadedUsage, type UsageNeeds, type UsageRows, usageDetailsOf } from './load.ts';
import type { QueuedOperation, UsageOutcome, UsageResponse } from './operation.ts';
import { withValues } from './values.ts';

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
export type DecisionRows = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  /** Reads stored events by the event IDs in the requests. `null` if the events are already loaded. */
  readonly readEvents: (() => Promise<UsageRows['sets']['events']>) | null;
  /** Reads stored values that meters count, by ID. */
  readonly readValues: (ids: readonly string[]) => Promise<readonly UsageValueRow[]>;
  /** Reads stored totals by dimension values. */
  readonly readCells: (windows: readonly DividedWindow[]) => Promise<readonly UsageCellRow[]>;
};

function decideRequests(book: UsageBook, { requests, origin }: QueuedOperation): UsageOutcome {
  book.begin(origin);
  const written = () => book.entries.length + book.events.length + book.outbox.length;
  const before = written();
  const results = requests.map((request) => book.record(request));
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

type Decision = { readonly book: UsageBook; readonly outcomes: ReadonlyMap<QueuedOperation, UsageOutcome> };

function decideAll(details: LoadedUsage, operations: readonly QueuedOperation[]): Decision {
  const book = new UsageBook(details);
  return {
    book,
    outcomes: new Map(operations.map((operation) => [operation, decideRequests(book, operation)])),
  };
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

/**
 * Creates the responses. If a response is a failure, decides the batch again without the failed operation.
 */
function respondAll(details: LoadedUsage, decision: Decision): Pick<DecidedBatch, 'book' | 'responses'> {
  const responses = new Map<QueuedOperation, Responded>();
  for (const [operation, outcome] of decision.outcomes) responses.set(operation, respond(operation, outcome));
  const undone = new Map(responses.entries().filter(([, responded]) => isUndone(responded)));
  if (undone.size === 0) return { book: decision.book, responses };
  const others = decideAll(
    details,
    [...decision.outcomes.keys()].filter((operation) => !undone.has(operation)),
  );
  const rest = respondAll(details, others);
  return { book: rest.book, responses: new Map([...undone, ...rest.responses]) };
}

/**
 * Decides the operations' requests and creates their responses. If events weren't loaded and a request with
 * an event ID is rejected, loads the events and decides again, because the request can repeat an accepted
 * event. An accepted request needs no lookup, because its write fails if the event ID is already stored.
 */
export async function decideBatch(
  tx: Context,
  operations: readonly QueuedOperation[],
  { needs, rows, readEvents, ...reads }: DecisionRows,
): Promise<DecidedBatch> {
  const loaded = await usageDetailsOf(tx, needs, rows, true);
  const requests = operations.flatMap((operation) => operation.requests);
  const details = await withCells(
    await withValues(loaded, requests, reads.readValues),
    requests,
    reads.readCells,
  );
  const decision = decideAll(details, operations);
  if (readEvents === null || !mayBeRepeated(decision))
    return { rows, details, ...respondAll(details, decision) };
  const events = await readEvents();
  return decideBatch(tx, operations, {
    needs,
    rows: { ...rows, sets: { ...rows.sets, events } },
    readEvents: null,
    ...reads,
  });
}
