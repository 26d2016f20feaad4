import type { Context } from '../../context.ts';
import { type DurationInput, executeGrant, type PlanGrantRow, sourceOf, termOf } from './store.ts';

/** A new duration for an active grant, and why. */
export type UpdateGrantInput = DurationInput & {
  /** Our id of the customer, else its external id. */
  readonly customerId: string;
  readonly grantId: string;
  readonly reason: string;
};

/** Replaces the duration of a grant (SUB-56) and answers it. Throws `customer_not_found` and what the decision rejects, `not_found` for one that has ended. */
export const updateGrant = (ctx: Context, input: UpdateGrantInput): Promise<PlanGrantRow> =>
  executeGrant(ctx, input.customerId, {
    kind: 'grant.update',
    grantId: input.grantId,
    reason: input.reason,
    source: sourceOf(ctx),
    ...termOf(input),
  });
