import type { Context } from '../../context.ts';
import { type DurationInput, orderGrant, type PlanGrantRow, sourceOf, termOf } from './service.ts';

/** A new duration for an active grant, and why. */
export type UpdateGrantInput = DurationInput & {
  /** Our id of the customer, else its external id. */
  readonly id: string;
  readonly grantId: string;
  readonly reason: string;
};

/** Replaces the duration of a grant (SUB-56) and answers it. Throws `customer_not_found` and what the decision refuses, `not_found` for one that has ended. */
export const updateGrant = (context: Context, input: UpdateGrantInput): Promise<PlanGrantRow> =>
  orderGrant(context, input.id, {
    kind: 'grant.update',
    grantId: input.grantId,
    reason: input.reason,
    source: sourceOf(context),
    ...termOf(input),
  });
