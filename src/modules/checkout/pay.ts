import type { Context } from '../../context.ts';
import type { CommandResult } from '../../domain/subscription/aggregate.ts';
import type { Address, PendingCheckout } from '../../domain/subscription/rows.ts';
import { answered, executeOne, KeptRefusalError, settleOne } from '../../engine/execute.ts';
import type { CardInput } from '../../gateway/sandbox.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';
import { orderBy } from './ordered.ts';

/** What the payer typed in at the checkout of a subscription. */
export type PayCheckoutInput = {
  readonly subscriptionId: string;
  /** The card, where the platform's own rail takes it. */
  readonly card?: CardInput | null | undefined;
  /** What the page got from Stripe for the card it collected, where an account of the organization takes it. */
  readonly paymentMethod?: string | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** In any case; an accepted code prices the checkout anew, whatever becomes of the payment. */
  readonly promoCode?: string | null | undefined;
};

/** How a payment at the checkout stands, and the subscription as it then is (protocols D4). */
export type CheckoutResult = { readonly status: 'paid' | 'requires_action'; readonly subscription: SubscriptionRow };

/** The answer of a checkout whose gateway has spoken. Throws `charge_in_progress` while it has not. */
export async function checkoutResult(context: Context, subscriptionId: string, done: CommandResult): Promise<CheckoutResult> {
  const { status } = answered(done);
  const subscription = await requireSubscription(context, subscriptionId);
  return { status: status === 'requires_action' ? 'requires_action' : 'paid', subscription };
}

/** The attempt of a checkout that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({ pendingCheckout }: SubscriptionRow): string | null {
  // The engine is the only writer of the column and stores exactly this.
  const pending = pendingCheckout as PendingCheckout | null;
  return pending?.state === 'requires_action' ? pending.attemptId : null;
}

/**
 * Takes back, at a processor, the attempt whose payer was to authenticate, so that only the new one can take money. Answers how the checkout
 * stands when it was too late for that; null when it can be paid anew.
 */
async function takeBack(context: Context, subscription: SubscriptionRow): Promise<CommandResult | null> {
  const attemptId = context.journal?.left == null ? awaitedAttempt(subscription) : null;
  if (attemptId === null) return null;
  try {
    return await settleOne(context, attemptId, 'cancel');
  } catch (error) {
    if (error instanceof KeptRefusalError && error.code === 'charge_failed') return null;
    throw error;
  }
}

/**
 * Pays or sets up the open checkout of a subscription with a card (SUB-15 … SUB-18). A decline throws `charge_failed` with
 * `details.declineCode` after one failed transaction is recorded; nothing else changes and the checkout can be tried again. Throws
 * `validation_error` for the card, `provider_unsupported` where it is typed in for another connection than the checkout's, `invalid_subscription_status`, `charge_in_progress`, and for a promo
 * code `promo_code_not_found`, `promo_code_expired` and `offer_not_applicable` with `details.reason` (OFR-34).
 */
export async function payCheckout(context: Context, input: PayCheckoutInput): Promise<CheckoutResult> {
  const { subscriptionId, billingAddress = null, taxDocument = null, promoCode = null } = input;
  const subscription = await requireSubscription(context, subscriptionId);
  const rest = { kind: 'checkout.pay', subscriptionId, billingAddress, taxDocument, promoCode } as const;
  const order = await orderBy(context, subscription, input, (method) => ({ ...rest, method }));
  const before = await takeBack(context, subscription);
  if (before !== null) return checkoutResult(context, subscriptionId, before);
  return checkoutResult(context, subscriptionId, await executeOne(context, subscription.customerId, order));
}
