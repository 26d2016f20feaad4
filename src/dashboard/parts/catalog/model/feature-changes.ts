import { cardInputOf } from './card-draft.ts';
import { costInputOf, derivedInputOf } from './derived-draft.ts';
import { featureFields, moneyAsset, poolOf } from './feature-fields.ts';
import { type OverrideDraft, overrideInputsOf } from './override-draft.ts';
import type { FeatureDraft, PlanDraft } from './plan-draft.ts';
import { rateInputOf } from './rate-draft.ts';
import { rateOfPrice } from './rate-table.ts';
import { type Line, type Reach, type Step, sameJson } from './step.ts';

const lowerIsBetter = (from: number | null, to: number | null): Reach =>
  (to ?? 0) < (from ?? 0) ? 'now' : 'next_period';

const switched = (to: boolean): Reach => (to ? 'now' : 'renewal');

/** Lists the currencies of overrides, such as `BRL, EUR`. Empty if there are no overrides. */
const codesOf = (overrides: readonly OverrideDraft[]): string =>
  overrides.map(({ currency }) => currency.toUpperCase()).join(', ');

/** Lists the changed terms of a feature. Improvements apply to subscribers immediately, other changes later. */
function changedLines(plan: PlanDraft, saved: FeatureDraft, draft: FeatureDraft): Line[] {
  const lines: Line[] = [];
  const add = (what: keyof FeatureDraft, kind: NonNullable<Line['kind']>, reaches: Reach): void => {
    if (saved[what] !== draft[what])
      lines.push({
        what,
        from: saved[what],
        to: draft[what],
        kind,
        reaches,
        ...(kind === 'rate' && { currency: 'usd' }),
      });
  };
  add('enabled', 'switch', switched(draft.enabled));
  add('includedAmount', 'count', draft.includedAmount > saved.includedAmount ? 'now' : 'renewal');
  add('unlimited', 'switch', switched(draft.unlimited));
  add('overageEnabled', 'switch', 'renewal');
  if (poolOf(saved, plan) !== poolOf(draft, plan))
    lines.push({
      what: 'settle',
      from: poolOf(saved, plan) ?? 'invoice',
      to: poolOf(draft, plan) ?? 'invoice',
      reaches: 'next_period',
    });
  const hasOverrides = draft.rate !== null && draft.derived === null;
  if (hasOverrides && !sameJson(saved.overrides, draft.overrides))
    lines.push({
      what: 'overrides',
      from: codesOf(saved.overrides),
      to: codesOf(draft.overrides),
      reaches: 'lower_price',
    });
  const isDerived = draft.derived !== null || saved.derived !== null;
  if (isDerived && !sameJson(saved.derived, draft.derived))
    lines.push({
      what: 'rate',
      from: saved.derived ?? saved.rate ?? saved.unitPrice ?? saved.margin,
      to: draft.derived ?? draft.rate ?? draft.unitPrice ?? draft.margin,
      ...(draft.pricingMode === 'fixed'
        ? ({ kind: 'rate', currency: 'usd' } as const)
        : ({ kind: 'share' } as const)),
      // Only a change of the margin or of the modifiers applies in the current period.
      reaches: saved.derived !== null && draft.derived !== null ? 'lower_price' : 'next_period',
    });
  // A rate replaces the unit price, so the price is one change even if both differ.
  else if (!sameJson(saved.rate, draft.rate) || !sameJson(saved.card, draft.card))
    lines.push({
      what: 'rate',
      from: saved.card ?? saved.rate ?? saved.creditsPerUnit ?? saved.unitPrice,
      to: draft.card ?? draft.rate ?? draft.creditsPerUnit ?? draft.unitPrice,
      ...(draft.creditsPerUnit === null
        ? ({ kind: 'rate', currency: 'usd' } as const)
        : ({ kind: 'count' } as const)),
      reaches: 'lower_price',
    });
  else if (draft.rate === null && draft.card === null) {
    add('unitPrice', 'rate', lowerIsBetter(saved.unitPrice, draft.unitPrice));
    add(
      'creditsPerUnit',
      'count',
      (draft.creditsPerUnit ?? 0) < (saved.creditsPerUnit ?? 0) ? 'now' : 'renewal',
    );
  }
  return lines;
}

/**
 * Returns true if the unit price must be sent. The service replaces a rate if it receives a unit price, so an unchanged unit price
 * isn't sent.
 */
