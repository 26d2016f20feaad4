import type { Client } from '@urql/core';
import { createRequest } from '@urql/core';
import { filter, pipe, subscribe, take, toPromise } from 'wonka';
import { type LiveEvent, liveMode, tell, tellMany } from './event-bus.ts';
import { EventDigestDocument, EventStreamDocument, LatestEventDocument } from './events.graphql';
import { closeSocket, streamPosition } from './socket.ts';
import { remember } from './texts.ts';

/** More events a second than this are counted instead of delivered. */
const floodPerSecond = 50;
/** How long a hidden tab goes on listening. */
const patienceMs = 300_000;

/** Tells a flood of events: how many there were within the last second. */
export function openRate(now: () => number): () => number {
  let times: number[] = [];
  return () => {
    const since = now() - 1_000;
    times = [...times.filter((time) => time > since), now()];
    return times.length;
  };
}

type Stop = () => void;

type Digest = { readonly toPosition: number; readonly counts: readonly { event: string; count: number }[] };

/** Tells events one by one; calls `onFlood` once there are too many. */
function stream(client: Client, onFlood: () => void): Stop {
  liveMode.set('stream');
  const rate = openRate(() => performance.now());
  return pipe(
    client.executeSubscription(createRequest(remember(EventStreamDocument) as string, {})),
    subscribe(({ data }) => {
      const event = (data as { eventStream?: LiveEvent } | undefined)?.eventStream;
      if (event === undefined || event.position <= (streamPosition.afterPosition ?? -1)) return;
      streamPosition.afterPosition = event.position;
      tell(event);
      if (rate() > floodPerSecond) onFlood();
    }),
  ).unsubscribe;
}

/** Tells how many events there were, once a second; calls `onCalm` after two calm seconds in a row. */
function digest(client: Client, onCalm: () => void): Stop {
  liveMode.set('digest');
  let isCalm = false;
  return pipe(
    client.executeSubscription(createRequest(remember(EventDigestDocument) as string, {})),
    subscribe(({ data }) => {
      const found = (data as { eventDigest?: Digest } | undefined)?.eventDigest;
      if (found === undefined) return;
      streamPosition.afterPosition = found.toPosition;
      tellMany(found.counts);
      const count = found.counts.reduce((sum, each) => sum + each.count, 0);
      if (count <= floodPerSecond && isCalm) onCalm();
      isCalm = count <= floodPerSecond;
    }),
  ).unsubscribe;
}

/** The position of the latest event; null when nobody says. */
async function latestPosition(client: Client): Promise<number | null> {
  const request = createRequest(remember(LatestEventDocument) as string, {});
  const { data } = await pipe(
    client.executeQuery(request, { requestPolicy: 'network-only' }),
    filter(({ stale }) => !stale),
    take(1),
    toPromise,
  );
  const nodes = (data as { events?: { nodes: { position: number }[] } } | undefined)?.events?.nodes;
  return nodes === undefined ? null : (nodes[0]?.position ?? 0);
}

/**
 * Follows the events of the environment, one by one, or counted while there are many. Objects they are about change in the cache. After a break it goes
 * on at the last position, so nothing is missed. Ends when the function it answers is called.
 */
export function followEvents(client: Client): Stop {
  let stop: Stop = () => undefined;
  let isEnded = false;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  function follow(start: (client: Client, other: () => void) => Stop, other: () => void): void {
    stop();
    stop = start(client, other);
  }
  const toStream = (): void => follow(stream, toDigest);
  const toDigest = (): void => follow(digest, toStream);
  const rest = (): void => {
    stop();
    stop = () => undefined;
    liveMode.set('paused');
    closeSocket();
  };

  function look(): void {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(rest, patienceMs);
    else if (liveMode.get() === 'paused' && streamPosition.afterPosition !== null) toStream();
  }

  streamPosition.afterPosition = null;
  void latestPosition(client).then((position) => {
    if (isEnded) return;
    streamPosition.afterPosition = position;
    toStream();
  });
  document.addEventListener('visibilitychange', look);
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', look);
    clearTimeout(hiding);
    rest();
  };
}
