import { specificRejection } from '../../errors/errors.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import { processorRejection } from '../../payments/processors.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { advanceRejection } from '../allowances/arrears.ts';
import { trialRejection } from '../invoicing/apply-offer.ts';
import { requestCharge, withoutAuthentication } from '../invoicing/charging.ts';
import { isBelowMinimum, issueReactivation } from '../invoicing/invoicing.ts';
import { voidInvoice } from '../invoicing/settling.ts';
import { announce, isReactivation, reactivated, restartRejection, run } from '../lifecycle/reactivate.ts';
import { retry } from '../lifecycle/retry.ts';
import { boundPrice, hasOpenDispute, methodOf, quotedOffer } from '../pricing/lookup.ts';
import { directTerms, notApplicable, type Terms } from '../pricing/offering.ts';
import { basesOf, firstBase } from '../pricing/priced-base.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import { openedPeriod } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import {
  chargeInProgress,
  openDisputeRejection,
  priceRejection,
  statusRejection,
} from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly offerId: string | null;
};

/**
 * Charges the outstanding invoice of a past-due subscription, or restarts a canceled one. For a past-due subscription,
 * a decline uses up a dunning retry. For a canceled subscription, the command fails if the charge is declined or no
 * payment method is stored. The new invoice can then be paid on the recovery page (SUB-32).
 */
export const subscriptionReactivate = subscriptionCommand({
  kind: 'subscription.reactivate',
  needs: ({ offerId }: Input) => ({ offers: [{ offerId }] }),
  decide(draft: Draft, subscription: SubscriptionRow, { offerId }: Input): Decision {
    const rejection = statusRejection('reactivate', subscription);
    if (rejection !== null) return draft.reject(rejection);
    if (hasOpenDispute(draft, subscription)) return draft.reject(openDisputeRejection);
    if (subscription.status === 'canceled') return restart(draft, subscription, offerId);
    if (offerId === null) return retry(draft, subscription);
    return draft.reject(
      notApplicable(
        "An offer can't change the past-due invoice, which is already issued. Omit the offer.",
        'offerId',
        'past_due',
      ),
    );
  },
});

function restart(draft: Draft, subscription: SubscriptionRow, offerId: string | null): Decision {
  const rejection =
    restartRejection(draft, subscription) ?? advanceRejection(draft, asOpened(draft, subscription));
  if (rejection !== null) return draft.reject(rejection);
  if (withoutAuthentication(draft, subscription) === null) return draft.reject(chargeInProgress);
  if (subscription.priceId === null) return restartFree(draft, subscription, offerId);
  const unpayable = processorRejection(
    draft.aggregate.environment.processors,
    methodOf(draft, subscription) ?? {},
  );
  if (unpayable !== null) return draft.reject(unpayable);
  const price = boundPrice(draft, subscription);
  if ('failure' in price) return draft.reject(priceRejection(price.failure));
  const use = { planId: subscription.planId, price, isBeginning: true };
  const terms =
    offerId === null ? null : (trialRejection(draft, offerId) ?? directTerms(draft, offerId, use));
  if (terms !== null && 'code' in terms) return draft.reject(terms);
  return collect(draft, subscription, issue(draft, subscription, price, terms));
}

/** Returns the subscription in the state of the new period. Used to calculate advance charges. */
const asOpened = (draft: Draft, subscription: SubscriptionRow): SubscriptionRow => ({
  ...subscription,
  ...openedPeriod(subscription, draft.now),
  status: 'active',
});

function restartFree(draft: Draft, subscription: SubscriptionRow, offerId: string | null): Decision {
  if (offerId !== null)
    return draft.reject(
      notApplicable("Offers can't be applied to a free plan. Omit the offer.", 'offerId', 'free_plan'),
    );
  const active = run(draft, subscription);
  announce(draft, active, null, null);
  return draft.done('done', active.id);
}

/** Issues the reactivation invoice and quotes the requested offer. Voids the invoices of earlier attempts. */
function issue(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Terms | null,
): InvoiceRow {
  for (const older of draft.invoices.all())
    if (isReactivation(subscription, older)) voidInvoice(draft, older);
  const quoted = quotedOffer(draft, subscription);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
  if (terms !== null) quote(draft, subscription, terms, price);
  const base = firstBase(price.amountMinor, terms);
  draft.subscriptions.patch(subscription.id, {
    pendingCheckout: null,
    ...basesOf(base),
    updatedAt: draft.now,
  });
  return issueReactivation(draft, asOpened(draft, subscription), price, base);
}

function collect(draft: Draft, { id }: SubscriptionRow, invoice: InvoiceRow): Decision {
  const subscription = draft.subscriptions.get(id);
  if (isBelowMinimum(draft, subscription, invoice)) {
    reactivated(draft, subscription, invoice, 'nothing');
    return draft.done('done', id, invoice.id);
  }
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  const method = methodOf(draft, subscription);
  if (method === null) return draft.reject(specificRejection('no_payment_method', 'none_stored'));
  requestCharge(draft, subscription, invoice, method, false);
  return draft.done('charging', id, invoice.id);
}
