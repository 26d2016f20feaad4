import styles from './charts.module.css';
import { areaPath, linePath, pointPlace, valueScale } from './geometry.ts';

type SparkProps = {
  /** Accessible text with the last value, such as "MRR of 12 months, $12,300 now". */
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly width?: number;
  readonly height?: number;
};

/** Sparkline: a line without axes, next to a metric. */
export function Spark({ label, values, width = 120, height = 32 }: SparkProps) {
  const known = values.filter((value) => value !== null);
  const least = Math.min(...known);
  const y = valueScale(
    known.map((value) => [0, value - least]),
    height - 4,
  );
  const x = (index: number) => pointPlace(index, values.length, width);
  const place = (value: number) => y(value - least) + 2;
  return (
    <svg width={width} height={height} className={styles.spark} role="img" aria-label={label} data-series={1}>
      <path
        d={areaPath(
          values.map((value) => [least, value ?? least]),
          x,
          place,
        )}
        className={styles.area}
      />
      <path d={linePath(values, x, place)} className={styles.line} />
    </svg>
  );
}
