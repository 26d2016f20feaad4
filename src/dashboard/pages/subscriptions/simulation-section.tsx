import { useState } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Money } from '../../kit/values.tsx';
import { InvoicePreview } from '../../parts/billing/invoice-preview.tsx';
import { SubscriptionSimulationDocument } from '../../parts/subscription/subscription.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';

/** Returns the end of the same day a number of months later, in UTC. */
const monthsLater = (now: Date, months: number): string =>
  new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, now.getUTCDate(), 23, 59),
  ).toISOString();

/** Simulates a sandbox subscription until a future date. */
export function SimulationSection({ subscriptionId }: { readonly subscriptionId: string }) {
  const { whatIf: words } = useSubscriptionWords();
  const settings = useKit();
  const [months, setMonths] = useState(3);
  const [until, setUntil] = useState<string | null>(null);
  const input = { subscriptionIds: [subscriptionId], until: until ?? '' };
  const { data, error, isLoading } = useData(
    SubscriptionSimulationDocument,
    { input },
    { isPaused: until === null },
  );
  const simulation = data?.testClockSimulate;
  return (
    <Section title={words.simulate} description={words.simulateAbout}>
      <Row gap={3} align="end">
        <NumberField label={words.months} minValue={1} maxValue={36} value={months} onChange={setMonths} />
        <Button isPending={isLoading} onPress={() => setUntil(monthsLater(settings.now(), months))}>
          {words.run}
        </Button>
      </Row>
      {until !== null && simulation === undefined && error === null && <Loading lines={4} />}
      {error !== null && <Callout tone="negative">{error.message}</Callout>}
      {simulation !== undefined && (
        <Stack gap={4}>
          {simulation.totals.length === 0 && <Text color="muted">{words.nothing}</Text>}
          {simulation.totals.map(({ currency, collected, invoiced, unpaid }) => (
            <FactList
              key={currency}
              look="grid"
              items={[
                { label: words.invoiced, value: <Money minor={invoiced} currency={currency} /> },
                { label: words.collected, value: <Money minor={collected} currency={currency} /> },
                { label: words.unpaid, value: <Money minor={unpaid} currency={currency} /> },
              ]}
            />
          ))}
          <Text size="sm" color="muted">
            {words.until({ date: dateText(simulation.targetTime, settings) })}
          </Text>
          {simulation.invoices.map((invoice, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: invoices to come have no id and a fixed place.
            <InvoicePreview key={index} invoice={invoice} />
          ))}
        </Stack>
      )}
    </Section>
  );
}
