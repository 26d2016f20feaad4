import { type Context, inTransaction } from '../context.ts';
import { QuittanceError, type Refusal } from '../domain/errors.ts';
import type { ChargeRequest } from '../domain/gateway.ts';
import type { ChangeSet, Command, CommandResult, Outcome } from '../domain/subscription/aggregate.ts';
import { apply } from './apply.ts';
import { decideAndCharge, decisionTools } from './charge.ts';
import { type Addressed, loadAggregates } from './load.ts';

type WithoutTimes<C> = C extends Command ? Omit<C, 'dueAt' | 'now'> : never;

/** A command without its times: what is asked for happens now, by the business clock of the transaction (protocols B7, B8). */
export type Order = WithoutTimes<Command>;

/** An order to one customer. */
export type CustomerOrder = { readonly customerId: string; readonly order: Order };

/** How an order ended, and whether anything was written for it. */
export type OrderOutcome = { readonly outcome: Outcome; readonly hasChanges: boolean };

/**
 * A refusal whose changes must be kept (protocols A3). Thrown after their commit; where a caller holds a transaction open around the
 * engine, it must commit that transaction before it lets the error go on.
 */
export class KeptRefusalError extends QuittanceError {}

const hasChanges = (set: ChangeSet): boolean =>
  set.customers.size + set.subscriptions.size + set.invoices.size + set.transactions.size + set.refunds.size + set.paymentMethods.size >
    0 ||
  set.offerApplications.size + set.addons.size + set.credits.size + set.redemptions.size > 0 ||
  set.lines.length + set.ledger.length + set.events.length > 0 ||
  set.accounts.size + set.counters.size + set.counts.size + set.entries.length + set.countEvents.length > 0 ||
  set.deadlines.put.length + set.deadlines.remove.length + set.deadlines.ready.length > 0;

const unknownCustomer: Outcome = {
  kind: 'refusal',
  code: 'customer_not_found',
  message: 'The customer does not exist.',
  param: 'customerId',
};

type Committed = { readonly outcomes: OrderOutcome[]; readonly remote: readonly (readonly ChargeRequest[])[] };

async function decideAndApply(tx: Context, orders: readonly CustomerOrder[]): Promise<Committed> {
  const now = tx.clock.now();
  // An order is a command without the two fields added here.
  const addressed = orders.map(({ customerId, order }): Addressed => ({ customerId, command: { ...order, dueAt: now, now } as Command }));
  const aggregates = await loadAggregates(tx, addressed);
  const tools = decisionTools(tx);
  const settled = addressed.map(({ customerId, command }) => {
    const aggregate = aggregates.get(customerId);
    return aggregate === undefined ? null : decideAndCharge(tx.app.gateways, aggregate, command, tools);
  });
  const position = new Map([...aggregates.keys()].map((id, index) => [id, index]));
  const rankOf = (index: number): number => position.get(addressed[index]?.customerId ?? '') ?? 0;
  const sets = settled
    .map((one, index) => ({ changes: one?.changes ?? null, rank: rankOf(index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ changes }) => (changes !== null && hasChanges(changes) ? [changes] : []));
  if (sets.length > 0) await apply(tx, sets);
  return {
    outcomes: settled.map((one) =>
      one === null ? { outcome: unknownCustomer, hasChanges: false } : { outcome: one.finalOutcome, hasChanges: hasChanges(one.changes) },
    ),
    remote: settled.map((one) => one?.remote ?? []),
  };
}

/** Asks remote gateways one after another and executes their answers; answers how the last one ended, or null without requests. */
export async function settleRemote(ctx: Context, requests: readonly ChargeRequest[]): Promise<OrderOutcome | null> {
  let last: OrderOutcome | null = null;
  for (const request of requests) {
    const result = await ctx.app.gateways.gatewayOf(request.provider).charge(request);
    const order: Order = { kind: 'charge.result', transactionId: request.transactionId, result };
    [last = null] = await execute(ctx, [{ customerId: request.customerId, order }]);
  }
  return last;
}

/**
 * Loads the customers, decides their orders, charges and applies, in one transaction and a handful of statements whatever their number.
 * Remote gateways are asked after the commit, and their answers are executed as further orders. Answers the outcomes in the order asked;
 * refusals are answered, not thrown. A customer may be named once. Throws when remote charges are to be asked inside a caller's transaction.
 */
export async function execute(ctx: Context, orders: readonly CustomerOrder[]): Promise<OrderOutcome[]> {
  if (new Set(orders.map(({ customerId }) => customerId)).size !== orders.length)
    throw new Error('A customer may be named once per execution.');
  const committed = await inTransaction(ctx, async (tx) => {
    const decided = await decideAndApply(tx, orders);
    if (ctx.transaction !== null && decided.remote.some((requests) => requests.length > 0)) {
      throw new Error('A remote gateway cannot be asked while a transaction is open.');
    }
    return decided;
  });
  const outcomes: OrderOutcome[] = [];
  for (const [index, outcome] of committed.outcomes.entries()) {
    outcomes.push((await settleRemote(ctx, committed.remote[index] ?? [])) ?? outcome);
  }
  return outcomes;
}

function refusalOf(refusal: Refusal, isKept: boolean): QuittanceError {
  const extra = { param: refusal.param, details: refusal.details };
  return isKept ? new KeptRefusalError(refusal.code, refusal.message, extra) : new QuittanceError(refusal.code, refusal.message, extra);
}

/**
 * Executes one order and answers what it achieved. Throws the refusal once its changes are committed (protocols A3): as a
 * KeptRefusalError when there are any, as a plain QuittanceError when nothing was written.
 */
export async function executeOne(ctx: Context, customerId: string, order: Order): Promise<CommandResult> {
  const [done] = await execute(ctx, [{ customerId, order }]);
  if (done === undefined) throw new Error('An order has no outcome.');
  const { outcome } = done;
  if (outcome.kind === 'refusal') throw refusalOf(outcome, done.hasChanges);
  if (outcome.kind === 'park') throw new Error(`The order ${order.kind} cannot be parked.`);
  return outcome;
}
