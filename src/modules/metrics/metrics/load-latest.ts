import { mrrOf } from '../../../domain/metrics/recurring.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { readLatestStates } from './store.ts';
import type { CurrencyMrr } from './types/current.ts';

/** Loads the current monthly recurring revenue of each of a customer's subscriptions. Lookups are batched. */
const loadStates = (ctx: Context, customerId: string) =>
  ctx.once('mrr-latest', () =>
    batchedByColumns(async (ids) => {
      const found = Map.groupBy(await readLatestStates(ctx.sql, ids), (row) => row.customerId);
      return (id) => found.get(id) ?? [];
    }),
  )(customerId, 'all');

/**
 * Loads the current monthly recurring revenue of a subscription, in ten-thousandths of the currency unit (10,000 =
 * 1.00). 0 before the first payment and after the subscription ends. Lookups are batched.
 */
export async function loadSubscriptionMrr(
  ctx: Context,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<bigint> {
  const states = await loadStates(ctx, customerId);
  const after = states.find(({ subscriptionId }) => subscriptionId === id)?.after ?? null;
  return after === null ? 0n : mrrOf(after);
}

/** Loads the current monthly recurring revenue of a customer, by currency. Lookups are batched. */
export async function loadCustomerMrr(ctx: Context, customerId: string): Promise<CurrencyMrr[]> {
  const states = (await loadStates(ctx, customerId)).flatMap(({ after }) => (after === null ? [] : [after]));
  return [...Map.groupBy(states, ({ currency }) => currency)]
    .map(([currency, of]) => ({ currency, amount: of.reduce((sum, state) => sum + mrrOf(state), 0n) }))
    .filter(({ amount }) => amount !== 0n)
    .sort((one, other) => one.currency.localeCompare(other.currency));
}
