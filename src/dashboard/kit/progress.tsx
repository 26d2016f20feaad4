import type { CSSProperties, ReactNode } from 'react';
import { Meter as AriaMeter } from 'react-aria-components/Meter';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './progress.module.css';
import type { Tone } from './tone.ts';

type ProgressProps = {
  readonly label: string;
  /** Progress from 0 to 1. Omit if the end is unknown. */
  readonly share?: number;
  /** Text on the right, such as "320 of 1,000". */
  readonly value?: string;
};

const width = (share: number) =>
  ({ '--share': `${Math.max(0, Math.min(1, share)) * 100}%` }) as CSSProperties;

export const Progress = ({ label, share, value = '' }: ProgressProps) => (
  <ProgressBar
    className={styles.bar ?? ''}
    aria-label={label}
    valueLabel={value}
    {...(share === undefined ? { isIndeterminate: true } : { value: share * 100 })}
  >
    <div className={styles.texts}>
      <span>{label}</span>
      <span className={styles.value}>{value}</span>
    </div>
    <div className={styles.track}>
      <div
        className={styles.fill}
        data-unknown={share === undefined || undefined}
        style={width(share ?? 0.3)}
      />
    </div>
  </ProgressBar>
);

type MeterProps = {
  readonly label: string;
  /** Fraction of the limit that is used. Above 1 if usage exceeds the limit. */
  readonly share: number;
  /** Text on the right, such as "8,200 of 10,000 calls". */
  readonly value: ReactNode;
  readonly tone?: Tone;
};

/** Usage compared with its limit. The meter shows a warning from 80%, and an error at the limit. */
export const Meter = ({ label, share, value, tone }: MeterProps) => (
  <AriaMeter
    className={styles.bar ?? ''}
    aria-label={label}
    // Rounded, because assistive technology doesn't read numbers in scientific notation.
    value={Math.round(Math.min(share, 1) * 1_000) / 10}
    {...(typeof value === 'string' && { valueLabel: value })}
  >
    <div className={styles.texts}>
      <span>{label}</span>
      <span className={styles.value}>{value}</span>
    </div>
    <div className={styles.track}>
      <div
        className={styles.fill}
        data-tone={tone ?? (share >= 1 ? 'negative' : share >= 0.8 ? 'warning' : 'info')}
        style={width(share)}
      />
    </div>
  </AriaMeter>
);
