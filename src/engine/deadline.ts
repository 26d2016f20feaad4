import type { Rejection } from '../domain/errors/errors.ts';
import type { ChargeRequest } from '../domain/payments/provider.ts';
import type { DeadlineCommand } from '../domain/subscription/decision/command.ts';
import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type {
  Aggregate,
  ChangeSet,
  DeadlineRow,
  DecisionDeps,
  ItemDetails,
  Outcome,
} from '../domain/subscription/state/aggregate.ts';
import type { Gateways } from '../providers/provider.ts';
import { decideAndCharge } from './charge.ts';

/** Decision on a due deadline, before it's written. `changes` is `null` unless the status is `completed`. */
export type DecidedDeadline = {
  readonly status: 'completed' | 'failed' | 'parked';
  readonly item: ItemDetails | null;
  /** Reason for the failure, shown to the organization. `null` unless the deadline failed. */
  readonly error: string | null;
  /** Rejection that caused the failure. `null` if no rejection caused a failure. */
  readonly rejection: Rejection | null;
  /** Error that was thrown during the decision. `null` if no error was thrown. */
  readonly thrown: unknown;
  readonly changes: ChangeSet | null;
  /** State of the customer after the decision. Unchanged unless the status is `completed`. */
  readonly aggregate: Aggregate;
  readonly remote: readonly ChargeRequest[];
};

/** Error message that the organization sees if an internal error caused the failure. */
export const hiddenDeadlineError = 'An internal error stopped this deadline. It will be retried.';

/**
 * Throws if the decision scheduled the deadline for the same time again, which would cause an endless loop.
 */
function assertForward(deadline: DeadlineRow, { deadlines }: ChangeSet): void {
  const again = deadlines.put.find(({ id }) => id === deadline.id);
  if (again?.state === 'ready' && again.dueAt <= deadline.dueAt)
    throw new Error(`The deadline ${deadline.id} did not move forward.`);
}

const isRescheduled = (deadline: DeadlineRow, { deadlines }: ChangeSet): boolean =>
  deadlines.put.some(({ id }) => id === deadline.id);

/** Removes the processed deadline unless the decision rescheduled it (BIL-1). */
function withoutExecuted(deadline: DeadlineRow, changes: ChangeSet): ChangeSet {
  const { put, remove, ready } = changes.deadlines;
  if (remove.includes(deadline.id) || isRescheduled(deadline, changes)) return changes;
  return {
    ...changes,
    deadlines: { put, remove: [...remove, deadline.id], ready: ready.filter((id) => id !== deadline.id) },
  };
}

const undone = (
  aggregate: Aggregate,
  outcome: Exclude<Outcome, { readonly kind: 'ok' }>,
): DecidedDeadline => ({
  status: outcome.kind === 'park' ? 'parked' : 'failed',
  item: null,
  error: outcome.kind === 'park' ? null : `${outcome.code}: ${outcome.message}`,
  rejection: outcome.kind === 'park' ? null : outcome,
  thrown: null,
  changes: null,
  aggregate,
  remote: [],
});

function executed(
  gateways: Gateways,
  before: Aggregate,
  deadline: DeadlineRow,
  command: DeadlineCommand,
  deps: DecisionDeps,
): DecidedDeadline {
  const { outcome, changes, remote, aggregate } = decideAndCharge(gateways, before, command, deps);
  // A rejected command doesn't change the subscription (BIL-56).
  if (outcome.kind !== 'ok') return undone(before, outcome);
  assertForward(deadline, changes);
  const deadlines = isRescheduled(deadline, changes)
    ? aggregate.deadlines
    : aggregate.deadlines.filter(({ id }) => id !== deadline.id);
  return {
    status: 'completed',
    item: changes.item,
    error: null,
    rejection: null,
    thrown: null,
    changes: withoutExecuted(deadline, changes),
    aggregate: { ...aggregate, deadlines },
    remote,
  };
}

/**
 * Processes a due deadline, including local charges. Never throws: the status is `parked` if the deadline must wait,
 * and `failed` after a rejection or an error.
 */
export function decideDeadline(
  gateways: Gateways,
  aggregate: Aggregate,
  deadline: DeadlineRow,
  now: Date,
  deps: DecisionDeps,
): DecidedDeadline {
  try {
    return executed(gateways, aggregate, deadline, commandOf(deadline, now), deps);
  } catch (thrown) {
    return {
      status: 'failed',
      item: null,
      error: hiddenDeadlineError,
      rejection: null,
      thrown,
      changes: null,
      aggregate,
      remote: [],
    };
  }
}
