import type { Context } from '../../context.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { type LoadedUsage, type UsageNeeds, type UsageRows, usageDetailsOf } from './load.ts';
import type { QueuedOperation, UsageOutcome, UsageResponse } from './operation.ts';

// Deciding a batch, in memory: its events one after another in order of arrival, then the response of each operation.

/** What the requests of operations name. */
export function needsOf(operations: readonly QueuedOperation[]): UsageNeeds {
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

/** The response of an operation, or what went wrong in making it. */
export type Responded = UsageResponse<unknown> | { readonly error: unknown };

/** A decided batch: the rows it was decided on, what is to be written, and the responses. */
export type DecidedBatch = {
  readonly rows: UsageRows;
  readonly details: LoadedUsage;
  readonly book: UsageBook;
  readonly responses: ReadonlyMap<QueuedOperation, Responded>;
};

/** The rows a batch is decided on. */
export type DecisionRows = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  /** Reads the events stored under the ids its requests name; null where they are among the rows. */
  readonly readEvents: (() => Promise<UsageRows['sets']['events']>) | null;
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

/** Whether an operation keeps nothing of what was decided for it. */
const isUndone = (responded: Responded): boolean => 'error' in responded || responded.isUndone;

type Decision = { readonly book: UsageBook; readonly outcomes: ReadonlyMap<QueuedOperation, UsageOutcome> };

function decideAll(details: LoadedUsage, operations: readonly QueuedOperation[]): Decision {
  const book = new UsageBook(details);
  return {
    book,
    outcomes: new Map(operations.map((operation) => [operation, decideRequests(book, operation)])),
  };
}

/** Whether a request that names an event id is rejected: it may be the repetition of an event that was accepted. */
const mayBeRepeated = ({ outcomes }: Decision): boolean =>
  outcomes
    .entries()
    .some(([{ requests }, { results }]) =>
      results.some((result, index) => 'rejection' in result && requests[index]?.eventId !== null),
    );

/** Makes the responses. Where one says that its operation failed, the others are decided again without it. */
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
 * Decides the requests of operations and makes their responses. An accepted request with an event id that is stored already cannot be written; a
 * rejected one writes nothing, so that where stored events were not read, they are before any request with an id is rejected, and all is decided
 * again.
 */
export async function decideBatch(
  tx: Context,
  operations: readonly QueuedOperation[],
  { needs, rows, readEvents }: DecisionRows,
): Promise<DecidedBatch> {
  const details = await usageDetailsOf(tx, needs, rows, true);
  const decision = decideAll(details, operations);
  if (readEvents === null || !mayBeRepeated(decision))
    return { rows, details, ...respondAll(details, decision) };
  const events = await readEvents();
  return decideBatch(tx, operations, {
    needs,
    rows: { ...rows, sets: { ...rows.sets, events } },
    readEvents: null,
  });
}
