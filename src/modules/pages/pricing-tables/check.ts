import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { findPlansOfGroup, planGroupRows, planRows } from '../../catalog/plans/store.ts';
import { intervalOrder } from './rules.ts';
import type { PricingTableRow } from './store.ts';

/** Maximum number of plans in a pricing table. */
export const maxPlans = 12;

/** Pricing table parameters, except the name. For a new table, `undefined` and `null` mean the same. */
export type TableInput = {
  readonly planGroupId?: string | null | undefined;
  readonly plans?:
    | readonly { readonly planId: string; readonly text?: string | null | undefined }[]
    | null
    | undefined;
  readonly highlightedPlanId?: string | null | undefined;
  readonly intervals?: readonly BillingInterval[] | null | undefined;
  readonly signUpUrl?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
};

export type TableTerms = Pick<
  PricingTableRow,
  'planGroupId' | 'plans' | 'highlightedPlanId' | 'intervals' | 'signUpUrl' | 'successUrl' | 'isActive'
>;

type Places = Pick<TableTerms, 'planGroupId' | 'plans'>;

const invalid = (field: string, message: string): Error => validationError([{ field, message }]);

/** Returns the selected plans by ID. Throws `plan_not_found`, and `validation_error` if a plan is repeated. */
async function chosenPlans(
  ctx: Context,
  plans: NonNullable<TableInput['plans']>,
): Promise<TableTerms['plans']> {
  const chosen: { readonly planId: string; readonly text: string | null }[] = [];
  for (const [index, { planId, text }] of plans.entries()) {
    const { id } = await planRows.require(ctx, planId, `plans.${index}.planId`);
    if (chosen.some((one) => one.planId === id))
      throw invalid(`plans.${index}.planId`, 'The plan is listed more than once.');
    chosen.push({ planId: id, text: text ?? null });
  }
  return chosen;
}

/** Returns the source for the table's plans: a plan group or a list of plans. A new source replaces the previous source. */
async function placesOf(ctx: Context, before: Places | null, input: TableInput): Promise<Places> {
  const { planGroupId, plans } = input;
  if (planGroupId != null && plans != null) throw invalid('plans', "can't be combined with planGroupId");
  if (planGroupId != null)
    return { planGroupId: (await planGroupRows.require(ctx, planGroupId, 'planGroupId')).id, plans: [] };
  if (plans != null) {
    if (plans.length === 0) throw invalid('plans', 'must contain at least one plan');
    return { planGroupId: null, plans: await chosenPlans(ctx, plans) };
  }
  if (before === null) throw invalid('planGroupId', 'is required unless plans are provided');
  return { planGroupId: before.planGroupId, plans: before.plans };
}

/** Returns the ID of the plan to highlight. Throws `plan_not_found` if the plan isn't in the table. */
async function highlightedOf(
  ctx: Context,
  reference: string,
  { planGroupId, plans }: Places,
): Promise<string> {
  const { id } = await planRows.require(ctx, reference, 'highlightedPlanId');
  const ids =
    planGroupId === null
      ? plans.map(({ planId }) => planId)
      : (await findPlansOfGroup(ctx, planGroupId)).map((plan) => plan.id);
  if (!ids.includes(id)) throw new QuittanceError('plan_not_found', { param: 'highlightedPlanId' });
  return id;
}

/** True if the table still contains the highlighted plan. Always true if the table shows a plan group. */
const isStillInTable = (planId: string | null, places: Places): boolean =>
  planId === null || places.planGroupId !== null || places.plans.some((plan) => plan.planId === planId);

/**
 * Returns the table's new settings, combined from the current settings and the request (CAT-60). `before` is `null` for
 * a new table. `undefined` keeps the current value, and `null` removes an optional value. Removes the highlight if the
 * plan group changes, or if the plans no longer include the highlighted plan. Throws `validation_error`,
 * `plan_not_found`, and `plan_group_not_found`.
 */
export async function termsOf(
  ctx: Context,
  before: TableTerms | null,
  input: TableInput,
): Promise<TableTerms> {
  const places = await placesOf(ctx, before, input);
  const optionalUrl = <Name extends 'signUpUrl' | 'successUrl'>(name: Name): string | null =>
    input[name] === undefined ? (before?.[name] ?? null) : input[name];
  const highlighted = before?.highlightedPlanId ?? null;
  const isMoved = places.planGroupId !== (before?.planGroupId ?? null);
  const chosen = new Set(input.intervals ?? before?.intervals ?? []);
  return {
    ...places,
    highlightedPlanId:
      input.highlightedPlanId != null
        ? await highlightedOf(ctx, input.highlightedPlanId, places)
        : input.highlightedPlanId === null || isMoved || !isStillInTable(highlighted, places)
          ? null
          : highlighted,
    intervals: intervalOrder.filter((interval) => chosen.has(interval)),
    signUpUrl: optionalUrl('signUpUrl'),
    successUrl: optionalUrl('successUrl'),
    isActive: input.isActive ?? before?.isActive ?? true,
  };
}
