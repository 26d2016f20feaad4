import type { Context } from '../../context.ts';
import type { ApplicationPhase, PendingCheckout, Purchase } from '../../domain/subscription/rows.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';
import { loadBoundPrice } from '../subscriptions/terms.ts';

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

/** The subscription the caller's page token stands for. Throws for other callers: access lets none of them through. */
export function checkoutSubject(context: Context): string {
  if (context.caller.kind !== 'page') throw new Error('The checkout was asked for without a page token.');
  return context.caller.subjectId;
}

/** Reads what the page shows of the checkout the caller's token stands for. Throws `subscription_not_found`. */
export async function loadCheckout(context: Context): Promise<CheckoutState> {
  const stored = await requireSubscription(context, checkoutSubject(context));
  const { checkoutInvoiceId } = stored;
  const invoice = checkoutInvoiceId === null ? null : await loadRow(context, 'Invoice', checkoutInvoiceId);
  const subscription = afterChange(stored, invoice);
  const [customer, plan, price, offers] = await Promise.all([
    loadExistingRow(context, 'Customer', subscription.customerId),
    loadExistingRow(context, 'Plan', subscription.planId),
    loadBoundPrice(context, subscription),
    loadRowsBy(context, 'OfferApplication', 'subscriptionId', subscription.id, 'seq'),
  ]);
  const offer = offers.find(({ status }) => status === 'quoted') ?? null;
  return { subscription, customer, plan, invoice, priceMinor: price?.amountMinor ?? null, offer };
}

/** The subscription on the plan and price its open checkout leads to, where that is for a change of plan (SUB-47). */
function afterChange(subscription: SubscriptionRow, invoice: Row<'Invoice'> | null): SubscriptionRow {
  // The engine is the only writer of the column and stores exactly these.
  const purchase = (invoice?.purchase ?? null) as unknown as Purchase | null;
  if (purchase === null || !('toPlanId' in purchase)) return subscription;
  const { toPlanId: planId, priceId, billingInterval, currency, marketId } = purchase;
  return { ...subscription, planId, priceId, billingInterval, currency, marketId };
}

/** Days of the free trial a checkout leads to; 0 without one. */
export function trialDaysOf({ offer }: CheckoutState): number {
  // The engine is the only writer of the column and stores exactly these.
  const [first] = (offer?.phases ?? []) as unknown as ApplicationPhase[];
  return first?.type === 'free_trial' ? first.durationDays : 0;
}

/** Whether the checkout of a subscription can still be completed. */
export const isOpen = ({ status, checkoutInvoiceId }: Pick<SubscriptionRow, 'status' | 'checkoutInvoiceId'>): boolean =>
  status === 'pending_payment' || (status === 'active' && checkoutInvoiceId !== null);

/** Whether the checkout can still be completed, or how it ended. */
export function statusOf({ subscription }: CheckoutState): CheckoutStatus {
  const { status, activatedAt } = subscription;
  if (isOpen(subscription)) return 'open';
  if (status === 'canceled' && activatedAt === null) return 'canceled';
  return 'paid';
}

/** Whether money is taken, or a method is only stored for later. */
export const kindOf = ({ invoice }: CheckoutState): 'payment' | 'setup' => (invoice !== null && invoice.total > 0n ? 'payment' : 'setup');

/** What the payer does next; `wait` while the gateway has not answered. */
export function stepOf(checkout: CheckoutState): CheckoutStep {
  if (statusOf(checkout) !== 'open') return 'none';
  // The engine is the only writer of the column and stores exactly this.
  const pending = checkout.subscription.pendingCheckout as unknown as PendingCheckout | null;
  if (pending === null) return 'pay';
  return pending.state === 'requires_action' ? 'authenticate' : 'wait';
}
