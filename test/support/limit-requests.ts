import { expect } from 'vitest';
import { type Consumer, of } from './consumers.ts';
import { firstShop, type Shop } from './factories.ts';
import type { TestApp } from './harness.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Failure = {
  readonly code: string;
  readonly param?: string;
  readonly details: Json;
};

/** Requests about limits in the sandbox of an app. */
export class LimitRequests {
  readonly app: TestApp;
  readonly shop: Shop;

  constructor(app: TestApp) {
    this.app = app;
    this.shop = firstShop(app);
  }

  /** Creates a blocking limit of the usage window, unless `body` states otherwise. */
  async limit(body: Json): Promise<Json & { readonly id: string }> {
    const answer = await this.shop.rest('POST', '/limits', {
      action: 'block',
      window: { kind: 'usage_window' },
      ...body,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body as Json & { readonly id: string };
  }

  /** Returns the error of a rejected request. */
  async failure(method: string, path: string, body?: Json): Promise<Failure> {
    const answer = await this.shop.rest(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    return answer.body['error'] as Failure;
  }

  /** Records usage. Returns the response. */
  async track(consumer: Consumer, body: Json = {}): Promise<Json> {
    const answer = await this.shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }

  /** Returns the error of rejected usage. */
  rejected(consumer: Consumer, body: Json = {}): Promise<Failure> {
    return this.failure('POST', '/usage/events', { ...of(consumer), ...body });
  }

  async check(consumer: Consumer, body: Json = {}): Promise<Json> {
    return (await this.shop.rest('POST', '/usage/check', { ...of(consumer), ...body })).body;
  }

  async states({ customerId }: Consumer): Promise<readonly Json[]> {
    const { body } = await this.shop.rest('GET', `/customers/${customerId}/limits`);
    return body['data'] as readonly Json[];
  }

  /** Returns the events of a customer's limits. */
  events({ customerId }: Consumer, pattern = 'limit.%'): Promise<readonly { kind: string; data: Json }[]> {
    return this.app.app.database.query(
      `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE $3 ORDER BY position`,
      [this.app.sandboxId, customerId, pattern],
    );
  }

  /** Returns the number of rows of a table in the sandbox. */
  async count(table: string): Promise<number> {
    const [row] = await this.app.app.database.query<{ count: bigint }>(
      `SELECT count(*) FROM "${table}" WHERE "environmentId" = $1`,
      [this.app.sandboxId],
    );
    return Number(row?.count);
  }
}
