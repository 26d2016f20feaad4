import pg from 'pg';
import { stopWork, type Work, works } from '../work.ts';
import type { AnsweringClient } from './answering-client.ts';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Connection pool that notes which connections the work of an environment uses, so that the work can be stopped. */
export class NotingPool extends pg.Pool {
  readonly #users = new WeakMap<object, Work>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('release', (_error, client) => {
      this.#users.get(client)?.connections.delete(client as unknown as AnsweringClient);
      this.#users.delete(client);
    });
  }

  // Implements both overloads of the driver's method.
  override connect(connected?: unknown): never {
    const work = works.getStore();
    if (work === undefined) return super.connect(connected as Connected) as never;
    if (typeof connected === 'function')
      return super.connect((error, client, done) => {
        if (client !== undefined) this.#note(work, client);
        (connected as Connected)(error, client, done);
      }) as never;
    return super.connect().then((client) => {
      this.#note(work, client);
      return client;
    }) as never;
  }

  #note(work: Work, client: pg.PoolClient): void {
    // The cast is needed because the pool's types don't contain the connection class.
    const connection = client as unknown as AnsweringClient;
    this.#users.set(client, work);
    work.connections.add(connection);
    if (work.stopped !== null) stopWork(work, work.stopped);
  }
}
