// Sales by country, with the organization's tax registrations in each country.

/** Amount billed to a country in one currency, in minor units. `key` is empty if the country is unknown. */
export type CountrySum = { readonly key: string; readonly currency: string; readonly amount: bigint };

/** Tax registration of the organization. `region` is empty if the registration covers the whole country. */
export type RegisteredPlace = { readonly country: string; readonly region: string };

export type TaxExposure = {
  /** Country of the buyers, as an ISO 3166-1 alpha-2 code. `null` if the country is unknown. */
  readonly country: string | null;
  readonly currency: string;
  readonly billed: bigint;
  /** Part of the country that the registrations cover. */
  readonly coverage: 'country' | 'regions' | 'none';
  /** Codes of the registered regions, sorted. */
  readonly regions: readonly string[];
};

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const ranks = { none: 0, regions: 1, country: 2 } as const;

/**
 * Returns sales by country with the tax registrations. Countries without a registration come first, then
 * countries with registered regions. Within these groups, the sales are sorted by currency and then by
 * amount, largest first. Omits countries with an amount of 0.
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
