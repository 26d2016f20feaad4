import { useState } from 'react';
import type { LiveEvent } from '../../data/event-bus.ts';
import { useData } from '../../data/hooks.ts';
import { useEvents } from '../../data/use-events.ts';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import type { drawer } from '../../words/en/drawer.ts';
import { useWords } from '../../words/words.ts';
import { DrawerEventsDocument } from './about.graphql';
import { EventData } from './event-data.tsx';
import { hasEvents, type PageObject } from './page-object.ts';

/** How many events are kept. */
const most = 50;

type Shown = Pick<LiveEvent, 'id' | 'event' | 'timestamp' | 'summary'>;

/** Events as they come, the latest first: those of the object of the page with what happened before, or all of the environment. */
export function Events({ object }: { readonly object: PageObject | null }) {
  const words = useWords<typeof drawer>('drawer');
  const [arrived, setArrived] = useState<readonly Shown[]>([]);
  useEvents(object === null ? {} : { objectId: object.id }, (event) =>
    setArrived((before) => [event, ...before].slice(0, most)),
  );
  const { data } = useData(
    DrawerEventsDocument,
    { id: object?.id ?? '' },
    { isPaused: object === null || !hasEvents(object) },
  );
  const node = data?.node;
  const past: readonly Shown[] = node && 'events' in node ? node.events.nodes : [];
  const known = new Set(past.map(({ id }) => id));
  const events = [...arrived.filter(({ id }) => !known.has(id)), ...past];
  return (
    <Table
      label={words.events}
      rows={events}
      rowKey={({ id }) => id}
      columns={[
        { id: 'at', title: words.at, cell: ({ timestamp }) => <DateTime at={timestamp} /> },
        { id: 'kind', title: words.kind, cell: ({ event }) => <Text code>{event}</Text> },
        { id: 'what', title: words.what, cell: ({ summary }) => summary },
        {
          id: 'data',
          title: words.payload,
          cell: ({ id }) => <EventData id={id} />,
        },
      ]}
      empty={<EmptyState title={words.noEvents}>{words.noEventsText}</EmptyState>}
    />
  );
}
