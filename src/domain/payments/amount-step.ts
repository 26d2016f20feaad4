// Smallest units that payment processors charge (INS-153).
import { stripeStep } from '../money/stripe-amounts.ts';

/** Returns the smallest amount that a provider charges in a currency, in minor units. */
export const stepOf = (provider: string, currency: string): bigint =>
  provider === 'stripe' ? stripeStep(currency) : 1n;

/** Rounds an amount down to the smallest unit of a provider. */
export const chargeableBy = (provider: string, currency: string, amountMinor: bigint): bigint =>
  amountMinor - (amountMinor % stepOf(provider, currency));
