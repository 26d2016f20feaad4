import { customerLanguage } from '../../../domain/pages/page-language.ts';
import type { ApplicationPhase } from '../../../domain/rows/rows.ts';
import { checkoutExpiredReason } from '../../../domain/subscription/commands/checkout-expiry.ts';
import { isAtCheckout } from '../../../domain/subscription/invoicing/charging.ts';
import { withChangeTarget } from '../../../domain/subscription/payments/checkout-quote.ts';
import { trialDaysOf } from '../../../domain/subscription/pricing/offering.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { hostedUrl } from '../../invoices/invoices/sign-link.ts';
import { findPaidSince } from '../../invoices/invoices/store.ts';
import { loadBoundPrice } from '../../subscriptions/subscriptions/load-terms.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';

/** State of a checkout as shown on the checkout page. */
export type CheckoutState = {
  readonly subscription: SubscriptionRow;
  readonly customer: Row<'Customer'>;
  readonly plan: Row<'Plan'>;
  /** First invoice of an open checkout. `null` if the checkout isn't open or only stores the payment method. */
  readonly invoice: Row<'Invoice'> | null;
  /** List price per interval in minor units. `null` if the plan is free. */
  readonly priceMinor: bigint | null;
  /** Offer terms that the checkout shows. `null` if the checkout isn't open or has no offer or trial. */
  readonly offer: Row<'OfferApplication'> | null;
  /** Pending payment of the checkout. `null` if no payment is pending. */
  readonly collection: Row<'Transaction'> | null;
};

/** Checkout status: `open` (can be completed), `paid`, `canceled`, or `expired` (not completed in time). */
export type CheckoutStatus = 'open' | 'paid' | 'canceled' | 'expired';

/** Cancellation reasons of subscriptions whose checkout wasn't completed in time. */
const expiredReasons: readonly string[] = [checkoutExpiredReason, 'checkout_abandoned'];

export type CheckoutStep = 'pay' | 'authenticate' | 'wait' | 'none';

/** Returns the subscription ID of the caller's page token. Throws for other callers, which the access rules already reject. */
export function checkoutSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A checkout was requested without its token.');
  return ctx.caller.subjectId;
}

/** Loads the state of a subscription's checkout. Throws `subscription_not_found`. */
export async function loadCheckout(ctx: Context, subscriptionId: string): Promise<CheckoutState> {
  const stored = await requireSubscription(ctx, subscriptionId);
  const { checkoutInvoiceId } = stored;
  const invoice = checkoutInvoiceId === null ? null : await loadRow(ctx, 'Invoice', checkoutInvoiceId);
  const subscription = withChangeTarget(stored, invoice);
  const [customer, plan, price, offers] = await Promise.all([
    loadExistingRow(ctx, 'Customer', subscription.customerId),
    loadExistingRow(ctx, 'Plan', subscription.planId),
    loadBoundPrice(ctx, subscription),
    loadRowsBy(ctx, 'OfferApplication', 'subscriptionId', subscription.id, 'seq'),
  ]);
  const offer = offers.find(({ status }) => status === 'quoted') ?? null;
  const { pendingCheckout } = subscription;
  const collection =
    pendingCheckout?.state === 'collecting'
      ? await loadExistingRow(ctx, 'Transaction', pendingCheckout.attemptId)
      : null;
  return { subscription, customer, plan, invoice, priceMinor: price?.amountMinor ?? null, offer, collection };
}

/** Returns the free trial length of a checkout's offer, in days. 0 if the offer doesn't start with a trial. */
export const freeDays = (offer: { readonly phases: readonly ApplicationPhase[] } | null): number =>
  trialDaysOf(offer?.phases ?? []);

/** True if a subscription's checkout can be completed. */
export const isOpen = ({
  status,
  checkoutInvoiceId,
}: Pick<SubscriptionRow, 'status' | 'checkoutInvoiceId'>): boolean =>
  status === 'pending_payment' || (status === 'active' && checkoutInvoiceId !== null);

export function statusOf({ subscription }: CheckoutState): CheckoutStatus {
  const { status, activatedAt, cancelReason } = subscription;
  if (isOpen(subscription)) return 'open';
  if (status === 'canceled' && activatedAt === null)
    return expiredReasons.includes(cancelReason ?? '') ? 'expired' : 'canceled';
  return 'paid';
}

/** Returns the languages for a checkout: the language selected for the checkout, and the customer's language. */
export const spokenAt = ({
  subscription: { selection },
  customer,
}: {
  readonly subscription: Pick<SubscriptionRow, 'selection'>;
  readonly customer: Row<'Customer'>;
}) => ({ session: selection.locale, customer: customerLanguage(customer) });

/** Returns `payment` if the checkout charges the card, and `setup` if it only stores the card. */
export const kindOf = ({ invoice }: CheckoutState): 'payment' | 'setup' =>
  invoice !== null && invoice.total > 0n ? 'payment' : 'setup';

/** Returns the payer's next step, such as `wait` while the payment provider hasn't responded. */
export function stepOf(checkout: CheckoutState): CheckoutStep {
  if (statusOf(checkout) !== 'open') return 'none';
  const pending = checkout.subscription.pendingCheckout;
  if (pending === null || !isAtCheckout(pending)) return 'pay';
  // The payer can still choose another way to pay while the instructions can be followed.
  if (checkout.collection?.stage === 'awaiting_payer') return 'pay';
  return pending.state === 'requires_action' ? 'authenticate' : 'wait';
}

/** Time after payment during which a checkout links to the invoice. Limited because the checkout URL may have been forwarded. */
const receiptMs = 24 * 3_600_000;

/** Returns the URL of the paid invoice's hosted page. `null` if the checkout isn't paid, was paid more than a day ago, or charged nothing. */
export async function loadReceiptUrl(ctx: Context, checkout: CheckoutState): Promise<string | null> {
  if (statusOf(checkout) !== 'paid') return null;
  const since = new Date(ctx.clock.now().getTime() - receiptMs);
  const invoice = await findPaidSince(ctx, checkout.subscription.id, since);
  return invoice === null ? null : hostedUrl(ctx, invoice.id);
}
