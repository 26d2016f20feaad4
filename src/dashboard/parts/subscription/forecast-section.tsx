import { monthText } from '../../../ui/format/dates.ts';
import { compactMoneyText, moneyText } from '../../../ui/format/money.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Callout } from '../../kit/callout.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { useSubscriptionWords } from '../subscription-words.ts';
import { forecastMonths } from './forecast.ts';
import { SubscriptionForecastDocument } from './subscription.graphql';

const months = 12;

/** Chart of the expected charges for the next 12 months. Follows the events of the subscription. */
export function ForecastSection({ subscriptionId }: { readonly subscriptionId: string }) {
  const { forecast: words } = useSubscriptionWords();
  const settings = useKit();
  const { data, error, refetch } = useData(SubscriptionForecastDocument, { id: subscriptionId, months });
  useRefetchOnEvents({ objectId: subscriptionId }, refetch);
  const forecast = data?.subscriptionForecast;
  const rows = forecast === undefined ? [] : forecastMonths(forecast.invoices, forecast.from, months);
  return (
    <Section title={words.title} description={words.about}>
      {data === null && error === null && <Loading lines={6} />}
      {data === null && error !== null && <Callout tone="negative">{error.message}</Callout>}
      {forecast?.rejection && (
        <Callout tone="warning">{words.stops({ message: forecast.rejection.message })}</Callout>
      )}
      {forecast !== undefined && rows.length === 0 && <Text color="muted">{words.none}</Text>}
      <Stack gap={6}>
        {rows.map(({ currency, total, months: own }) => (
          <Stack key={currency} gap={2}>
            <Text weight="medium">{words.sum({ amount: moneyText(total, currency, settings.locale) })}</Text>
            <BarChart
              label={words.sum({ amount: moneyText(total, currency, settings.locale) })}
              points={own.map(({ month }) => ({
                id: month,
                label: monthText(`${month}-01T00:00:00Z`, settings),
              }))}
              series={[{ id: currency, label: words.total, values: own.map(({ total: sum }) => sum) }]}
              format={(value) => moneyText(Math.round(value), currency, settings.locale)}
              formatShort={(value) => compactMoneyText(Math.round(value), currency, settings.locale)}
              height={200}
            />
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
