import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { CommandResult } from '../../domain/subscription/aggregate.ts';
import type { Address, PendingCheckout } from '../../domain/subscription/rows.ts';
import { answered, executeOne, takeBack } from '../../engine/execute.ts';
import type { CardInput } from '../../gateway/sandbox.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';
import { orderBy } from './ordered.ts';
import { isOpen } from './state.ts';

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

/**
 * The answer of a checkout whose gateway has spoken. Throws `charge_in_progress` while it has not, and `payment_not_found` where what it was asked
 * about had been given up in another window.
 */
export async function checkoutResult(context: Context, subscriptionId: string, done: CommandResult): Promise<CheckoutResult> {
  const { status } = answered(done);
  const subscription = await requireSubscription(context, subscriptionId);
  if (status === 'unchanged' && isOpen(subscription)) {
    throw new QuittanceError('payment_not_found', 'No authentication is awaited at this checkout any more.');
  }
  return { status: status === 'requires_action' ? 'requires_action' : 'paid', subscription };
}

/** The attempt of a checkout that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({ pendingCheckout }: SubscriptionRow): PendingCheckout | null {
  // The engine is the only writer of the column and stores exactly this.
  const pending = pendingCheckout as PendingCheckout | null;
  return pending?.state === 'requires_action' ? pending : null;
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
  const awaited = awaitedAttempt(subscription)?.attemptId ?? null;
  const rest = { kind: 'checkout.pay', subscriptionId, billingAddress, taxDocument, promoCode, givenUp: awaited } as const;
  const order = await orderBy(context, subscription, input, (method) => ({ ...rest, method }));
  // A request that is made again waits for what it left.
  const { givenUp, instead } = await takeBack(context, context.journal?.left == null ? awaited : null);
  const done = instead ?? (await executeOne(context, subscription.customerId, { ...order, givenUp }));
  return checkoutResult(context, subscriptionId, done);
}
