import { ChartFrame, type ChartProps } from './chart-frame.tsx';
import styles from './charts.module.css';
import { bars, lookOf, stacked } from './geometry.ts';
import { Plot } from './plot.tsx';

/** Bar chart of values by period. Several series are stacked. Negative values are drawn below zero. */
export function BarChart({ height = 240, ...props }: ChartProps) {
  const { points, series, comparison, format, formatShort = format } = props;
  const count = points.length;
  const layers = stacked(series, count);
  const middle = (index: number, width: number) => {
    const { placeOf, band } = bars(count, width);
    return placeOf(index) + band / 2;
  };
  return (
    <ChartFrame {...props}>
      <Plot
        {...props}
        formatShort={formatShort}
        height={height}
        spans={layers.flat()}
        placeOf={middle}
        draw={({ width, y, active }) => {
          const size = bars(count, width);
          const outlines = points.map(({ id }, at) => {
            const value = comparison?.values[at] ?? 0;
            return value === 0 ? null : (
              <rect
                key={`before ${id}`}
                x={middle(at, width) - size.width * 0.7}
                y={Math.min(y(0), y(value))}
                width={size.width * 1.4}
                height={Math.abs(y(0) - y(value))}
                className={styles.outline}
              />
            );
          });
          const drawn = layers.map((layer, index) => (
            <g
              key={series[index]?.id}
              data-series={lookOf(series[index] ?? {}, index)}
              className={styles.series}
            >
              {layer.map(([from, until], at) => (
                <rect
                  key={points[at]?.id}
                  x={middle(at, width) - size.width / 2}
                  y={Math.min(y(from), y(until))}
                  width={size.width}
                  height={Math.abs(y(from) - y(until))}
                  className={styles.rect}
                  data-open={points[at]?.isOpen || undefined}
                  data-dim={(active !== null && active !== at) || undefined}
                />
              ))}
            </g>
          ));
          return [...outlines, ...drawn];
        }}
      />
    </ChartFrame>
  );
}
