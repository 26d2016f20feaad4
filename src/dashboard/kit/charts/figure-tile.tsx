import type { ReactNode } from 'react';
import { Change } from './change.tsx';
import styles from './figure-tile.module.css';

type FigureTileProps = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** Change from the previous period as a fraction; 0.12 is an increase of 12%. */
  readonly change?: number | null;
  /** True if an increase is unfavorable, as for churn. */
  readonly isMoreWorse?: boolean;
  /** Previous value of the metric, or a breakdown of the current value. */
  readonly note?: ReactNode;
};

/** Metric with its change, such as MRR, cash or customers. */
export function FigureTile({ label, value, change = null, isMoreWorse = false, note }: FigureTileProps) {
  return (
    <div className={styles.tile}>
      <div className={styles.tileLabel}>{label}</div>
      <div className={styles.tileRow}>
        <span className={styles.tileValue}>{value}</span>
      </div>
      {(note !== undefined || change !== null) && (
        <div className={styles.tileRow}>
          {change !== null && <Change share={change} isMoreWorse={isMoreWorse} />}
          {note !== undefined && <span className={styles.tileNote}>{note}</span>}
        </div>
      )}
    </div>
  );
}
