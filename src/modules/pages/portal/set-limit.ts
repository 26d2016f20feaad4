import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type {
  LimitAction,
  LimitChannel,
  LimitMeasure,
  LimitWindowKind,
} from '../../../domain/limits/limit.ts';
import { lockCustomer } from '../../../engine/usage/lock-customer.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireBudget } from '../../usage/budgets/store.ts';
import { raiseLimit } from '../../usage/limits/change-raises.ts';
import { createLimit } from '../../usage/limits/create.ts';
import { findOwnLimits, limitRows, type StoredLimit } from '../../usage/limits/store.ts';
import { deleteLimit, updateLimit } from '../../usage/limits/update.ts';
import { loadUsageLimits, type UsageLimits } from './load-usage-limits.ts';
import { shownSubscription } from './pay.ts';
import { demandOffered, loadPortal } from './store.ts';

/** Measures of the limits that customers set. Their amounts are in the currency of the subscription. */
type OwnMeasure = Extract<LimitMeasure, 'spend' | 'value'>;

/** Windows of the limits that customers set. */
type OwnWindow = Extract<LimitWindowKind, 'usage_window' | 'day' | 'week' | 'month'>;

/** Effects of the limits that customers set: a cap or an alert. */
type OwnAction = Extract<LimitAction, 'block' | 'notify'>;

type SetInput = {
  readonly measure: OwnMeasure;
  readonly amount: number;
  readonly action?: OwnAction | null | undefined;
  /** Basis points of the amount. */
  readonly thresholds?: readonly number[] | null | undefined;
  readonly channels?: readonly OwnChannel[] | null | undefined;
  readonly window?: OwnWindow | null | undefined;
  readonly budget?: string | null | undefined;
};

/** Terms that two limits of a customer can't share. */
type OwnTerms = {
  readonly measure: OwnMeasure;
  readonly currency: string;
  readonly kind: OwnWindow;
  readonly action: OwnAction;
  readonly budget: string | null;
};

/** Ways in which customers are notified about crossings. The organization's settings can turn off the emails. */
type OwnChannel = Extract<LimitChannel, 'customer_email' | 'portal'>;

/** Returns the channels of a limit that a customer sets. The organization always receives the events. */
const channelsWith = (chosen: readonly OwnChannel[]) => ['webhook', ...chosen] as const;

async function reloaded(ctx: Context): Promise<UsageLimits> {
  ctx.forget();
  return loadUsageLimits(ctx);
}

/** Throws `not_found` if the budget doesn't exist. Throws `validation_error` if the budget is archived. */
async function checkBudget(ctx: Context, customerId: string, key: string): Promise<void> {
  const { archivedAt } = await requireBudget(ctx, customerId, key, 'budget');
  if (archivedAt !== null) throw validationError([{ field: 'budget', message: 'must not be archived' }]);
}

/** Throws `validation_error` for an alert at 0, which usage can never reach from below. */
function checkAlert({ action, amount }: SetInput): void {
  if (action === 'notify' && amount === 0)
    throw validationError([{ field: 'amount', message: 'must be 1 or more for the action `notify`' }]);
}

/**
 * Returns the limit that a customer set for a number, a window, and an action. `null` if the customer set none, or if the limit has ended.
 */
async function findAlike(
  tx: Context,
  customerId: string,
  { measure, currency, kind, action, budget }: OwnTerms,
): Promise<StoredLimit | null> {
  const own = await findOwnLimits(tx, customerId, budget);
  const isAlike = (limit: StoredLimit): boolean =>
    limit.measure === measure &&
    limit.currency === currency &&
    limit.window.kind === kind &&
    limit.action === action;
  // A concurrent request that began later can have created the limit, so its start doesn't matter.
  const hasEnded = ({ validUntil }: StoredLimit): boolean =>
    validUntil !== null && validUntil <= tx.clock.now();
  return own.find((limit) => isAlike(limit) && !hasEnded(limit)) ?? null;
}

/**
 * Sets a limit of the portal's customer on their own usage. Replaces the amount of their limit with the same measure, window, and action.
 * Throws `forbidden`, `subscription_not_found`, `not_found`, and `validation_error`.
 */
export async function setOwnLimit(ctx: Context, input: SetInput): Promise<UsageLimits> {
  await demandOffered(ctx, 'customerLimits');
  checkAlert(input);
  const { currency, customerId } = await shownSubscription(ctx);
  const { measure, amount, thresholds, channels } = input;
  const budget = input.budget ?? null;
  const action = input.action ?? 'block';
  const kind = input.window ?? 'usage_window';
  if (budget !== null) await checkBudget(ctx, customerId, budget);
  const changes = {
    amount,
    ...(thresholds == null ? {} : { thresholds: thresholds.map((bps) => ({ bps })) }),
    ...(channels == null ? {} : { channels: channelsWith(channels) }),
  };
  await inTransaction(ctx, async (tx) => {
    // Concurrent requests must not create the same limit twice.
    await lockCustomer(tx.sql, customerId);
    const known = await findAlike(tx, customerId, { measure, currency, kind, action, budget });
    if (known !== null) await updateLimit(tx, { id: known.id, ...changes });
    else
      await createLimit(tx, {
        setBy: 'customer',
        scope: { customer: customerId, budget },
        measure,
        currency,
        window: { kind },
        action,
        channels: channelsWith(['customer_email']),
        ...changes,
      });
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
