import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { moneyText, type Priced, rateText } from '../format.ts';
import styles from './choices.module.css';

/** Feature of a plan, as shown to customers. */
export type OfferedFeature = {
  readonly code: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly includedAmount: number | null;
  readonly unlimited: boolean;
};

/** Credits and balance that a price includes in addition to the units of the plan's features, and its minimum spend. */
export type IncludedUnits = Priced & {
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
  /** Minimum spend per billing period, in minor units. */
  readonly minimumSpend: number | null;
};

/** Description of the price of a feature's units above the included amount. */
type DescribedRate = {
  readonly featureCode: string;
  /** Name of the feature, with the dimension values if each of them has its own price. */
  readonly featureName: string;
  readonly text: string;
};

/** Lists the content of a plan: credits and balance, then features with the prices of additional units. */
export function FeatureList({
  features,
  units,
  rates = [],
}: {
  readonly features: readonly OfferedFeature[];
  readonly units: IncludedUnits | null;
  readonly rates?: readonly DescribedRate[] | undefined;
}) {
  const page = usePage();
  const { includes, unlimited: without, included, credits, balance, minimumSpend } = page.words.checkout;
  const item = (text: string, prices?: readonly string[]) => (
    <li key={text}>
      {text}
      {prices?.map((price) => (
        <small key={price}>{price}</small>
      ))}
    </li>
  );
  /** Prices of a feature. If the feature has several prices, each of them names its dimension values. */
  const pricesOf = (feature: string): readonly string[] => {
    const own = rates.filter(({ featureCode }) => featureCode === feature);
    return own.map(({ featureName, text }) => (own.length === 1 ? text : `${featureName}: ${text}`));
  };
  const items = [
    units?.minimumSpend && item(minimumSpend({ amount: moneyText(page, units, units.minimumSpend) })),
    units?.includedCredits && item(credits({ count: units.includedCredits })),
    units?.includedBalance && item(balance({ amount: rateText(page, units, units.includedBalance) })),
    ...features.map(
      ({ code, name, enabled, unlimited, includedAmount }) =>
        enabled &&
        item(
          // Features that use credits or are charged from the first unit have no included number.
          unlimited
            ? without({ feature: name })
            : includedAmount
              ? included({ feature: name, amount: countText(includedAmount, page.language) })
              : name,
          pricesOf(code),
        ),
    ),
  ];
  return items.some(Boolean) ? (
    <ul class={styles.features} aria-label={includes}>
      {items}
    </ul>
  ) : null;
}
