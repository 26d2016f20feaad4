import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { apolloTests } from './apollo.ts';
import { apolloDeferredTests } from './apollo-deferred.ts';
import { codegenTests } from './codegen.ts';
import { liveTests } from './live.ts';
import { hasRelayCompiler, relayTests } from './relay.ts';
import { tadaTests } from './tada.ts';
import { urqlTests } from './urql.ts';
import { openWorld, type World } from './world.ts';

// Tests published versions of popular clients. They must show the same rows as REST, keep their caches consistent, and log no warnings.

let world: World;
const spies = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')].map((spy) =>
  spy.mockImplementation(() => undefined),
);
beforeAll(async () => {
  world = await openWorld();
  expect(world.rows).toHaveLength(100);
}, 300_000);
beforeEach(() => {
  for (const spy of spies) spy.mockClear();
});
afterEach(() => expect(spies.flatMap(({ mock }) => mock.calls.slice(0, 2))).toEqual([]));
afterAll(async () => {
  for (const spy of spies) spy.mockRestore();
  await world.t.close();
});

describe('Apollo Client', () => apolloTests(() => world));
describe('Apollo Client with deferred parts', () => apolloDeferredTests(() => world));
describe('urql with Graphcache', () => urqlTests(() => world));
describe('the client preset of the code generator', () => codegenTests());
describe('gql.tada', () => tadaTests());
describe.skipIf(!hasRelayCompiler)('Relay with the compiler installed by `npm run test:clients`', () =>
  relayTests(() => world),
);
// Runs last, because the tests of live fields add subscriptions.
describe('clients of live fields', { timeout: 240_000 }, () => liveTests(() => world));
