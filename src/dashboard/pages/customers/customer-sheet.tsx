import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { entriesOf, Timeline } from '../../parts/events/event-list.tsx';
import { TermsList } from '../../parts/subscription/terms-list.tsx';
import { Amounts } from './list-columns.tsx';
import { CustomerPageDocument } from './page.graphql';
import { CustomerTimelineDocument } from './tabs.graphql';

type Props = { readonly id: string; readonly onClose: () => void };

/** Sheet with a customer summary, shown next to the list. */
export function CustomerSheet({ id, onClose }: Props) {
  const { page, form } = useCustomerWords();
  const { data, error } = useData(CustomerPageDocument, { id });
  const latest = useData(CustomerTimelineDocument, { id, first: 5 }).data?.customer.timeline.nodes ?? [];
  const customer = data?.customer;
  const subscription = customer?.subscription ?? null;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={customer?.fullName || customer?.email || ''}
      subtitle={customer?.email}
      status={subscription && <SubscriptionStatus status={subscription.status} />}
      actions={
        <LinkButton kind="primary" href={addressOf('customer', { id })}>
          {form.open}
        </LinkButton>
      }
    >
      {customer === undefined && error === null && <Loading lines={6} />}
      {customer === undefined && error !== null && <Callout tone="negative">{error.message}</Callout>}
      {customer !== undefined && (
        <Stack gap={5}>
          <FactList
            items={[
              {
                label: page.money.open,
                value: <Amounts amounts={customer.totals.open} empty={page.money.nothing} />,
              },
              {
                label: page.money.collected,
                value: <Amounts amounts={customer.totals.collected} empty={page.money.nothing} />,
              },
              { label: page.about.id, value: <Copy value={customer.id} short /> },
            ]}
          />
          {subscription !== null && <TermsList subscription={subscription} isOnCustomer />}
          <Timeline entries={entriesOf(latest)} level={3} />
        </Stack>
      )}
    </Sheet>
  );
}
