import { expect } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { kindOf } from '../../../support/event-kinds.ts';
import type { Shop } from '../../../support/factories.ts';
import { type Rejection, rejection } from '../../../support/refusals.ts';

// Shared helpers for customer tests: operations, new customers, and sent events.

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

/** Address as sent by an API client. */
export const addressInput = {
  line1: 'Av. Corrientes 1',
  city: 'Buenos Aires',
  postalCode: 'C1043',
  country: 'AR',
} as const;

/** Address as returned by the API. */
export const addressAnswer = { ...addressInput, line2: null, state: null, region: null } as const;

/** Runs a GraphQL operation and returns the value of its only field. */
export const run = async <T = Body>({ t, key }: Shop, text: string, variables: Body): Promise<T> =>
  Object.values(await t.graphql<Record<string, T>>(text, variables, { key }))[0] as T;

/** Returns the error of an operation, and asserts that nothing changed. */
export const rejected = ({ t, key }: Shop, text: string, variables: Body): Promise<Rejection> =>
  rejection(t, text, variables, { key });

/** Creates a customer with a unique external ID. */
export async function made(shop: Shop, more: Body = {}): Promise<Customer> {
  const externalId = shop.next('made');
  const input = { email: `${externalId}@shop.test`, externalId, ...more };
  const { status, body } = await shop.rest<Customer>('POST', '/customers', input);
  expect(status).toBe(201);
  return body;
}

/** Returns the status and the error of a rejected REST request, and asserts that nothing changed. */
export async function restRejected(shop: Shop, method: string, path: string, body?: unknown): Promise<Body> {
  const { query } = shop.t.app.database;
  const changes = await watchChanges(query);
  const answer = await shop.rest<{ error: Body }>(method, path, body);
  expect(await changes()).toEqual([]);
  const { code, param, details } = answer.body.error;
  return { status: answer.status, code, ...(param === undefined ? {} : { param, details }) };
}

export type CustomerEvent = { readonly event: string; readonly data: Record<string, unknown> };

type Edge = { readonly node: CustomerEvent & { readonly id: string } };

/** Returns a shop's latest 100 events, from newest to oldest. */
const latest = async ({ t, key }: Shop): Promise<Edge['node'][]> => {
  const query = '{ events(first: 100) { edges { node { id event data } } } }';
  const { events } = await t.graphql<{ events: { edges: Edge[] } }>(query, {}, { key });
  return events.edges.map(({ node }) => node);
};

/** Returns a function that lists up to 100 of the shop's events since this call, in order. */
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
