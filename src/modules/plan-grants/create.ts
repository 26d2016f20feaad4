import type { Context } from '../../context.ts';
import { newId } from '../../platform/ids.ts';
import { type DurationInput, executeGrant, type PlanGrantRow, sourceOf, termOf } from './store.ts';

/** Which plan to grant to which subscription of which customer, why, and how long. */
export type CreateGrantInput = DurationInput & {
  /** Our id of the customer, else its external id. */
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planId: string;
  readonly reason: string;
};

/** Gives a subscription access to a higher plan (SUB-53) and answers the grant. Throws `customer_not_found` and what the decision rejects. */
export const createGrant = (ctx: Context, input: CreateGrantInput): Promise<PlanGrantRow> =>
  executeGrant(ctx, input.customerId, {
    kind: 'grant.create',
    grantId: newId('pgr'),
    subscriptionId: input.subscriptionId,
    planId: input.planId,
    reason: input.reason,
    source: sourceOf(ctx),
    ...termOf(input),
  });
