// What a subscription holds of an add-on: as with plan features, the version in force when its period opened,
// and every later one as far as it is better for the customer (CAT-43, CAT-49).
import { maxOf } from '../money.ts';
import type { AddonVersionRow } from './catalog.ts';
import { versionAt } from './resolve.ts';
import { lower } from './terms.ts';

/** Amounts an activation is held at; null where the consumption model has none. */
export type AddonTerms = Omit<AddonVersionRow, 'validFrom'>;

const inFavour = (held: AddonTerms, version: AddonVersionRow): AddonTerms => ({
  // The base price waits for the next renewal, whichever way it went.
  basePriceMinor: held.basePriceMinor,
  includedUnits: held.includedUnits === null ? null : maxOf(held.includedUnits, version.includedUnits ?? 0n),
  overageRate: lower(held.overageRate, version.overageRate),
});

/**
 * The terms held at `at` of an add-on whose billing period opened, or which was activated, at `termsFrom`,
 * both inclusive. Versions are ordered by when they began. Throws when none was in force at `termsFrom`: the
 * first is valid from the beginning of time.
 */
export function heldAddonTerms(versions: readonly AddonVersionRow[], termsFrom: Date, at: Date): AddonTerms {
  const opening = versionAt(versions, termsFrom);
  if (opening === null) throw new Error(`An add-on has no version in force at ${termsFrom.toISOString()}.`);
  const { basePriceMinor, includedUnits, overageRate } = opening;
  return versions
    .filter(({ validFrom }) => validFrom > termsFrom && validFrom <= at)
    .reduce(inFavour, { basePriceMinor, includedUnits, overageRate });
}
