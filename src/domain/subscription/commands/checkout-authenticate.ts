import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isAtCheckout, notPassed } from '../invoicing/charging.ts';
import { lostQuote } from '../invoicing/reprice.ts';
import { enteredPayer } from '../invoicing/taxing.ts';
import { checkoutAnswered } from '../payments/checkout.ts';
import { openChange } from '../plan-change/change-checkout.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly succeed: boolean;
};

/**
 * Processes the authentication result of an open checkout: completes the checkout after a successful
 * authentication, otherwise declines the payment.
 */
export const checkoutAuthenticate = subscriptionCommand({
  kind: 'checkout.authenticate',
  needs: ({ subscriptionId }: Input) => ({ cardsAwaitedBy: [subscriptionId] }),
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    const rejection =
      openChange(draft, subscription) === null ? statusRejection('checkout', subscription) : null;
    if (rejection !== null) return draft.reject(rejection);
    const checkout = subscription.pendingCheckout;
    if (checkout?.state === 'asked') return draft.reject(chargeInProgress);
    if (checkout === null || !isAtCheckout(checkout))
      return draft.reject(specificRejection('payment_not_found', 'checkout_authentication'));
    draft.payer = enteredPayer(draft.customer, checkout);
    if (!command.succeed) return checkoutAnswered(draft, subscription, checkout, notPassed);
    const lost = lostQuote(draft, subscription, checkout.method);
    return lost === null
      ? checkoutAnswered(draft, subscription, checkout, { status: 'settled' })
      : draft.reject(lost);
  },
});
