import { expect } from 'vitest';
import { watchChanges } from '../../support/changes.ts';
import { kindOf } from '../../support/event-kinds.ts';
import type { Shop } from '../../support/factories.ts';
import { type Rejection, rejection } from '../../support/refusals.ts';

// What the tests of customers share: the operations, a customer of their own, and what was sent.

export type Body = Record<string, unknown>;
export type Customer = {
  readonly id: string;
  readonly externalId: string;
  readonly [field: string]: unknown;
};

const plain = 'id externalId fullName email taxDocument documentType timezone metadata';
const fields = `${plain} address { line1 line2 city state postalCode country region } createdAt updatedAt object livemode`;

export const createText = `mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { ${fields} } }`;
export const updateText = `mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { ${fields} } }`;
export const getText = `query ($id: ID!) { customer(id: $id) { ${fields} } }`;

/** An address as a caller writes it. */
export const addressInput = {
  line1: 'Av. Corrientes 1',
  city: 'Buenos Aires',
  postalCode: 'C1043',
  country: 'AR',
} as const;

/** The same as it is answered. */
export const addressAnswer = { ...addressInput, line2: null, state: null, region: null } as const;

/** Runs an operation and answers its one field. */
export const run = async <T = Body>({ t, key }: Shop, text: string, variables: Body): Promise<T> =>
  Object.values(await t.graphql<Record<string, T>>(text, variables, { key }))[0] as T;

/** Runs an operation that must be rejected and change nothing. */
export const rejected = ({ t, key }: Shop, text: string, variables: Body): Promise<Rejection> =>
  rejection(t, text, variables, { key });

/** A new customer; its external id is its own. */
export async function made(shop: Shop, more: Body = {}): Promise<Customer> {
  const externalId = shop.next('made');
  const input = { email: `${externalId}@shop.test`, externalId, ...more };
  const { status, body } = await shop.rest<Customer>('POST', '/customers', input);
  expect(status).toBe(201);
  return body;
}

/** A REST call that must be rejected and change nothing; answers its status and error. */
export async function restRejected(shop: Shop, method: string, path: string, body?: unknown): Promise<Body> {
  const { query } = shop.t.app.database;
  const changes = await watchChanges(query);
  const answer = await shop.rest<{ error: Body }>(method, path, body);
  expect(await changes()).toEqual([]);
  const { code, param, details } = answer.body.error;
  return { status: answer.status, code, ...(param === undefined ? {} : { param, details }) };
}

/** What an event of a customer says. */
export type CustomerEvent = { readonly event: string; readonly data: Record<string, unknown> };

type Edge = { readonly node: CustomerEvent & { readonly id: string } };

/** The latest 100 events of a shop, the latest first. */
const latest = async ({ t, key }: Shop): Promise<Edge['node'][]> => {
  const query = '{ events(first: 100) { edges { node { id event data } } } }';
  const { events } = await t.graphql<{ events: { edges: Edge[] } }>(query, {}, { key });
  return events.edges.map(({ node }) => node);
};

/** Starts to watch the events of a shop; the answer reads those sent since, at most 100, in their order. */
export async function watchEvents(shop: Shop): Promise<() => Promise<CustomerEvent[]>> {
  const last = (await latest(shop))[0]?.id;
  return async () => {
    const events = await latest(shop);
    const known = last === undefined ? -1 : events.findIndex(({ id }) => id === last);
    return events
      .slice(0, known === -1 ? undefined : known)
      .map(({ event, data }) => ({ event: kindOf(event), data }))
      .toReversed();
  };
}
