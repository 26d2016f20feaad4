import type { Context } from '../context.ts';
import type { ChargeRequest, ChargeResult } from '../domain/provider.ts';
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

/** A decision with the answers of its local charges decided as well. */
export type Settled = {
  readonly aggregate: Aggregate;
  readonly changes: ChangeSet;
  /** How the command itself ended. */
  readonly outcome: Outcome;
  /** How the last answer to its charges ended; the command's own outcome when there was none. */
  readonly finalOutcome: Outcome;
  /** Charges of gateways that are reached over a network: to be asked once the changes are committed. */
  readonly remote: readonly ChargeRequest[];
};

/** What decisions get from outside. Ids made together share the instant they grow with, read once. */
export function decisionDeps(ctx: Context): DecisionDeps {
  const wallMs = ctx.wall.now().getTime();
  return { newId: (prefix) => newId(prefix, wallMs), tax: ctx.app.tax };
}

/** Decides a command, asks local gateways for its charges and decides their answers and the disputes that follow, all in memory. */
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
    const result: ChargeResult = gateway.charge(request);
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