const isUnitPriceSent = (saved: FeatureDraft | null, feature: FeatureDraft): boolean =>
  feature.rate === null &&
  feature.card === null &&
  feature.derived === null &&
  feature.unitPrice !== null &&
  (saved === null ||
    saved.rate !== null ||
    saved.card !== null ||
    saved.derived !== null ||
    saved.unitPrice !== feature.unitPrice);

/**
 * Returns true if the credits per unit must be sent, which replace a rate. A feature that is added needs them before it can have a rate.
 */
const isCreditsSent = (saved: FeatureDraft | null, feature: FeatureDraft): boolean =>
  saved === null ||
  (feature.rate === null &&
    feature.card === null &&
    (saved.rate !== null || saved.card !== null || saved.creditsPerUnit !== feature.creditsPerUnit));

/**
 * Returns the feature terms that apply to this type of feature, as input for the service. `saved` contains the stored terms; `null` if the
 * plan doesn't have the feature yet.
 */
function terms(plan: PlanDraft, feature: FeatureDraft, saved: FeatureDraft | null): Record<string, unknown> {
  const fields = featureFields(feature, plan);
  const isSettled = poolOf(feature, plan) !== poolOf(saved ?? { type: feature.type, settle: null }, plan);
  const overage = {
    ...(fields.includes('overage') && { enabled: feature.overageEnabled && !feature.unlimited }),
    ...(fields.includes('unitPrice') && isUnitPriceSent(saved, feature) && { unitPrice: feature.unitPrice }),
  };
  return {
    enabled: feature.enabled,
    ...(isSettled && { settle: feature.settle }),
    ...(fields.includes('includedAmount') && { includedAmount: feature.includedAmount }),
    ...(fields.includes('unlimited') && { unlimited: feature.unlimited }),
    ...(fields.includes('creditsPerUnit') &&
      isCreditsSent(saved, feature) && { creditsPerUnit: feature.creditsPerUnit }),
    ...(Object.keys(overage).length > 0 && { overage }),
  };
}

/** Returns the command that adds a feature to a plan. */
export const addFeatureStep = (plan: PlanDraft, feature: FeatureDraft): Step => ({
  command: 'featureAdd',
  about: { feature: feature.name },
  lines: [{ what: 'featureAdded', from: null, to: feature.name, reaches: 'now' }],
  input: (idOf) => ({
    planId: idOf(plan.id),
    featureId: idOf(feature.featureId),
    ...terms(plan, feature, null),
    ...(feature.pricingMode === 'ai_model' && { pricingMode: 'ai_model', margin: feature.margin ?? 0 }),
  }),
});

/** Returns the unit prices that were set manually in currencies, as overrides. A request with overrides would otherwise remove these prices. */
const typedOverrides = ({ typed, overrides }: FeatureDraft): OverrideDraft[] =>
  Object.entries(typed)
    .filter(([currency]) => !overrides.some((one) => one.marketId === null && one.currency === currency))
    .map(([currency, price]) => ({ marketId: null, currency, rate: rateOfPrice('graduated', price) }));

/** Returns the rate of a feature as input for the service. `null` if the feature has only a price per unit, or only a margin. */
function rateInput(plan: PlanDraft, feature: FeatureDraft, saved: FeatureDraft | null) {
  const { derived, card, rate, overrides } = feature;
  const fields = featureFields(feature, plan);
  if (derived !== null && poolOf(feature, plan) === moneyAsset) return derivedInputOf(derived);
  if (card !== null) return cardInputOf(card);
  return rate !== null && fields.some((field) => field === 'unitPrice' || field === 'creditsPerUnit')
    ? {
        ...rateInputOf(rate),
        // The bounds of overrides follow the rate. Without `overrides`, the service keeps the saved ones.
        ...((overrides.length > 0 || (saved?.overrides ?? []).length > 0) && {
          overrides: overrideInputsOf(rate, [...overrides, ...typedOverrides(feature)]),
        }),
      }
    : null;
}

const rateStep = (plan: PlanDraft, feature: FeatureDraft, rate: object, lines: readonly Line[]): Step => ({
  command: 'featureRateSet',
  about: { feature: feature.name },
  lines,
  input: (idOf) => ({
    planId: idOf(plan.id),
    featureId: idOf(feature.featureId),
    ...(feature.card === null || feature.card.rateCardId === null
      ? { rate }
      : { rateCardId: feature.card.rateCardId }),
  }),
});

/** Returns the command that sets a rate with tiers, a package size or bounds, or a derived rate. Empty if the feature's rate is a plain unit price. */
function rateSteps(plan: PlanDraft, feature: FeatureDraft, lines: readonly Line[]): Step[] {
  const rate = rateInput(plan, feature, null);
  return rate === null ? [] : [rateStep(plan, feature, rate, lines)];
}

