import { afterAll, beforeAll, expect, test } from 'vitest';
import { explained } from '../../src/idempotency/errors.ts';
import type { KeyUse } from '../../src/idempotency/key.ts';
import { claimKey } from '../../src/platform/idempotency.ts';
import { systemContext } from '../../src/request/context.ts';
import { openDoor } from '../rest/door.ts';
import { type ContractOperation, nameOf } from '../support/contract.ts';
import { otherShop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { expectRejected } from '../support/rejected.ts';
import { addressOf, type Request, requests } from '../support/requests.ts';
import { kinds } from '../support/route-kinds.ts';
import { serverUrl } from '../support/template.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

// The embedded database has one connection, so no other connection can lock the table.
test.runIf(serverUrl() !== undefined)(
  'a write returns idempotency_unavailable while the idempotency key table is locked',
  async () => {
    const shop = await otherShop(t);
    const requestOf = async (operation: ContractOperation): Promise<Request> => {
      const request = await requests[nameOf(operation)]?.(shop);
      if (request === undefined) throw new Error(`No request is known for ${nameOf(operation)}.`);
      return request;
    };
    const door = await openDoor({ IDEMPOTENCY_LOCK_TIMEOUT_MS: '100' }, { database: t.app.database });
    const writes: (readonly [ContractOperation, Request])[] = [];
    for (const [, operation] of kinds)
      if (operation.idempotent) writes.push([operation, await requestOf(operation)]);
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = t.app.database.transaction(async ({ query }) => {
      await query('LOCK TABLE "IdempotencyKey" IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    const ask = ([operation, request]: (typeof writes)[number]) =>
      door.ask(operation.method, addressOf(operation.path, request), {
        body: request.body ?? {},
        key: shop.key,
        headers: { 'idempotency-key': `unavailable for ${nameOf(operation)}` },
      });
    const answers = await Promise.all(writes.map(ask));
    over.resolve();
    await holding;
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      expectRejected(answer, { code: 'idempotency_unavailable' });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  },
);

test.runIf(serverUrl() !== undefined)(
  'a timeout returns idempotency_in_progress only while another request holds the key',
  async () => {
    const shop = await otherShop(t);
    const ctx = await systemContext(t.app, shop.environmentId);
    const { environment } = ctx;
    const use: KeyUse = {
      scope: { environmentId: environment.id },
      key: 'held',
      fingerprint: 'any',
      isSecret: false,
      strategy: 'in-transaction',
    };
    const timeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    const errorNow = () => explained(ctx, use, timeout, false);
    const claimed = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const running = t.app.database.transaction(async ({ query }) => {
      const request = { ...use, now: ctx.wall.now(), lockTimeoutMs: 1_000 };
      await claimKey(query, use.scope, request, t.app.secrets);
      claimed.resolve();
      await over.promise;
      throw new Error('The request fails.');
    });
    await claimed.promise;
    expect(await errorNow()).toMatchObject({ code: 'idempotency_in_progress' });
    over.resolve();
    await expect(running).rejects.toThrow('The request fails.');
    // The lock that the request waited for wasn't the key's lock.
    expect(await errorNow()).toMatchObject({ code: 'idempotency_unavailable' });
    expect(
      await t.app.database.query(`SELECT id FROM "IdempotencyKey" WHERE "environmentId" = $1`, [
        environment.id,
      ]),
    ).toEqual([]);
  },
);
