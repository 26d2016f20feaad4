import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { heartbeatGroups, heartbeatMs, startHeartbeat } from '../../src/graphql/serve/socket-heartbeat.ts';

/** Socket that counts pings and optionally responds to them. */
class Heard extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  pings = 0;
  isTerminated = false;
  readonly #answers: boolean;

  constructor(answers: boolean) {
    super();
    this.#answers = answers;
  }

  ping(): void {
    this.pings++;
    if (this.#answers) this.emit('pong');
  }

  terminate(): void {
    this.isTerminated = true;
    this.emit('close');
  }
}

const log = { error: (error: unknown) => expect.fail(String(error)) } as never;

describe('the socket heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = (count: number, answers: boolean) => {
    const heartbeat = startHeartbeat(log);
    const sockets = Array.from({ length: count }, () => new Heard(answers));
    for (const socket of sockets) heartbeat.add(socket as unknown as WebSocket);
    const asked = (): number => sockets.reduce((total, { pings }) => total + pings, 0);
    return { heartbeat, sockets, asked };
  };

  test('pings sockets in small groups, and each socket once every 12 seconds', () => {
    const { heartbeat, sockets, asked } = open(10_000, true);
    let most = 0;
    for (let turn = 0; turn < heartbeatGroups; turn++) {
      const before = asked();
      vi.advanceTimersByTime(heartbeatMs / heartbeatGroups);
      most = Math.max(most, asked() - before);
    }
    expect(most).toBe(84);
    expect(new Set(sockets.map(({ pings }) => pings))).toEqual(new Set([1]));
    heartbeat.stop();
    vi.advanceTimersByTime(2 * heartbeatMs);
    expect(asked()).toBe(10_000);
  });

  test('closes a socket that sends no pong before the next ping, and stops pinging it', () => {
    const { sockets, asked } = open(500, false);
    vi.advanceTimersByTime(heartbeatMs);
    expect(asked()).toBe(500);
    expect(sockets.some(({ isTerminated }) => isTerminated)).toBe(false);
    vi.advanceTimersByTime(3 * heartbeatMs);
    expect(sockets.every(({ isTerminated }) => isTerminated)).toBe(true);
    expect(asked()).toBe(500);
  });
});
