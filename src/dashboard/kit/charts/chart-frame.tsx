import ChartColumnIcon from 'lucide-react/icons/chart-column';
import TableIcon from 'lucide-react/icons/table-2';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../button.tsx';
import { useKit } from '../provider.tsx';
import { Loading } from '../states.tsx';
import { Table } from '../table.tsx';
import styles from './charts.module.css';
import { lookOf, type Series } from './geometry.ts';

export type ChartPoint = {
  readonly id: string;
  readonly label: string;
  /** Label on the time axis, at boundaries such as the first day of a month. Without one on any point, the chart selects evenly spaced labels. */
  readonly axis?: string;
  /** True if the value can still change, such as the value of the current month. */
  readonly isOpen?: boolean;
};

type Comparison = { readonly label: string; readonly values: readonly (number | null)[] };

/** Props that all charts share. */
export type ChartProps = {
  /** Accessible name of the chart, and title of its data table. */
  readonly label: string;
  /** Points with their labels, such as months or days. */
  readonly points: readonly ChartPoint[];
  readonly series: readonly Series[];
  /** Formats a full value, such as $1,234.00. */
  readonly format: (value: number) => string;
  /** Formats a short value for the axis, such as $1.2K. Defaults to `format`. */
  readonly formatShort?: (value: number) => string;
  readonly height?: number;
  /** Values of the previous period, by position in the period. Drawn as a dotted line, or as outlines of bars. */
  readonly comparison?: Comparison | undefined;
  /** Width reserved for the label of a point, in pixels. Defaults to the width of a month's label. */
  readonly labelRoom?: number;
  /** Called with the index of the point that is clicked or selected with Enter, to show its details. */
  readonly onChoose?: ((index: number) => void) | undefined;
};

/** Height of a chart's frame: its legend. In pixels. */
const frameHeight = 32;

type ChartFrameProps = Pick<ChartProps, 'label' | 'points' | 'series' | 'format' | 'comparison'> & {
  readonly hasLegend?: boolean;
  readonly children: ReactNode;
};

/** Frame of a chart with its legend and a table of its data. */
export function ChartFrame({
  label,
  points,
  series,
  format,
  comparison,
  hasLegend = series.length > 1 || comparison !== undefined,
  children,
}: ChartFrameProps) {
  const { words } = useKit();
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.bar}>
        {hasLegend && !isTable && (
          <ul className={styles.legend}>
            {series.map(({ id, label: name, look }, index) => (
              <li key={id} className={styles.key} data-series={lookOf({ look }, index)}>
                <span className={styles.swatch} aria-hidden="true" />
                {name}
              </li>
            ))}
            {comparison !== undefined && (
              <li className={styles.key} data-before="">
                <span className={styles.swatch} aria-hidden="true" />
                {comparison.label}
              </li>
            )}
          </ul>
        )}
        <span className={styles.turn}>
          <IconButton
            size="sm"
            label={isTable ? words.showChart : words.showTable}
            icon={isTable ? <ChartColumnIcon /> : <TableIcon />}
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
              ...(comparison === undefined
                ? []
                : [
                    {
                      id: 'comparison',
                      title: comparison.label,
                      align: 'end' as const,
                      cell: ({ index }: { readonly index: number }) =>
                        valueText(comparison.values[index], format),
                    },
                  ]),
            ]}
          />
        </div>
      ) : (
        children
      )}
    </figure>
  );
}

/** Space of a chart that is loading, so that the layout doesn't shift when the chart appears. */
export const ChartSpace = ({ height }: { readonly height: number }) => (
  <div className={styles.space} style={{ height: height + frameHeight }}>
    <Loading lines={1} />
  </div>
);

/** Returns a point's label, with a note if the value can still change. */
export const pointText = (
  { label, isOpen = false }: ChartPoint,
  { openPoint }: Pick<ReturnType<typeof useKit>['words'], 'openPoint'>,
): string => (isOpen ? openPoint({ label }) : label);

/** Formats a value. Returns a dash for `null`. */
export const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value);
