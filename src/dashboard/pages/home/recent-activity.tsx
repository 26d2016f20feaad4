import { useState } from 'react';
import { addressOf } from '../../address.ts';
import type { LiveEvent } from '../../data/event-bus.ts';
import { useData } from '../../data/hooks.ts';
import { useEvents } from '../../data/use-events.ts';
import { ActivityList } from '../../kit/activity-list.tsx';
import { Avatar } from '../../kit/avatar.tsx';
import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { shownEvents } from './activity.ts';
import { HomeNowDocument, type HomeNowQuery } from './page.graphql';

type Entry = Pick<LiveEvent, 'id' | 'event' | 'summary' | 'timestamp' | 'actorName'> & {
  readonly customer: HomeNowQuery['events']['nodes'][number]['customer'];
};

const maxLoaded = 40;
const maxShown = 12;

/** Lists the latest events with their customers. Updates live. */
export function RecentActivity() {
  const words = useWords('home');
  const { data, error, refetch } = useData(HomeNowDocument, {});
  const [arrived, setArrived] = useState<readonly Entry[]>([]);
  useEvents({}, (event) => setArrived((before) => [event, ...before].slice(0, maxLoaded)));
  const entries = shownEvents<Entry>([...arrived, ...(data?.events.nodes ?? [])], maxShown);
  return (
    <Card title={words.now} actions={<Link href={addressOf('events')}>{words.all}</Link>}>
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && entries.length === 0 && <Text color="muted">{words.noEvents}</Text>}
      <ActivityList
        items={entries.map(({ id, summary, timestamp, customer }) => {
          const name = customer === null ? null : customer.fullName || customer.email;
          return {
            id,
            at: timestamp,
            ...(customer !== null &&
              name !== null && {
                mark: <Avatar id={customer.id} name={name} size="sm" />,
                who: (
                  <Link kind="text" href={addressOf('customer', { id: customer.id })}>
                    {name}
                  </Link>
                ),
              }),
            what: summary,
          };
        })}
      />
    </Card>
  );
}
