import type { Context } from '../../context.ts';
import { statusRejections } from '../../domain/subscription/state/transitions.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** What a page that asks for a card shows, and nothing of anybody else. */
export type CardRequest = {
  readonly subscription: SubscriptionRow;
  readonly customer: Row<'Customer'>;
  readonly plan: Row<'Plan'>;
  /** What is to be paid; null where a card is only stored. */
  readonly invoice: Row<'Invoice'> | null;
  /** What the subscription owes besides, where a card is only stored; null when nothing is. */
  readonly owed: Row<'Invoice'> | null;
  /** `open` takes a card; `paid` has been paid; `closed` has nothing to ask for any more. */
  readonly status: 'open' | 'paid' | 'closed';
  /** Where the page leads back to; null to stay. */
  readonly successUrl: string | null;
};

function subjectOf(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A page was asked for without its token.');
  return ctx.caller.subjectId;
}

const peopleOf = async (ctx: Context, subscription: SubscriptionRow) => ({
  subscription,
  customer: await loadExistingRow(ctx, 'Customer', subscription.customerId),
  plan: await loadExistingRow(ctx, 'Plan', subscription.planId),
});

/** The subscription and invoice that the caller's recovery token names. Throws `subscription_not_found` for an invoice of none. */
export async function recoverySubject(
  ctx: Context,
): Promise<{ subscription: SubscriptionRow; invoice: Row<'Invoice'> }> {
  const invoice = await loadRow(ctx, 'Invoice', subjectOf(ctx));
  const subscription = await requireSubscription(ctx, invoice?.subscriptionId ?? '');
  if (invoice === null) throw new Error('A subscription was found by an invoice that does not exist.');
  return { subscription, invoice };
}

/** What the recovery page shows: the invoice in dunning, or that of a declined new start, while it can be paid (SUB-32, SUB-35). */
export async function loadRecovery(ctx: Context): Promise<CardRequest> {
  const { subscription, invoice } = await recoverySubject(ctx);
  const isWanted =
    subscription.status === 'canceled'
      ? invoice.type === 'reactivation'
      : subscription.dunningInvoiceId === invoice.id;
  const isOpen = invoice.status === 'outstanding' && isWanted;
  const status = isOpen ? 'open' : invoice.status === 'paid' ? 'paid' : 'closed';
  return {
    ...(await peopleOf(ctx, subscription)),
    invoice,
    owed: null,
    status,
    successUrl: subscription.successUrl,
  };
}

/** The subscription and the return address the caller's token carries. */
export function methodSubject(ctx: Context): { readonly id: string; readonly successUrl: string | null } {
  const [id = '', successUrl = null] = subjectOf(ctx).split(' ');
  return { id, successUrl };
}

/** What the page for another card shows (SUB-36). Throws `subscription_not_found`. */
export async function loadMethodUpdate(ctx: Context): Promise<CardRequest> {
  const { id, successUrl } = methodSubject(ctx);
  const subscription = await requireSubscription(ctx, id);
  const status = statusRejections.updateMethod[subscription.status] === undefined ? 'open' : 'closed';
  const { dunningInvoiceId } = subscription;
  const owed = dunningInvoiceId === null ? null : await loadExistingRow(ctx, 'Invoice', dunningInvoiceId);
  return { ...(await peopleOf(ctx, subscription)), invoice: null, owed, status, successUrl };
}
