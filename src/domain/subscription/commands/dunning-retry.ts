import { withoutAuthentication } from '../invoicing/charging.ts';
import { attempt } from '../lifecycle/dunning.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = Due & {
  readonly slot: number;
};

/**
 * Runs a dunning slot (BIL-45). One used up meanwhile, or of a subscription no longer past due, does nothing.
 */
export const dunningRetry = subscriptionCommand({
  kind: 'dunning_retry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    if (subscription.status !== 'past_due' || command.slot <= subscription.dunningAttempts) {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription)) return draft.finish({ kind: 'park' });
    const free = withoutAuthentication(draft, subscription);
    if (free === null) return draft.finish({ kind: 'park' });
    draft.complete(command);
    return attempt(draft, free);
  },
});
