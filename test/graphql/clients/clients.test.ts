import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { apolloTests } from './apollo.ts';
import { apolloDeferredTests } from './apollo-deferred.ts';
import { codegenTests } from './codegen.ts';
import { liveTests } from './live.ts';
import { hasRelayCompiler, relayTests } from './relay.ts';
import { tadaTests } from './tada.ts';
import { urqlTests } from './urql.ts';
import { openWorld, type World } from './world.ts';

// The clients people use, as they are published: the rows of REST, nothing wrong in their caches, and no warning.

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
describe('Apollo Client with parts that arrive later', () => apolloDeferredTests(() => world));
describe('urql with Graphcache', () => urqlTests(() => world));
describe('the client preset of the code generator', () => codegenTests());
describe('gql.tada', () => tadaTests());
describe.skipIf(!hasRelayCompiler)('Relay, whose compiler `npm run test:clients` installs,', () =>
  relayTests(() => world),
);
// Last: it adds subscriptions.
describe('live fields', { timeout: 240_000 }, () => liveTests(() => world));
