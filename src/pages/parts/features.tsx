import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { type Priced, rateText } from '../format.ts';
import styles from './choices.module.css';

/** Feature of a plan, as shown to customers. */
export type OfferedFeature = {
  readonly name: string;
  readonly enabled: boolean;
  readonly includedAmount: number | null;
  readonly unlimited: boolean;
};

/** Credits and balance that a price includes in addition to the units of the plan's features. */
export type IncludedUnits = Priced & {
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
};

/** Lists what a plan includes: credits and balance, then features. */
export function FeatureList({
  features,
  units,
}: {
  readonly features: readonly OfferedFeature[];
  readonly units: IncludedUnits | null;
}) {
  const page = usePage();
  const { includes, unlimited: without, included, credits, balance } = page.words.checkout;
  const count = (value: number): string => countText(value, page.language);
  const { includedCredits, includedBalance } = units ?? {};
  const texts = [
    ...(includedCredits ? [credits({ count: includedCredits })] : []),
    ...(units !== null && includedBalance
      ? [balance({ amount: rateText(page, units, includedBalance) })]
      : []),
    ...features
      .filter(({ enabled }) => enabled)
      .map(({ name, unlimited, includedAmount }) =>
        // Features that use credits or are charged from the first unit have no included number.
        unlimited
          ? without({ feature: name })
          : includedAmount
            ? included({ feature: name, amount: count(includedAmount) })
            : name,
      ),
  ];
  return texts.length === 0 ? null : (
    <ul class={styles.features} aria-label={includes}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
