import type { Context } from '../context.ts';
import type { AttemptRow } from '../domain/attempt.ts';
import { QuittanceError } from '../domain/errors.ts';
import type { ChargeRequest, ChargeResult } from '../domain/gateway.ts';
import type { ChangeSet, Command, ItemFacts, Outcome } from '../domain/subscription/aggregate.ts';
import type { Gateways } from '../gateway/gateway.ts';
import { inTransaction } from '../transaction.ts';
import { apply } from './apply.ts';
import { type Answered, keepAnswers, recordAttempts } from './attempts.ts';
import { catchUp } from './catch-up.ts';
import { decideAndCharge, decisionTools } from './charge.ts';
import { loadAggregates } from './load.ts';
import type { Addressed } from './load-named.ts';

type WithoutTimes<C> = C extends Command ? Omit<C, 'dueAt' | 'now'> : never;

/** A command without its times: what is asked for happens now, by the business clock of the transaction (protocols B7, B8). */
export type Order = WithoutTimes<Command>;

/** An order to one customer. */
export type CustomerOrder = {
  readonly customerId: string;
  readonly order: Order;
  /** What gateways did already of what the order asks them for: they are not asked, and this is their answer. */
  readonly known?: ChargeResult;
};

/** How an order ended, and whether anything was written for it or before it. */
export type OrderOutcome = { readonly outcome: Outcome; readonly hasChanges: boolean };

/** How an order ended as far as it could be decided, and what gateways are to be asked for it over a network. */
export type Committed = OrderOutcome & { readonly attempts: readonly AttemptRow[] };

/** What gateways are to be asked over a network about something that was due, before the orders can be decided. */
export type LateAttempts = { readonly late: readonly AttemptRow[] };

/**
 * A gateway must be asked over a network while a caller holds a transaction open. Nothing is written; whoever opened the transaction can do
 * the same again outside one (protocols A4).
 */
export class OutsideCallError extends QuittanceError {
  constructor() {
    super('internal_error', 'A gateway cannot be asked over a network while a transaction is open.');
  }
}

/** Whether anything is to be written for a decision. */
export const hasChanges = (set: ChangeSet): boolean =>
  set.customers.size + set.subscriptions.size + set.invoices.size + set.transactions.size + set.refunds.size + set.paymentMethods.size >
    0 ||
  set.payments.size + set.offerApplications.size + set.addons.size + set.grants.size + set.credits.size + set.redemptions.size > 0 ||
  set.lines.length + set.ledger.length + set.events.length > 0 ||
  set.accounts.size + set.counters.size + set.counts.size + set.entries.length + set.countEvents.length + set.usageAdjustments.length > 0 ||
  set.deadlines.put.length + set.deadlines.remove.length + set.deadlines.ready.length > 0;

const unknownCustomer: Outcome = {
  kind: 'refusal',
  code: 'customer_not_found',
  message: 'The customer does not exist.',
  param: 'customerId',
};

type Decided = OrderOutcome & { readonly remote: readonly ChargeRequest[]; readonly item: ItemFacts | null };

const undecided: Decided = { outcome: unknownCustomer, hasChanges: false, remote: [], item: null };

function gatewaysFor(tx: Context, order: CustomerOrder | undefined): Gateways {
  const known = order?.known;
  return known === undefined ? tx.app.gateways : { gatewayOf: () => ({ local: true, charge: () => known }) };
}

/** An order as a command of an instant. */
const commandAt = ({ order }: CustomerOrder, now: Date): Command =>
  // An order is a command without the two fields added here.
  ({ ...order, dueAt: now, now }) as Command;

async function decideAndApply(tx: Context, orders: readonly CustomerOrder[]): Promise<Decided[] | LateAttempts> {
  const now = tx.clock.now();
  const addressed = orders.map((one): Addressed => ({ customerId: one.customerId, command: commandAt(one, now) }));
  const load = () => loadAggregates(tx, addressed);
  const loaded = await load();
  // Answers come before whatever is due (BIL-2 rank 0).
  const isAnswers = orders.every(({ order }) => order.kind === 'charge.result');
  const none = { aggregates: loaded, late: new Set<string>(), attempts: [] };
  const { aggregates, late, attempts } = isAnswers ? none : await catchUp(tx, loaded, now, load);
  if (attempts.length > 0) return { late: attempts };
  const tools = decisionTools(tx);
  const settled = addressed.map(({ customerId, command }, index) => {
    const aggregate = aggregates.get(customerId);
    return aggregate === undefined ? null : decideAndCharge(gatewaysFor(tx, orders[index]), aggregate, command, tools);
  });
  const position = new Map([...aggregates.keys()].map((id, index) => [id, index]));
  const rankOf = (index: number): number => position.get(addressed[index]?.customerId ?? '') ?? 0;
  const sets = settled
    .map((one, index) => ({ changes: one?.changes ?? null, rank: rankOf(index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ changes }) => (changes !== null && hasChanges(changes) ? [changes] : []));
  if (sets.length > 0) await apply(tx, sets);
  return settled.map((one, index): Decided => {
    if (one === null) return undecided;
    const isWritten = hasChanges(one.changes) || late.has(addressed[index]?.customerId ?? '');
    return { outcome: one.finalOutcome, hasChanges: isWritten, remote: one.remote, item: one.changes.item };
  });
}

/** The answers among the orders, with what they led to. */
const answersAmong = (orders: readonly CustomerOrder[], decided: readonly Decided[]): Answered[] =>
  orders.flatMap(({ order }, index) => {
    const { outcome = unknownCustomer, item = null } = decided[index] ?? {};
    return order.kind === 'charge.result' ? [{ id: order.transactionId, result: order.result, outcome, item }] : [];
  });

/**
 * Loads the customers, executes what is due for them, decides their orders, charges locally and applies, in one transaction and a handful of
 * statements whatever their number. What is to be asked over a network is written down with it; where that is about something due, the orders
 * wait for the answers, and are to be committed again. Throws OutsideCallError for either inside a caller's transaction.
 */
export const commit = (ctx: Context, orders: readonly CustomerOrder[]): Promise<Committed[] | LateAttempts> =>
  inTransaction(ctx, async (tx) => {
    const decided = await decideAndApply(tx, orders);
    if ('late' in decided) {
      if (ctx.transaction !== null) throw new OutsideCallError();
      return decided;
    }
    const requests = decided.flatMap(({ remote }) => remote);
    if (ctx.transaction !== null && requests.length > 0) throw new OutsideCallError();
    await keepAnswers(tx, answersAmong(orders, decided));
    if (requests.length > 0 && ctx.journal !== null && tx.transaction !== null) {
      await ctx.journal.note(
        tx.transaction.query,
        requests.map(({ transactionId }) => transactionId),
      );
    }
    const attempts = await recordAttempts(tx, requests, false);
    let taken = 0;
    return decided.map(({ outcome, hasChanges: isWritten, remote }): Committed => {
      const own = attempts.slice(taken, taken + remote.length);
      taken += remote.length;
      return { outcome, hasChanges: isWritten, attempts: own };
    });
  });
