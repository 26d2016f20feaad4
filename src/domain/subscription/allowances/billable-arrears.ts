// Splits the arrears of an ending subscription into charges that fit on an invoice and charges that are waived. Arrears therefore can't
// prevent the subscription from ending (SUB-25a).

import type { WaivedCharge } from '../../events/deadline-events.ts';
import type { MinimumDetails, UsageDetails } from '../../invoicing/line.ts';
import { isBillable, largestTotal, maxOf } from '../../money/money.ts';
import { overageMinor, overageUnits } from '../../usage/window.ts';
import type { Arrears } from './arrears.ts';

export type LastArrears = { readonly billable: Arrears; readonly waived: readonly WaivedCharge[] };

/** Half of the largest invoice total. The other half is reserved for tax, which never exceeds the net amount. */
const maxBeforeTax = largestTotal / 2n;

/**
 * Splits arrears line by line into charges that fit on one invoice and charges to waive. If `canIssue` is
 * false, waives all charges because no invoice can be issued.
 */
export function lastArrears(arrears: Arrears, canIssue = true): LastArrears {
  const waived: WaivedCharge[] = [];
  let sum = 0n;
  /** Returns true if the charge fits on the invoice. `amountMinor` is `null` if the charge has no price. */
  const fits = (description: string, amountMinor: bigint | null): boolean => {
    if (amountMinor === 0n) return true;
    if (canIssue && amountMinor !== null && isBillable(amountMinor) && sum + amountMinor <= maxBeforeTax) {
      sum += amountMinor;
      return true;
    }
    waived.push({ description, amount: amountMinor === null ? null : String(amountMinor) });
    return false;
  };
  const usageFits = ({ feature, terms, use }: UsageDetails): boolean => {
    const isUnpriced = terms.isPriceMissing && overageUnits(terms, use) > 0n;
    return fits(feature.name, isUnpriced ? null : overageMinor(terms, use));
  };
  /** The charges of the final invoice can only lower the difference to the minimum spend. */
  const minimumFits = ({ amountMinor, chargedMinor }: MinimumDetails): boolean =>
    fits('Minimum spend', maxOf(0n, amountMinor - chargedMinor));
  const { minimum } = arrears;
  const billable = {
    usage: arrears.usage.filter(usageFits),
    addonUsage: arrears.addonUsage.filter(({ usage }) => usageFits(usage)),
    drawn: arrears.drawn,
    deficits: arrears.deficits.filter(({ featureName, amountMinor }) =>
      fits(featureName ?? 'Use beyond the balance', amountMinor),
    ),
    rises: arrears.rises.map((rise) => ({
      ...rise,
      rises: rise.rises.filter(({ amountMinor }) => fits(rise.feature.name, amountMinor)),
    })),
    minimum: minimum !== null && minimumFits(minimum) ? minimum : null,
  };
  return { billable, waived };
}
