import DataLoader from 'dataloader';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import { type NodeLimit, nodeLimit } from '../../../domain/limits/entry.ts';
import { type NamedNode, readCurrentLimits, readLimitsOf } from '../../../engine/usage/limit-states.ts';
import type { Context } from '../../../request/context.ts';

/**
 * Returns the limits of a customer, or of a budget and its parents, with their current values: the deepest budget first. Throws
 * `customer_not_found`. Throws `validation_error` if the budget doesn't exist or is archived.
 */
export async function loadLimitStates(
  ctx: Context,
  { customerId, budget }: NamedNode,
): Promise<readonly NodeLimit[]> {
  const current = await readCurrentLimits(ctx, customerId, budget);
  if ('code' in current) throw new QuittanceError(current);
  return current.tried.map(nodeLimit);
}

/** Returns the limits of a budget without its parents. Empty if the budget is archived. Batched. */
export function loadBudgetLimits(
  ctx: Context,
  { customerId, key }: { readonly customerId: string; readonly key: string },
): Promise<readonly NodeLimit[]> {
  const loader = ctx.once(
    'limits of budgets',
    () =>
      new DataLoader<NamedNode, readonly NodeLimit[], string>(
        async (named) =>
          (await readLimitsOf(ctx, named)).map((current, index) =>
            'code' in current
              ? []
              : current.tried.filter(({ node }) => node.key === named[index]?.budget).map(nodeLimit),
          ),
        { cacheKeyFn: ({ customerId: of, budget }) => `${of} ${budget}` },
      ),
  );
  return loader.load({ customerId, budget: key });
}
