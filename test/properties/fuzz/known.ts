import { randomUUID } from 'node:crypto';
import { type RootField, rootFields } from '../../support/fields.ts';
import { addressOf } from '../../support/requests.ts';
import { graphqlRequest } from './graphql.ts';
import { numbers, others, texts } from './hostile.ts';
import { type FuzzRequest, keyHeaders, type World } from './request.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns a copy of the values in which one value, at any depth, is removed or replaced. */
function corruptedCopy({ random }: World, values: Values): Values {
  const copy = structuredClone(values) as Record<string, unknown>;
  const places: { readonly holder: Record<string, unknown>; readonly name: string }[] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder)) {
      places.push({ holder, name });
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>);
    }
  };
  visit(copy);
  if (places.length === 0) return { [random.pick(texts)]: 1 };
  const { holder, name } = random.pick(places);
  if (random.below(5) === 0) delete holder[name];
  else
    holder[name] = random.pick([
      () => random.pick(texts),
      () => random.pick(numbers),
      () => random.pick(others),
    ])();
  return copy;
}

/** Time limit for creating the objects that a request needs, in milliseconds. */
const patienceMs = 3_000;

/**
 * Creates the objects that a root field needs, and returns a request that is expected to succeed. Corrupts one value in every second
 * request.
 */
export async function knownRequest(
  world: World,
  root: RootField = world.random.pick(rootFields),
): Promise<FuzzRequest> {
  const { random, tenant } = world;
  // Objects that require database access can't be created remotely. Their creation fails or times out.
  const made = await root.make(tenant.openShop(AbortSignal.timeout(patienceMs))).catch(() => null);
  if (made === null) return graphqlRequest(world);
  const isCorrupted = random.below(2) === 0;
  const shared = { kind: 'http' as const, about: `${root.name}, known`, answers: null };
  const headers = {
    ...keyHeaders(world),
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const { request, operation } = made;
  if (request !== null && root.route !== null && random.below(2) === 0) {
    const { body } = request;
    const sent = body === undefined || !isCorrupted ? body : corruptedCopy(world, body);
    const { method, path } = root.route;
    return {
      ...shared,
      method,
      path: `/api/v1${addressOf(path, request)}`,
      headers,
      body: sent === undefined ? null : Buffer.from(JSON.stringify(sent)),
    };
  }
  const variables = isCorrupted ? corruptedCopy(world, operation.variables) : operation.variables;
  // Pages authenticate with the token in the input, not with a key.
  const isForPage = 'page' in root.access;
  const { 'x-api-key': _key, ...open } = headers as Record<string, string>;
  return {
    ...shared,
    method: 'POST',
    path: '/graphql',
    headers: isForPage ? open : headers,
    body: Buffer.from(JSON.stringify({ query: operation.text, variables })),
  };
}
