import type { AcceptedAttempt, ChargeRequest, ChargeResult } from '../domain/payments/provider.ts';
import type { Command } from '../domain/subscription/decision/command.ts';
import { decide } from '../domain/subscription/decision/decide.ts';
import {
  type Aggregate,
  type ChangeSet,
  type DecisionDeps,
  mergeChanges,
  type Outcome,
} from '../domain/subscription/state/aggregate.ts';
import { newId } from '../platform/ids.ts';
import type { Gateways } from '../providers/provider.ts';
import type { Context } from '../request/context.ts';

/** Decision that includes the results of charges through local providers. */
export type Settled = {
  readonly aggregate: Aggregate;
  readonly changes: ChangeSet;
  /** Outcome of the command, without its charges. */
  readonly outcome: Outcome;
  /** Outcome of the last charge. Equal to `outcome` if there was no charge. */
  readonly finalOutcome: Outcome;
  /** Charges to send to remote providers after the commit. */
  readonly remote: readonly ChargeRequest[];
};

/** Returns the dependencies for a decision. All IDs that the decision creates contain the same timestamp. */
export function decisionDeps(ctx: Context): DecisionDeps {
  const wallMs = ctx.wall.now().getTime();
  return { newId: (prefix) => newId(prefix, wallMs), tax: ctx.app.tax };
}

/**
 * Runs `decide` for a command and sends its charges to local providers. Applies the charge results and any disputes
 * that they cause. Runs in memory.
 */
export function decideAndCharge(
  gateways: Gateways,
  aggregate: Aggregate,
  command: Command,
  deps: DecisionDeps,
): Settled {
  const { dueAt, now } = command;
  let step = decide(aggregate, command, deps);
  let { changes } = step;
  const { outcome } = step;
  let finalOutcome = outcome;
  const remote: ChargeRequest[] = [];
  const waiting = [...changes.charges];
  for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
    const gateway = gateways.gatewayOf(request.provider, aggregate.environment.livemode);
    if (!gateway.local) {
      remote.push(request);
      continue;
    }
    const { transactionId } = request;
    const result: ChargeResult | AcceptedAttempt = gateway.charge(request);
    step = decide(step.aggregate, { kind: 'charge.result', dueAt, now, transactionId, result }, deps);
    finalOutcome = step.outcome;
    waiting.push(...step.changes.charges);
    changes = mergeChanges(changes, step.changes);
    const reason = result.status === 'settled' ? (gateway.disputeOf?.(request) ?? null) : null;
    if (reason === null) continue;
    step = decide(step.aggregate, { kind: 'dispute.open', dueAt, now, transactionId, reason }, deps);
    changes = mergeChanges(changes, step.changes);
  }
  return { aggregate: step.aggregate, changes, outcome, finalOutcome, remote };
}
