import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { isAtCheckout } from '../../domain/subscription/invoicing/charging.ts';
import type { CommandResult } from '../../domain/subscription/state/aggregate.ts';
import type { Address, PendingCheckout } from '../../domain/subscription/state/rows.ts';
import { answered, executeOne, takeBack } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { CardInput } from '../../providers/sandbox.ts';
import { type ChosenCard, demandOneMethod } from '../payment-connections/load-saved-card.ts';
import type { ConnectionRow } from '../payment-connections/store.ts';
import { connectionOf } from '../payment-connections/store-method.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';
import { awaitedAttempt } from './authenticate-card.ts';
import { addressWithPhone, demandDetails } from './check-order.ts';
import { isOpen } from './load.ts';
import { checkoutConnection, chosenCard, commandFor } from './store-method.ts';

/** What the payer typed in at the checkout of a subscription. */
export type PayCheckoutInput = {
  readonly subscriptionId: string;
  /** The card, where the platform's own processor takes it. */
  readonly card?: CardInput | null | undefined;
  /** What the page got from Stripe for the card it collected, where an account of the organization takes it. */
  readonly paymentMethod?: string | null | undefined;
  /** The stored card of the customer and its security code, in the place of both. */
  readonly savedMethod?: ChosenCard | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  /** The telephone number of the payer, where the address on file stays otherwise. */
  readonly phone?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** The name of the company that buys. */
  readonly companyName?: string | null | undefined;
  /** In any case; an accepted code prices the checkout again, whatever becomes of the payment. */
  readonly promoCode?: string | null | undefined;
  /** Whether the payer accepted the terms of the seller. */
  readonly consent?: boolean | null | undefined;
};

/** How a payment at the checkout stands, and the subscription as it is at that time. */
export type CheckoutResult = {
  readonly status: 'paid' | 'requires_action';
  readonly subscription: SubscriptionRow;
};

/**
 * The answer of a checkout whose gateway has spoken. Throws `charge_in_progress` while it has not, and `payment_not_found` where what it was asked
 * about had been given up in another window.
 */
export async function checkoutResult(
  ctx: Context,
  subscriptionId: string,
  done: CommandResult,
): Promise<CheckoutResult> {
  const { status } = answered(done);
  const subscription = await requireSubscription(ctx, subscriptionId);
  if (status === 'unchanged' && isOpen(subscription)) {
    throw specificError('payment_not_found', 'no_checkout_authentication');
  }
  return { status: status === 'requires_action' ? 'requires_action' : 'paid', subscription };
}

/** The attempt at a checkout that waits for its payer to authenticate; null when none does. */
export function awaitedAtCheckout(subscription: SubscriptionRow): PendingCheckout | null {
  const awaited = awaitedAttempt(subscription);
  return awaited !== null && isAtCheckout(awaited) ? awaited : null;
}

/**
 * Pays or sets up the open checkout of a subscription with a card (SUB-15 … SUB-18). A decline throws `charge_failed` with
 * `details.declineCode` after one failed transaction is recorded; nothing else changes and the checkout can be tried again. Throws
 * `payment_method_not_found` for a stored card that is not offered, `validation_error` for the card, `provider_unsupported` where it is typed in for another connection than the checkout's, `invalid_subscription_status`, `charge_in_progress`, and for a promo
 * code `promo_code_not_found`, `promo_code_expired` and `offer_not_applicable` with `details.reason` (OFR-34), `forbidden` where the seller takes none.
 */
export async function payCheckout(ctx: Context, input: PayCheckoutInput): Promise<CheckoutResult> {
  const { subscriptionId, taxDocument = null, promoCode = null } = input;
  demandOneMethod(input);
  const subscription = await requireSubscription(ctx, subscriptionId);
  const customer = await loadExistingRow(ctx, 'Customer', subscription.customerId);
  const billingAddress = addressWithPhone(customer, input);
  const typed = { ...input, billingAddress };
  if (isOpen(subscription)) await demandDetails(ctx, customer, typed);
  const awaited = awaitedAttempt(subscription)?.attemptId ?? null;
  const rest = {
    kind: 'checkout.pay',
    subscriptionId,
    billingAddress,
    taxDocument,
    companyName: input.companyName ?? null,
    promoCode,
    consent: input.consent === true,
    abandoned: awaited,
  } as const;
  const { savedMethod = null } = input;
  const command =
    savedMethod === null
      ? await commandFor(ctx, subscription, typed, (method) => ({ ...rest, method }))
      : { ...rest, ...(await chosenCard(ctx, subscription, savedMethod, billingAddress?.country)) };
  // A request that is made again waits for what it left.
  const { abandoned, instead } = await takeBack(ctx, ctx.resumeLog?.left == null ? awaited : null);
  const done = instead ?? (await executeOne(ctx, subscription.customerId, { ...command, abandoned }));
  return checkoutResult(ctx, subscriptionId, done);
}

/** The account whose fields the page shows: while its payer has to authenticate, the one the payment was begun at (PAY-14). */
export function shownConnection(
  ctx: Context,
  subscription: SubscriptionRow,
  country?: string | null,
): Promise<ConnectionRow | null> {
  const awaited = awaitedAtCheckout(subscription);
  return awaited === null
    ? checkoutConnection(ctx, subscription, country)
    : connectionOf(ctx, awaited.method);
}
