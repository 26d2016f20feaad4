import type { Context } from '../context.ts';
import type { ChargeRequest, ChargeResult } from '../domain/gateway.ts';
import { type Aggregate, type ChangeSet, type Command, mergeChanges, type Outcome, type Tools } from '../domain/subscription/aggregate.ts';
import { decide } from '../domain/subscription/decide.ts';
import type { Gateways } from '../gateway/gateway.ts';
import { newId } from '../infra/ids.ts';

/** A decision with the answers of its local charges decided as well. */
export type Settled = {
  readonly aggregate: Aggregate;
  readonly changes: ChangeSet;
  /** How the command itself ended. */
  readonly outcome: Outcome;
  /** How the last answer to its charges ended; the command's own outcome when there was none. */
  readonly finalOutcome: Outcome;
  /** Charges of gateways that are reached over a network: to be asked once the changes are committed (protocols D1). */
  readonly remote: readonly ChargeRequest[];
};

/** What decisions get from outside. Ids made together share the instant they grow with, read once. */
export function decisionTools(ctx: Context): Tools {
  const wallMs = ctx.wall.now().getTime();
  return { newId: (prefix) => newId(prefix, wallMs), tax: ctx.app.tax };
}

/** Decides a command, asks local gateways for its charges and decides their answers and the disputes that follow, all in memory (protocols D1). */
export function decideAndCharge(gateways: Gateways, aggregate: Aggregate, command: Command, tools: Tools): Settled {
  const { dueAt, now } = command;
  let step = decide(aggregate, command, tools);
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
    step = decide(step.aggregate, { kind: 'charge.result', dueAt, now, transactionId, result }, tools);
    finalOutcome = step.outcome;
    waiting.push(...step.changes.charges);
    changes = mergeChanges(changes, step.changes);
    const reason = result.status === 'settled' ? (gateway.disputeOf?.(request) ?? null) : null;
    if (reason === null) continue;
    step = decide(step.aggregate, { kind: 'dispute.open', dueAt, now, transactionId, reason }, tools);
    changes = mergeChanges(changes, step.changes);
  }
  return { aggregate: step.aggregate, changes, outcome, finalOutcome, remote };
}
