import { defaultRejection } from '../../errors.ts';
import { endAddon } from '../allowances/addon-effects.ts';
import { activeOf, findAddon, unknownAddon } from '../purchases/addons.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly addonId: string;
};

/**
 * Switches an add-on off at once, without refund (SUB-73). Rejects the status, an unknown add-on, and one
 * that is not active.
 */
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
