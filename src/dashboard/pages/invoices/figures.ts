/** Formats parts per million as a percentage: 190,000 is 19%. */
export const ppmText = (ppm: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(ppm / 1_000_000);
