import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintKey } from '../../src/modules/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organizations/create.ts';
import { findKeys } from '../../src/platform/credentials.ts';
import type { Query } from '../../src/platform/db/pool.ts';
import { hashSecret } from '../../src/platform/secrets.ts';
import { closeApp, MovableClock, openApp } from '../support/billing-world.ts';

let app: Awaited<ReturnType<typeof openApp>>;
let hashes: string[];
beforeAll(async () => {
  app = await openApp(new MovableClock('2026-01-01T00:00:00.000Z'));
  const { sandbox, live } = await createOrganization(app, { name: 'Keys' });
  const minted = await app.database.transaction(async (transaction) => [
    await mintKey(transaction, sandbox, { name: 'Sandbox' }, app.wall.now()),
    null,
    await mintKey(transaction, live, { name: 'Live' }, app.wall.now()),
  ]);
  hashes = minted.map((key) => hashSecret(key?.secret ?? 'ck_live_none'));
});
afterAll(() => closeApp(app));

describe('keys', () => {
  test('are found alike on one server and where environments lie on several', async () => {
    const texts: string[] = [];
    const query: Query = (text, params, rowOf) => {
      texts.push(text);
      return app.database.query(text, params, rowOf);
    };
    const find = (distributed: boolean) =>
      findKeys({ query, isDistributed: () => Promise.resolve(distributed) }, hashes);
    const found = await find(false);
    expect(found.map((key) => key?.environment.livemode ?? null)).toEqual([false, null, true]);
    expect(texts.splice(0)).toHaveLength(1);
    expect(await find(true)).toEqual(found);
    const [places, ...reads] = texts.splice(0);
    expect(places).toBe('SELECT hash, "environmentId" FROM "ApiKeyHash" WHERE hash = ANY($1)');
    expect(reads.map((text) => text.includes('k."environmentId" = $2'))).toEqual([true, true]);
  });
});
