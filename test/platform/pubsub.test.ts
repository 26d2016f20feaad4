import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openLog } from '../../src/platform/log.ts';
import { openPubSub, type PubSub } from '../../src/platform/pubsub.ts';
import { eventually } from '../support/eventually.ts';
import { noRedisBecause, type RedisServer, startRedis } from '../support/redis.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// Notifications between processes. They're missed while a connection is down, so all listeners are called after it reconnects.

const log = openLog('silent');
const channel = 'quittance_hints';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const opened: PubSub[] = [];
afterEach(async () => {
  for (const pubsub of opened.splice(0)) await pubsub.close();
});

async function open(redisUrl?: string): Promise<PubSub> {
  const pubsub = await openPubSub({ redisUrl, role: 'api' }, fresh.database, log);
  opened.push(pubsub);
  return pubsub;
}

/** Listens for notifications and records the callbacks in order. */
function listen(pubsub: PubSub): string[] {
  const heard: string[] = [];
  pubsub.onHint('one', () => heard.push('one'));
  pubsub.onHint('two', () => heard.push('two'));
  pubsub.onHintsBelow('o', (rest) => heard.push(`below: ${rest}`));
  return heard;
}

/** Expects notifications from another process to reach their topic's listeners, but not removed listeners. */
async function reaches(here: PubSub, there: PubSub): Promise<void> {
  const heard = listen(here);
  const left: string[] = [];
  here.onHint('one', () => left.push('left'))();
  there.hint('one');
  await eventually(() => heard.length === 2);
  there.hint('two');
  await eventually(() => heard.length === 3);
  expect(heard).toEqual(['one', 'below: ne', 'two']);
  expect(left).toEqual([]);
}

describe.skipIf(noRedisBecause() !== null)('a notification over Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  test('reaches the listeners of its topic in another process', async () => {
    await reaches(await open(redis.url), await open(redis.url));
  });

  test("isn't lost during a reconnect, because all listeners are called after the reconnect", async () => {
    const pubsub = await open(redis.url);
    const heard = listen(pubsub);
    // Both commands run in one transaction, so that no process can resubscribe between them.
    const answers = await redis.client
      .multi([
        ['client', 'KILL', 'TYPE', 'pubsub'],
        ['publish', channel, 'one'],
      ])
      .exec();
    expect(answers).toEqual([
      [null, 1],
      [null, 0],
    ]);
    await eventually(() => heard.length === 3);
    expect(heard).toEqual(['one', 'two', 'below: null']);
    pubsub.hint('two');
    await eventually(() => heard.length === 4);
    expect(heard.at(-1)).toBe('two');
  });

  test('arrives after repeated connection losses', async () => {
    const pubsub = await open(redis.url);
    const heard = listen(pubsub);
    for (let round = 1; round <= 5; round++) {
      await redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await eventually(() => heard.length >= 3 * round);
    }
    const before = heard.length;
    pubsub.hint('one');
    await eventually(() => heard.length === before + 2);
    expect(heard.slice(before)).toEqual(['one', 'below: ne']);
  });
});

describe.skipIf(serverUrl() === undefined)('a notification over the database', () => {
  test('reaches the listeners of its topic in another process', async () => {
    await reaches(await open(), await open());
  });

  test("isn't lost during a reconnect, because all listeners are called after the reconnect", async () => {
    const pubsub = await open();
    const heard = listen(pubsub);
    const ended = await fresh.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
    );
    expect(ended).toHaveLength(1);
    await eventually(() => heard.length === 3);
    expect(heard).toEqual(['one', 'two', 'below: null']);
    pubsub.hint('two');
    await eventually(() => heard.length === 4);
    expect(heard.at(-1)).toBe('two');
  });
});
