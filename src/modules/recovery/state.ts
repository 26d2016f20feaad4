import type { Context } from '../../context.ts';
import { statusRefusals } from '../../domain/subscription/state.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';

/** What a page that asks for a card shows, and nothing of anybody else. */
export type CardRequest = {
  readonly subscription: SubscriptionRow;
  readonly customer: Row<'Customer'>;
  readonly plan: Row<'Plan'>;
  /** What is to be paid; null where a card is only stored. */
  readonly invoice: Row<'Invoice'> | null;
  /** `open` takes a card; `paid` has been paid; `closed` has nothing to ask for any more. */
  readonly status: 'open' | 'paid' | 'closed';
  /** Where the page leads back to; null to stay. */
  readonly successUrl: string | null;
};

function subjectOf(context: Context): string {
  if (context.caller.kind !== 'page') throw new Error('A page was asked for without its token.');
  return context.caller.subjectId;
}

const peopleOf = async (context: Context, subscription: SubscriptionRow) => ({
  subscription,
  customer: await loadExistingRow(context, 'Customer', subscription.customerId),
  plan: await loadExistingRow(context, 'Plan', subscription.planId),
});

/** The subscription and invoice the caller's recovery token stands for. Throws `subscription_not_found` for an invoice of none. */
export async function recoverySubject(context: Context): Promise<{ subscription: SubscriptionRow; invoice: Row<'Invoice'> }> {
  const invoice = await loadRow(context, 'Invoice', subjectOf(context));
  const subscription = await requireSubscription(context, invoice?.subscriptionId ?? '');
  if (invoice === null) throw new Error('A subscription was found by an invoice that does not exist.');
  return { subscription, invoice };
}

/** What the recovery page shows: the invoice in dunning, or that of a declined new start, while it can be paid (SUB-32, SUB-35). */
export async function loadRecovery(context: Context): Promise<CardRequest> {
  const { subscription, invoice } = await recoverySubject(context);
  const isWanted = subscription.status === 'canceled' ? invoice.type === 'reactivation' : subscription.dunningInvoiceId === invoice.id;
  const isOpen = invoice.status === 'outstanding' && isWanted;
  const status = isOpen ? 'open' : invoice.status === 'paid' ? 'paid' : 'closed';
  return { ...(await peopleOf(context, subscription)), invoice, status, successUrl: subscription.successUrl };
}

/** The subscription and the return address the caller's token carries. */
export function methodSubject(context: Context): { readonly id: string; readonly successUrl: string | null } {
  const [id = '', successUrl = null] = subjectOf(context).split(' ');
  return { id, successUrl };
}

/** What the page for another card shows (SUB-36). Throws `subscription_not_found`. */
export async function loadMethodUpdate(context: Context): Promise<CardRequest> {
  const { id, successUrl } = methodSubject(context);
  const subscription = await requireSubscription(context, id);
  const status = statusRefusals.updateMethod[subscription.status] === undefined ? 'open' : 'closed';
  return { ...(await peopleOf(context, subscription)), invoice: null, status, successUrl };
}
