import { timeText } from '../../../ui/format/dates.ts';
import { durationText } from '../../../ui/format/durations.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Meter } from '../../kit/progress.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Count } from '../../kit/values.tsx';
import type { EndpointHealthFragment } from './endpoint.graphql';
import { useWebhookWords } from './webhook-words.ts';

type Health = EndpointHealthFragment['health'];

/** Bar with the share of successful deliveries. */
export function HealthBar({ health: { delivered, failed } }: { readonly health: Health }) {
  const words = useWebhookWords();
  const { locale } = useKit();
  const ended = delivered + failed;
  if (ended === 0) return <Text color="muted">{words.none}</Text>;
  return (
    <Meter
      label={words.delivered}
      share={delivered / ended}
      tone={failed === 0 ? 'positive' : delivered === 0 ? 'negative' : 'warning'}
      value={`${countText(delivered, locale)} / ${countText(ended, locale)}`}
    />
  );
}

/** Deliveries in the last 24 hours: totals, and a bar for each hour. */
export function HealthCard({ health }: { readonly health: Health }) {
  const words = useWebhookWords();
  const kit = useKit();
  const { delivered, failed, queued, medianMs, series } = health;
  return (
    <Card title={words.health}>
      <Stack gap={4}>
        <Columns count={4}>
          <FigureTile label={words.delivered} value={<Count value={delivered} />} />
          <FigureTile label={words.failed} value={<Count value={failed} />} />
          <FigureTile label={words.queued} value={<Count value={queued} />} />
          <FigureTile
            label={words.median}
            value={medianMs === null ? '–' : durationText(medianMs, kit.locale)}
          />
        </Columns>
        {series.length === 0 ? (
          <Text color="muted">{words.noDeliveries}</Text>
        ) : (
          <BarChart
            label={words.perHour}
            height={140}
            points={series.map(({ at }) => ({ id: at, label: timeText(at, kit) }))}
            series={[
              { id: 'delivered', label: words.delivered, values: series.map((hour) => hour.delivered) },
              { id: 'failed', label: words.failed, values: series.map((hour) => hour.failed) },
            ]}
            format={(value) => countText(value, kit.locale)}
          />
        )}
      </Stack>
    </Card>
  );
}
