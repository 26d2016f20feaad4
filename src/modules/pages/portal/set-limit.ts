import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { LimitMeasure, LimitWindowKind } from '../../../domain/limits/limit.ts';
import { lockCustomer } from '../../../engine/usage/lock-customer.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireBudget } from '../../usage/budgets/store.ts';
import { raiseLimit } from '../../usage/limits/change-raises.ts';
import { createLimit } from '../../usage/limits/create.ts';
import { findOwnLimits, limitRows } from '../../usage/limits/store.ts';
import { deleteLimit, updateLimit } from '../../usage/limits/update.ts';
import { loadUsageLimits, type UsageLimits } from './load-usage-limits.ts';
import { shownSubscription } from './pay.ts';
import { demandOffered, loadPortal } from './store.ts';

/** Measures of the limits that customers set. Their amounts are in the currency of the subscription. */
type OwnMeasure = Extract<LimitMeasure, 'spend' | 'value'>;

/** Windows of the limits that customers set. */
type OwnWindow = Extract<LimitWindowKind, 'usage_window' | 'day' | 'week' | 'month'>;

type SetInput = {
  readonly measure: OwnMeasure;
  readonly amount: number;
  readonly window?: OwnWindow | null | undefined;
  readonly budget?: string | null | undefined;
};

/** Channels of the limits that customers set. The organization's settings can turn off the emails. */
const ownChannels = ['webhook', 'customer_email'] as const;

async function reloaded(ctx: Context): Promise<UsageLimits> {
  ctx.forget();
  return loadUsageLimits(ctx);
}

/** Throws `not_found` if the budget doesn't exist. Throws `validation_error` if the budget is archived. */
async function checkBudget(ctx: Context, customerId: string, key: string): Promise<void> {
  const { archivedAt } = await requireBudget(ctx, customerId, key, 'budget');
  if (archivedAt !== null) throw validationError([{ field: 'budget', message: 'must not be archived' }]);
}

/**
 * Sets a limit of the portal's customer on their own usage. Replaces the amount of their limit with the same measure and window. Throws
 * `forbidden`, `subscription_not_found`, `not_found`, and `validation_error`.
 */
export async function setOwnLimit(
  ctx: Context,
  { measure, amount, window: chosen, budget: named }: SetInput,
): Promise<UsageLimits> {
  await demandOffered(ctx, 'customerLimits');
  const { currency, customerId } = await shownSubscription(ctx);
  const budget = named ?? null;
  const kind = chosen ?? 'usage_window';
  if (budget !== null) await checkBudget(ctx, customerId, budget);
  await inTransaction(ctx, async (tx) => {
    // Concurrent requests must not create the same limit twice.
    await lockCustomer(tx.sql, customerId);
    const own = await findOwnLimits(tx, customerId, budget);
    const known = own.find(
      (limit) => limit.measure === measure && limit.currency === currency && limit.window.kind === kind,
    );
    if (known === undefined)
      await createLimit(tx, {
        setBy: 'customer',
        scope: { customer: customerId, budget },
        measure,
        currency,
        window: { kind },
        amount,
        action: 'block',
        channels: ownChannels,
      });
    else await updateLimit(tx, { id: known.id, amount });
  });
  return reloaded(ctx);
}

/** Throws `not_found` unless the portal's customer set the limit, and `forbidden` if customers can't set limits. */
async function requireOwnLimit(ctx: Context, id: string): Promise<void> {
  const { customer } = await loadPortal(ctx);
  const limit = await limitRows.find(ctx, id);
  if (limit === null || limit.setBy !== 'customer' || limit.customerId !== customer.id)
    throw specificError('not_found', 'limit', { param: 'limitId' });
}

/** Removes a limit that the portal's customer set. Throws `not_found` and `forbidden`. */
export async function removeOwnLimit(ctx: Context, id: string): Promise<UsageLimits> {
  await demandOffered(ctx, 'customerLimits');
  await requireOwnLimit(ctx, id);
  await deleteLimit(ctx, id);
  return reloaded(ctx);
}

/** Raises a limit that the portal's customer set until the end of its window. Throws `not_found` and `forbidden`. */
export async function raiseOwnLimit(
  ctx: Context,
  { limitId: id, amount }: { readonly limitId: string; readonly amount: number },
): Promise<UsageLimits> {
  await demandOffered(ctx, 'customerLimits');
  await requireOwnLimit(ctx, id);
  await raiseLimit(ctx, { id, amount });
  return reloaded(ctx);
}
