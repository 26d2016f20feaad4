import styles from './charts.module.css';
import { linePath, pointPlace, sparkRange } from './geometry.ts';

type SparkProps = {
  /** Accessible text with the last value, such as "MRR of 12 months, $12,300 now". */
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly width?: number;
  readonly height?: number;
};

/** Minimum number of points of a line. */
const leastPoints = 4;
const dotSize = 2.5;

/** Sparkline: a line without axes that ends in a dot. Changes below 10% look small. Not drawn if it has few points or a value is unknown. */
export function Spark({ label, values, width = 72, height = 22 }: SparkProps) {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (known.length < leastPoints || known.length < values.length || last === undefined) return null;
  const [from, until] = sparkRange(known);
  const x = (index: number) => pointPlace(index, known.length, width - 2 * dotSize) + dotSize;
  const y = (value: number) => dotSize + (1 - (value - from) / (until - from)) * (height - 2 * dotSize);
  return (
    <svg width={width} height={height} className={styles.spark} role="img" aria-label={label} data-series={1}>
      <path d={linePath(known, x, y)} className={styles.line} />
      <circle cx={x(known.length - 1)} cy={y(last)} r={dotSize} className={styles.sparkDot} />
    </svg>
  );
}
