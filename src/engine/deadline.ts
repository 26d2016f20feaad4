import type { Rejection } from '../domain/errors.ts';
import type { ChargeRequest } from '../domain/provider.ts';
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

/** What a due deadline came to, before anything of it is written. `changes` are null unless it is `completed`. */
export type DecidedDeadline = {
  readonly status: 'completed' | 'failed' | 'parked';
  readonly item: ItemDetails | null;
  /** A sentence for the tenant, for failed ones. */
  readonly error: string | null;
  /** Why it was rejected, for failed ones that were. */
  readonly rejection: Rejection | null;
  /** What was thrown, where the decision itself broke. */
  readonly thrown: unknown;
  readonly changes: ChangeSet | null;
  /** The aggregate afterwards: as it was, unless `completed`. */
  readonly aggregate: Aggregate;
  readonly remote: readonly ChargeRequest[];
};

/** The error shown to the tenant for a deadline that failed instead of being rejected. */
export const hiddenDeadlineError = 'An internal error stopped this deadline; it is tried again.';

/** A deadline that stays due would run for ever. */
function assertForward(deadline: DeadlineRow, { deadlines }: ChangeSet): void {
  const again = deadlines.put.find(({ id }) => id === deadline.id);
  if (again?.state === 'ready' && again.dueAt <= deadline.dueAt)
    throw new Error(`The deadline ${deadline.id} did not move forward.`);
}

const isPutAgain = (deadline: DeadlineRow, { deadlines }: ChangeSet): boolean =>
  deadlines.put.some(({ id }) => id === deadline.id);

/** An executed deadline is gone unless the decision put it again (BIL-1). */
function withoutExecuted(deadline: DeadlineRow, changes: ChangeSet): ChangeSet {
  const { put, remove, ready } = changes.deadlines;
  if (remove.includes(deadline.id) || isPutAgain(deadline, changes)) return changes;
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
  // A rejection leaves the subscription as it was (BIL-56).
  if (outcome.kind !== 'ok') return undone(before, outcome);
  assertForward(deadline, changes);
  const deadlines = isPutAgain(deadline, changes)
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
 * Decides what a due deadline does at an instant, local charges included. Never throws: what must wait is `parked`, what is
 * rejected or broken is `failed`.
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
