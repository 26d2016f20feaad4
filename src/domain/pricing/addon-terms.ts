// Add-on terms that apply to a subscription. The version that applied at the start of the period determines
// the terms. Later versions apply if they're better for the customer, as with plan features (CAT-43,
// CAT-49).
import { maxOf } from '../money/money.ts';
import { type HeldRate, heldTogether, storedRate } from '../rates/held.ts';
import type { AddonVersionRow } from './catalog.ts';
import { versionAt } from './resolve.ts';

/**
 * Amounts of an add-on activation. Amounts that the consumption model doesn't use are `null`. `rates` are in US dollars or
 * credits.
 */
export type AddonTerms = Omit<AddonVersionRow, 'validFrom' | 'rate' | 'overrides'> & {
  readonly rates: HeldRate | null;
};

/** Returns the rates of a version. */
type RatesOf = (version: AddonVersionRow) => HeldRate | null;

const inDollars: RatesOf = ({ rate }) => (rate === null ? null : storedRate(rate));

function inFavour(held: AddonTerms, { includedUnits }: AddonVersionRow, rates: HeldRate | null): AddonTerms {
  return {
    // A new base price always applies from the next renewal.
    basePriceMinor: held.basePriceMinor,
    includedUnits: held.includedUnits === null ? null : maxOf(held.includedUnits, includedUnits ?? 0n),
    rates: heldTogether(held.rates, rates),
  };
}

/**
 * Returns the terms of an add-on at the time `at`. `termsFrom` is the time at which the add-on was activated
 * or its billing period opened. A version that starts exactly at one of these times counts. Versions must be
 * sorted by start. Throws if no version applies at `termsFrom`, which can't happen because the first version
 * has no lower bound. `ratesOf` determines the rates, which are in US dollars or credits by default.
 */
export function heldAddonTerms(
  versions: readonly AddonVersionRow[],
  termsFrom: Date,
  at: Date,
  ratesOf = inDollars,
): AddonTerms {
  const opening = versionAt(versions, termsFrom);
  if (opening === null) throw new Error(`An add-on has no version in force at ${termsFrom.toISOString()}.`);
  return versions
    .filter(({ validFrom }) => validFrom > termsFrom && validFrom <= at)
    .reduce<AddonTerms>((held, version) => inFavour(held, version, ratesOf(version)), {
      basePriceMinor: opening.basePriceMinor,
      includedUnits: opening.includedUnits,
      rates: ratesOf(opening),
    });
}
