import type { WebSocket } from 'ws';
import { guarded, type Reporter } from '../../platform/guard.ts';

/** Interval between pings in milliseconds. A socket that doesn't respond before the next ping is closed. */
export const heartbeatMs = 12_000;

/**
 * Number of groups that sockets are divided into. Pinging ten thousand sockets at the same time would block the process
 * for a third of a second.
 */
export const heartbeatGroups = 120;

/** Timer that pings sockets to detect broken connections. */
export type Heartbeat = {
  /** Starts pinging a socket. Stops when the socket closes. */
  readonly add: (socket: WebSocket) => void;
  readonly stop: () => void;
};

/** Starts pinging all sockets of a server. Uses a single timer. */
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
