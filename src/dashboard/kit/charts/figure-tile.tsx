import type { ReactNode } from 'react';
import { percentText } from '../../../ui/format/numbers.ts';
import { Badge } from '../badge.tsx';
import { useKit } from '../provider.tsx';
import styles from './figure-tile.module.css';

type FigureTileProps = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** The change against the span before, as a share: 0.12 is 12 % more. */
  readonly change?: number | null;
  /** Whether more is worse, as for churn. */
  readonly isMoreWorse?: boolean;
  /** A Spark. */
  readonly spark?: ReactNode;
  /** What it was before, or what it consists of. */
  readonly note?: ReactNode;
};

/** One figure with its change and a line: MRR, cash, customers. */
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
