import { describe, expect, test } from 'vitest';
import { ConnectionError } from '../../../src/packages/sdk/errors.ts';
import { type UsageInput, UsageQueue } from '../../../src/packages/sdk/usage-queue.ts';

describe('the queue of usage events', () => {
  const event = (eventId: string): UsageInput => ({ customerId: 'ada', featureCode: 'tokens', eventId });

  test('retries an event with the same ID, and reports each event that is rejected or exceeds the queue', async () => {
    const sent: string[] = [];
    const dropped: string[] = [];
    let isDown = true;
    const track = async ({ eventId }: { eventId?: string | undefined }) => {
      if (isDown) throw new ConnectionError('The service is down.');
      if (eventId === 'rejected') throw new Error('The feature is unknown.');
      sent.push(String(eventId));
    };
    const queue = new UsageQueue(
      { usage: { track: track as never } },
      {
        onDropped: ({ eventId }) => dropped.push(eventId),
      },
    );
    for (const id of ['first', 'rejected', 'last']) queue.add(event(id));
    await queue.flush();
    expect([sent, dropped, queue.size]).toEqual([[], [], 3]);
    isDown = false;
    await queue.flush();
    expect([sent, dropped, queue.size]).toEqual([['first', 'last'], ['rejected'], 0]);
  });

  test('waits in `flush` for work that adds an event later', async () => {
    const sent: string[] = [];
    const track = async ({ eventId }: { eventId?: string | undefined }) => sent.push(String(eventId));
    const queue = new UsageQueue({ usage: { track: track as never } }, {});
    let finish: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    queue.waitFor(reading.then(() => queue.add(event('late'))));
    queue.add(event('early'));
    await expect.poll(() => sent).toEqual(['early']);
    const flushed = queue.flush();
    finish();
    await flushed;
    expect(sent).toEqual(['early', 'late']);
  });

  test('keeps at most 10,000 events if events are added during an attempt that fails', async () => {
    const dropped: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    let attempts = 0;
    const attempt = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const queue = new UsageQueue(
      {
        usage: {
          track: () => {
            attempts += 1;
            return attempt;
          },
        },
      },
      { onDropped: ({ eventId }) => dropped.push(eventId) },
    );
    queue.add(event('first'));
    await Promise.resolve();
    for (let index = 1; index <= 10_000; index++) queue.add(event(String(index)));
    expect([queue.size, dropped]).toEqual([10_000, []]);
    fail(new ConnectionError('The service is down.'));
    await expect.poll(() => dropped).toEqual(['first']);
    expect(queue.size).toBe(10_000);
    // Events that are added after a failure wait for the next attempt.
    queue.add(event('later'));
    expect([queue.size, dropped, attempts]).toEqual([10_000, ['first', '1'], 1]);
  });

  test('drops the oldest of more than 10,000 waiting events', () => {
    const dropped: string[] = [];
    const queue = new UsageQueue(
      { usage: { track: (() => new Promise(() => undefined)) as never } },
      { onDropped: ({ eventId }) => dropped.push(eventId) },
    );
    for (let index = 0; index <= 10_000; index++) queue.add(event(String(index)));
    // The first event is being sent.
    expect([queue.size, dropped]).toEqual([10_000, []]);
    queue.add(event('last'));
    expect([queue.size, dropped]).toEqual([10_000, ['1']]);
  });
});
