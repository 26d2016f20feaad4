import type { Context } from '../../context.ts';
import { customerLanguage } from '../../domain/page-language.ts';
import { isAtCheckout } from '../../domain/subscription/invoicing/charging.ts';
import { asLedTo } from '../../domain/subscription/payments/checkout-quote.ts';
import { trialDaysOf } from '../../domain/subscription/pricing/offering.ts';
import type { ApplicationPhase } from '../../domain/subscription/state/rows.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { hostedUrl } from '../invoices/sign-link.ts';
import { findPaidSince } from '../invoices/store.ts';
import { loadBoundPrice } from '../subscriptions/load-terms.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** Everything the checkout page shows, and nothing of anybody else. */
export type CheckoutState = {
  /** On the plan and price the checkout leads to. */
  readonly subscription: SubscriptionRow;
  readonly customer: Row<'Customer'>;
  readonly plan: Row<'Plan'>;
  /** The first invoice while the checkout is open; null when only a method is stored, and afterwards. */
  readonly invoice: Row<'Invoice'> | null;
  /** List price per interval, minor units; null when the plan is free. */
  readonly priceMinor: bigint | null;
  /** The terms the checkout shows; null without an offer or trial, and once it is over. */
  readonly offer: Row<'OfferApplication'> | null;
};

/** What a checkout is about: `open` can be completed; `paid` was; `canceled` cannot be any more. */
export type CheckoutStatus = 'open' | 'paid' | 'canceled';

/** What the payer does next. */
export type CheckoutStep = 'pay' | 'authenticate' | 'wait' | 'none';

/** The subscription that the caller's page token names. Throws for other callers: access lets none of them through. */
export function checkoutSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('The checkout was asked for without a page token.');
  return ctx.caller.subjectId;
}

/** Reads what the page shows of the checkout of a subscription. Throws `subscription_not_found`. */
export async function loadCheckout(ctx: Context, subscriptionId: string): Promise<CheckoutState> {
  const stored = await requireSubscription(ctx, subscriptionId);
  const { checkoutInvoiceId } = stored;
  const invoice = checkoutInvoiceId === null ? null : await loadRow(ctx, 'Invoice', checkoutInvoiceId);
  const subscription = asLedTo(stored, invoice);
  const [customer, plan, price, offers] = await Promise.all([
    loadExistingRow(ctx, 'Customer', subscription.customerId),
    loadExistingRow(ctx, 'Plan', subscription.planId),
    loadBoundPrice(ctx, subscription),
    loadRowsBy(ctx, 'OfferApplication', 'subscriptionId', subscription.id, 'seq'),
  ]);
  const offer = offers.find(({ status }) => status === 'quoted') ?? null;
  return { subscription, customer, plan, invoice, priceMinor: price?.amountMinor ?? null, offer };
}

/** Days of the free trial the terms of a checkout begin with; 0 without one. */
export const freeDays = (offer: { readonly phases: readonly ApplicationPhase[] } | null): number =>
  trialDaysOf(offer?.phases ?? []);

/** Whether the checkout of a subscription can still be completed. */
export const isOpen = ({
  status,
  checkoutInvoiceId,
}: Pick<SubscriptionRow, 'status' | 'checkoutInvoiceId'>): boolean =>
  status === 'pending_payment' || (status === 'active' && checkoutInvoiceId !== null);

/** Whether the checkout can still be completed, or how it ended. */
export function statusOf({ subscription }: CheckoutState): CheckoutStatus {
  const { status, activatedAt } = subscription;
  if (isOpen(subscription)) return 'open';
  if (status === 'canceled' && activatedAt === null) return 'canceled';
  return 'paid';
}

/** Who of a checkout names a language: its choices, and its customer. */
export const spokenAt = ({
  subscription: { selection },
  customer,
}: {
  readonly subscription: Pick<SubscriptionRow, 'selection'>;
  readonly customer: Row<'Customer'>;
}) => ({ session: selection.locale, customer: customerLanguage(customer) });

/** Whether money is taken, or a method is only stored for later. */
export const kindOf = ({ invoice }: CheckoutState): 'payment' | 'setup' =>
  invoice !== null && invoice.total > 0n ? 'payment' : 'setup';

/** What the payer does next; `wait` while the gateway has not answered. */
export function stepOf(checkout: CheckoutState): CheckoutStep {
  if (statusOf(checkout) !== 'open') return 'none';
  const pending = checkout.subscription.pendingCheckout;
  if (pending === null || !isAtCheckout(pending)) return 'pay';
  return pending.state === 'requires_action' ? 'authenticate' : 'wait';
}

/** How long after its payment a checkout leads to the invoice: the link of a checkout is good for longer, and may have been passed on. */
const receiptMs = 24 * 3_600_000;

/** The page of the invoice a checkout was paid with; null before, a day later, and where nothing was charged. */
export async function loadReceiptUrl(ctx: Context, checkout: CheckoutState): Promise<string | null> {
  if (statusOf(checkout) !== 'paid') return null;
  const since = new Date(ctx.clock.now().getTime() - receiptMs);
  const invoice = await findPaidSince(ctx, checkout.subscription.id, since);
  return invoice === null ? null : hostedUrl(ctx, invoice.id);
}
