import { randomUUID } from 'node:crypto';
import { type RootField, rootFields } from '../../support/fields.ts';
import { addressOf } from '../../support/requests.ts';
import { graphqlRequest } from './graphql.ts';
import { numbers, others, texts } from './hostile.ts';
import { type FuzzRequest, keyHeaders, type World } from './request.ts';

type Values = Readonly<Record<string, unknown>>;

/** The same values with one of them, at any depth, taken away or replaced. */
function spoiled({ random }: World, values: Values): Values {
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

/** How long what a request needs may take to be made, in milliseconds. */
const patienceMs = 3_000;

/** A request the tests know to be accepted, for any root field, with what it needs made just before; every second one has one value spoiled. */
export async function knownRequest(
  world: World,
  root: RootField = world.random.pick(rootFields),
): Promise<FuzzRequest> {
  const { random, tenant } = world;
  // What looks behind the doors, or waits for what does not come, cannot be made from outside.
  const made = await root.make(tenant.openShop(AbortSignal.timeout(patienceMs))).catch(() => null);
  if (made === null) return graphqlRequest(world);
  const isSpoiled = random.below(2) === 0;
  const shared = { kind: 'http' as const, about: `${root.name}, known`, answers: null };
  const headers = {
    ...keyHeaders(world),
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const { request, operation } = made;
  if (request !== null && root.route !== null && random.below(2) === 0) {
    const { body } = request;
    const sent = body === undefined || !isSpoiled ? body : spoiled(world, body);
    const { method, path } = root.route;
    return {
      ...shared,
      method,
      path: `/api/v1${addressOf(path, request)}`,
      headers,
      body: sent === undefined ? null : Buffer.from(JSON.stringify(sent)),
    };
  }
  const variables = isSpoiled ? spoiled(world, operation.variables) : operation.variables;
  // A page's token is what lets it in.
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
