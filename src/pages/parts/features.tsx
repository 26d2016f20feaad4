import { countText } from '../../ui/format/numbers.ts';
import { type CurrentPage, usePage } from '../data/current-page.ts';
import styles from './choices.module.css';

/** A feature as a plan offers it. */
export type OfferedFeature = {
  readonly code: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly includedAmount: number | null;
  readonly unitName: string | null;
  readonly unlimited: boolean;
};

function textOf(
  { words, language }: CurrentPage,
  { name, unlimited, includedAmount, unitName }: OfferedFeature,
): string {
  if (unlimited) return words.checkout.unlimited(name);
  if (includedAmount === null) return name;
  const count = countText(includedAmount, language);
  return words.checkout.included(name, unitName === null ? count : `${count} ${unitName}`);
}

/** What a plan includes; nothing where it includes nothing. */
export function FeatureList({ features }: { readonly features: readonly OfferedFeature[] }) {
  const page = usePage();
  const included = features.filter(({ enabled }) => enabled);
  return included.length === 0 ? null : (
    <ul class={styles.features}>
      {included.map((feature) => (
        <li key={feature.code}>{textOf(page, feature)}</li>
      ))}
    </ul>
  );
}
