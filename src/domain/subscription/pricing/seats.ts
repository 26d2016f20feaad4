import type { Rejection } from '../../errors/errors.ts';
import { isBillable } from '../../money/money.ts';
import type { Catalog } from '../../pricing/catalog.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import { excessOf, heldFeatures, inPlace } from '../../pricing/terms.ts';
import { heldMinor } from '../../rates/held.ts';
import type { SeatCounts } from '../../rows/rows.ts';
import { fieldRejection, priceRejection } from '../state/rejections.ts';

/**
 * Returns the reason why seats can't be charged in a market and currency, or in US dollars if `place` is `null`: additional seats have
 * no unit price (CAT-28), or their price exceeds the largest invoice (GLO-14a). `null` if the charge is possible. `field` is the API
 * input field with the numbers of seats.
 */
export function seatRateRejection(
  catalog: Catalog,
  planId: string,
  counts: SeatCounts,
  place: Pick<ResolvedPrice, 'currency' | 'market'> | null,
  at: Date,
  field = 'initialSeats',
): Rejection | null {
  if (Object.keys(counts).length === 0) return null;
  const sold = heldFeatures(catalog, planId, at, at).filter(({ feature, terms }) => {
    const excess = excessOf(terms, BigInt(counts[feature.code] ?? 0));
    return (
      feature.type === 'seats' && terms.enabled && terms.overageEnabled && terms.rates !== null && excess > 0n
    );
  });
  const { currency, market: marketId } = place ?? { currency: 'usd', market: null };
  const local = inPlace(catalog, sold, { planId, currency, marketId, termsFrom: at, at });
  if (local.some(({ terms }) => terms.rates === null)) return priceRejection('missing_regional_price');
  const tooMany = local.find(({ feature, terms }) => {
    const excess = excessOf(terms, BigInt(counts[feature.code] ?? 0));
    return terms.rates !== null && !isBillable(heldMinor(terms.rates, excess, currency));
  });
  return tooMany === undefined
    ? null
    : fieldRejection(
        `${field}.${tooMany.feature.code}`,
        'The number of seats exceeds the maximum that can be billed. Request fewer seats.',
      );
}
