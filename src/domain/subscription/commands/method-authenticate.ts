import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isAtCheckout, notPassed } from '../invoicing/charging.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';
import { chargeResult } from './charge-result.ts';

type Input = OnSubscription & {
  readonly succeed: boolean;
};

/**
 * Processes the authentication result of a card that was entered outside a checkout: charges or stores the
 * card after a successful authentication, otherwise declines the card.
 */
export const methodAuthenticate = subscriptionCommand({
  kind: 'method.authenticate',
  decide(draft: Draft, { pendingCheckout }: SubscriptionRow, { succeed }: Input): Decision {
    if (pendingCheckout === null || isAtCheckout(pendingCheckout)) {
      return draft.reject(specificRejection('payment_not_found', 'authentication'));
    }
    const { attemptId: transactionId, state } = pendingCheckout;
    if (state === 'asked') return draft.reject(chargeInProgress);
    const { dueAt, now } = draft;
    return chargeResult.decide(draft, {
      dueAt,
      now,
      transactionId,
      result: succeed ? { status: 'settled' } : notPassed,
    });
  },
});
