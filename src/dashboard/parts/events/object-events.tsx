import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Callout } from '../../kit/callout.tsx';
import { Loading } from '../../kit/states.tsx';
import { PagesOf } from '../load-more.tsx';
import { useConnection } from '../subscription/subscription-lists.tsx';
import { eventEntries, Timeline } from './event-list.tsx';
import { ObjectEventsDocument } from './object-events.graphql';

type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function EventPage({ id, after, onConnection }: PageProps) {
  const { data, error, refetch } = useData(ObjectEventsDocument, { id, first: 20, after });
  useRefetchOnEvents({ objectId: id }, refetch);
  useConnection(data?.events, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return data === null ? <Loading /> : <Timeline entries={eventEntries(data.events.nodes)} level={3} />;
}

/** Lists the events for an object, such as a payment or a payout. */
export const ObjectEvents = ({ id }: { readonly id: string }) => (
  <PagesOf page={(after, hand) => <EventPage id={id} after={after} onConnection={hand} />} />
);
