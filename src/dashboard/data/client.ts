import { Client, type Exchange, subscriptionExchange } from '@urql/core';
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache';
import { base } from './place.ts';
import { forwardLive } from './socket.ts';
import { transport } from './transport.ts';

const known = new Set(possibleTypes['Node']);

/** Cache keys by type. Objects without an ID are stored inside their parent object. */
const keys = new Proxy<KeyingConfig>(
  {},
  { get: (_none, type) => (typeof type === 'string' && !known.has(type) ? () => null : undefined) },
);

const cache = (): Exchange =>
  cacheExchange({
    schema: {
      __schema: {
        queryType: { name: 'Query' },
        mutationType: { name: 'Mutation' },
        subscriptionType: { name: 'Live' },
      },
    },
    possibleTypes: Object.fromEntries(
      Object.entries(possibleTypes).map(([name, types]) => [name, [...types]]),
    ),
    keys,
  });

/** Creates a client with an empty cache. Each organization, environment and session uses its own client. */
export const openClient = (): Client =>
  new Client({
    url: `${base}/graphql`,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [cache(), transport, subscriptionExchange({ forwardSubscription: forwardLive })],
  });
