import { addressOf } from '../../address.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { SubscriptionNotices } from '../../commands/subscription-notices.tsx';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { entriesOf, Timeline } from '../../parts/events/event-list.tsx';
import { ForecastSection } from '../../parts/subscription/forecast-section.tsx';
import { NextInvoice } from '../../parts/subscription/next-invoice.tsx';
import { PeriodSection } from '../../parts/subscription/period-section.tsx';
import { PoolsCard } from '../../parts/subscription/pools-card.tsx';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { usePriceText } from '../../parts/subscription/terms-list.tsx';
import { UsageMeters } from '../../parts/subscription/usage-meters.tsx';
import { Amounts } from './list-columns.tsx';
import type { CustomerPageQuery } from './page.graphql';
import { CustomerTimelineDocument } from './tabs.graphql';

type Customer = CustomerPageQuery['customer'];

/** Card with a customer's outstanding, paid, refunded and credited amounts. */
function MoneyCard({ customer: { totals, creditBalance } }: { readonly customer: Customer }) {
  const { page } = useCustomerWords();
  const words = page.money;
  return (
    <Card>
      <FactList
        look="grid"
        items={[
          { label: words.open, value: <Amounts amounts={totals.open} empty={words.nothing} /> },
          { label: words.collected, value: <Amounts amounts={totals.collected} empty={words.nothing} /> },
          totals.refunded.some(({ amount }) => amount !== 0) && {
            label: words.refunded,
            value: <Amounts amounts={totals.refunded} />,
          },
          { label: words.credit, value: <Amounts amounts={creditBalance} empty={words.nothing} /> },
        ]}
      />
    </Card>
  );
}

/** Card with the plan, price, period and features of the subscription. */
function SubscriptionCard({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { page } = useCustomerWords();
  const price = usePriceText();
  return (
    <Card
      title={
        <Row gap={2}>
          <Link href={addressOf('subscription', { id: subscription.id })}>{subscription.name}</Link>
          <SubscriptionStatus status={subscription.status} />
        </Row>
      }
      actions={
        <LinkButton size="sm" href={addressOf('subscription', { id: subscription.id })}>
          {page.openSubscription}
        </LinkButton>
      }
    >
      <Stack gap={4}>
        <Text color="muted">{price(subscription)}</Text>
        <PeriodSection subscription={subscription} />
        <UsageMeters subscription={subscription} />
      </Stack>
    </Card>
  );
}

/** Shown for a customer without a subscription, with a button that creates one. */
function NoSubscription() {
  const { page } = useCustomerWords();
  const { create } = useCommandWords();
  const { open } = useCommandAddress();
  return (
    <Card>
      <EmptyState
        title={page.noSubscription}
        action={
          <Button kind="primary" onPress={() => open('create')}>
            {create.title}
          </Button>
        }
      />
    </Card>
  );
}

/** Lists the latest events, with a button that shows all events. */
function Latest({ id, onAll }: { readonly id: string; readonly onAll: () => void }) {
  const { page } = useCustomerWords();
  const { data, refetch } = useData(CustomerTimelineDocument, { id, first: 5 });
  useRefetchOnEvents({ customerId: id }, refetch);
  if (data === null) return null;
  return (
    <Section
      title={page.latest}
      actions={
        <Button size="sm" kind="quiet" onPress={onAll}>
          {page.allActivity}
        </Button>
      }
    >
      <Timeline entries={entriesOf(data.customer.timeline.nodes)} level={3} />
    </Section>
  );
}

/** Lists the customer's past subscriptions. */
function Earlier({ customer }: { readonly customer: Customer }) {
  const { page } = useCustomerWords();
  const price = usePriceText();
  const past = customer.subscriptions.nodes.filter(({ id }) => id !== customer.subscription?.id);
  return past.length === 0 ? null : (
    <Section title={page.pastSubscriptions}>
      <Stack gap={2}>
        {past.map((subscription) => (
          <Row key={subscription.id} gap={3}>
            <Link href={addressOf('subscription', { id: subscription.id })}>{subscription.name}</Link>
            <SubscriptionStatus status={subscription.status} />
            <Text size="sm" color="muted">
              {price(subscription)}
            </Text>
          </Row>
        ))}
      </Stack>
    </Section>
  );
}

/** Overview tab: subscription, amounts, upcoming invoices, latest events. */
export function Overview({ customer, onAll }: { readonly customer: Customer; readonly onAll: () => void }) {
  const { subscription } = customer;
  return (
    <Stack gap={5}>
      {subscription !== null && <SubscriptionNotices subscription={subscription} />}
      <MoneyCard customer={customer} />
      {subscription === null ? <NoSubscription /> : <SubscriptionCard subscription={subscription} />}
      {subscription !== null && (
        <>
          <PoolsCard subscription={subscription} />
          <NextInvoice subscriptionId={subscription.id} />
          <ForecastSection subscriptionId={subscription.id} />
        </>
      )}
      <Latest id={customer.id} onAll={onAll} />
      <Earlier customer={customer} />
    </Stack>
  );
}
