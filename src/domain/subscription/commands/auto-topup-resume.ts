import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { resumeTopUp } from '../purchases/follow-topups.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';

type Input = OnSubscription & { readonly autoTopUpId: string };

/** Turns a paused automatic top-up on again, and evaluates it if its account is low. Does nothing if it's on. */
export const autoTopUpResume = subscriptionCommand({
  kind: 'auto_topup.resume',
  needs: ({ subscriptionId }: Input) => ({ topUps: [subscriptionId] }),
  decide(draft: Draft, subscription: SubscriptionRow, { autoTopUpId }: Input): Decision {
    const setting = draft.topUps.find(autoTopUpId);
    if (setting === null || setting.removedAt !== null)
      return draft.reject(specificRejection('not_found', 'auto_topup'));
    if (setting.status === 'off')
      return draft.reject(
        fieldRejection(
          'status',
          'The automatic top-up is off. Set it again with the consent of the customer.',
        ),
      );
    if (setting.status === 'on') return draft.done('unchanged', subscription.id);
    resumeTopUp(draft, subscription, setting);
    return draft.done('done', subscription.id);
  },
});
