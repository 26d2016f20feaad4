import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { advanceClock } from '../../src/modules/sandbox/test-clock/advance.ts';
import { requireRun } from '../../src/modules/sandbox/test-clock/store.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { runClockBatch } from '../../src/worker/clock-run.ts';
import { advance, fresh, portrait, workOff } from '../support/billing-world.ts';
import {
  attachFeature,
  createAddon,
  createCreditPack,
  createCustomer,
  createFeature,
  createOffer,
  createPlan,
  createPlanGroup,
  createPrice,
  off,
  otherShop,
  payment,
  type Shop,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { choose, lawCards, type Step } from '../support/laws.ts';
import { emitted, issued, type PreviewAnswer, preview, sentSince, simulation } from '../support/previews.ts';
import { routes, textOf, variablesFor } from '../support/queries.ts';
import { type Random, randomOf } from '../support/random.ts';
import { addressOf, type Request } from '../support/requests.ts';
import { expectLedgerBalanced } from '../support/stories.ts';

// Executes random histories for a shop with one customer. Each history has a variation that must not change the result.

/** Default number of histories to run with the database: one for each variation. `npm run test:properties` runs more. */
export const stories = 6;

/** Variations in how a history runs. */
export const ways = ['graphql', 'daily', 'previewed', 'workers', 'retried', 'killed'] as const;
export type Way = (typeof ways)[number];

const dayMs = 86_400_000;
const horizon = 70;

/** The shop's catalog, and its customer's current state. */
export type HistoryShop = {
  readonly shop: Shop;
  readonly way: Way | 'plain';
  readonly plans: readonly { readonly id: string; readonly hasSeats: boolean }[];
  readonly offers: readonly string[];
  readonly addonId: string;
  readonly packId: string;
  readonly seats: string;
  readonly usage: string;
  readonly customerId: string;
  readonly random: Random;
  readonly outcomes: string[];
  now: Date;
  subscriptionId: string | null;
  token: string | null;
  grantId: string | null;
};

/** Prevents the app's worker from processing the shop, because the test runs the worker itself. */
async function holdLease({ t, environmentId }: Shop): Promise<void> {
  await t.app.database.query(
    `INSERT INTO "EnvironmentLease" ("environmentId", "leaseOwner", "leaseUntil") VALUES ($1, 'laws', '2999-01-01Z')
     ON CONFLICT ("environmentId") DO UPDATE SET "leaseOwner" = 'laws', "leaseUntil" = '2999-01-01Z'`,
    [environmentId],
  );
}

const contextOf = ({ t, environmentId }: Shop, app: App = t.app): Promise<Context> =>
  systemContext(app, environmentId);

/** Creates a shop with a plan of each type, offers, an add-on, a credit pack, and a customer. The shop's clock starts on January 31. */
export async function openHistoryShop(t: TestApp, way: HistoryShop['way']): Promise<HistoryShop> {
  const shop = await otherShop(t, way);
  await holdLease(shop);
  const now = new Date('2027-01-31T10:00:00.000Z');
  await advance(await contextOf(shop), { frozenTime: now });
  const [seats, usage] = [await createFeature(shop, 'seats'), await createFeature(shop, 'usage')];
  const { id: planGroupId } = await createPlanGroup(shop);
  const sell = async (price: object, plan: object, hasSeats: boolean) => {
    const { id } = await createPlan(shop, { ...plan });
    await createPrice(shop, id, { ...price });
    if (hasSeats)
      await attachFeature(shop, id, seats.id, {
        includedAmount: 2,
        overage: { enabled: true, unitPrice: 70_000 },
      });
    if (hasSeats)
      await attachFeature(shop, id, usage.id, {
        includedAmount: 50,
        overage: { enabled: true, unitPrice: 1_300 },
      });
    return { id, hasSeats };
  };
  const plans = [
    await sell({ billingInterval: 'weekly', price: 700 }, { planGroupId }, true),
    await sell({ billingInterval: 'monthly', price: 1_900, trialDays: 9 }, { planGroupId }, true),
    await sell({ price: 3_400, includedCredits: 640 }, { consumptionModel: 'credits' }, false),
    await sell(
      { billingInterval: 'weekly', price: 1_500, includedBalance: 420_000 },
      { consumptionModel: 'balance' },
      false,
    ),
    await sell({ billingInterval: 'monthly', price: 2_900 }, { planGroupId }, true),
    // Plans with overage can't be granted.
    await sell({ billingInterval: 'weekly', price: 900 }, { planGroupId }, false),
    await sell({ billingInterval: 'weekly', price: 1_300 }, { planGroupId }, false),
  ];
  const offers = [
    (await createOffer(shop, [off.percent(2_500, 2)])).id,
    (await createOffer(shop, [off.percent(10_000)])).id,
    (await createOffer(shop, [off.amount(333, 3)])).id,
  ];
  return {
    shop,
    way,
    plans,
    offers,
    addonId: (await createAddon(shop)).id,
    packId: (await createCreditPack(shop)).id,
    seats: seats.code,
    usage: usage.code,
    customerId: (await createCustomer(shop)).id,
    random: randomOf(1),
    outcomes: [],
    now,
    subscriptionId: null,
    token: null,
    grantId: null,
  };
}

type Answer = { readonly code: string; readonly body: Record<string, unknown> };

const codeOf = (body: { error?: { code: string } } | undefined): string => body?.error?.code ?? 'ok';

async function overRest(
  { shop, way }: HistoryShop,
  route: (typeof routes)[number],
  request: Request,
): Promise<Answer> {
  const key = route.method === 'DELETE' ? {} : { headers: { 'idempotency-key': randomUUID() } };
  const send = () =>
    shop.rest<{ error?: { code: string; requestId?: string } }>(
      route.method,
      addressOf(route.path, request),
      request.body,
      key,
    );
  const first = await send();
  if (way === 'retried' && route.method !== 'DELETE') {
    const again = await send();
    const plain = ({ status, body }: typeof first) => [
      status,
      body.error === undefined ? body : body.error.code,
    ];
    expect(plain(again)).toEqual(plain(first));
  }
  return { code: codeOf(first.body), body: first.body };
}

async function overGraphql(
  { shop }: HistoryShop,
  route: (typeof routes)[number],
  request: Request,
): Promise<Answer> {
  const response = await fetch(`${shop.t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': shop.key },
    body: JSON.stringify({ query: textOf(route), variables: variablesFor(route, request) }),
  });
  type Body = {
    data?: Record<string, Record<string, unknown>> | null;
    errors?: { extensions: { code: string } }[];
  };
  const { data, errors } = (await response.json()) as Body;
  return { code: errors?.[0]?.extensions.code ?? 'ok', body: data?.[route.field.name] ?? {} };
}

/** Calls an operation over GraphQL or REST. Previews the operation first if the variation requires it. */
async function call(
  stall: HistoryShop,
  name: string,
  request: Request,
  command: object | null = null,
): Promise<Answer> {
  const route = routes.find(({ method, path }) => `${method} ${path}` === name);
  if (route === undefined) throw new Error(`There is no ${name}.`);
  const make = () =>
    stall.way === 'graphql' ? overGraphql(stall, route, request) : overRest(stall, route, request);
  const answer =
    stall.way === 'previewed' && command !== null ? await simulated(stall.shop, command, make) : await make();
  stall.outcomes.push(`${name} ${answer.code}`);
  return answer;
}

/** Previews a command, executes it, and expects the result to match the preview. */
async function simulated(shop: Shop, command: object, make: () => Promise<Answer>): Promise<Answer> {
  const before = await issued(shop);
  const { position } = await sentSince(shop, Number.MAX_SAFE_INTEGER);
  const answer = await preview(shop, { ...command });
  const made = await make();
  expect([command, answer.rejection?.code ?? 'ok']).toEqual([command, made.code]);
  await expectBilled(shop, before, answer.invoices);
  expect([command, answer.events]).toEqual([command, (await sentSince(shop, position)).kinds]);
  return made;
}

async function expectBilled(
  shop: Shop,
  before: Awaited<ReturnType<typeof issued>>,
  invoices: PreviewAnswer['invoices'],
): Promise<void> {
  const after = await issued(shop);
  const changed = [...after].filter(
    ([id, invoice]) => JSON.stringify(before.get(id)) !== JSON.stringify(invoice),
  );
  const byTotal = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
  expect(byTotal(invoices.map(emitted))).toEqual(byTotal(changed.map(([, invoice]) => invoice)));
  const isNew = changed.filter(([id]) => !before.has(id)).map(([, invoice]) => invoice);
  expect(invoices.filter(({ id }) => id === null).map(emitted)).toEqual(isNew);
}

/** Processes a clock run in batches of three. The worker is killed at random SQL statements until a batch finds no more work. */
async function workOffKilled({ shop, random }: HistoryShop): Promise<void> {
  for (;;) {
    const { database } = shop.t.app;
    const transaction: Database['transaction'] = (work, limits) => {
      let left = random.below(150);
      return database.transaction((open) => {
        const query: typeof open.query = (text, params) => {
          if (left-- <= 0) throw new Error('killed');
          return open.query(text, params);
        };
        return work({ ...open, query });
      }, limits);
    };
    const ctx = await contextOf(shop, { ...shop.t.app, database: { ...database, transaction } });
    const isOver = await runClockBatch(ctx, 3).then(
      ({ looked }) => looked === 0,
      (error: unknown) => {
        if (error instanceof Error && error.message === 'killed') return false;
        throw error;
      },
    );
    if (isOver) return;
  }
}

async function run(stall: HistoryShop, target: Date): Promise<void> {
  const ctx = await contextOf(stall.shop);
  const { id } = await advanceClock(ctx, { frozenTime: target });
  if (stall.way === 'workers') await Promise.all([1, 2, 3, 4].map((size) => workOff(ctx, id, size)));
  else if (stall.way === 'killed') await workOffKilled(stall);
  else await workOff(ctx, id);
  const { status, failedDeadlineCount } = await requireRun(await fresh(ctx), id);
  expect({ status, failedDeadlineCount }).toEqual({ status: 'completed', failedDeadlineCount: 0 });
}

/** Records usage, then advances the clock. */
async function wait(stall: HistoryShop, days: number): Promise<void> {
  const { shop, customerId, usage, way } = stall;
  if (stall.subscriptionId !== null) {
    await call(stall, 'POST /usage/events', { body: { customerId, featureCode: usage, value: 9 * days } });
  }
  const target = new Date(stall.now.getTime() + days * dayMs);
  if (way === 'daily') {
    for (let at = stall.now.getTime() + dayMs; at <= target.getTime(); at += dayMs)
      await run(stall, new Date(at));
  } else if (way === 'previewed') {
    const before = await issued(shop);
    const { invoices } = await simulation(shop, { until: target });
    await run(stall, target);
    await expectBilled(shop, before, invoices);
  } else await run(stall, target);
  stall.now = target;
}

async function pay({ shop, outcomes, token }: HistoryShop, number: string): Promise<void> {
  if (token === null) return;
  const query = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  const response = await fetch(`${shop.t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: payment(token, number) } }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  outcomes.push(`pay ${errors?.[0]?.extensions.code ?? 'ok'}`);
}

async function create(stall: HistoryShop, step: Extract<Step, { kind: 'create' }>): Promise<void> {
  const { customerId, plans, offers, seats } = stall;
  const plan = choose(plans, step.plan);
  const body = {
    customerId,
    planId: plan.id,
    ...(step.offer === null ? {} : { offerId: choose(offers, step.offer) }),
    ...(plan.hasSeats && step.seats > 0 ? { initialSeats: { [seats]: step.seats } } : {}),
  };
  const answer = await call(stall, 'POST /subscriptions', { body }, { create: body });
  if (answer.code !== 'ok') return;
  stall.subscriptionId = String(answer.body['id']);
  stall.token = String(answer.body['checkoutUrl']).split('/').at(-1) ?? null;
}

/**
 * Changes the first outstanding invoice's status, or refunds the last successful transaction. Does nothing if the invoice or transaction
 * doesn't exist.
 */
async function correct(stall: HistoryShop, step: Extract<Step, { kind: 'mark' | 'refund' }>): Promise<void> {
  const rows = <T>(text: string): Promise<T[]> =>
    stall.shop.t.app.database.query<T>(text, [stall.shop.environmentId]);
  if (step.kind === 'mark') {
    const [open] = await rows<{ id: string }>(
      `SELECT id FROM "Invoice" WHERE "environmentId" = $1 AND status = 'outstanding' ORDER BY seq LIMIT 1`,
    );
    if (open !== undefined)
      await call(stall, 'PATCH /invoices/{id}/status', {
        path: { id: open.id },
        body: { status: step.status },
      });
    return;
  }
  const [paid] = await rows<{ id: string }>(
    `SELECT id FROM "Transaction" WHERE "environmentId" = $1 AND status = 'succeeded' ORDER BY seq DESC LIMIT 1`,
  );
  if (paid !== undefined) await call(stall, 'POST /transactions/{id}/refund', { path: { id: paid.id } });
}

async function change(
  stall: HistoryShop,
  step: Exclude<Step, { kind: 'wait' | 'create' | 'pay' | 'method' | 'mark' | 'refund' }>,
): Promise<void> {
  const { customerId, subscriptionId: id, offers, seats, addonId, packId } = stall;
  if (step.kind === 'credit') {
    const body = { amount: step.amount, currency: 'usd', reason: 'Sorry.' };
    await call(stall, 'POST /customers/{id}/credits', { path: { id: customerId }, body });
    return;
  }
  if (step.kind === 'seats') {
    const name = { add: 'POST /seats', set: 'PUT /seats', remove: 'POST /seats/remove' }[step.op];
    await call(stall, name, { body: { customerId, featureCode: seats, count: step.count } });
    return;
  }
  if (id === null) return;
  const path = { id };
  const about = (body: object = {}) => ({ id, ...body });
  const within = (body: object) => ({ subscriptionId: id, ...body });
  if (step.kind === 'cancel') {
    const body = { immediate: step.immediate };
    await call(stall, 'POST /subscriptions/{id}/cancel', { path, body }, { cancel: about(body) });
  } else if (step.kind === 'uncancel')
    await call(stall, 'POST /subscriptions/{id}/uncancel', { path }, { uncancel: about() });
  else if (step.kind === 'reactivate') {
    const body = step.offer === null ? {} : { offerId: choose(offers, step.offer) };
    await call(stall, 'POST /subscriptions/{id}/reactivate', { path, body }, { reactivate: about(body) });
  } else if (step.kind === 'offer') {
    const body = { offerId: choose(offers, step.offer) };
    await call(stall, 'PUT /subscriptions/{id}/offer', { path, body }, { offerApply: about(body) });
  } else if (step.kind === 'offerRemove')
    await call(stall, 'DELETE /subscriptions/{id}/offer', { path }, { offerRemove: about() });
  else if (step.kind === 'addonOn') {
    await call(
      stall,
      'POST /subscriptions/{id}/addons',
      { path, body: { addonId } },
      { addonActivate: within({ addonId }) },
    );
  } else if (step.kind === 'addonOff') {
    await call(
      stall,
      'DELETE /subscriptions/{id}/addons/{addonId}',
      { path: { id, addonId } },
      { addonDeactivate: within({ addonId }) },
    );
  } else if (step.kind === 'pack') {
    const body = { creditPackId: packId };
    await call(stall, 'POST /subscriptions/{id}/credits', { path, body }, { creditsPurchase: within(body) });
  } else if (step.kind === 'change') {
    const body = {
      newPlanId: choose(stall.plans, step.plan).id,
      ...(step.offer === null ? {} : { offerId: choose(offers, step.offer) }),
    };
    const { code, body: answer } = await call(
      stall,
      'POST /subscriptions/{id}/change-plan',
      { path, body },
      { changePlan: about(body) },
    );
    if (code === 'ok' && answer['checkoutUrl'])
      stall.token = String(answer['checkoutUrl']).split('/').at(-1) ?? null;
  } else if (step.kind === 'grant') await grant(stall, id, step);
  else if (step.kind === 'grantEnd') {
    if (stall.grantId === null) return;
    const about = { path: { id: stall.customerId, grantId: stall.grantId }, body: { reason: 'Over.' } };
    await call(stall, 'POST /customers/{id}/plan-grants/{grantId}/revoke', about);
  } else if (step.kind === 'withdraw') {
    const { subscription } = await stall.shop.t.graphql<{ subscription: { plan: { id: string } } }>(
      'query ($id: ID!) { subscription(id: $id) { plan { id: planId } } }',
      { id },
      { key: stall.shop.key },
    );
    const body = { newPlanId: subscription.plan.id };
    await call(stall, 'POST /subscriptions/{id}/change-plan', { path, body }, { changePlan: about(body) });
  } else {
    const body = { amount: step.amount };
    await call(
      stall,
      'POST /subscriptions/{id}/balance/topup',
      { path, body },
      { balanceTopUp: within(body) },
    );
  }
}

async function grant(
  stall: HistoryShop,
  subscriptionId: string,
  { plan, cycles }: Extract<Step, { kind: 'grant' }>,
): Promise<void> {
  const term = { duration: 'cycles', durationCycles: cycles };
  const body = {
    subscriptionId,
    planId: (plan % 2 === 0 ? stall.plans.at(-1) : choose(stall.plans, plan))?.id,
    reason: 'For the fair.',
    ...term,
  };
  const answer = await call(stall, 'POST /customers/{id}/plan-grants', {
    path: { id: stall.customerId },
    body,
  });
  if (answer.code === 'ok') stall.grantId = String(answer.body['id']);
}

/** Executes the steps up to the horizon and returns the observable result. */
export async function runSteps(stall: HistoryShop, steps: readonly Step[]) {
  let days = 0;
  for (const step of steps) {
    if (step.kind === 'wait') days += step.days;
    if (days > horizon || step.kind === 'method') continue;
    if (step.kind === 'wait') await wait(stall, step.days);
    else if (step.kind === 'create') await create(stall, step);
    else if (step.kind === 'pay') await pay(stall, choose(lawCards, step.card));
    else if (step.kind === 'mark' || step.kind === 'refund') await correct(stall, step);
    else await change(stall, step);
  }
  const { t, key } = stall.shop;
  await expectLedgerBalanced({ ...t, graphql: (query, variables) => t.graphql(query, variables, { key }) });
  return { outcomes: stall.outcomes, ...(await portrait(await contextOf(stall.shop))) };
}
