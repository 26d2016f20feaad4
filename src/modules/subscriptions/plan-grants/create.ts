import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { type DurationInput, executeGrant, type PlanGrantRow, sourceOf, termOf } from './store.ts';

export type CreateGrantInput = DurationInput & {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planId: string;
  readonly reason: string;
};

/**
 * Grants a subscription temporary access to a higher-ranked plan (SUB-53) and returns the grant. Throws `customer_not_found`, and the
 * command's error if it's rejected.
 */
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
