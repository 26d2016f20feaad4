import { identity } from 'virtual:schema-identity';
import { Client, type Exchange, subscriptionExchange } from '@urql/core';
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache';
import { base } from './place.ts';
import { forwardLive } from './socket.ts';
import { transport } from './transport.ts';

const { roots, possibleTypes } = identity;

const known = new Set(possibleTypes['Node']);

/** How objects are told apart, by their type: those without an id lie in the object that contains them. */
const keys = new Proxy<KeyingConfig>(
  {},
  { get: (_none, type) => (typeof type === 'string' && !known.has(type) ? () => null : undefined) },
);

/** What is cached by type and id. */
const cache = (): Exchange =>
  cacheExchange({
    schema: {
      __schema: {
        queryType: { name: roots.query },
        mutationType: { name: roots.mutation },
        subscriptionType: { name: roots.subscription },
      },
    },
    possibleTypes: Object.fromEntries(
      Object.entries(possibleTypes).map(([name, types]) => [name, [...types]]),
    ),
    keys,
  });

/** A client with an empty cache: one for each organization, environment and session. */
export const openClient = (): Client =>
  new Client({
    url: `${base}/graphql`,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [cache(), transport, subscriptionExchange({ forwardSubscription: forwardLive })],
  });
