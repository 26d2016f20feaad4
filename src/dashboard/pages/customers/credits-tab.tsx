import { useCommandAddress } from '../../commands/actions.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { Count, DateText, DateTime, Money, Rate } from '../../kit/values.tsx';
import { InvoiceLink } from '../../parts/billing/invoice-link.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { PoolsCard } from '../../parts/subscription/pools-card.tsx';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { useTerms } from '../../parts/terms.ts';
import { LotsSection } from './lots-section.tsx';
import {
  CustomerCreditsDocument,
  type LedgerEntryFragment,
  SubscriptionLedgerDocument,
} from './tabs.graphql';

/** Lists customer credits with their remaining amounts. */
function CustomerCredits({ id }: { readonly id: string }) {
  const { credits: words } = useCustomerWords();
  const commands = useCommandWords();
  const terms = useTerms();
  const { open } = useCommandAddress();
  const { data, error } = useData(CustomerCreditsDocument, { id, first: 100 });
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Section
      title={words.customerCredits}
      actions={
        <Button size="sm" onPress={() => open('creditCreate')}>
          {commands.creditCreate.title}
        </Button>
      }
    >
      <Table
        label={words.customerCredits}
        rows={data.customer.credits.nodes}
        rowKey={({ id: of }) => of}
        empty={words.none}
        columns={[
          {
            id: 'left',
            title: words.left,
            align: 'end',
            cell: ({ remainingAmount, currency }) => <Money minor={remainingAmount} currency={currency} />,
          },
          {
            id: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
          },
          { id: 'reason', title: words.reason, cell: ({ reason }) => reason },
          {
            id: 'source',
            title: words.source,
            priority: 'secondary',
            cell: ({ source }) => <Text color="muted">{terms.source[source]}</Text>,
          },
          {
            id: 'expires',
            title: words.expires,
            priority: 'secondary',
            cell: ({ expiresAt }) => (expiresAt ? <DateText at={expiresAt} /> : words.never),
          },
          {
            id: 'revoke',
            title: <Hidden>{words.revoke}</Hidden>,
            cell: ({ id: of, remainingAmount }) =>
              remainingAmount > 0 && (
                <Button size="sm" kind="quiet" onPress={() => open('creditRevoke', of)}>
                  {words.revoke}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}

type LedgerProps = {
  readonly title: string;
  readonly entries: readonly LedgerEntryFragment[];
  /** Currency of a prepaid balance. `null` if the plan uses credits. */
  readonly currency: string | null;
};

/** Lists the transactions of a prepaid balance or of credits, with the balance after each. */
function Ledger({ title, entries, currency }: LedgerProps) {
  const { credits: words, invoices } = useCustomerWords();
  const terms = useTerms();
  const amount = (value: number) =>
    currency === null ? <Count value={value} /> : <Rate rate={value} currency={currency} />;
  return (
    <Section title={title}>
      <Table
        label={title}
        rows={entries}
        rowKey={({ id }) => id}
        empty={words.noMovements}
        columns={[
          { id: 'time', title: words.movements, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            id: 'what',
            title: words.what,
            cell: ({ type, lot, feature, description }) => (
              <Stack gap={0}>
                <Text>{terms.entry[type]}</Text>
                <Text size="sm" color="muted">
                  {[terms.lotSource[lot.source], feature?.name, description].filter(Boolean).join(' · ')}
                </Text>
              </Stack>
            ),
          },
          {
            id: 'cause',
            title: words.cause,
            priority: 'secondary',
            cell: ({ cause, usageEvent }) => (
              <Stack gap={0}>
                <Text>{terms.entryCause[cause]}</Text>
                {usageEvent !== null && (
                  <Text size="sm" color="muted" code truncate>
                    {usageEvent.eventId}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            id: 'invoice',
            title: <Hidden>{invoices.number}</Hidden>,
            priority: 'secondary',
            cell: ({ invoice }) => invoice && <InvoiceLink id={invoice.id} number={invoice.invoiceNumber} />,
          },
          { id: 'change', title: words.change, align: 'end', cell: ({ amount: value }) => amount(value) },
          { id: 'after', title: words.after, align: 'end', cell: ({ resulting }) => amount(resulting) },
        ]}
      />
    </Section>
  );
}

function Pools({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { credits: words } = useCustomerWords();
  const { data, error } = useData(SubscriptionLedgerDocument, { id: subscription.id, first: 50 });
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  const { creditLedger, balanceLedger, consumptionModel, balance, pools } = data.subscription;
  if (pools.length === 0 && consumptionModel === 'metered') return <Text color="muted">{words.noPools}</Text>;
  return (
    <Stack gap={5}>
      <PoolsCard subscription={subscription} />
      {pools.map(({ asset, lots }) => (
        <LotsSection key={asset} asset={asset} lots={lots} />
      ))}
      {consumptionModel === 'credits' && (
        <Ledger title={words.creditPool} entries={creditLedger.nodes} currency={null} />
      )}
      {consumptionModel === 'balance' && (
        <Ledger
          title={words.moneyPool}
          entries={balanceLedger.nodes}
          currency={balance?.currency ?? subscription.currency}
        />
      )}
    </Stack>
  );
}

type Props = { readonly id: string; readonly subscription: SubscriptionTermsFragment | null };

/** Shows customer credits, and the credits or prepaid balance of the subscription. */
export const CreditsTab = ({ id, subscription }: Props) => (
  <Stack gap={6}>
    <CustomerCredits id={id} />
    {subscription !== null && <Pools subscription={subscription} />}
  </Stack>
);
