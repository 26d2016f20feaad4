import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

// A Redis server of a test's own, made from the program of the machine, that it may break.

/** Why no server can be started here; null where one can. */
export const noRedisBecause = (): string | null =>
  spawnSync('redis-server', ['--version']).status === 0 ? null : 'this machine has no redis-server';

/** A running server. */
export type RedisServer = {
  readonly url: string;
  /** A connection of the test itself. */
  readonly client: Redis;
  readonly remove: () => Promise<void>;
};

/** Starts a server on a free port that stores nothing. Answers when it takes connections. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  const client = new Redis(port, '127.0.0.1');
  // Connections are refused until the server listens.
  client.on('error', () => undefined);
  await client.ping();
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    remove: async () => {
      client.disconnect();
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
