import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { SeatCounts } from '../../../domain/rows/rows.ts';
import { maxChosenSeats } from '../../../domain/subscription/payments/checkout-choices.ts';
import type { Language } from '../../../domain/text/language.ts';
import { executeOne } from '../../../engine/execute.ts';
import { loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription } from '../../subscriptions/subscriptions/store.ts';
import { type CheckoutState, loadCheckout } from './load.ts';

/** Changes to an open checkout. Absent and `null` fields keep the current value. */
export type CheckoutChanges = {
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly seats?: SeatCounts | null | undefined;
  readonly locale?: Language | null | undefined;
};

/** Returns the command that changes a checkout. A command without changes is used only to determine the data to load. */
export const updateOf = (
  subscriptionId: string,
  { billingInterval = null, seats = null, locale = null }: CheckoutChanges = {},
  quoted: { readonly offerId?: string | null; readonly promoCode?: string | null } = {},
) => ({ kind: 'checkout.update', subscriptionId, billingInterval, seats, locale, quoted }) as const;

/**
 * Returns the part of the command that identifies the quoted offer, so that the offer is loaded with the other data that the command needs.
 */
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
 * Changes the interval, seats, or language of an open checkout and returns the checkout. Throws the command's error if
 * it's rejected, such as `price_not_found`, `included_limit_reached`, `offer_not_applicable`, `charge_in_progress`, and
 * `invalid_subscription_status`.
 */
export async function updateCheckout(
  ctx: Context,
  subscriptionId: string,
  changes: CheckoutChanges,
): Promise<CheckoutState> {
  const tooMany = Object.entries(changes.seats ?? {}).find(([, count]) => count > maxChosenSeats);
  if (tooMany !== undefined) {
    const message = `must be at most ${maxChosenSeats}`;
    throw validationError([{ field: `seats.${tooMany[0]}`, message }]);
  }
  const { customerId } = await requireSubscription(ctx, subscriptionId);
  await executeWithQuoted(ctx, customerId, subscriptionId, changes);
  ctx.forget();
  return loadCheckout(ctx, subscriptionId);
}

const maxOffers = 5;

/** Executes the command with the quoted offer. Retries if a concurrent request quoted a different offer after the quoted offer was read. */
async function executeWithQuoted(
  ctx: Context,
  customerId: string,
  subscriptionId: string,
  changes: CheckoutChanges,
): Promise<void> {
  let quoted = await quotedControls(ctx, subscriptionId);
  for (let count = 1; ; count++) {
    try {
      await executeOne(ctx, customerId, updateOf(subscriptionId, changes, quoted));
      return;
    } catch (error) {
      const isMissing = error instanceof QuittanceError && error.code === 'offer_not_found';
      if (!isMissing || count === maxOffers) throw error;
      ctx.forget();
      quoted = await quotedControls(ctx, subscriptionId);
    }
  }
}
