import { specificError } from '../../../domain/errors/errors.ts';
import type { Address, PendingCheckout } from '../../../domain/rows/rows.ts';
import { isAtCheckout } from '../../../domain/subscription/invoicing/charging.ts';
import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import { answered, cancelAuthentication, executeOne } from '../../../engine/execute.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { CardInput } from '../../../providers/sandbox.ts';
import type { BankAccountInput } from '../../../providers/sandbox-debits.ts';
import type { Context } from '../../../request/context.ts';
import { findSubscriptionWithSameEmail } from '../../customers/customers/store.ts';
import { type ChosenCard, demandOneMethod } from '../../payments/connections/load-saved-card.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';
import { connectionOf } from '../../payments/connections/store-method.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { awaitedAttempt } from './authenticate-card.ts';
import { requireEnabled } from './check-enabled.ts';
import { addressWithPhone, demandDetails } from './check-order.ts';
import { isOpen } from './load.ts';
import { checkoutConnection, chosenCard, commandFor } from './store-method.ts';

/** Payment details that the payer entered at a subscription's checkout. */
export type PayCheckoutInput = {
  readonly subscriptionId: string;
  /** Card details. Set only if the platform's payment provider collects the payment. */
  readonly card?: CardInput | null | undefined;
  /**
   * Payment method ID that the page received from Stripe. Set only if the organization's own account
   * collects the payment.
   */
  readonly paymentMethod?: string | null | undefined;
  /** Bank account that the payer entered. Replaces `card` and `paymentMethod`. */
  readonly bankAccount?: BankAccountInput | null | undefined;
  /** Stored card of the customer with its security code. Replaces `card` and `paymentMethod`. */
  readonly savedMethod?: ChosenCard | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  /** Phone number to add to the stored address. Ignored if the payer enters a billing address. */
  readonly phone?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** Name of the purchasing company. */
  readonly companyName?: string | null | undefined;
  /** Promo code, case-insensitive. An accepted code applies to the checkout even if the payment fails. */
  readonly promoCode?: string | null | undefined;
  readonly consent?: boolean | null | undefined;
};

/** Result of a payment at checkout, with the updated subscription. */
export type CheckoutResult = {
  readonly status: 'paid' | 'processing' | 'requires_action';
  readonly subscription: SubscriptionRow;
};

/**
 * Returns the checkout result after the payment provider has responded. Throws `charge_in_progress` if the provider hasn't responded, and
 * `payment_not_found` if no authentication is pending, for example because the payer canceled the attempt in another browser window.
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
  if (status === 'requires_action') return { status, subscription };
  return { status: isOpen(subscription) && status === 'collecting' ? 'processing' : 'paid', subscription };
}

/** Returns the checkout attempt that requires the payer to authenticate. `null` if no attempt requires authentication. */
export function awaitedAtCheckout(subscription: SubscriptionRow): PendingCheckout | null {
  const awaited = awaitedAttempt(subscription);
  return awaited !== null && isAtCheckout(awaited) ? awaited : null;
}

/**
 * Completes a subscription's open checkout: charges the card, or only stores it (SUB-15 … SUB-18). If the card is
 * declined, records one failed transaction and throws `charge_failed` with `details.declineCode`; the payer can try
 * again. Throws `payment_method_not_found` if a stored card isn't offered, `validation_error` if the card is invalid,
 * `provider_unsupported` if the card belongs to another connection, `invalid_subscription_status`, and
 * `charge_in_progress`. For a promo code, throws `promo_code_not_found`, `promo_code_expired`, `offer_not_applicable`
 * with `details.reason` (OFR-34), and `forbidden` if promo codes are turned off.
 */
export async function payCheckout(ctx: Context, input: PayCheckoutInput): Promise<CheckoutResult> {
  const { subscriptionId, taxDocument = null, promoCode = null } = input;
  demandOneMethod(input);
  const subscription = await requireSubscription(ctx, subscriptionId);
  const customer = await loadExistingRow(ctx, 'Customer', subscription.customerId);
  const billingAddress = addressWithPhone(customer, input);
  const typed = { ...input, billingAddress };
  if (isOpen(subscription)) await demandDetails(ctx, customer, typed);
  await requireEnabled(ctx, input);
  const awaited = awaitedAttempt(subscription)?.attemptId ?? null;
  const rest = {
    kind: 'checkout.pay',
    subscriptionId,
    billingAddress,
    taxDocument,
    companyName: input.companyName ?? null,
    promoCode,
    consent: input.consent === true,
    heldSubscriptionId: await findSubscriptionWithSameEmail(ctx, customer.id),
    abandoned: awaited,
  } as const;
  const { savedMethod = null } = input;
  const command =
    savedMethod === null
      ? await commandFor(ctx, subscription, typed, (method) => ({ ...rest, method }))
      : { ...rest, ...(await chosenCard(ctx, subscription, savedMethod, billingAddress?.country)) };
  // A repeated request continues the attempt that the first request started.
  const { abandoned, instead } = await cancelAuthentication(
    ctx,
    ctx.resumeLog?.left == null ? awaited : null,
  );
  const done = instead ?? (await executeOne(ctx, subscription.customerId, { ...command, abandoned }));
  return checkoutResult(ctx, subscriptionId, done);
}

/**
 * Returns the account whose card fields the page shows. During an authentication, returns the account that started the
 * payment (PAY-14).
 */
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
