import type { ReactNode } from 'react';
import { percentText } from '../../../ui/format/numbers.ts';
import { Badge } from '../badge.tsx';
import { useKit } from '../provider.tsx';
import styles from './figure-tile.module.css';

type FigureTileProps = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** Change from the previous period as a fraction; 0.12 is an increase of 12%. */
  readonly change?: number | null;
  /** True if an increase is unfavorable, as for churn. */
  readonly isMoreWorse?: boolean;
  /** Sparkline of the metric. */
  readonly spark?: ReactNode;
  /** Previous value of the metric, or a breakdown of the current value. */
  readonly note?: ReactNode;
};

/** Tile for a metric with its change and a sparkline, such as MRR, cash or customers. */
export function FigureTile({
  label,
  value,
  change = null,
  isMoreWorse = false,
  spark,
  note,
}: FigureTileProps) {
  const { locale } = useKit();
  const isGood = change !== null && change !== 0 && change > 0 !== isMoreWorse;
  return (
    <div className={styles.tile}>
      <div className={styles.tileLabel}>{label}</div>
      <div className={styles.tileRow}>
        <span className={styles.tileValue}>{value}</span>
        {change !== null && (
          <Badge tone={change === 0 ? 'neutral' : isGood ? 'positive' : 'negative'}>
            {percentText(change, locale, { sign: true })}
          </Badge>
        )}
      </div>
      {(note !== undefined || spark !== undefined) && (
        <div className={styles.tileRow}>
          {note !== undefined && <span className={styles.tileNote}>{note}</span>}
          {spark !== undefined && <span className={styles.tileSpark}>{spark}</span>}
        </div>
      )}
    </div>
  );
}
