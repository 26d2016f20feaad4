import type { Context } from '../../context.ts';
import { newId } from '../../infra/ids.ts';
import { type DurationInput, orderGrant, type PlanGrantRow, sourceOf, termOf } from './service.ts';

/** Which plan to grant to which subscription of which customer, why, and how long. */
export type CreateGrantInput = DurationInput & {
  /** Our id of the customer, else its external id. */
  readonly id: string;
  readonly subscriptionId: string;
  readonly planId: string;
  readonly reason: string;
};

/** Gives a subscription access to a higher plan (SUB-53) and answers the grant. Throws `customer_not_found` and what the decision refuses. */
export const createGrant = (context: Context, input: CreateGrantInput): Promise<PlanGrantRow> =>
  orderGrant(context, input.id, {
    kind: 'grant.create',
    grantId: newId('pgr'),
    subscriptionId: input.subscriptionId,
    planId: input.planId,
    reason: input.reason,
    source: sourceOf(context),
    ...termOf(input),
  });
