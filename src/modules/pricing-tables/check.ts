import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { findPlansOfGroup, requirePlan, requirePlanGroup } from '../plans/store.ts';
import { intervalOrder } from './rules.ts';
import type { PricingTableRow } from './store.ts';

/** Plans of a table at most. */
export const mostPlans = 12;

/** What a call says of a table but for its name; absent and null mean the same where a table is made. */
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

/** The plans that are named, each once, by their ids. Throws `plan_not_found` and `validation_error`. */
async function chosenPlans(
  ctx: Context,
  plans: NonNullable<TableInput['plans']>,
): Promise<TableTerms['plans']> {
  const chosen: { readonly planId: string; readonly text: string | null }[] = [];
  for (const [index, { planId, text }] of plans.entries()) {
    const { id } = await requirePlan(ctx, planId, `plans.${index}.planId`);
    if (chosen.some((one) => one.planId === id))
      throw invalid(`plans.${index}.planId`, 'The plan is named before.');
    chosen.push({ planId: id, text: text ?? null });
  }
  return chosen;
}

/** Where the plans come from: a group or a list, never both. A new source takes the place of the other one. */
async function placesOf(ctx: Context, before: Places | null, input: TableInput): Promise<Places> {
  const { planGroupId, plans } = input;
  if (planGroupId != null && plans != null)
    throw invalid('plans', 'must not be given together with planGroupId');
  if (planGroupId != null)
    return { planGroupId: (await requirePlanGroup(ctx, planGroupId, 'planGroupId')).id, plans: [] };
  if (plans != null) {
    if (plans.length === 0) throw invalid('plans', 'must name a plan');
    return { planGroupId: null, plans: await chosenPlans(ctx, plans) };
  }
  if (before === null) throw invalid('planGroupId', 'is required unless plans are given');
  return { planGroupId: before.planGroupId, plans: before.plans };
}

/** The plan to highlight, one of the table. Throws `plan_not_found`. */
async function highlightedOf(
  ctx: Context,
  reference: string,
  { planGroupId, plans }: Places,
): Promise<string> {
  const { id } = await requirePlan(ctx, reference, 'highlightedPlanId');
  const ids =
    planGroupId === null
      ? plans.map(({ planId }) => planId)
      : (await findPlansOfGroup(ctx, planGroupId)).map((plan) => plan.id);
  if (!ids.includes(id)) throw new QuittanceError('plan_not_found', { param: 'highlightedPlanId' });
  return id;
}

/** Whether a plan that was highlighted is still one of the table; one of a group is left to the group. */
const isStillThere = (planId: string | null, places: Places): boolean =>
  planId === null || places.planGroupId !== null || places.plans.some((plan) => plan.planId === planId);

/**
 * The terms of a table as a call leaves them (CAT-60); `before` is null for a new one. What is undefined stays; null empties what can be
 * empty. A highlighted plan that is not among new plans is highlighted no more. Throws `validation_error`, `plan_not_found` and `plan_group_not_found`.
 */
export async function termsOf(
  ctx: Context,
  before: TableTerms | null,
  input: TableInput,
): Promise<TableTerms> {
  const places = await placesOf(ctx, before, input);
  const kept = <Name extends 'signUpUrl' | 'successUrl'>(name: Name): string | null =>
    input[name] === undefined ? (before?.[name] ?? null) : input[name];
  const highlighted = before?.highlightedPlanId ?? null;
  const isMoved = places.planGroupId !== (before?.planGroupId ?? null);
  const chosen = new Set(input.intervals ?? before?.intervals ?? []);
  return {
    ...places,
    highlightedPlanId:
      input.highlightedPlanId != null
        ? await highlightedOf(ctx, input.highlightedPlanId, places)
        : input.highlightedPlanId === null || isMoved || !isStillThere(highlighted, places)
          ? null
          : highlighted,
    intervals: intervalOrder.filter((interval) => chosen.has(interval)),
    signUpUrl: kept('signUpUrl'),
    successUrl: kept('successUrl'),
    isActive: input.isActive ?? before?.isActive ?? true,
  };
}
