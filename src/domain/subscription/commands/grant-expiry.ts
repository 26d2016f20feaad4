import { activeGrant, endGrant } from '../allowances/plan-grant-effects.ts';
import type { Decision, SubscriptionRow } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Ends an expired plan grant. Does nothing if the expiration was changed (SUB-56). */
export const grantExpiry = subscriptionCommand({
  kind: 'grant_expiry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    draft.complete(command);
    const grant = activeGrant(draft, subscription);
    if (grant?.expiresAt?.getTime() !== command.dueAt.getTime())
      return draft.done('unchanged', subscription.id);
    endGrant(draft, subscription, grant, {
      type: 'expired',
      reason: 'The plan grant reached its end.',
      source: 'system',
    });
    draft.item = { outcome: 'grant_expired', invoiceId: null, detail: null };
    return draft.done('done', subscription.id);
  },
});