/** Returns the command that sets or removes the cost of a feature. Empty if the cost is unchanged. */
function costSteps(plan: PlanDraft, { featureId, name, cost, derived }: FeatureDraft): Step[] {
  if (cost === null || sameJson(cost.saved, cost.value)) return [];
  const { saved, value } = cost;
  return [
    {
      command: 'featureCostSet',
      about: { feature: name },
      lines: [{ what: 'cost', from: saved, to: value, reaches: derived === null ? 'none' : 'now' }],
      input: (idOf) => ({
        planId: idOf(plan.id),
        featureId: idOf(featureId),
        rate: costInputOf(value),
      }),
    },
  ];
}

/** Puts the command for the cost before the commands that require the cost, or after the commands that no longer require it. */
function withCost(plan: PlanDraft, feature: FeatureDraft, steps: readonly Step[]): Step[] {
  const cost = costSteps(plan, feature);
  return feature.cost?.value === null ? [...steps, ...cost] : [...cost, ...steps];
}

const removeStep = (plan: PlanDraft, feature: FeatureDraft, isReplaced: boolean): Step => ({
  command: 'featureRemove',
  about: { feature: feature.name },
  lines: isReplaced ? [] : [{ what: 'featureRemoved', from: feature.name, to: null, reaches: 'renewal' }],
  input: () => ({ planId: plan.id, featureId: feature.featureId }),
});

/** Returns the terms that changed, as input for the service. */
function changedTerms(plan: PlanDraft, saved: FeatureDraft, draft: FeatureDraft): Record<string, unknown> {
  const before = terms(plan, saved, saved);
  const after = terms(plan, draft, saved);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  );
}

/** The pricing mode and margin can't be changed directly, so the feature is removed from the plan and added again. */
function replaceSteps(plan: PlanDraft, saved: FeatureDraft, draft: FeatureDraft): Step[] {
  const lines: Line[] = changedLines(plan, saved, draft);
  if (saved.pricingMode !== draft.pricingMode)
    lines.push({ what: 'pricingMode', from: saved.pricingMode, to: draft.pricingMode, reaches: 'renewal' });
  if (saved.margin !== draft.margin)
    lines.push({
      what: 'margin',
      from: saved.margin,
      to: draft.margin,
      kind: 'share',
      reaches: (draft.margin ?? 0) < (saved.margin ?? 0) ? 'now' : 'renewal',
    });
  return [
    removeStep(plan, saved, true),
    { ...addFeatureStep(plan, draft), lines },
    ...withCost(plan, draft, rateSteps(plan, draft, [])),
  ];
}

const isOfRate = ({ what }: Line): boolean => what === 'rate' || what === 'overrides';

/** Returns the commands for removed, added and changed features. Amounts in other currencies have their own commands. */
export function featureSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  const before = new Map(saved.features.map((feature) => [feature.featureId, feature]));
  const after = new Set(draft.features.map(({ featureId }) => featureId));
  const removed = saved.features
    .filter(({ featureId }) => !after.has(featureId))
    .map((feature) => removeStep(draft, feature, false));
  const others = draft.features.flatMap((feature): Step[] => {
    const old = before.get(feature.featureId);
    if (old === undefined)
      return [addFeatureStep(draft, feature), ...withCost(draft, feature, rateSteps(draft, feature, []))];
    if (old.pricingMode !== feature.pricingMode || old.margin !== feature.margin)
      return replaceSteps(draft, old, feature);
    const lines = changedLines(draft, old, feature);
    if (lines.length === 0) return costSteps(draft, feature);
    const changes = changedTerms(draft, old, feature);
    // A margin without modifiers replaces a derived rate whose modifiers were removed.
    const rate =
      rateInput(draft, feature, old) ??
      (feature.pricingMode === 'ai_model'
        ? derivedInputOf({ margin: feature.margin ?? 0, modifiers: [] })
        : null);
    const isRateSet = rate !== null && lines.some(isOfRate);
    const termLines = isRateSet ? lines.filter((line) => !isOfRate(line)) : lines;
    const update: Step = {
      command: 'featureUpdate',
      about: { feature: feature.name },
      lines: termLines,
      input: () => ({ planId: draft.id, featureId: feature.featureId, ...changes }),
    };
    const rateLines = lines.filter(isOfRate);
    return withCost(draft, feature, [
      ...(termLines.length > 0 ? [update] : []),
      ...(isRateSet ? [rateStep(draft, feature, rate, rateLines)] : []),
    ]);
  });
  return [...removed, ...others];
}
