import { ChartFrame, type ChartProps } from './chart-frame.tsx';
import styles from './charts.module.css';
import { areaPath, linePath, pointPlace, type Span, stacked } from './geometry.ts';
import { Plot } from './plot.tsx';

type AreaChartProps = ChartProps & {
  readonly isStacked?: boolean;
};

/** Chart of values over time. Draws lines with an area below, or stacked areas. */
export function AreaChart({ isStacked = false, height = 240, ...props }: AreaChartProps) {
  const { points, series, comparison, format, formatShort = format } = props;
  const count = points.length;
  const layers: Span[][] = isStacked
    ? stacked(series, count)
    : series.map(({ values }) => points.map((_, index) => [0, values[index] ?? 0]));
  return (
    <ChartFrame {...props}>
      <Plot
        {...props}
        formatShort={formatShort}
        height={height}
        spans={layers.flat()}
        placeOf={(index, width) => pointPlace(index, count, width)}
        draw={({ width, y, active }) => [
          comparison !== undefined && (
            <path
              key="comparison"
              d={linePath(
                points.map((_, index) => comparison.values[index] ?? null),
                (at) => pointPlace(at, count, width),
                y,
              )}
              className={styles.before}
            />
          ),
          ...series.map(({ id, values }, index) => {
            const place = (at: number) => pointPlace(at, count, width);
            const spans = layers[index] ?? [];
            const line = isStacked ? spans.map(([, until]) => until) : values;
            const at = active === null ? null : line[active];
            return (
              <g key={id} data-series={(index % 8) + 1} className={styles.series}>
                {(isStacked || series.length === 1) && (
                  <path
                    d={areaPath(spans, place, y)}
                    className={styles.area}
                    data-stacked={isStacked || undefined}
                  />
                )}
                <path d={linePath(line, place, y)} className={styles.line} />
                {points.map(({ id: point, isOpen = false }, index) => {
                  const value = line[index];
                  return isOpen && value !== null && value !== undefined ? (
                    <circle key={point} cx={place(index)} cy={y(value)} r={4} className={styles.openDot} />
                  ) : null;
                })}
                {active !== null && at !== null && at !== undefined && (
                  <circle cx={place(active)} cy={y(at)} r={4} className={styles.dot} />
                )}
              </g>
            );
          }),
        ]}
      />
    </ChartFrame>
  );
}
