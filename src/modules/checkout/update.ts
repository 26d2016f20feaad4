import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import type { Language } from '../../domain/page-language.ts';
import type { SeatCounts } from '../../domain/subscription/state/rows.ts';
import { executeOne } from '../../engine/execute.ts';
import { loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { type CheckoutState, loadCheckout } from './load.ts';

/** What to change about an open checkout; absent and null mean to keep it. */
export type CheckoutChanges = {
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly seats?: SeatCounts | null | undefined;
  readonly locale?: Language | null | undefined;
};

/** The command that changes a checkout; of nothing it reads what a change of it would need. */
export const updateOf = (
  subscriptionId: string,
  { billingInterval = null, seats = null, locale = null }: CheckoutChanges = {},
  quoted: { readonly offerId?: string | null; readonly promoCode?: string | null } = {},
) => ({ kind: 'checkout.update', subscriptionId, billingInterval, seats, locale, quoted }) as const;

/** What a checkout is quoted with, as a choice whose offer is read with the decision. */
async function quotedControls(ctx: Context, subscriptionId: string) {
  const applications = await loadRowsBy(ctx, 'OfferApplication', 'subscriptionId', subscriptionId, 'seq');
  const quoted = applications.find(({ status }) => status === 'quoted');
  if (quoted === undefined) return {};
  const { offerId, promoCodeId, cardPromotionId } = quoted;
  if (cardPromotionId !== null) return { cardPromotionId };
  if (promoCodeId === null) return { offerId };
  return { promoCode: (await loadRow(ctx, 'PromoCode', promoCodeId))?.code ?? null };
}

/**
 * Changes the interval, the seats or the language of an open checkout, and answers it. Throws what the command rejects with, such as
 * `price_not_found`, `included_limit_reached`, `offer_not_applicable`, `charge_in_progress` and `invalid_subscription_status`; then nothing has changed.
 */
export async function updateCheckout(
  ctx: Context,
  subscriptionId: string,
  changes: CheckoutChanges,
): Promise<CheckoutState> {
  const { customerId } = await requireSubscription(ctx, subscriptionId);
  const quoted = await quotedControls(ctx, subscriptionId);
  await executeOne(ctx, customerId, updateOf(subscriptionId, changes, quoted));
  ctx.forget();
  return loadCheckout(ctx, subscriptionId);
}
