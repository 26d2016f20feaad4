import { ChartFrame } from './chart-frame.tsx';
import styles from './charts.module.css';
import { bars, type WaterfallStep, waterfallSpans } from './geometry.ts';
import { Plot } from './plot.tsx';

type WaterfallProps = {
  readonly label: string;
  /** Steps from the first total to the last total. Totals start at zero. */
  readonly steps: readonly WaterfallStep[];
  readonly format: (value: number) => string;
  readonly formatShort?: (value: number) => string;
  readonly height?: number;
  /** Called with the index of the step that is clicked or selected with Enter. */
  readonly onChoose?: (index: number) => void;
};

/** Waterfall chart: the additions and losses between two totals. */
export function Waterfall({
  label,
  steps,
  format,
  formatShort = format,
  height = 240,
  onChoose,
}: WaterfallProps) {
  const spans = waterfallSpans(steps);
  const series = [{ id: 'value', label, values: steps.map(({ value }) => value) }];
  const middle = (index: number, width: number) => {
    const { placeOf, band } = bars(steps.length, width);
    return placeOf(index) + band / 2;
  };
  return (
    <ChartFrame label={label} points={steps} series={series} format={format}>
      <Plot
        label={label}
        points={steps}
        series={series}
        format={format}
        formatShort={formatShort}
        height={height}
        spans={spans}
        hasAllLabels
        onChoose={onChoose}
        placeOf={middle}
        draw={({ width, y }) => {
          const size = bars(steps.length, width);
          return steps.map(({ id, value, isTotal = false }, index) => {
            const [from, until] = spans[index] ?? [0, 0];
            const left = middle(index, width) - size.width / 2;
            return (
              <g key={id} data-step={isTotal ? 'total' : value < 0 ? 'loss' : 'gain'}>
                <rect
                  x={left}
                  y={Math.min(y(from), y(until))}
                  width={size.width}
                  height={Math.max(1, Math.abs(y(from) - y(until)))}
                  className={styles.step}
                />
                {index < steps.length - 1 && (
                  <line
                    x1={left + size.width}
                    x2={middle(index + 1, width) - size.width / 2}
                    y1={y(until)}
                    y2={y(until)}
                    className={styles.bridge}
                  />
                )}
                <text
                  x={left + size.width / 2}
                  y={Math.max(Math.min(y(from), y(until)) - 6, 10)}
                  textAnchor="middle"
                  className={styles.stepText}
                >
                  {formatShort(value)}
                </text>
              </g>
            );
          });
        }}
      />
    </ChartFrame>
  );
}
