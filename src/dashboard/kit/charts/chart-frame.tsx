import { BarChartIcon, TableIcon } from '@radix-ui/react-icons';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';
import { useKit } from '../provider.tsx';
import { Table } from '../table.tsx';
import styles from './charts.module.css';
import type { Series } from './geometry.ts';

/** A point of a chart. */
export type ChartPoint = {
  readonly id: string;
  readonly label: string;
  /** Whether its value still changes: a month that is not over. */
  readonly isOpen?: boolean;
};

/** What all charts have. */
export type ChartProps = {
  /** What the chart shows, for readers and as the title of its table. */
  readonly label: string;
  /** The points, with their labels: months, days. */
  readonly points: readonly ChartPoint[];
  readonly series: readonly Series[];
  /** A value in full: $1,234.00. */
  readonly format: (value: number) => string;
  /** A value in short, for the axis. Defaults to `format`. */
  readonly formatShort?: (value: number) => string;
  readonly height?: number;
  /** The room a label of a point needs, in px. Defaults to that of a month. */
  readonly labelRoom?: number;
  /** Called with a point that is pressed, or chosen by Enter: what stands behind it. */
  readonly onChoose?: ((index: number) => void) | undefined;
};

/** The width of an element, measured. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const measure = () => setWidth(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

type ChartFrameProps = Pick<ChartProps, 'label' | 'points' | 'series' | 'format'> & {
  readonly hasLegend?: boolean;
  readonly children: ReactNode;
};

/** A chart with its legend, and the same as a table. */
export function ChartFrame({
  label,
  points,
  series,
  format,
  hasLegend = series.length > 1,
  children,
}: ChartFrameProps) {
  const { words } = useKit();
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.bar}>
        {hasLegend && !isTable && (
          <ul className={styles.legend}>
            {series.map(({ id, label: name }, index) => (
              <li key={id} className={styles.key} data-series={(index % 8) + 1}>
                <span className={styles.swatch} aria-hidden="true" />
                {name}
              </li>
            ))}
          </ul>
        )}
        <span className={styles.turn}>
          <IconButton
            size="sm"
            label={isTable ? words.showChart : words.showTable}
            icon={isTable ? <BarChartIcon /> : <TableIcon />}
            onPress={() => setTable(!isTable)}
          />
        </span>
      </div>
      {isTable ? (
        <div className={styles.table}>
          <Table
            label={label}
            rows={points.map((point, index) => ({ ...point, index }))}
            rowKey={({ id }) => id}
            columns={[
              { id: 'point', title: words.period, cell: (point) => pointText(point, words) },
              ...series.map(({ id, label: name, values }) => ({
                id,
                title: name,
                align: 'end' as const,
                cell: ({ index }: { readonly index: number }) => valueText(values[index], format),
              })),
            ]}
          />
        </div>
      ) : (
        children
      )}
    </figure>
  );
}

/** A point in words, which say so where it is open. */
export const pointText = (
  { label, isOpen = false }: ChartPoint,
  { openPoint }: Pick<ReturnType<typeof useKit>['words'], 'openPoint'>,
): string => (isOpen ? openPoint(label) : label);

/** A value in words; a dash where there is none. */
export const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value);
