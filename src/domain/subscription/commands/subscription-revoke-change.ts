import { revokeChange } from '../plan-change/scheduled-change.ts';
import { subscriptionCommand } from '../state/command.ts';

/** Cancels a plan change that is scheduled for the end of the period. */
export const subscriptionRevokeChange = subscriptionCommand({
  kind: 'subscription.revoke_change',
  decide: revokeChange,
});
