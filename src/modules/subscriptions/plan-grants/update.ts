import type { Context } from '../../../request/context.ts';
import { type DurationInput, executeGrant, type PlanGrantRow, sourceOf, termOf } from './store.ts';

/** Parameters for changing the duration of an active plan grant. */
export type UpdateGrantInput = DurationInput & {
  readonly customerId: string;
  readonly grantId: string;
  readonly reason: string;
};

/**
 * Replaces the duration of a plan grant (SUB-56) and returns the grant. Throws `customer_not_found`, and the command's error if it's
 * rejected, such as `not_found` if the grant has ended.
 */
export const updateGrant = (ctx: Context, input: UpdateGrantInput): Promise<PlanGrantRow> =>
  executeGrant(ctx, input.customerId, {
    kind: 'grant.update',
    grantId: input.grantId,
    reason: input.reason,
    source: sourceOf(ctx),
    ...termOf(input),
  });
