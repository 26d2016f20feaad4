import type { ModelName } from '../../../../domain/rates/rate.ts';
import { type RateInput, readRate } from '../../../../domain/rates/read-rate.ts';

// Rate of a feature while it's edited. Decimals are strings with a decimal point, and can be invalid.

/** Tier of a rate. `upTo` is empty in the last tier, and an empty amount is 0. */
export type TierDraft = { readonly upTo: string; readonly amount: string; readonly flat: string };

/** Rate whose price isn't only a price per unit. `minimum` and `maximum` are empty if there is no limit. */
export type RateDraft = {
  readonly model: ModelName;
  readonly per: number;
  readonly tiers: readonly TierDraft[];
  readonly minimum: string;
  readonly maximum: string;
};

/** Rate as returned by the plan query. */
export type RateAnswer = {
  readonly model: ModelName;
  readonly per: number;
  readonly tiers: readonly {
    readonly upTo: string | null;
    readonly amount: string;
    readonly flat: string;
  }[];
  readonly minimum: string | null;
  readonly maximum: string | null;
};

/** Converts a saved rate for editing. */
export const rateDraftOf = ({ model, per, tiers, minimum, maximum }: RateAnswer): RateDraft => ({
  model,
  per,
  tiers: tiers.map(({ upTo, amount, flat }) => ({ upTo: upTo ?? '', amount, flat })),
  minimum: minimum ?? '',
  maximum: maximum ?? '',
});

const orZero = (text: string): string => (text === '' ? '0' : text);

/** Returns the rate as input for the service. */
export const rateInputOf = ({ model, per, tiers, minimum, maximum }: RateDraft) =>
  ({
    model,
    per,
    tiers: tiers.map(({ upTo, amount, flat }) => ({
      upTo: upTo === '' ? null : upTo,
      amount: orZero(amount),
      flat: orZero(flat),
    })),
    ...(minimum !== '' && { minimum }),
    ...(maximum !== '' && { maximum }),
  }) satisfies RateInput;

/** Reads a draft. Returns the rate, or all problems with their paths. `decimals` is the number of decimals of the meter. */
export const readDraft = (draft: RateDraft, decimals = 0): ReturnType<typeof readRate> =>
  readRate(rateInputOf(draft), { decimals });

/** Returns true if a rate can be saved. `decimals` is the number of decimals of the meter. */
export const isValidRate = (draft: RateDraft, decimals = 0): boolean => 'rate' in readDraft(draft, decimals);
