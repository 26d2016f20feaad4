import type { Context } from '../../context.ts';
import { mrrOf } from '../../domain/metrics/recurring.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { readLatestStates } from './store.ts';
import type { CurrencyMrr } from './types/current.ts';

/** What a customer's subscriptions recur at per month now, rates by subscription. Batched. */
const loadStates = (ctx: Context, customerId: string) =>
  ctx.once('mrr-latest', () =>
    batchedByColumns(async (ids) => {
      const found = Map.groupBy(await readLatestStates(ctx.sql, ids), (row) => row.customerId);
      return (id) => found.get(id) ?? [];
    }),
  )(customerId, 'all');

/** What a subscription recurs at per month now, a rate; 0 before its first payment and after its end. Batched. */
export async function loadSubscriptionMrr(
  ctx: Context,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<bigint> {
  const states = await loadStates(ctx, customerId);
  const after = states.find(({ subscriptionId }) => subscriptionId === id)?.after ?? null;
  return after === null ? 0n : mrrOf(after);
}

/** What all subscriptions of a customer recur at per month now, by currency. Batched. */
export async function loadCustomerMrr(ctx: Context, customerId: string): Promise<CurrencyMrr[]> {
  const states = (await loadStates(ctx, customerId)).flatMap(({ after }) => (after === null ? [] : [after]));
  return [...Map.groupBy(states, ({ currency }) => currency)]
    .map(([currency, of]) => ({ currency, amount: of.reduce((sum, state) => sum + mrrOf(state), 0n) }))
    .filter(({ amount }) => amount !== 0n)
    .sort((one, other) => one.currency.localeCompare(other.currency));
}
