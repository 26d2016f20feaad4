import type { CSSProperties } from 'react';
import { useKit } from '../provider.tsx';
import styles from './charts.module.css';

type Cohort = {
  readonly id: string;
  readonly label: string;
  /** Formatted size of the cohort at its start. */
  readonly size: string;
  /** Remaining share of the cohort after each period, from 0 to 1. `null` if the period hasn't ended. */
  readonly shares: readonly (number | null)[];
};

type CohortsProps = {
  readonly label: string;
  readonly cohorts: readonly Cohort[];
  /** Title of the size column. */
  readonly sizeTitle: string;
  readonly format: (share: number) => string;
};

/** Table with the remaining share of each cohort after each period. */
export function Cohorts({ label, cohorts, sizeTitle, format }: CohortsProps) {
  const { words } = useKit();
  const periods = Math.max(0, ...cohorts.map(({ shares }) => shares.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <section className={styles.cohorts} aria-label={label} tabIndex={0}>
      <table className={styles.cohortTable}>
        <thead>
          <tr>
            <th scope="col">{words.period}</th>
            <th scope="col">{sizeTitle}</th>
            {Array.from({ length: periods }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: periods are their numbers.
              <th key={index} scope="col">
                {index}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.id}>
              <th scope="row">{cohort.label}</th>
              <td>{cohort.size}</td>
              {Array.from({ length: periods }, (_, index) => {
                const share = cohort.shares[index] ?? null;
                return (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: periods are their numbers.
                    key={index}
                    className={styles.cohortCell}
                    style={{ '--share': `${Math.round(Math.min(share ?? 0, 1) * 42)}%` } as CSSProperties}
                  >
                    {share === null ? '' : format(share)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
