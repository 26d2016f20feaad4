import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, enter, memberOf, type Session } from '../support/people.ts';
import { rejection } from '../support/refusals.ts';
import { type Close, openSocket, type RawSocket } from '../support/socket.ts';

// Sockets ignore cookies. A signed-in member opens a socket with a ticket created over HTTP.

// Sessions expire in real time, so the test clock starts at the current time.
const beganMs = Math.floor(Date.now() / 1_000) * 1_000;
const began = new Date(beganMs).toISOString();
const aMinuteLater = new Date(beganMs + 60_000).toISOString();
const wall = new MovableClock(began);
let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall });
});
afterAll(() => t.close());

type Ticket = { readonly ticket: string; readonly expiresAt: string };

const as = (session: Session, headers: Record<string, string> = {}) => ({
  key: null,
  headers: { ...session.headers, ...headers },
});

const create = 'mutation { liveTicketCreate { ticket expiresAt } }';

const ticketFor = async (session: Session, headers: Record<string, string> = {}): Promise<Ticket> =>
  (await t.graphql<{ liveTicketCreate: Ticket }>(create, {}, as(session, headers))).liveTicketCreate;

const rows = async (): Promise<number> =>
  Number((await t.app.database.query<{ n: bigint }>('SELECT count(*) AS n FROM "LiveTicket"'))[0]?.n ?? 0n);

/** Opens a socket with a ticket. Returns the acknowledged socket, or the close event. */
async function open(ticket: string): Promise<RawSocket | Close> {
  const raw = await openSocket(t);
  raw.send({ type: 'connection_init', payload: { ticket } });
  const first = await Promise.race([raw.next(), raw.closed]);
  return 'code' in first ? first : raw;
}

async function opened(ticket: string): Promise<RawSocket> {
  const socket = await open(ticket);
  if (!('socket' in socket)) throw new Error(`The socket was closed with ${socket.code}.`);
  return socket;
}

const rejected = { code: 4403, reason: 'Forbidden' };

/** Sends a query over a socket and returns the result. */
async function ask(raw: RawSocket, query: string, id = 'q'): Promise<unknown> {
  raw.send({ type: 'subscribe', id, payload: { query } } as never);
  for (;;) {
    const message = await raw.next();
    if (message.type === 'next' || message.type === 'error') return message.payload;
  }
}

describe('a ticket', () => {
  test('opens one socket for live fields in the environment that issued the ticket', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const { ticket, expiresAt } = await ticketFor(member, { 'x-environment': 'live' });
    expect(expiresAt).toBe(aMinuteLater);
    const raw = await opened(ticket);
    expect(await ask(raw, '{ plans { edges { cursor } } organization { id } }')).toEqual({
      data: { plans: { edges: [] }, organization: { id: t.organizationId } },
    });
    raw.send({
      type: 'subscribe',
      id: 'live',
      payload: { query: 'subscription { eventStream { event mode customer { email } } }' },
    } as never);
    await ask(raw, '{ organization { id } }', 'after');
    await t.rest('POST', '/customers', { email: 'sandbox@example.test' });
    await t.rest('POST', '/customers', { email: 'live@example.test' }, { key: t.liveKey });
    for (;;) {
      const message = await raw.next();
      if (message.type !== 'next') continue;
      expect(message.payload).toMatchObject({
        data: { eventStream: { mode: 'live', customer: { email: 'live@example.test' } } },
      });
      break;
    }
    raw.socket.close();
  });

  test('is valid for one socket only, and does not work as a page token', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const { ticket } = await ticketFor(member);
    const before = await rows();
    const raw = await opened(ticket);
    expect(await rows()).toBe(before - 1);
    expect(await open(ticket)).toEqual(rejected);
    expect(
      (
        await rejection(
          t,
          '{ plans { edges { cursor } } }',
          {},
          { key: null, headers: { authorization: `Bearer ${(await ticketFor(member)).ticket}` } },
        )
      ).code,
    ).toBe('unauthorized');
    raw.socket.close();
  });

  test('expires after a minute', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const { ticket } = await ticketFor(member);
    wall.set(aMinuteLater);
    expect(await open(ticket)).toEqual(rejected);
    wall.set(began);
    await (await opened(ticket)).socket.close();
  });

  test.each([
    ['after the member signs out', (session: Session) => account(t, '/sign-out', {}, session.headers)],
    [
      'after the member is removed',
      (session: Session & { memberId: string }) =>
        t.app.database.prisma.member.delete({ where: { id: session.memberId } }),
    ],
  ])('is rejected %s', async (_when, end) => {
    const member = await memberOf(t, t.organizationId, 'member');
    const { ticket } = await ticketFor(member);
    await end(member);
    expect(await open(ticket)).toEqual(rejected);
  });

  test('is rejected if its signature differs, and other tokens are rejected as tickets', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const { ticket } = await ticketFor(member);
    const before = await rows();
    const other = await t.app.secrets.signPage({
      page: 'live',
      environmentId: t.sandboxId,
      subjectId: 'ltk_unknown',
    });
    for (const wrong of [`${ticket}x`, other, 'nonsense', t.sandboxKey])
      expect(await open(wrong)).toEqual(rejected);
    expect(await rows()).toBe(before);
  });

  test('is issued only to members of the organization who send the required header along with their cookie', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const other = await t.otherTenant();
    const before = await rows();
    const refused = [
      as(member, { 'x-organization': other.organizationId }),
      as(await enter(t)),
      { key: null, headers: { cookie: member.headers['cookie'] ?? '' } },
      { key: t.sandboxKey },
    ];
    for (const options of refused)
      expect((await rejection(t, create, {}, options)).code).toBe('unauthorized');
    expect(await rows()).toBe(before);
  });
});

describe("a member's socket", () => {
  test.each([
    [
      'when the member signs out elsewhere',
      (session: Session) => account(t, '/sign-out', {}, session.headers),
    ],
    [
      'when the role changes',
      (session: Session & { memberId: string }) =>
        t.app.database.prisma.member.update({ where: { id: session.memberId }, data: { role: 'admin' } }),
    ],
    [
      'when the member is removed',
      (session: Session & { memberId: string }) =>
        t.app.database.prisma.member.delete({ where: { id: session.memberId } }),
    ],
  ])('is closed with 4403 %s', async (_when, end) => {
    const member = await memberOf(t, t.organizationId, 'member');
    const stays = await opened((await ticketFor(await memberOf(t, t.organizationId, 'member'))).ticket);
    const raw = await opened((await ticketFor(member)).ticket);
    expect(await ask(raw, '{ organization { id } }')).toEqual({
      data: { organization: { id: t.organizationId } },
    });
    await end(member);
    expect(await raw.closed).toEqual(rejected);
    // The other member's socket remains open.
    expect(await ask(stays, '{ organization { id } }')).toEqual({
      data: { organization: { id: t.organizationId } },
    });
    stays.socket.close();
  });

  test('is closed with 4403 instead of a response if an operation starts after sign-out, so that clients retry', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const raw = await opened((await ticketFor(member)).ticket);
    await account(t, '/sign-out', {}, member.headers);
    const heard: unknown[] = [];
    raw.socket.addEventListener('message', ({ data }) => heard.push(data));
    raw.send({
      type: 'subscribe',
      id: 'live',
      payload: { query: 'subscription { eventStream { event } }' },
    } as never);
    expect(await raw.closed).toEqual(rejected);
    expect(heard).toEqual([]);
  });
});
