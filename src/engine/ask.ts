import { type Context, inTransaction } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import type { Aggregate, Command, Tools } from '../domain/subscription/aggregate.ts';
import { decisionTools } from './charge.ts';
import type { Order } from './execute.ts';
import { loadAggregates } from './load.ts';

/** A customer's billing state with what an order on it would need, at one instant. */
export type Asked = { readonly aggregate: Aggregate; readonly now: Date; readonly tools: Tools };

/**
 * Puts a question to the billing state an order would meet, and writes nothing; the customer is locked while it is read, so that the answer is
 * of one moment. Throws `customer_not_found`.
 */
export async function askAbout<T>(context: Context, customerId: string, order: Order, question: (asked: Asked) => T): Promise<T> {
  return inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    // An order is a command without the two fields added here.
    const aggregates = await loadAggregates(tx, [{ customerId, command: { ...order, dueAt: now, now } as Command }]);
    const aggregate = aggregates.get(customerId);
    if (aggregate === undefined) throw new QuittanceError('customer_not_found', 'The customer does not exist.', { param: 'customerId' });
    return question({ aggregate, now, tools: decisionTools(tx) });
  });
}
