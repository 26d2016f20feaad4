import type { WebSocket } from 'ws';
import { guarded, type Reporter } from '../platform/guard.ts';

/** How often a socket is asked whether it is still there; one that has not answered by the next time is closed. */
export const heartbeatMs = 12_000;

/** Groups that sockets are asked in, evenly over that time: ten thousand pings at once would stop everything else for a third of a second. */
export const heartbeatGroups = 120;

/** Asks sockets whether they are there. */
export type Heartbeat = {
  /** Asks a new socket from now on, until it is closed. */
  readonly add: (socket: WebSocket) => void;
  readonly stop: () => void;
};

/** Asks all sockets of a server, by one timer for all of them. */
export function startHeartbeat(log: Reporter): Heartbeat {
  const groups = Array.from({ length: heartbeatGroups }, () => new Set<WebSocket>());
  const silent = new WeakSet<WebSocket>();
  let [added, turn] = [0, 0];
  const groupOf = (count: number): Set<WebSocket> => groups[count % heartbeatGroups] as Set<WebSocket>;
  const ask = (socket: WebSocket): void => {
    if (silent.has(socket)) socket.terminate();
    else if (socket.readyState === socket.OPEN) {
      silent.add(socket);
      socket.ping();
    }
  };
  const timer = setInterval(
    guarded(log, 'Sockets could not be asked whether they are there.', () => {
      for (const socket of groupOf(turn++)) ask(socket);
    }),
    heartbeatMs / heartbeatGroups,
  );
  timer.unref();
  const add = (socket: WebSocket): void => {
    const group = groupOf(added++);
    group.add(socket);
    socket.on(
      'pong',
      guarded(log, 'The answer of a socket could not be noted.', () => void silent.delete(socket)),
    );
    socket.once(
      'close',
      guarded(log, 'A closed socket could not be forgotten.', () => void group.delete(socket)),
    );
  };
  return { add, stop: () => clearInterval(timer) };
}
