import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

// Starts Redis servers that tests can stop, using the program installed on this machine.

/** Reason why no server can be started on this machine. `null` if a server can be started. */
export const noRedisBecause = (): string | null =>
  spawnSync('redis-server', ['--version']).status === 0 ? null : 'this machine has no redis-server';

export type RedisServer = {
  readonly url: string;
  /** Connection for commands that the test itself sends. */
  readonly client: Redis;
  readonly remove: () => Promise<void>;
};

/** Starts a server on a free port without persistence. Resolves when it accepts connections. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  const client = new Redis(port, '127.0.0.1');
  // Ignores connection errors, because the server accepts connections only once it's listening.
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
