import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { useKit } from '../provider.tsx';
import { useWidth } from '../use-width.ts';
import { type ChartProps, pointText, valueText } from './chart-frame.tsx';
import styles from './charts.module.css';
import { axisLabels, distinctTicks, lookOf, type Span, valueScale } from './geometry.ts';

const axisWidth = 56;
const labelHeight = 24;
/** Distance between points below which labels are slanted, and height of slanted labels, in pixels. */
const slantBelow = 80;
const slantedHeight = 72;

/** Size and scales for drawing a chart. */
type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly y: (value: number) => number;
  readonly active: number | null;
};

type PlotProps = Required<Pick<ChartProps, 'label' | 'points' | 'series' | 'format' | 'height'>> & {
  readonly formatShort: (value: number) => string;
  readonly labelRoom?: number | undefined;
  readonly comparison?: ChartProps['comparison'];
  /** True to label every point. The labels are slanted if they don't fit. */
  readonly hasAllLabels?: boolean;
  readonly onChoose?: ((index: number) => void) | undefined;
  readonly spans: readonly Span[];
  /** Returns the x coordinate of a point's center in a drawing of a given width. */
  readonly placeOf: (index: number, width: number) => number;
  readonly draw: (drawing: Drawing) => ReactNode;
};

type TipComparisonProps = {
  readonly label: string;
  readonly value: number | null;
  readonly before: number | null;
  readonly format: (value: number) => string;
};

/** Lines of the tooltip with the value of the previous period, and the difference from it. */
function TipComparison({ label, value, before, format }: TipComparisonProps) {
  const { words } = useKit();
  const difference = value === null || before === null ? null : value - before;
  return (
    <>
      <span className={styles.tipLine} data-before="">
        <span className={styles.swatch} />
        <span className={styles.tipName}>{label}</span>
        {valueText(before, format)}
      </span>
      {difference !== null && (
        <span className={styles.tipDifference}>
          <span className={styles.tipName}>{words.difference}</span>
          {difference > 0 && '+'}
          {format(difference)}
        </span>
      )}
    </>
  );
}

/** Draws the axes, and marks the point that is hovered or selected with the arrow keys. Shows the values of that point as text. */
export function Plot({
  label,
  points,
  series,
  format,
  formatShort,
  height,
  labelRoom,
  comparison,
  hasAllLabels = false,
  onChoose,
  spans,
  placeOf,
  draw,
}: PlotProps) {
  const { words } = useKit();
  const [element, outer] = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const width = Math.max(0, outer - axisWidth);
  const isSlanted = hasAllLabels && width / Math.max(1, points.length) < slantBelow;
  const inner = height - (isSlanted ? slantedHeight : labelHeight);
  const y = valueScale(
    [...spans, ...(comparison?.values ?? []).map((value) => [0, value ?? 0] as const)],
    inner,
  );
  const last = points.length - 1;
  const nameOf = (index: number) => {
    const point = points[index];
    return point === undefined ? '' : pointText(point, words);
  };
  const text = (index: number) =>
    `${nameOf(index)}: ${[...series, ...(comparison === undefined ? [] : [comparison])]
      .map(({ label: name, values }) => `${name} ${valueText(values[index], format)}`)
      .join(', ')}`;
  const follow = (event: PointerEvent) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - axisWidth;
    const distances = points.map((_, index) => Math.abs(placeOf(index, width) - at));
    setActive(distances.indexOf(Math.min(...distances)));
  };
  const step = (event: KeyboardEvent) => {
    const at = active ?? last + 1;
    const next = { ArrowLeft: at - 1, ArrowRight: active === null ? 0 : at + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === 'Escape') setActive(null);
    if (event.key === 'Enter' && active !== null) onChoose?.(active);
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.max(0, Math.min(last, next)));
  };
  return (
    <div
      ref={element}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={active ?? last}
      aria-valuetext={last < 0 ? '–' : text(active ?? last)}
      onPointerMove={follow}
      onPointerLeave={() => setActive(null)}
      onKeyDown={step}
      onBlur={() => setActive(null)}
      onClick={onChoose === undefined || active === null ? undefined : () => onChoose(active)}
      data-choosable={onChoose !== undefined || undefined}
    >
      {width > 0 && (
        <svg width={outer} height={height} className={styles.svg} aria-hidden="true">
          {distinctTicks(y, formatShort).map((tick) => (
            <g key={tick} transform={`translate(0 ${Math.round(y(tick)) + 0.5})`}>
              <line x1={axisWidth} x2={outer} className={tick === 0 ? styles.zero : styles.rule} />
              <text x={axisWidth - 8} dy="0.32em" textAnchor="end" className={styles.axis}>
                {formatShort(tick)}
              </text>
            </g>
          ))}
          {axisLabels({
            labels: points.map(({ label: name }) => name),
            boundaries: points.map(({ axis }) => axis ?? null),
            placeOf: (index) => placeOf(index, width),
            width,
            ...(hasAllLabels ? { room: 0 } : labelRoom !== undefined && { room: labelRoom }),
          }).map(({ index, text: label, isLast }) => (
            <text
              key={points[index]?.id}
              {...(isSlanted
                ? {
                    transform: `translate(${axisWidth + placeOf(index, width)} ${inner + 14}) rotate(-40)`,
                    textAnchor: 'end',
                  }
                : {
                    x: isLast ? outer : axisWidth + placeOf(index, width),
                    y: height - 6,
                    textAnchor: isLast ? ('end' as const) : ('middle' as const),
                  })}
              className={styles.axis}
            >
              {label}
            </text>
          ))}
          <g transform={`translate(${axisWidth} 0)`}>
            {active !== null && (
              <line
                x1={placeOf(active, width)}
                x2={placeOf(active, width)}
                y2={inner}
                className={styles.cursor}
              />
            )}
            {draw({ width, height: inner, y, active })}
          </g>
        </svg>
      )}
      {active !== null && (
        <div
          className={styles.tip}
          data-side={placeOf(active, width) > width / 2 ? 'left' : 'right'}
          style={{ '--tip-x': `${axisWidth + placeOf(active, width)}px` } as CSSProperties}
          aria-hidden="true"
        >
          <strong>{nameOf(active)}</strong>
          {series.map(({ id, label: name, values, look }, index) => (
            <span key={id} className={styles.tipLine} data-series={lookOf({ look }, index)}>
              <span className={styles.swatch} />
              <span className={styles.tipName}>{name}</span>
              {valueText(values[active], format)}
            </span>
          ))}
          {comparison !== undefined && (
            <TipComparison
              label={comparison.label}
              value={series[0]?.values[active] ?? null}
              before={comparison.values[active] ?? null}
              format={format}
            />
          )}
        </div>
      )}
    </div>
  );
}
