// Formats a rate's tiers as numbers and prices, without words. Price lists add the words.

/** Tiers of a rate. Decimals are strings with a decimal point. */
export type TieredRate = {
  readonly model: string;
  readonly per: number;
  readonly tiers: readonly {
    readonly upTo: string | null;
    readonly amount: string;
    readonly flat: string;
  }[];
};

type Formats = { readonly count: (value: number) => string; readonly amount: (decimal: string) => string };

const isZero = (decimal: string): boolean => Number(decimal) === 0;

/**
 * Returns the units and the price of each tier, such as `1,001–10,000` and `$0.015`. A tier starts one unit above the previous
 * tier, or at its end if the bounds aren't whole numbers.
 */
export const tierTexts = (
  { model, per, tiers }: TieredRate,
  { count, amount }: Formats,
): { readonly units: string; readonly price: string }[] => {
  const areWhole = tiers.every(({ upTo }) => Number.isInteger(Number(upTo)));
  return tiers.map(({ upTo, amount: price, flat }, index) => {
    const end = Number(tiers[index - 1]?.upTo ?? 0);
    const first = count(areWhole ? end + 1 : end);
    const last = upTo === null ? null : count(Number(upTo));
    const each = `${amount(price)}${per === 1 ? '' : ` / ${count(per)}`}`;
    const isFlat = model === 'stairs' || (isZero(price) && !isZero(flat));
    return {
      units: last === null ? `${first}+` : last === first ? first : `${first}–${last}`,
      price: isFlat ? amount(flat) : isZero(flat) ? each : `${amount(flat)} + ${each}`,
    };
  });
};
