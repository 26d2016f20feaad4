import { useEffect, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { monthText, shortDateText } from '../../ui/format/dates.ts';
import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { run } from '../data/service.ts';
import { Choice } from '../parts/field.tsx';
import { Card, NumberCell, Quiet, Table } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { UsageOfDocument } from './sections/usage.graphql';

type Span = NonNullable<ResultOf<typeof UsageOfDocument>['portal']['subscription']>['usageSeries'][number];

type Range = 'period' | 'year';

/** Returns the last 12 months, up to the month that contains the given time, in UTC. */
function yearBefore(instant: string): { from: string; to: string } {
  const end = new Date(instant);
  const [year, month] = [end.getUTCFullYear(), end.getUTCMonth()];
  const isAtStart = end.getTime() === Date.UTC(year, month, 1);
  const last = month + (isAtStart ? 0 : 1);
  return {
    from: new Date(Date.UTC(year, last - 12, 1)).toISOString(),
    to: new Date(Date.UTC(year, last, 1)).toISOString(),
  };
}

/** Width and height of a chart in SVG units, and the gap between columns. */
const size = { width: 600, height: 160, gap: 2 } as const;

/** Column chart with one column per step. Hidden from screen readers, because the table below contains the values. */
function Columns({ spans, label }: { readonly spans: readonly Span[]; readonly label: string }) {
  const most = Math.max(1, ...spans.map(({ value }) => value));
  const step = size.width / Math.max(1, spans.length);
  return (
    <svg
      class={styles.chart}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {spans.map(({ start, value }, index) => {
        const height = (Math.max(0, value) / most) * (size.height - 4);
        return (
          <rect
            key={start}
            class={styles.column}
            x={index * step + size.gap / 2}
            y={size.height - height}
            width={Math.max(1, step - size.gap)}
            height={height}
          />
        );
      })}
      <line class={styles.axis} x1={0} y1={size.height} x2={size.width} y2={size.height} />
    </svg>
  );
}

type ChartProps = {
  readonly token: string;
  readonly features: readonly {
    readonly code: string;
    readonly name: string;
    readonly usage: { readonly current: number };
  }[];
  readonly period: { readonly start: string; readonly end: string };
};

/** Loads the usage of a feature in a date range. `null` while loading. */
function useSpans({ token, period, features }: ChartProps, code: string, range: Range) {
  const [answer, setAnswer] = useState<{ key: string; spans: readonly Span[] | null } | null>(null);
  const { start, end } = period;
  // Reloads when the counted usage increases.
  const counted = features.find((feature) => feature.code === code)?.usage.current ?? 0;
  const wanted = [code, range, start, end, counted].join(' ');
  useEffect(() => {
    let isOver = false;
    const key = [code, range, start, end, counted].join(' ');
    const span = range === 'year' ? yearBefore(end) : { from: start, to: end };
    const variables = {
      ...span,
      token,
      featureCode: code,
      granularity: range === 'year' ? 'month' : 'day',
    } as const;
    run(UsageOfDocument, variables).then(
      ({ portal }) => !isOver && setAnswer({ key, spans: portal.subscription?.usageSeries ?? [] }),
      () => !isOver && setAnswer({ key, spans: null }),
    );
    return () => {
      isOver = true;
    };
  }, [token, code, range, start, end, counted]);
  return answer?.key === wanted ? answer : null;
}

/** Usage of a feature over time, as a chart and a table. */
export function UsageChart(props: ChartProps) {
  const { features } = props;
  const { language } = usePage();
  const { usage: words } = useOwn();
  const [code, setCode] = useState(features[0]?.code ?? '');
  const [range, setRange] = useState<Range>('period');
  const answer = useSpans(props, code, range);
  const settings = { locale: language };
  const dayOf = (start: string): string =>
    range === 'year' ? monthText(start, settings) : shortDateText(start, settings);
  const spans = answer?.spans ?? [];
  const total = spans.reduce((sum, { value }) => sum + value, 0);
  const name = features.find((feature) => feature.code === code)?.name ?? '';
  const label = words.chartOf({ feature: name, total: countText(total, language) });
  const [first, last] = [spans[0], spans.at(-1)];
  return (
    <Card id="over-time" title={words.chart}>
      <div class={styles.choices}>
        {features.length < 2 ? null : (
          <Choice
            name="feature"
            label={words.feature}
            problems={{}}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          >
            {features.map((feature) => (
              <option key={feature.code} value={feature.code}>
                {feature.name}
              </option>
            ))}
          </Choice>
        )}
        <Choice
          name="span"
          label={words.span}
          problems={{}}
          onChange={({ currentTarget }) => setRange(currentTarget.value === 'year' ? 'year' : 'period')}
        >
          <option value="period">{words.period}</option>
          <option value="year">{words.year}</option>
        </Choice>
      </div>
      {answer === null ? null : answer.spans === null ? (
        <Quiet>{words.failed}</Quiet>
      ) : total === 0 ? (
        <Quiet id="no-usage">{words.nothing}</Quiet>
      ) : (
        <figure id="chart">
          <figcaption>{label}</figcaption>
          <Columns spans={spans} label={label} />
          <p class={styles.ends} aria-hidden="true">
            <span>{first === undefined ? '' : dayOf(first.start)}</span>
            <span>{last === undefined ? '' : dayOf(last.start)}</span>
          </p>
          <details>
            <summary>{words.asTable}</summary>
            <Table label={label} head={[range === 'year' ? words.month : words.day, words.amount]}>
              {spans.map(({ start, value }) => (
                <tr key={start}>
                  <th scope="row">{dayOf(start)}</th>
                  <NumberCell>{countText(value, language)}</NumberCell>
                </tr>
              ))}
            </Table>
          </details>
        </figure>
      )}
    </Card>
  );
}
