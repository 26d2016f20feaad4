import type { Context } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import type { Aggregate, Command, Tools } from '../domain/subscription/aggregate.ts';
import { inTransaction } from '../transaction.ts';
import { loadCaughtUp } from './catch-up.ts';
import { decisionTools } from './charge.ts';
import type { Order } from './execute.ts';

/** A customer's billing state with what orders on it would need, at one instant. */
export type Asked = { readonly aggregate: Aggregate; readonly now: Date; readonly tools: Tools };

/** Ids for what will not exist: of the usual form, counted up within one question, so that the same question has the same answer. */
function placeholders(): Tools['newId'] {
  let made = 0;
  return (prefix) => `${prefix}_${String(++made).padStart(22, '0')}`;
}

/**
 * Puts a question to the billing state one or several orders would meet, and writes nothing; the customer is locked while it is read, so that
 * the answer is of one moment. The statements do not grow with the orders. Throws `customer_not_found`.
 */
export async function askAbout<T>(
  context: Context,
  customerId: string,
  orders: readonly Order[],
  question: (asked: Asked) => T,
): Promise<T> {
  return inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    // An order is a command without the two fields added here.
    const addressed = orders.map((order) => ({ customerId, command: { ...order, dueAt: now, now } as Command }));
    const tools = { ...decisionTools(tx), newId: placeholders() };
    const aggregate = await loadCaughtUp(tx, customerId, addressed, now, tools);
    if (aggregate === null) throw new QuittanceError('customer_not_found', 'The customer does not exist.', { param: 'customerId' });
    return question({ aggregate, now, tools });
  });
}
