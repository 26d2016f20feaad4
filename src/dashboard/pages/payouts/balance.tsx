import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { Money } from '../../kit/values.tsx';
import type { payouts } from '../../words/en/payouts.ts';
import { useWords } from '../../words/words.ts';
import type { PayoutOverviewQuery } from './page.graphql';

/** What is collected and not paid out yet, minor units. */
export type PayoutBalance = PayoutOverviewQuery['payoutBalance'];

/** The four parts of the balance. */
export function Balance({ balance }: { readonly balance: PayoutBalance }) {
  const words = useWords<typeof payouts>('payouts');
  const parts = [
    { label: words.available, help: words.availableHelp, minor: balance.available },
    { label: words.pending, help: words.pendingHelp, minor: balance.pending },
    { label: words.frozen, help: words.frozenHelp, minor: balance.frozen },
    { label: words.inTransit, help: words.inTransitHelp, minor: balance.inTransit },
  ];
  return (
    <Columns count={4}>
      {parts.map(({ label, help, minor }) => (
        <Card key={label}>
          <Stack gap={1}>
            <Text size="sm" color="muted">
              {label}
            </Text>
            <Text size="xl" weight="medium">
              <Money minor={minor} currency={balance.currency} />
            </Text>
            <Text size="sm" color="muted">
              {help}
            </Text>
          </Stack>
        </Card>
      ))}
    </Columns>
  );
}
