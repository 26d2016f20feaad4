import type { SubscriptionRow } from '../../rows/rows.ts';
import { withoutAuthentication } from '../invoicing/charging.ts';
import { attempt } from '../lifecycle/dunning.ts';
import { isBeingCollected, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Due & {
  readonly slot: number;
};

/**
 * Runs a dunning retry (BIL-45). Does nothing if the retry was already used or the subscription is no longer
 * past due.
 */
export const dunningRetry = subscriptionCommand({
  kind: 'dunning_retry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    if (subscription.status !== 'past_due' || command.slot <= subscription.dunningAttempts) {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription) || isBeingCollected(draft, subscription.dunningInvoiceId))
      return draft.finish({ kind: 'park' });
    const free = withoutAuthentication(draft, subscription);
    if (free === null) return draft.finish({ kind: 'park' });
    draft.complete(command);
    return attempt(draft, free);
  },
});
