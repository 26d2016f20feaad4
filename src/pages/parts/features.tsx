import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import styles from './choices.module.css';

/** A feature as a plan offers it. */
export type OfferedFeature = {
  readonly code: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly includedAmount: number | null;
  readonly unlimited: boolean;
};

/** What a plan includes; nothing where it includes nothing. */
export function FeatureList({ features }: { readonly features: readonly OfferedFeature[] }) {
  const { words, language } = usePage();
  const { includes, unlimited: without, included } = words.checkout;
  const shown = features.filter(({ enabled }) => enabled);
  return shown.length === 0 ? null : (
    <ul class={styles.features} aria-label={includes}>
      {shown.map(({ code, name, unlimited, includedAmount }) => (
        <li key={code}>
          {unlimited
            ? without(name)
            : includedAmount === null
              ? name
              : included(name, countText(includedAmount, language))}
        </li>
      ))}
    </ul>
  );
}
