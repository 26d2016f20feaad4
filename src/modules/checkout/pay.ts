import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Address } from '../../domain/subscription/rows.ts';
import { executeOne } from '../../engine/execute.ts';
import { type CardInput, vaultCard } from '../../gateway/sandbox.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';

/** What the payer typed in at the checkout of a subscription. */
export type PayCheckoutInput = {
  readonly subscriptionId: string;
  readonly card: CardInput;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** In any case; an accepted code prices the checkout anew, whatever becomes of the payment. */
  readonly promoCode?: string | null | undefined;
};

/** How a payment at the checkout stands, and the subscription as it then is (protocols D4). */
export type CheckoutResult = { readonly status: 'paid' | 'requires_action'; readonly subscription: SubscriptionRow };

/** The answer of a checkout whose gateway has spoken. Throws `charge_in_progress` while it has not. */
export async function checkoutResult(context: Context, subscriptionId: string, status: string): Promise<CheckoutResult> {
  if (status === 'unanswered' || status === 'charging') {
    throw new QuittanceError('charge_in_progress', 'The payment is under way; its outcome is not known yet.');
  }
  const subscription = await requireSubscription(context, subscriptionId);
  return { status: status === 'requires_action' ? 'requires_action' : 'paid', subscription };
}

/**
 * Pays or sets up the open checkout of a subscription with a card (SUB-15 … SUB-18). A decline throws `charge_failed` with
 * `details.declineCode` after one failed transaction is recorded; nothing else changes and the checkout can be tried again. Throws
 * `validation_error` for the card, `provider_unsupported` in live mode, `invalid_subscription_status`, `charge_in_progress`, and for a promo
 * code `promo_code_not_found`, `promo_code_expired` and `offer_not_applicable` with `details.reason` (OFR-34).
 */
export async function payCheckout(context: Context, input: PayCheckoutInput): Promise<CheckoutResult> {
  const { subscriptionId, card, billingAddress = null, taxDocument = null, promoCode = null } = input;
  const { customerId } = await requireSubscription(context, subscriptionId);
  // The built-in rail only knows test cards, and those are for the sandbox (PLT-3).
  if (context.livemode) throw new QuittanceError('provider_unsupported', 'No payment connection that can charge live cards is set up.');
  const method = vaultCard(card, context.wall.now());
  const { status } = await executeOne(context, customerId, {
    kind: 'checkout.pay',
    subscriptionId,
    method,
    billingAddress,
    taxDocument,
    promoCode,
  });
  return checkoutResult(context, subscriptionId, status);
}
