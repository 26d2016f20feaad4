import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { useMoney, useRates } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { MetricsHeadlineDocument } from './series.graphql';
import type { Range } from './spans.ts';

/** Card with five current metrics in US dollars, which don't depend on the date range. */
export function HeadlineCard({ range }: { readonly range: Range }) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const { data, error, refetch } = useSeries(
    MetricsHeadlineDocument,
    {},
    { ...range, kinds: ['payment_received', 'subscription_'] },
  );
  const headline = data?.metricsHeadline;
  const rate = useRates('usd').format;
  const money = useMoney('usd').format;
  const share = (bps: number | null) => (bps === null ? '–' : basisPointsText(bps, locale));
  return (
    <Card title={words.headline}>
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {headline === undefined && error === null && <Loading lines={5} />}
      {headline !== undefined && (
        <Stack>
          <Notices {...headline} />
          <Columns count={4}>
            <FigureTile
              label={words.headlineMrr}
              value={headline.mrr === null ? '–' : rate(headline.mrr)}
              note={words.growth({ share: share(headline.growthBps) })}
            />
            <FigureTile
              label={words.revenue}
              value={headline.revenue === null ? '–' : money(headline.revenue)}
              note={words.revenueNote}
            />
            <FigureTile
              label={words.activeSubscriptions}
              value={countText(headline.activeSubscriptions, locale)}
            />
            <FigureTile label={words.churn} value={share(headline.churnBps)} note={words.churnNote} />
          </Columns>
        </Stack>
      )}
    </Card>
  );
}
