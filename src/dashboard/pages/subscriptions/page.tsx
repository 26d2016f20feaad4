import { addressOf, useAddressSearch, useParameter } from '../../address.ts';
import { CommandActions } from '../../commands/actions.tsx';
import type { CommandName } from '../../commands/command.ts';
import { SubscriptionNotices } from '../../commands/subscription-notices.tsx';
import { useData, useLive } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Breadcrumbs } from '../../kit/breadcrumbs.tsx';
import { Columns, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { NextInvoice } from '../../parts/subscription/next-invoice.tsx';
import { PeriodSection } from '../../parts/subscription/period-section.tsx';
import { PoolsCard } from '../../parts/subscription/pools-card.tsx';
import {
  SubscriptionChangedDocument,
  SubscriptionPageDocument,
  type SubscriptionPageQuery,
} from '../../parts/subscription/subscription.graphql';
import {
  SubscriptionEventsTab,
  SubscriptionInvoicesTab,
} from '../../parts/subscription/subscription-lists.tsx';
import { TermsList, usePriceText } from '../../parts/subscription/terms-list.tsx';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { AutoTopUpsSection } from './auto-topups-section.tsx';
import { CommitmentsSection } from './commitments-section.tsx';
import { DeadlinesCard } from './deadlines-card.tsx';
import { FeaturesTable } from './features-table.tsx';
import { AddonsCard, OffersCard } from './offers-card.tsx';

const ForecastSection = lazyPart(() =>
  import('../../parts/subscription/forecast-section.tsx').then((module) => module.ForecastSection),
);
const WhatIf = lazyPart(() => import('./command-preview.tsx').then((module) => module.WhatIf));

type Subscription = SubscriptionPageQuery['subscription'];

/** Returns the actions that have their own button, depending on the subscription's status. */
const primaryOf = ({ status, cancellation }: Subscription): CommandName[] => {
  if (status === 'canceled') return ['create', 'reactivate'];
  if (status === 'past_due') return ['recoveryLink', 'retry'];
  if (cancellation) return ['changePlan', 'uncancel'];
  return ['cancel', 'offerApply', 'changePlan'];
};

/** Overview tab: terms, period, features, offers, add-ons, and upcoming events. */
function Overview({ subscription }: { readonly subscription: Subscription }) {
  const { page: words } = useSubscriptionWords();
  return (
    <Stack gap={6}>
      <SubscriptionNotices subscription={subscription} />
      <PeriodSection subscription={subscription} />
      <Section title={words.features}>
        <FeaturesTable subscription={subscription} />
      </Section>
      <PoolsCard subscription={subscription} />
      <CommitmentsSection subscription={subscription} />
      <AutoTopUpsSection subscription={subscription} />
      <Columns count={2}>
        <OffersCard subscription={subscription} />
        <AddonsCard subscription={subscription} />
      </Columns>
      <DeadlinesCard deadlines={subscription.deadlines} />
      <NextInvoice subscriptionId={subscription.id} />
    </Stack>
  );
}

function Loaded({
  subscription,
  refetch,
}: {
  readonly subscription: Subscription;
  readonly refetch: () => void;
}) {
  const { page: words } = useSubscriptionWords();
  const price = usePriceText();
  const [search, change] = useAddressSearch();
  useLive(SubscriptionChangedDocument, { id: subscription.id });
  useRefetchOnEvents({ objectId: subscription.id }, refetch);
  const { customer } = subscription;
  const subject = { customer, subscription };
  return (
    <Page
      title={subscription.name}
      status={<SubscriptionStatus status={subscription.status} />}
      breadcrumbs={<Breadcrumbs items={[{ label: words.all, href: addressOf('subscriptions') }]} />}
      subtitle={
        <>
          <Link href={addressOf('customer', { id: customer.id })}>{customer.fullName || customer.email}</Link>
          <span>{price(subscription)}</span>
        </>
      }
      actions={<CommandActions subject={subject} primary={primaryOf(subscription)} onDone={refetch} />}
      aside={<TermsList subscription={subscription} />}
    >
      <Tabs
        label={words.tabs.label}
        selected={search['tab'] ?? 'overview'}
        onSelect={(tab) => change({ tab: tab === 'overview' ? undefined : tab })}
        items={[
          { id: 'overview', label: words.tabs.overview, content: <Overview subscription={subscription} /> },
          {
            id: 'invoices',
            label: words.tabs.invoices,
            content: <SubscriptionInvoicesTab id={subscription.id} />,
          },
          {
            id: 'forecast',
            label: words.tabs.forecast,
            content: <ForecastSection subscriptionId={subscription.id} />,
          },
          { id: 'events', label: words.tabs.events, content: <SubscriptionEventsTab id={subscription.id} /> },
          { id: 'what-if', label: words.tabs.whatIf, content: <WhatIf subject={subject} onDone={refetch} /> },
        ]}
      />
    </Page>
  );
}

export default function SubscriptionPage() {
  const title = useWords('titles').subscription;
  const id = useParameter('id');
  const { data, error, refetch } = useData(SubscriptionPageDocument, { id });
  if (data !== null) return <Loaded key={id} subscription={data.subscription} refetch={refetch} />;
  return (
    <Page title={title}>
      {error === null ? <Loading lines={10} /> : <DataError error={error} onRetry={refetch} />}
    </Page>
  );
}
