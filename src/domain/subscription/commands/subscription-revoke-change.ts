import { revokeChange } from '../plan-change/scheduled-change.ts';
import { subscriptionCommand } from '../state/command.ts';

/** Withdraws the change that is scheduled for the end of the period. */
export const subscriptionRevokeChange = subscriptionCommand({
  kind: 'subscription.revoke_change',
  decide: revokeChange,
});
