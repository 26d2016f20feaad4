import { basisPointsText, countText, numberText } from '../../../ui/format/numbers.ts';
import { Callout } from '../../kit/callout.tsx';
import { AreaChart } from '../../kit/charts/area-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { MovementsCard } from './movements.tsx';
import { type MrrFiguresFragment, MrrPageDocument } from './mrr.graphql';
import { ratedPoint } from './mrr.ts';
import { GroupsCard } from './mrr-groups.tsx';
import type { Interval, Range } from './spans.ts';
import { usePointsOf } from './use-chart-values.ts';

/** MRR for a date range: key metrics, chart, movements and groups. */
export function MrrSection({ range }: { readonly range: Range }) {
  const words = useWords('mrr');
  const { incomplete } = useWords('metrics');
  const { data, error, refetch } = useSeries(MrrPageDocument, range, range);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  // The placeholder is as tall as the window, so that content below doesn't shift when the data loads.
  if (data === null) return <Loading lines={40} />;
  const [series] = data.metricsMrr;
  if (series === undefined)
    return (
      <Card title={words.title}>
        <EmptyState title={words.none}>{words.noneText}</EmptyState>
      </Card>
    );
  const missing = [...new Set(series.missingRates.map(({ currency }) => currency.toUpperCase()))];
  return (
    <Stack gap={6}>
      {missing.length > 0 && (
        <Callout tone="warning">{words.missingRates({ currencies: missing.join(', ') })}</Callout>
      )}
      {!series.isComplete && <Callout tone="info">{incomplete}</Callout>}
      <MrrCard series={series} range={range} />
      <MovementsCard series={series} range={range} />
      <GroupsCard range={range} />
    </Stack>
  );
}

type SeriesProps = { readonly series: MrrFiguresFragment; readonly range: Range };

function MrrCard({ series: { currency, points }, range }: SeriesProps) {
  const words = useWords('mrr');
  const named = usePointsOf(range.interval)(points);
  const money = useRates(currency);
  const open = named.at(-1);
  return (
    <Card
      title={words.title}
      actions={<ExportButton kind="metrics_mrr" label={words.title} variables={{ filter: range }} />}
    >
      <Stack>
        <Text as="p">{words.text}</Text>
        <Levels series={{ currency, points }} />
        <AreaChart
          label={words.title}
          points={named}
          series={[{ id: 'mrr', label: words.mrr, values: points.map(({ closing }) => closing) }]}
          {...money}
        />
        {open?.isOpen === true && <Text as="p">{words.openPoint({ point: open.label })}</Text>}
        <Rates points={points} interval={range.interval} />
      </Stack>
    </Card>
  );
}

/** Shows the metrics at the end of the last interval. */
function Levels({
  series: { currency, points },
}: {
  readonly series: Pick<MrrFiguresFragment, 'currency' | 'points'>;
}) {
  const { locale } = useKit();
  const words = useWords('mrr');
  const { format } = useRates(currency);
  const last = points.at(-1);
  if (last === undefined) return null;
  const text = (rate: number | null) => (rate === null ? '–' : format(rate));
  const { atRisk } = last;
  return (
    <Columns count={4}>
      <FigureTile
        label={words.mrr}
        value={text(last.closing)}
        note={atRisk === 0 ? words.nothingAtRisk : words.atRisk({ amount: text(atRisk) })}
      />
      <FigureTile label={words.arr} value={text(last.arr)} note={words.arrNote} />
      <FigureTile label={words.customers} value={countText(last.payingCustomers, locale)} />
      <FigureTile label={words.arpa} value={text(last.arpa)} />
    </Columns>
  );
}

/** Shows churn rates and quick ratio of the last completed interval, or the last interval if none is completed. */
function Rates({
  points,
  interval,
}: {
  readonly points: MrrFiguresFragment['points'];
  readonly interval: Interval;
}) {
  const { locale } = useKit();
  const words = useWords('mrr');
  const pointsOf = usePointsOf(interval);
  const rated = ratedPoint(points);
  const [named] = pointsOf(rated === undefined ? [] : [rated]);
  if (rated === undefined || named === undefined) return null;
  const share = (bps: number | null) => (bps === null ? '–' : basisPointsText(bps, locale));
  const note = named.isOpen ? words.ratesOfOpen({ point: named.label }) : named.label;
  const { quickRatioBps } = rated;
  return (
    <Columns count={4}>
      <FigureTile label={words.grossChurn} value={share(rated.grossChurnBps)} note={note} />
      <FigureTile label={words.netChurn} value={share(rated.netChurnBps)} note={note} />
      <FigureTile label={words.customerChurn} value={share(rated.customerChurnBps)} note={note} />
      <FigureTile
        label={words.quickRatio}
        value={quickRatioBps === null ? '–' : numberText(quickRatioBps / 10_000, locale)}
        note={note}
      />
    </Columns>
  );
}
