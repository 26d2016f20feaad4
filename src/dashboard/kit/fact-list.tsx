import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

export type Fact = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** A small button beside the value: copy, edit, why. */
  readonly action?: ReactNode;
};

type FactListProps = {
  /** Entries that are false or null are left out. */
  readonly items: readonly (Fact | false | null | undefined)[];
  /** `rows` has labels on the left, `sums` amounts on the right as well, `stacked` labels above, `grid` facts beside each other. */
  readonly look?: 'rows' | 'sums' | 'stacked' | 'grid';
};

/** Labels and values of one object. */
export const FactList = ({ items, look = 'rows' }: FactListProps) => (
  <dl className={styles.list} data-look={look}>
    {items.map(
      (item, index) =>
        item && (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have a fixed place.
          <div key={index} className={styles.item}>
            <dt className={styles.label}>{item.label}</dt>
            <dd className={styles.value}>
              {item.value ?? '–'}
              {item.action}
            </dd>
          </div>
        ),
    )}
  </dl>
);
