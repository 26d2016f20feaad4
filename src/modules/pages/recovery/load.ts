import { isPayable } from '../../../domain/subscription/lifecycle/payer-collection.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';

/** State of a page where a payer enters a card. */
export type CardRequest = {
  readonly subscription: SubscriptionRow;
  readonly customer: Row<'Customer'>;
  readonly plan: Row<'Plan'>;
  /** Invoice that is paid with the card. `null` if the card is only stored. */
  readonly invoice: Row<'Invoice'> | null;
  /** Outstanding invoice of the subscription if the card is only stored. `null` if the subscription has no outstanding invoice. */
  readonly owed: Row<'Invoice'> | null;
  /** `open`: the page accepts a card. `paid`: the invoice is paid. `closed`: no card is required. */
  readonly status: 'open' | 'paid' | 'closed';
  /** URL that the payer returns to. `null` if the payer stays on the page. */
  readonly successUrl: string | null;
  /** Pending payment of the invoice. `null` if no payment is pending. */
  readonly collection: Row<'Transaction'> | null;
};

/** Returns the subject of the caller's page token. */
export function pageSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A page was requested without its token.');
  return ctx.caller.subjectId;
}

const peopleOf = async (ctx: Context, subscription: SubscriptionRow) => ({
  subscription,
  customer: await loadExistingRow(ctx, 'Customer', subscription.customerId),
  plan: await loadExistingRow(ctx, 'Plan', subscription.planId),
});

/**
 * Returns the subscription and invoice of the caller's recovery token. Throws `subscription_not_found` if the invoice doesn't belong to a
 * subscription.
 */
export async function recoverySubject(
  ctx: Context,
  invoiceId = pageSubject(ctx),
): Promise<{ subscription: SubscriptionRow; invoice: Row<'Invoice'> }> {
  const invoice = await loadRow(ctx, 'Invoice', invoiceId);
  const subscription = await requireSubscription(ctx, invoice?.subscriptionId ?? '');
  if (invoice === null) throw new Error('The invoice of the subscription is missing.');
  return { subscription, invoice };
}

/** Returns the pending payment of an invoice. `null` if no payment is pending. */
async function pendingOf(ctx: Context, invoiceId: string): Promise<Row<'Transaction'> | null> {
  const attempts = await loadRowsBy(ctx, 'Transaction', 'invoiceId', invoiceId, 'seq');
  return attempts.findLast(({ status, stage }) => status === 'pending' && stage !== 'requested') ?? null;
}

/**
 * Loads the payment page of an invoice. It shows the invoice in dunning, the invoice of a declined reactivation, or an invoice that was
 * left to the customer, while the invoice can be paid (SUB-32, SUB-35, INS-24).
 */
export async function loadRecovery(ctx: Context, invoiceId = pageSubject(ctx)): Promise<CardRequest> {
  const { subscription, invoice } = await recoverySubject(ctx, invoiceId);
  const isOpen = isPayable(subscription, invoice);
  const status = isOpen ? 'open' : invoice.status === 'paid' ? 'paid' : 'closed';
  return {
    ...(await peopleOf(ctx, subscription)),
    invoice,
    owed: null,
    status,
    successUrl: subscription.successUrl,
    collection: isOpen ? await pendingOf(ctx, invoice.id) : null,
  };
}

/** Returns the subscription and the return URL of the caller's page token. */
export function methodSubject(ctx: Context): { readonly id: string; readonly successUrl: string | null } {
  const [id = '', successUrl = null] = pageSubject(ctx).split(' ');
  return { id, successUrl };
}

/** Loads the page for replacing the payment method (SUB-36). Throws `subscription_not_found`. */
export async function loadMethodUpdate(ctx: Context): Promise<CardRequest> {
  const { id, successUrl } = methodSubject(ctx);
  const subscription = await requireSubscription(ctx, id);
  const status = statusRejections.updateMethod[subscription.status] === undefined ? 'open' : 'closed';
  const { dunningInvoiceId } = subscription;
  const owed = dunningInvoiceId === null ? null : await loadExistingRow(ctx, 'Invoice', dunningInvoiceId);
  return {
    ...(await peopleOf(ctx, subscription)),
    invoice: null,
    owed,
    status,
    successUrl,
    collection: null,
  };
}
