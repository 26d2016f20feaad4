import { useState } from 'react';
import { addressOf } from '../../address.ts';
import type { LiveEvent } from '../../data/event-bus.ts';
import { useData } from '../../data/hooks.ts';
import { useEvents } from '../../data/use-events.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { HomeNowDocument } from './page.graphql';

type Entry = Pick<LiveEvent, 'id' | 'summary' | 'timestamp' | 'actorName'> & {
  readonly customer: { readonly id: string } | null;
};

const maxEvents = 15;

/** Lists the latest events as sentences. Updates live. */
export function Now() {
  const words = useWords('home');
  const { data, error, refetch } = useData(HomeNowDocument, {});
  const [arrived, setArrived] = useState<readonly Entry[]>([]);
  const [isPaused, setPaused] = useState(false);
  useEvents({}, (event) => {
    if (!isPaused) setArrived((before) => [event, ...before].slice(0, maxEvents));
  });
  const ids = new Set<string>();
  const entries = [...arrived, ...(data?.events.nodes ?? [])]
    .filter(({ id }) => !ids.has(id) && ids.add(id))
    .slice(0, maxEvents);
  return (
    <Card
      title={words.now}
      actions={
        <Button kind="quiet" size="sm" onPress={() => setPaused(!isPaused)}>
          {isPaused ? words.resume : words.pause}
        </Button>
      }
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && entries.length === 0 && <Text color="muted">{words.noEvents}</Text>}
      <Timeline
        items={entries.map(({ id, summary, timestamp, actorName, customer }) => ({
          id,
          at: timestamp,
          title:
            customer === null ? (
              summary
            ) : (
              <Link kind="text" href={addressOf('customer', { id: customer.id })}>
                {summary}
              </Link>
            ),
          ...(actorName !== null && { actor: actorName }),
        }))}
      />
    </Card>
  );
}
