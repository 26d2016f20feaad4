import DataLoader from 'dataloader';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { Tried } from '../../../domain/limits/admission.ts';
import { type NodeLimit, nodeLimit } from '../../../domain/limits/entry.ts';
import { isShared } from '../../../domain/limits/limit.ts';
import { type NamedNode, readCurrentLimits, readLimitsOf } from '../../../engine/usage/limit-states.ts';
import { readSharedValues } from '../../../engine/usage/shared-values.ts';
import type { Context } from '../../../request/context.ts';
import type { StoredLimit } from './store.ts';

/** Columns that state whether a limit applies to the organization or a plan. */
type SharedFields = Pick<StoredLimit, 'id' | 'customerId' | 'each' | 'apiKeyId' | 'memberId'>;

/**
 * Returns the limits of a customer, or of a budget and its parents, with their current values: the deepest budget first. Throws
 * `customer_not_found`. Throws `validation_error` if the budget doesn't exist or is archived.
 */
export async function loadTried(ctx: Context, { customerId, budget }: NamedNode): Promise<readonly Tried[]> {
  const current = await readCurrentLimits(ctx, customerId, budget);
  if ('code' in current) throw new QuittanceError(current);
  return current.tried;
}

/** Returns the limits of `loadTried` in API format, with the same errors. */
export const loadLimitStates = async (ctx: Context, named: NamedNode): Promise<readonly NodeLimit[]> =>
  (await loadTried(ctx, named)).map(nodeLimit);

/** Returns the current values of a limit of the organization or a plan, one for each currency. Empty for other limits. Batched. */
export async function loadSharedStates(ctx: Context, limit: SharedFields): Promise<readonly NodeLimit[]> {
  if (!isShared(limit)) return [];
  const values = await ctx.once('values of shared limits', () => readSharedValues(ctx));
  return values.filter((tried) => tried.limit.id === limit.id).map(nodeLimit);
}

/** Returns the status of a limit. Batched. */
export async function loadStatus(ctx: Context, limit: SharedFields): Promise<'active' | 'counting'> {
  if (!isShared(limit)) return 'active';
  const values = await ctx.once('values of shared limits', () => readSharedValues(ctx));
  return values.some((tried) => tried.limit.id === limit.id && tried.isAssumed === true)
    ? 'counting'
    : 'active';
}

/** Returns the limits of a budget without its parents. Empty if the budget is archived. Batched. */
export function loadBudgetLimits(
  ctx: Context,
  { customerId, key }: { readonly customerId: string; readonly key: string },
): Promise<readonly Tried[]> {
  const loader = ctx.once(
    'limits of budgets',
    () =>
      new DataLoader<NamedNode, readonly Tried[], string>(
        async (named) =>
          (await readLimitsOf(ctx, named)).map((current, index) =>
            'code' in current ? [] : current.tried.filter(({ node }) => node.key === named[index]?.budget),
          ),
        { cacheKeyFn: ({ customerId: of, budget }) => `${of} ${budget}` },
      ),
  );
  return loader.load({ customerId, budget: key });
}
