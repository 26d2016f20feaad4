import { FactList } from '../../kit/fact-list.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import type { PayoutOverviewQuery } from './page.graphql';

/** Collected amounts that haven't been paid out yet, in minor units. */
export type PayoutBalance = PayoutOverviewQuery['payoutBalance'];

type BalanceProps = { readonly balance: PayoutBalance };

/** One component of the balance, such as the pending amount. */
function Part({
  label,
  help,
  minor,
  currency,
}: {
  readonly label: string;
  readonly help: string;
  readonly minor: number;
  readonly currency: PayoutBalance['currency'];
}) {
  return (
    <Card>
      <Stack gap={1}>
        <Text size="sm" color="muted">
          {label}
        </Text>
        <Text size="xl" weight="medium">
          <Money minor={minor} currency={currency} />
        </Text>
        <Text size="sm" color="muted">
          {help}
        </Text>
      </Stack>
    </Card>
  );
}

/** Lists when pending amounts become available. */
function Upcoming({ balance: { upcoming, currency } }: BalanceProps) {
  const words = useWords('payouts');
  if (upcoming.length === 0) return null;
  return (
    <Card title={words.upcoming}>
      <FactList
        look="sums"
        items={upcoming.map(({ availableAt, amount }) => ({
          label: <DateText at={availableAt} />,
          value: <Money minor={amount} currency={currency} />,
        }))}
      />
    </Card>
  );
}

/** Shows the four components of the balance, and when pending amounts become available. */
export function Balance({ balance }: BalanceProps) {
  const words = useWords('payouts');
  const parts = [
    { label: words.available, help: words.availableHelp, minor: balance.available },
    { label: words.pending, help: words.pendingHelp, minor: balance.pending },
    { label: words.frozen, help: words.frozenHelp, minor: balance.frozen },
    { label: words.inTransit, help: words.inTransitHelp, minor: balance.inTransit },
  ];
  return (
    <>
      <Columns count={4}>
        {parts.map((part) => (
          <Part key={part.label} {...part} currency={balance.currency} />
        ))}
      </Columns>
      <Upcoming balance={balance} />
    </>
  );
}
