import { QuittanceError } from '../../domain/errors/errors.ts';
import type { Aggregate, DecisionDeps } from '../../domain/subscription/state/aggregate.ts';
import type { Context } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { loadCaughtUp } from '../catch-up.ts';
import { decisionDeps } from '../charge.ts';
import { type CommandInput, commandAt } from '../commit.ts';

/** Billing state of a customer at a given time, with the dependencies for processing commands. */
export type Requested = { readonly aggregate: Aggregate; readonly now: Date; readonly deps: DecisionDeps };

/**
 * Creates placeholder IDs for objects that won't be stored. The IDs look like real ones and are numbered from
 * the start in each preview, so that equal previews have equal results.
 */
function placeholders(): DecisionDeps['newId'] {
  let made = 0;
  return (prefix) => `${prefix}_${String(++made).padStart(22, '0')}`;
}

/**
 * Evaluates a function on the current billing state of a customer without writing. Locks the customer while the state
 * is loaded, so that the state is consistent. The number of SQL statements doesn't depend on the number of commands.
 * Throws `customer_not_found`.
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
