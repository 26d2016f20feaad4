// Formats counts and percentages. Formats are cached, because creating a format takes as long as using it 100 times.

const formats = new Map<string, Intl.NumberFormat>();

export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Formats an integer with separators: 12,345. */
export const countText = (value: number, locale: string): string => numberFormat(locale).format(value);

/** Formats a large number in compact form: 12K, 1.2M. */
export const compactCountText = (value: number, locale: string): string =>
  numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** Formats a count up to a limit: 10,000+ if it's higher. */
export const boundedCountText = (
  { value, isExact }: { readonly value: number; readonly isExact: boolean },
  locale: string,
): string => `${countText(value, locale)}${isExact ? '' : '+'}`;

/** Formats a number with a maximum number of decimals: 3.25. */
export const numberText = (value: number, locale: string, decimals = 2): string =>
  numberFormat(locale, { maximumFractionDigits: decimals }).format(value);

/** Formats a ratio as a percentage: 0.1234 is 12.3%. */
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

/** Formats basis points as a percentage: 1,900 is 19%. */
export const basisPointsText = (basisPoints: number, locale: string): string =>
  percentText(basisPoints / 10_000, locale, { decimals: 2 });

/** Formats a number of bytes: 12.3 kB. */
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
