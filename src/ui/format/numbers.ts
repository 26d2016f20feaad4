// Counts and shares as people read them. Formats are cached: making one costs as much as a hundred uses.

const formats = new Map<string, Intl.NumberFormat>();

/** The number format of a locale, made once per set of options. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** A whole number with separators: 12,345. */
export const countText = (value: number, locale: string): string => numberFormat(locale).format(value);

/** A large number in short: 12K, 1.2M. */
export const compactCountText = (value: number, locale: string): string =>
  numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** A count that stops at a bound: 10,000+ where there are more. */
export const boundedCountText = (
  { value, isExact }: { readonly value: number; readonly isExact: boolean },
  locale: string,
): string => `${countText(value, locale)}${isExact ? '' : '+'}`;

/** A number with at most so many decimals: 3.25. */
export const numberText = (value: number, locale: string, decimals = 2): string =>
  numberFormat(locale, { maximumFractionDigits: decimals }).format(value);

/** A share of one: 0.1234 is 12.3%. */
export const percentText = (
  share: number,
  locale: string,
  { decimals = 1, sign = false }: { readonly decimals?: number; readonly sign?: boolean } = {},
): string =>
  numberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: decimals,
    ...(sign && { signDisplay: 'exceptZero' }),
  }).format(share);

/** Basis points, of which 10 000 are the whole: 1 900 is 19%. */
export const basisPointsText = (basisPoints: number, locale: string): string =>
  percentText(basisPoints / 10_000, locale, { decimals: 2 });

/** A number of bytes: 12.3 kB. */
export function bytesText(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 1_000 && step < units.length - 1) {
    value /= 1_000;
    step += 1;
  }
  return numberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}
