import type { CSSProperties, ReactNode } from 'react';
import styles from './stacked-bar.module.css';

/** Part of a stacked bar. `value` is 0 or more. */
export type BarPart = {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  /** Formatted value. */
  readonly text: string;
};

const seriesCount = 8;

/** Returns the number of the color of a part, which the bar and `Swatch` share. */
const seriesOf = (index: number): number => (index % seriesCount) + 1;

/** Square with the color of the part at an index. */
export const Swatch = ({ index, children }: { readonly index: number; readonly children: ReactNode }) => (
  <span className={styles.part}>
    <span className={styles.swatch} data-series={seriesOf(index)} aria-hidden="true" />
    {children}
  </span>
);

/** Horizontal bar whose parts add up to a total. Screen readers read the label and the parts. */
export function StackedBar({ label, parts }: { readonly label: string; readonly parts: readonly BarPart[] }) {
  const texts = parts.map((part) => `${part.label}: ${part.text}`).join(', ');
  return (
    <div className={styles.bar} role="img" aria-label={`${label}. ${texts}`}>
      {parts.map(({ id, value }, index) => (
        <div
          key={id}
          className={styles.segment}
          data-series={seriesOf(index)}
          style={{ '--value': value } as CSSProperties}
        />
      ))}
    </div>
  );
}
