import type { FieldProblem } from '../../../domain/errors/errors.ts';
import type { AddonConsumptionModel, FeatureType } from '../../../domain/rows/enums.ts';

// Terms that each add-on consumption model allows, and models that each feature type allows (CAT-42).

/**
 * Terms in a request: included units, the overage price at rate scale, and credits per unit. `undefined` and `null` both mean that the term
 * is omitted.
 */
export type ProvidedTerms = {
  readonly includedUnits?: number | null | undefined;
  readonly overageRate?: number | null | undefined;
  readonly creditCost?: number | null | undefined;
};

type Term = keyof ProvidedTerms;

const termNames = ['includedUnits', 'overageRate', 'creditCost'] as const satisfies readonly Term[];

const termsByModel: Record<AddonConsumptionModel, readonly Term[]> = {
  boolean: [],
  metered: ['includedUnits', 'overageRate'],
  credits: ['creditCost'],
  balance: ['overageRate'],
};

const modelsByType: Record<FeatureType, readonly AddonConsumptionModel[]> = {
  boolean: ['boolean'],
  usage: ['boolean', 'metered', 'credits', 'balance'],
  seats: ['boolean', 'metered'],
  quota: ['boolean', 'metered'],
};

/** Returns one problem for each provided term that the model doesn't allow. */
export const disallowedTerms = (model: AddonConsumptionModel, provided: ProvidedTerms): FieldProblem[] =>
  termNames
    .filter((name) => (provided[name] ?? null) !== null && !termsByModel[model].includes(name))
    .map((name) => ({
      field: name,
      message: `${name} isn't allowed for an add-on with the consumption model ${model}.`,
    }));

/** Returns one problem for each missing term that the model requires. */
export const missingTerms = (model: AddonConsumptionModel, provided: ProvidedTerms): FieldProblem[] =>
  termsByModel[model]
    .filter((name) => (provided[name] ?? null) === null)
    .map((name) => ({
      field: name,
      message: `An add-on with the consumption model ${model} requires ${name}.`,
    }));

/**
 * Returns a problem if the feature type doesn't allow the model, because the feature's units can't be counted or can't be paid with credits
 * or a balance (CAT-4).
 */
export const unfitModel = (model: AddonConsumptionModel, type: FeatureType): FieldProblem[] =>
  modelsByType[type].includes(model)
    ? []
    : [
        {
          field: 'consumptionModel',
          message: `An add-on for a ${type} feature can't have the consumption model ${model}.`,
        },
      ];

/**
 * Returns the slug for a name: lowercase letters and digits in any script, with each run of other characters replaced by a hyphen. Returns
 * the slug for `fallback` if the name has no letters or digits.
 */
export function slugOf(name: string, fallback: string): string {
  const words = (text: string): string[] =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = words(name).join('-');
  return slug === '' ? words(fallback).join('-') : slug;
}
