import type { Client } from '@urql/core';
import { createRequest } from '@urql/core';
import { filter, pipe, subscribe, take, toPromise } from 'wonka';
import { type LiveEvent, liveMode, tell, tellMany } from './event-bus.ts';
import { EventDigestDocument, EventStreamDocument, LatestEventDocument } from './events.graphql';
import { closeSocket, streamPosition } from './socket.ts';
import { remember } from './texts.ts';

/** Number of events per second above which events are counted instead of delivered individually. */
const floodPerSecond = 50;
/** Time in milliseconds after which a hidden tab disconnects. */
const hiddenTimeoutMs = 300_000;

/** Returns a function that records an event and returns the number of events in the last second. */
function openRate(now: () => number): () => number {
  let times: number[] = [];
  return () => {
    const since = now() - 1_000;
    times = [...times.filter((time) => time > since), now()];
    return times.length;
  };
}

type Stop = () => void;

type Digest = { readonly toPosition: number; readonly counts: readonly { event: string; count: number }[] };

/** Delivers events individually. Calls `onFlood` if too many arrive. */
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

/** Delivers event counts once a second. Calls `onCalm` when few events have arrived for two seconds. */
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

/** Returns the position of the latest event. `null` if the service returns no position. */
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
 * Subscribes to the events of the environment, individually or counted during a flood. The events update objects in the cache. After a disconnect,
 * the stream resumes at the last position, so no event is missed. Returns a function that unsubscribes.
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
  const pause = (): void => {
    stop();
    stop = () => undefined;
    liveMode.set('paused');
    closeSocket();
  };

  function onVisibilityChange(): void {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(pause, hiddenTimeoutMs);
    else if (liveMode.get() === 'paused' && streamPosition.afterPosition !== null) toStream();
  }

  streamPosition.afterPosition = null;
  void latestPosition(client).then((position) => {
    if (isEnded) return;
    streamPosition.afterPosition = position;
    toStream();
  });
  document.addEventListener('visibilitychange', onVisibilityChange);
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    clearTimeout(hiding);
    pause();
  };
}
