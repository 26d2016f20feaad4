import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintKey } from '../../src/modules/organization/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organization/organizations/create.ts';
import {
  type FoundKey,
  findEnvironments,
  findKeys,
  findWorkingKeys,
  type KeyReference,
} from '../../src/platform/credentials.ts';
import type { Reader } from '../../src/platform/db/distribution.ts';
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

/** Finds the keys of all hashes, and waits for the results from all servers. */
const findAll = async (reader: Reader): Promise<(FoundKey | null)[]> =>
  Promise.all(await findKeys(reader, hashes));

const areWorking = async (reader: Reader, keys: readonly KeyReference[]): Promise<boolean[]> =>
  Promise.all(await findWorkingKeys(reader, keys, app.wall.now()));

describe('a credential lookup', () => {
  test('finds the same API keys in a single-server database and a distributed database', async () => {
    const texts: string[] = [];
    const query: Query = (text, params, rowOf) => {
      texts.push(text);
      return app.database.query(text, params, rowOf);
    };
    const find = (distributed: boolean) =>
      findAll({ query, share: app.database.share, isDistributed: () => Promise.resolve(distributed) });
    const found = await find(false);
    expect(found.map((key) => key?.environment.livemode ?? null)).toEqual([false, null, true]);
    expect(texts.splice(0)).toHaveLength(1);
    expect(await find(true)).toEqual(found);
    const [places, ...reads] = texts.splice(0);
    expect(places).toBe(
      'SELECT hash, "environmentId", "apiKeyId", "expiresAt" AS "tokenExpiresAt" FROM "ApiKeyHash" WHERE hash = ANY($1)',
    );
    expect(reads.map((text) => text.includes('k."environmentId" = $1'))).toEqual([true, true]);
  });

  test("doesn't query all servers in a distributed database", async () => {
    const texts: string[] = [];
    const query: Query = (text, params, rowOf) => {
      texts.push(text);
      return app.database.query(text, params, rowOf);
    };
    const on = (distributed: boolean) => ({
      query,
      share: app.database.share,
      isDistributed: () => Promise.resolve(distributed),
    });
    const found = await findAll(on(false));
    const keys = found.flatMap((one) =>
      one === null ? [] : [{ environmentId: one.environment.id, apiKeyId: one.key.id }],
    );
    const ids = keys.map(({ environmentId }) => environmentId);
    await app.database.query('UPDATE "TestClock" SET "simulatedTime" = $2 WHERE "environmentId" = $1', [
      ids[0],
      new Date('2030-01-01T00:00:00.000Z'),
    ]);
    const byId = async (distributed: boolean) =>
      (await findEnvironments(on(distributed), ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const asked = [...keys, { environmentId: ids[0] ?? '', apiKeyId: 'key_none' }];
    const onOne = [await byId(false), await areWorking(on(false), asked)];
    expect(onOne[0]).toContainEqual(
      expect.objectContaining({ simulatedTime: new Date('2030-01-01T00:00:00.000Z') }),
    );
    texts.length = 0;
    expect([await byId(true), await areWorking(on(true), asked)]).toEqual(onOne);
    expect(texts.map((text) => /"environmentId" = \$1|FROM "Environment" e/.test(text))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(texts[0]).not.toContain('TestClock');
  });

  test('fails only for keys of an environment on an unavailable server', async () => {
    const lost =
      (await findAll({ ...app.database, isDistributed: async () => false }))[2]?.environment.id ?? '';
    const reader: Reader = {
      query: (text, params, rowOf) =>
        params?.[0] === lost
          ? Promise.reject(new Error('connection to the remote node failed'))
          : app.database.query(text, params, rowOf),
      share: app.database.share,
      isDistributed: async () => true,
    };
    const settled = await Promise.allSettled(await findKeys(reader, hashes));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });
});
