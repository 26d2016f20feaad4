import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Query } from '../../src/platform/db/pool.ts';
import type { Child } from './child.ts';

// Sends usage to two processes while they or their database fail, then asserts the expected results.

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };
export type UsageRequest = {
  readonly key: string;
  readonly body: { readonly customerId: string; readonly featureCode: string; readonly eventId: string };
};

/** Usage request, with the final response that the client received. */
export type Emitted = { readonly request: UsageRequest; readonly answer: Answer };

/** Load from concurrent clients that send usage. */
export type Load = {
  /** Requests that have received their final response so far. */
  readonly emitted: readonly Emitted[];
  /** Causes of failed attempts so far: an HTTP status, or `lost` for a broken connection. */
  readonly rejections: readonly string[];
  /** Waits until each client's last event is recorded. */
  readonly end: () => Promise<void>;
};

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends requests to two processes with the same API key. */
export class UsageClients {
  readonly #apiKey: string;
  readonly #children: () => readonly [Child, Child];

  constructor(apiKey: string, children: () => readonly [Child, Child]) {
    this.#apiKey = apiKey;
    this.#children = children;
  }

  /** Sends a request to one of the processes. Status 0 represents a retryable error without a retry time. */
  async send(
    index: number,
    method: string,
    path: string,
    body?: object,
    key: string = randomUUID(),
  ): Promise<Answer> {
    const child = this.#children()[index % 2];
    const headers = {
      'x-api-key': this.#apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
    };
    const response = await fetch(`${child?.url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> };
    return response.status === 503 && response.headers.get('retry-after') === null
      ? { ...answer, status: 0 }
      : answer;
  }

  async #made(path: string, body: object): Promise<string> {
    const answer = await this.send(0, 'POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  }

  /** Creates a free plan with the unlimited feature `calls`. Returns its ID. */
  async plan(): Promise<string> {
    const featureId = await this.#made('/features', { name: 'Calls', code: 'calls', type: 'usage' });
    const planId = await this.#made('/plans', { name: 'Free', code: 'free', isFree: true });
    await this.#made(`/plans/${planId}/features`, { featureId, enabled: true, unlimited: true });
    return planId;
  }

  /** Creates customers with a subscription to the plan, and returns their IDs. */
  async subscribers(planId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const customerId = await this.#made('/customers', { email: `${randomUUID()}@example.com` });
      await this.#made('/subscriptions', { customerId, planId });
      ids.push(customerId);
    }
    return ids;
  }

  /** Builds a request that records a new usage event. */
  request(customerId: string): UsageRequest {
    return { key: randomUUID(), body: { customerId, featureCode: 'calls', eventId: randomUUID() } };
  }

  /**
   * Sends an event. After each failed attempt, retries with the same idempotency key on the other process and
   * adds the cause to `rejections`.
   */
  async sendUntilDone({ key, body }: UsageRequest, rejections: string[]): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.send(attempt, 'POST', '/usage/events', body, key);
        if (answer.status === 200) return answer;
        rejections.push(`${answer.status}`);
      } catch {
        rejections.push('lost');
      }
      if (attempt > 1_000) throw new Error(`An event was never recorded: ${rejections.slice(-5).join()}`);
      await pause(10);
    }
  }

  /** Starts `clients` concurrent clients. Each sends one event after another until `end` is called. */
  begin(customers: readonly string[], clients: number): Load {
    const emitted: Emitted[] = [];
    const rejections: string[] = [];
    let isOver = false;
    const client = async (index: number): Promise<void> => {
      while (!isOver) {
        const request = this.request(customers[index % customers.length] ?? '');
        emitted.push({ request, answer: await this.sendUntilDone(request, rejections) });
      }
    };
    const running = Promise.all(Array.from({ length: clients }, (_none, index) => client(index)));
    // The caller of `end` receives any failure, so the rejection is ignored here.
    running.catch(() => undefined);
    const end = async (): Promise<void> => {
      isOver = true;
      await running;
    };
    return { emitted, rejections, end };
  }

  /** Asserts that both processes return the original response for a repeated request. */
  async expectReplays(emitted: readonly Emitted[]): Promise<void> {
    for (const [index, { request, answer }] of emitted.entries()) {
      expect(await this.send(index, 'POST', '/usage/events', request.body, request.key)).toEqual(answer);
    }
  }
}

/**
 * Asserts that each event is recorded once, each total matches its number of events, and each event position
 * is used once.
 */
export async function expectOnce(
  query: Query,
  customers: readonly string[],
  emitted: readonly Emitted[],
): Promise<void> {
  const stored = await query<{ eventId: string; id: string }>(
    'SELECT "eventId", id FROM "UsageEvent" WHERE "customerId" = ANY($1)',
    [customers],
  );
  const ids = new Map(stored.map((row) => [row.eventId, row.id]));
  expect(ids.size).toBe(stored.length);
  for (const { request, answer } of emitted) expect(ids.get(request.body.eventId)).toBe(answer.body['id']);
  expect(stored.length).toBe(new Set(emitted.map(({ request }) => request.body.eventId)).size);
  const [totals] = await query<{ total: bigint }>(
    'SELECT coalesce(sum(total), 0)::bigint AS total FROM "UsageCounter" WHERE "customerId" = ANY($1)',
    [customers],
  );
  expect(totals?.total).toBe(BigInt(stored.length));
  const [outbox] = await query<{ events: bigint; recorded: bigint }>(
    `SELECT count(*) AS events, count(DISTINCT data->>'usageEventId') AS recorded FROM "Event" WHERE kind = 'usage.recorded' AND "customerId" = ANY($1)`,
    [customers],
  );
  expect(outbox).toEqual({ events: BigInt(stored.length), recorded: BigInt(stored.length) });
}
