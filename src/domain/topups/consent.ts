import type { ConsentedTerms, TopUpConsent } from '../rows/topup-rows.ts';

/** Returns true if a refill isn't higher than the agreed refill. */
function refillIsCovered(agreed: ConsentedTerms, next: ConsentedTerms): boolean {
  if ('target' in agreed.refill && 'target' in next.refill) return next.refill.target <= agreed.refill.target;
  return agreed.price !== null && next.price !== null && next.price <= agreed.price;
}

/**
 * Returns true if a consent covers the terms of an automatic top-up. A higher threshold, a higher refill, a higher limit, a
 * shorter pause, another kind of refill, and another currency need consent again.
 */
export const isCovered = (consent: TopUpConsent | null, next: ConsentedTerms): boolean =>
  consent !== null &&
  consent.terms.currency === next.currency &&
  next.threshold <= consent.terms.threshold &&
  next.maxPerMonth <= consent.terms.maxPerMonth &&
  next.maxAmountPerMonth <= consent.terms.maxAmountPerMonth &&
  next.minPause >= consent.terms.minPause &&
  refillIsCovered(consent.terms, next);
