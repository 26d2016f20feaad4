import type { AddonConsumptionModel, FeatureType } from '../../domain/enums.ts';
import type { FieldProblem } from '../../domain/errors.ts';

// Which terms an add-on has depends on its consumption model, and which models there are on the type of its feature (CAT-42).

/** Terms as a caller gives them; undefined and null are both "not given". Units, a price at rate scale, credits per unit. */
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

/** The given terms the model does not have. */
export const foreignTerms = (model: AddonConsumptionModel, provided: ProvidedTerms): FieldProblem[] =>
  termNames
    .filter((name) => (provided[name] ?? null) !== null && !termsByModel[model].includes(name))
    .map((name) => ({ field: name, message: `${name} does not apply to an add-on of the model ${model}.` }));

/** The terms the model needs and that were not given. */
export const missingTerms = (model: AddonConsumptionModel, provided: ProvidedTerms): FieldProblem[] =>
  termsByModel[model]
    .filter((name) => (provided[name] ?? null) === null)
    .map((name) => ({ field: name, message: `An add-on of the model ${model} needs ${name}.` }));

/** A model the feature's type cannot have: nothing of it could be counted, or its counting knows neither credits nor balance (CAT-4). */
export const unfitModel = (model: AddonConsumptionModel, type: FeatureType): FieldProblem[] =>
  modelsByType[type].includes(model)
    ? []
    : [
        {
          field: 'consumptionModel',
          message: `An add-on for a ${type} feature cannot have the model ${model}.`,
        },
      ];

/**
 * The slug of a name: its letters and digits of any script in lower case, every run of other characters a hyphen between them. A name
 * without letters and digits has the slug of `fallback`.
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
