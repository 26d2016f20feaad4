import type { Context } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import type { Aggregate, DecisionDeps } from '../domain/subscription/state/aggregate.ts';
import { inTransaction } from '../transaction.ts';
import { loadCaughtUp } from './catch-up.ts';
import { decisionDeps } from './charge.ts';
import { type CommandInput, commandAt } from './commit.ts';

/** A customer's billing state with what commands on it would need, at one instant. */
export type Requested = { readonly aggregate: Aggregate; readonly now: Date; readonly deps: DecisionDeps };

/** Ids for what will not exist: of the usual form, counted up within one question, so that the same question has the same answer. */
function placeholders(): DecisionDeps['newId'] {
  let made = 0;
  return (prefix) => `${prefix}_${String(++made).padStart(22, '0')}`;
}

/**
 * Puts a question to the billing state one or several commands would meet, and writes nothing; the customer is locked while it is read, so that
 * the answer is of one moment. The statements do not grow with the commands. Throws `customer_not_found`.
 */
export async function withSnapshot<T>(
  ctx: Context,
  customerId: string,
  commands: readonly CommandInput[],
  question: (requested: Requested) => T,
): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const addressed = commands.map((input) => ({ customerId, command: commandAt(input, now) }));
    const deps = { ...decisionDeps(tx), newId: placeholders() };
    const aggregate = await loadCaughtUp(tx, customerId, addressed, now, deps);
    if (aggregate === null) throw new QuittanceError('customer_not_found', { param: 'customerId' });
    return question({ aggregate, now, deps });
  });
}
