import { type Context, inTransaction } from '../context.ts';
import type { Aggregate, Command, Decision } from '../domain/subscription/aggregate.ts';
import { decide } from '../domain/subscription/decide.ts';
import { decisionTools } from './charge.ts';
import type { Order } from './execute.ts';
import { loadAggregates } from './load.ts';

/**
 * Decides orders to one customer, each on the state as it is, and writes nothing: what each would begin, before any charge is answered. The
 * statements do not grow with the orders. `assume` may change the state they are decided on. Empty for an unknown customer.
 */
export async function tryOrders(
  ctx: Context,
  customerId: string,
  orders: readonly Order[],
  assume: (aggregate: Aggregate) => Aggregate = (aggregate) => aggregate,
): Promise<readonly Decision[]> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    // An order is a command without the two fields added here.
    const addressed = orders.map((order) => ({ customerId, command: { ...order, dueAt: now, now } as Command }));
    const aggregate = (await loadAggregates(tx, addressed)).get(customerId);
    if (aggregate === undefined) return [];
    const state = assume(aggregate);
    const tools = decisionTools(tx);
    return addressed.map(({ command }) => decide(state, command, tools));
  });
}
