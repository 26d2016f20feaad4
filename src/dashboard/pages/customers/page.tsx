import { useState } from 'react';
import { addressOf, useAddressSearch, useParameter } from '../../address.ts';
import { CommandActions } from '../../commands/actions.tsx';
import type { CommandName } from '../../commands/command.ts';
import { useData, useLive } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Status } from '../../kit/badge.tsx';
import { Breadcrumbs } from '../../kit/breadcrumbs.tsx';
import { Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { SubscriptionChangedDocument } from '../../parts/subscription/subscription.graphql';
import { useTerms } from '../../parts/terms.ts';
import { DataError } from '../../shell/data-error.tsx';
import { usePageKey } from '../../shell/use-page-key.ts';
import { useWords } from '../../words/words.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { Notes } from './notes.tsx';
import { Overview } from './overview.tsx';
import { CustomerPageDocument, type CustomerPageQuery } from './page.graphql';
import { About } from './profile.tsx';

const EditCustomer = lazyPart(() => import('./edit-customer.tsx').then((module) => module.EditCustomer));
const AccessTab = lazyPart(() => import('./access-tab.tsx').then((module) => module.AccessTab));
const CountsTab = lazyPart(() => import('./counts-tab.tsx').then((module) => module.CountsTab));
const CreditsTab = lazyPart(() => import('./credits-tab.tsx').then((module) => module.CreditsTab));
const GrantsTab = lazyPart(() => import('./grants-tab.tsx').then((module) => module.GrantsTab));
const InvoicesTab = lazyPart(() => import('./invoices-tab.tsx').then((module) => module.InvoicesTab));
const LimitsTab = lazyPart(() => import('./limits-tab.tsx').then((module) => module.LimitsTab));
const PaymentsTab = lazyPart(() => import('./payments-tab.tsx').then((module) => module.PaymentsTab));
const TimelineTab = lazyPart(() => import('./timeline-tab.tsx').then((module) => module.TimelineTab));
const UsageTab = lazyPart(() => import('./usage-tab.tsx').then((module) => module.UsageTab));

type Customer = CustomerPageQuery['customer'];

/** Returns the actions that get their own button, depending on the subscription. */
const primaryOf = ({ subscription }: Customer): CommandName[] => {
  if (subscription === null || subscription.status === 'canceled') return ['creditCreate', 'create'];
  return subscription.paymentMethod === null
    ? ['creditCreate', 'portalLink', 'changePlan']
    : ['creditCreate', 'charge', 'changePlan'];
};

function useTabs(customer: Customer, select: (tab: string) => void) {
  const { page } = useCustomerWords();
  const words = page.tabs;
  const { id, subscription, timezone } = customer;
  return [
    {
      id: 'overview',
      label: words.overview,
      content: <Overview customer={customer} onAll={() => select('timeline')} />,
    },
    { id: 'timeline', label: words.timeline, content: <TimelineTab id={id} /> },
    { id: 'usage', label: words.usage, content: <UsageTab id={id} subscription={subscription} /> },
    {
      id: 'limits',
      label: words.limits,
      content: <LimitsTab id={id} timeZone={timezone} subscription={subscription} />,
    },
    { id: 'invoices', label: words.invoices, content: <InvoicesTab id={id} /> },
    { id: 'payments', label: words.payments, content: <PaymentsTab id={id} /> },
    { id: 'credits', label: words.credits, content: <CreditsTab id={id} subscription={subscription} /> },
    { id: 'counts', label: words.counts, content: <CountsTab id={id} /> },
    { id: 'access', label: words.access, content: <AccessTab id={id} /> },
    { id: 'grants', label: words.grants, content: <GrantsTab id={id} /> },
  ];
}

function Loaded({ customer, refetch }: { readonly customer: Customer; readonly refetch: () => void }) {
  const { page, deletion } = useCustomerWords();
  const terms = useTerms();
  const [search, change] = useAddressSearch();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { subscription } = customer;
  const select = (tab: string) => change({ tab: tab === 'overview' ? undefined : tab });
  const tabs = useTabs(customer, select);
  useLive(SubscriptionChangedDocument, { id: subscription?.id ?? '' }, undefined, {
    isPaused: subscription === null,
  });
  usePageKey('e', () => setEditing(true));
  useRefetchOnEvents({ customerId: customer.id }, refetch);
  return (
    <Page
      title={customer.fullName || customer.email}
      status={
        subscription === null ? (
          <Status>{terms.noSubscription}</Status>
        ) : (
          <SubscriptionStatus status={subscription.status} />
        )
      }
      breadcrumbs={<Breadcrumbs items={[{ label: page.all, href: addressOf('customers') }]} />}
      subtitle={customer.fullName !== '' && customer.email}
      actions={
        <CommandActions
          subject={{ customer, subscription }}
          primary={primaryOf(customer)}
          more={{
            items: [
              { id: 'delete', label: deletion.action, tone: 'danger', onAction: () => setDeleting(true) },
            ],
          }}
          onDone={refetch}
        />
      }
      aside={
        <Stack gap={6}>
          <About customer={customer} onEdit={() => setEditing(true)} />
          <Notes id={customer.id} />
        </Stack>
      }
    >
      <Tabs
        label={page.tabs.label}
        selected={tabs.some(({ id }) => id === search['tab']) ? (search['tab'] ?? '') : 'overview'}
        onSelect={select}
        items={tabs}
      />
      {isEditing && <EditCustomer customer={customer} onClose={() => setEditing(false)} />}
      {isDeleting && <DeleteCustomer customer={customer} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

export default function CustomerPage() {
  const title = useWords('titles').customer;
  const { page } = useCustomerWords();
  const id = useParameter('id');
  const { data, error, refetch } = useData(CustomerPageDocument, { id });
  if (data !== null) return <Loaded key={id} customer={data.customer} refetch={refetch} />;
  return (
    <Page
      title={title}
      breadcrumbs={<Breadcrumbs items={[{ label: page.all, href: addressOf('customers') }]} />}
    >
      {error === null ? <Loading lines={10} /> : <DataError error={error} onRetry={refetch} />}
    </Page>
  );
}
