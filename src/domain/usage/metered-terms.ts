// Terms of features with a meter, whose totals are whole numbers of counted units (PRM-10, PRM-120).
import { addsDimensions, isFinal, type MeterDocument, meterOfVersion, scaleOf } from '../meters/meter.ts';
import { divideRounded } from '../money/money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { beganAfter, type FeatureTerms } from '../pricing/terms.ts';
import { listInParts, type PriceList } from '../rates/card.ts';
import type { HeldRate } from '../rates/held.ts';
import type { SubscriptionRow } from '../rows/rows.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';

/** Meter of a feature, and the feature's terms per unit. */
export type MeterTerms = {
  readonly document: MeterDocument;
  /** Number of counted units in one unit. */
  readonly scale: bigint;
  readonly includedAmount: bigint;
  readonly rates: HeldRate | null;
};

type Metered = Pick<FeatureTerms, 'includedAmount' | 'rates'> & { readonly meter: MeterTerms | null };

const converted = new WeakMap<PriceList, Map<number, PriceList>>();

/** Converts rates for units to rates for counted units. */
export function heldInParts(rates: HeldRate, { decimals }: Pick<MeterDocument, 'decimals'>): HeldRate {
  return rates.map((rate) =>
    converted
      .getOrInsertComputed(rate, () => new Map<number, PriceList>())
      .getOrInsertComputed(decimals, () => listInParts(rate, decimals)),
  );
}

/** Returns the terms with the included amount and the rates in counted units of a meter. */
export function withMeter<T extends Metered>(terms: T, document: MeterDocument | null): T {
  const { includedAmount, rates } = terms.meter ?? terms;
  if (document === null)
    return terms.meter === null ? terms : { ...terms, includedAmount, rates, meter: null };
  const scale = scaleOf(document);
  return {
    ...terms,
    includedAmount: includedAmount * scale,
    rates: rates === null || scale === 1n ? rates : heldInParts(rates, document),
    meter: { document, scale, includedAmount, rates },
  };
}

/**
 * Returns the meter of a feature for a subscription: the version at the start of the current billing period (PRM-122). Includes
 * the dimensions that later versions add (PRM-123). `null` if the feature counts whole units.
 */
export function meterAt(
  { meters }: Pick<FeatureRow, 'meters'>,
  { seq, termsFrom }: Pick<SubscriptionRow, 'seq' | 'termsFrom'>,
  at: Date,
): MeterDocument | null {
  if (meters.length === 0) return null;
  const first = meters.findLastIndex(
    (one) => !beganAfter({ validFrom: new Date(one.validFrom), seq: BigInt(one.seq) }, termsFrom ?? at, seq),
  );
  const version = meters[first];
  let meter = version === undefined ? null : meterOfVersion(version);
  for (const later of meters.slice(first + 1)) {
    const next = later.recounts === true ? meterOfVersion(later) : null;
    if (next !== null && addsDimensions(meter, next)) meter = next;
  }
  return meter;
}

/** Returns the terms with the meter of a window. A window keeps its meter until it ends (PRM-122). */
export const withMeterOf = <T extends Metered>(terms: T, { meter }: Pick<UsageCounterRow, 'meter'>): T =>
  meter === (terms.meter?.document ?? null) ? terms : withMeter(terms, meter);

/** Rates of a feature, and its meter if the rates are in counted units. */
export type PricedTerms = Pick<FeatureTerms, 'rates'> & { readonly meter?: MeterTerms | null };

/** Returns true if the total of a window is known only at its end. */
export const hasFinalTotal = ({ meter }: Pick<Metered, 'meter'>): boolean =>
  meter !== null && isFinal(meter.document);

/** Returns the rates per unit. */
export const ratesPerUnit = ({ rates, meter = null }: PricedTerms): HeldRate | null =>
  meter === null ? rates : meter.rates;

/** Returns the number of counted units in one unit. */
export const unitScale = ({ meter }: Pick<Metered, 'meter'>): bigint => meter?.scale ?? 1n;

/** Converts counted units to units, rounded half up. */
export const shownUnits = ({ meter }: Pick<Metered, 'meter'>, units: bigint): bigint =>
  meter === null ? units : divideRounded(units, meter.scale);
