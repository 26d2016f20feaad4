import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { idle, unscheduleTopUp } from '../purchases/topup-state.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = OnSubscription & { readonly autoTopUpId: string };

/**
 * Removes an automatic top-up. A purchase in progress still takes effect. The attempts are kept, so that a later setting
 * counts the purchases of the month.
 */
export const autoTopUpRemove = subscriptionCommand({
  kind: 'auto_topup.remove',
  needs: ({ subscriptionId }: Input) => ({ topUps: [subscriptionId] }),
  decide(draft: Draft, subscription: SubscriptionRow, { autoTopUpId }: Input): Decision {
    const setting = draft.topUps.find(autoTopUpId);
    if (setting === null || setting.removedAt !== null)
      return draft.reject(specificRejection('not_found', 'auto_topup'));
    unscheduleTopUp(draft, setting);
    draft.topUps.patch(setting.id, {
      ...idle,
      status: 'off',
      consent: null,
      removedAt: draft.now,
      updatedAt: draft.now,
    });
    return draft.done('done', subscription.id);
  },
});
