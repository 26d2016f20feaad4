// Where an organization sells, and whether it is registered for tax there.

/** What was billed to one country in one currency, minor units; the country is empty where it is not known. */
export type CountrySum = { readonly key: string; readonly currency: string; readonly amount: bigint };

/** A place an organization is registered in; the region is empty for the whole country. */
export type RegisteredPlace = { readonly country: string; readonly region: string };

/** Sales to a country, and how far the organization is registered there. */
export type TaxExposure = {
  /** ISO 3166-1 alpha-2; null where the country of the payers is not known. */
  readonly country: string | null;
  readonly currency: string;
  readonly billed: bigint;
  /** Whether it is registered in the whole country, in some of its regions, or not at all. */
  readonly coverage: 'country' | 'regions' | 'none';
  /** Codes of the regions it is registered in, in order. */
  readonly regions: readonly string[];
};

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const ranks = { none: 0, regions: 1, country: 2 } as const;

/**
 * The sales of countries with their registrations: countries without one first, then those with some of their
 * regions, each by currency and the largest sales first. What adds up to nothing is left out.
 */
export function taxExposureOf(
  sums: readonly CountrySum[],
  registrations: readonly RegisteredPlace[],
): TaxExposure[] {
  const places = Map.groupBy(registrations, ({ country }) => country);
  return sums
    .filter(({ amount }) => amount !== 0n)
    .map(({ key, currency, amount }): TaxExposure => {
      const own = places.get(key) ?? [];
      const regions = own.flatMap(({ region }) => (region === '' ? [] : [region])).sort(byText);
      const isWhole = own.some(({ region }) => region === '');
      return {
        country: key === '' ? null : key,
        currency,
        billed: amount,
        coverage: isWhole ? 'country' : regions.length > 0 ? 'regions' : 'none',
        regions,
      };
    })
    .toSorted(
      (a, b) =>
        ranks[a.coverage] - ranks[b.coverage] ||
        byText(a.currency, b.currency) ||
        (a.billed === b.billed ? 0 : a.billed > b.billed ? -1 : 1) ||
        byText(a.country ?? '', b.country ?? ''),
    );
}
