import { useEffect, useEffectEvent } from 'react';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Loading } from '../../kit/states.tsx';
import { InvoiceTable } from '../billing/invoice-table.tsx';
import { eventEntries, Timeline } from '../events/event-list.tsx';
import { PagesOf } from '../load-more.tsx';
import { SubscriptionEventsDocument, SubscriptionInvoicesDocument } from './subscription.graphql';

type Page = { readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean } };
type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly onConnection: (connection: Page) => void;
};

/** Calls `onConnection` with a page of results after the page is loaded. */
export function useConnection<Connection extends Page>(
  connection: Connection | undefined,
  onConnection: (connection: Page) => void,
): void {
  const hand = useEffectEvent(onConnection);
  useEffect(() => {
    if (connection !== undefined) hand(connection);
  }, [connection]);
}

function InvoicePage({ id, after, onConnection }: PageProps) {
  const { data, error } = useData(SubscriptionInvoicesDocument, { id, first: 50, after });
  const invoices = data?.subscription.invoices;
  useConnection(invoices, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return invoices === undefined ? <Loading /> : <InvoiceTable invoices={invoices.nodes} />;
}

function EventPage({ id, after, onConnection }: PageProps) {
  const { data, error } = useData(SubscriptionEventsDocument, { id, first: 30, after });
  const events = data?.subscription.events;
  useConnection(events, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return events === undefined ? <Loading /> : <Timeline entries={eventEntries(events.nodes)} />;
}

export const SubscriptionInvoicesTab = ({ id }: { readonly id: string }) => (
  <PagesOf page={(after, hand) => <InvoicePage id={id} after={after} onConnection={hand} />} />
);

export const SubscriptionEventsTab = ({ id }: { readonly id: string }) => (
  <PagesOf page={(after, hand) => <EventPage id={id} after={after} onConnection={hand} />} />
);
