import type { Context } from '../../../request/context.ts';
import type { Changes } from '../../../request/resource.ts';
import { placeFor } from './place-in-group.ts';
import { type PlanRow, planRows } from './store.ts';

/** Parameters for creating a plan. Omitted parameters get default values (CAT-5). */
export type NewPlanInput = Changes<'Plan'> & { readonly name: string; readonly code: string };

/**
 * Creates a plan without prices and features, at the end of its plan group if a group is provided. Throws `plan_group_not_found`. Throws
 * `duplicate` if another plan has the code (CAT-5). Throws `validation_error` if the plans in the group have another consumption model
 * (CAT-39).
 */
export const createPlan = (ctx: Context, input: NewPlanInput): Promise<PlanRow> =>
  planRows.create(ctx, async (tx) => {
    const place = await placeFor(tx, input.planGroupId ?? null, input.consumptionModel ?? 'metered');
    return { ...input, ...place };
  });
