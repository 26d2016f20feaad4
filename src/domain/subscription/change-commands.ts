// What can be asked of a running subscription's plan and interval.
import type { BillingInterval } from '../words.ts';

/** A plan or interval to move to; null where it is not named (SUB-37). */
export type ChangeRequest = {
  readonly newPlanId: string | null;
  readonly newBillingInterval: BillingInterval | null;
  readonly offerId: string | null;
  /** Whether the customer asks, who may choose public plans only. */
  readonly isPortal: boolean;
};

/** Moves a subscription to another plan or interval, at once, at the end of its period or through a checkout (SUB-37 to SUB-50). */
export type ChangePlanCommand = {
  readonly kind: 'subscription.change_plan';
  readonly dueAt: Date;
  readonly now: Date;
  readonly subscriptionId: string;
  readonly request: ChangeRequest;
  readonly successUrl: string | null;
};

/** Withdraws a change that waits for the end of the period (OQ-13). */
export type RevokeChangeCommand = {
  readonly kind: 'subscription.revoke_change';
  readonly dueAt: Date;
  readonly now: Date;
  readonly subscriptionId: string;
};
