import { type Context, inTransaction, nextSeq } from '../../context.ts';
import { type FieldProblem, QuittanceError, validationError } from '../../domain/errors.ts';
import type { BillingInterval } from '../../domain/words.ts';
import { newId } from '../../infra/ids.ts';
import { addVersion, big, clearDefault, type PriceOptions, refuseMarkets } from './price-parts.ts';
import { beginningOfTime, type PlanPriceRow, priceNotFound, requireLockedPlan } from './service.ts';

/** A new price of the plan `id`: a base price with its amount, or a variant that inherits from one (CAT-14, CAT-16). */
export type NewPriceInput = PriceOptions & {
  readonly id: string;
  readonly billingInterval: BillingInterval;
  readonly inheritsFromPriceId?: string | null | undefined;
};

const baseOnly = ['price', 'trialDays', 'isDefault', 'includedBalance', 'includedCredits'] as const;

/**
 * Refuses a variant: it overrides markets of its base, and no market can exist yet (CAT-16).
 * Throws `validation_error` for fields it would inherit, a missing market price or another interval, `price_not_found` for a base price
 * that cannot be selected, else `market_not_found`.
 */
async function refuseVariant(context: Context, planId: string, input: NewPriceInput): Promise<void> {
  if (!input.inheritsFromPriceId) return;
  const problems: FieldProblem[] = baseOnly
    .filter((field) => input[field] !== undefined && input[field] !== null)
    .map((field) => ({ field, message: `${field} does not apply to a variant, which inherits it.` }));
  if (!input.marketPrices?.length) problems.push({ field: 'marketPrices', message: 'A variant needs at least one market price.' });
  if (problems.length > 0) throw validationError(problems);
  const base = await context.db.planPrice.findFirst({ where: { id: input.inheritsFromPriceId, planId, archivedAt: null } });
  if (base === null || base.inheritsFromPriceId !== null) throw priceNotFound('inheritsFromPriceId');
  if (base.billingInterval !== input.billingInterval) {
    throw validationError([{ field: 'billingInterval', message: 'A variant has the interval of the price it inherits from.' }]);
  }
}

/**
 * Adds a price to a plan. The first price that can be selected becomes the default one (CAT-17).
 * Throws `plan_not_found`, `price_not_found`, `market_not_found`, `duplicate` for a second base price of an interval (CAT-14),
 * `validation_error` for a free plan (CAT-8) and for fields that do not fit together.
 */
export const addPlanPrice = (context: Context, input: NewPriceInput): Promise<PlanPriceRow> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, input.id);
    if (plan.isFree) throw validationError([{ field: 'id', message: 'A free plan has no prices.' }]);
    await refuseVariant(inner, plan.id, input);
    refuseMarkets(input.marketPrices);
    if (input.price === undefined || input.price === null) {
      throw validationError([{ field: 'price', message: 'A base price needs a price.' }]);
    }
    const selectable = await inner.db.planPrice.findMany({ where: { planId: plan.id, archivedAt: null } });
    if (selectable.some((price) => price.billingInterval === input.billingInterval && price.inheritsFromPriceId === null)) {
      throw new QuittanceError('duplicate', 'The plan has a base price of this interval already.', { param: 'billingInterval' });
    }
    const isDefault = input.isDefault === true || !selectable.some((price) => price.isDefault);
    if (isDefault) await clearDefault(inner, plan.id);
    const now = inner.clock.now();
    const price = await inner.db.planPrice.create({
      data: {
        id: newId('pp'),
        seq: await nextSeq(inner),
        planId: plan.id,
        billingInterval: input.billingInterval,
        priceMinor: BigInt(input.price),
        isDefault,
        trialDays: input.trialDays ?? 0,
        includedBalanceRate: big(input.includedBalance),
        includedCredits: big(input.includedCredits),
        inheritsFromPriceId: null,
        introductoryOfferId: null,
        metadata: (input.metadata ?? {}) as PlanPriceRow['metadata'],
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
      },
    });
    await addVersion(inner, price, beginningOfTime);
    return price;
  });
