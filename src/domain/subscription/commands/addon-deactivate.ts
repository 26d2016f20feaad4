import { defaultRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { endAddon } from '../allowances/addon-effects.ts';
import { activeOf, findAddon, unknownAddon } from '../purchases/addons.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly addonId: string;
};

/** Removes an add-on immediately, without a refund (SUB-73). Checks, in this order: the status, the add-on, and its activation. */
export const addonDeactivate = subscriptionCommand({
  kind: 'addon.deactivate',
  needs: ({ addonId }: Input) => ({ addons: [addonId] }),
  decide(draft: Draft, subscription: SubscriptionRow, { addonId }: Input): Decision {
    const rejection = statusRejection('adjust', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const addon = findAddon(draft, addonId);
    if (addon === null) return draft.reject(unknownAddon);
    const activation = activeOf(draft, subscription, addon);
    if (activation === null) {
      return draft.reject({
        ...defaultRejection('addon_not_active'),
        param: 'addonId',
      });
    }
    endAddon(draft, subscription, activation);
    return draft.done('done', subscription.id);
  },
});
