import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordUsage } from '../../src/engine/usage/record.ts';
import { requestOf } from '../../src/modules/usage/usage/track.ts';
import { systemContext } from '../../src/request/context.ts';
import { createConsumer, of } from '../support/consumers.ts';
import { createCustomer, pay, subscribeTo } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { LimitRequests } from '../support/limit-requests.ts';
import { randomOf } from '../support/random.ts';

// Limits of customers, a plan, and the organization, while two processes record usage at the same time (LIM-91).

const clients = 64;
const rounds = 6;
const amounts = { organization: 600, plan: 450, customer: 200 };

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

type Entry = {
  readonly used: string;
  readonly held?: string;
  readonly asked: string;
  readonly amount: string;
};

test(`${clients} clients and two processes never exceed the limits of three levels, and are never rejected falsely`, async () => {
  const { shop } = limits;
  const first = await createConsumer(shop, { terms: { includedAmount: 1_000_000 } });
  const subjects = [of(first)];
  for (let index = 0; index < 2; index++) {
    const { id } = await createCustomer(shop);
    const { token } = await subscribeTo(shop, id, first.planId);
    if (token !== null) await pay(shop, token);
    subjects.push({ customerId: id, featureCode: first.feature.code });
  }
  const other = await createConsumer(shop, { terms: { includedAmount: 1_000_000 } });
  subjects.push(of(other));
  const features = [first.feature.code, other.feature.code];
  const calls = { measure: 'calls', filter: { features }, window: { kind: 'lifetime' } };
  const organization = await limits.limit({
    ...calls,
    scope: { organization: true },
    amount: amounts.organization,
  });
  const plan = await limits.limit({ ...calls, scope: { plan: first.planId }, amount: amounts.plan });
  for (const { customerId } of subjects)
    await limits.limit({ ...calls, scope: { customer: customerId }, amount: amounts.customer });

  // Each process has its own caches and queues.
  const processes = [{ ...t.app }, { ...t.app }];
  const accepted = subjects.map(() => 0);
  const falsely: unknown[] = [];
  let rejections = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_client, client) => {
      const random = randomOf(client);
      const app = processes[client % 2] ?? t.app;
      for (let round = 0; round < rounds; round++) {
        const index = random.below(subjects.length);
        const subject = subjects[index] ?? of(first);
        const requests = Array.from({ length: 1 + random.below(4) }, () => requestOf(subject));
        const { results } = await recordUsage(await systemContext(app, t.sandboxId), requests);
        for (const result of results) {
          if (!('rejection' in result)) {
            accepted[index] = (accepted[index] ?? 0) + 1;
            continue;
          }
          rejections += 1;
          const { limits: entries } = result.rejection.details as { limits: Entry[] };
          for (const entry of entries) {
            const room = Number(entry.amount) - Number(entry.used) - Number(entry.held ?? '0');
            if (Number(entry.asked) <= room) falsely.push(entry);
          }
        }
      }
    }),
  );
  const [a = 0, b = 0, c = 0, d = 0] = accepted;
  const query = 'query ($id: ID!) { limit(id: $id) { states { used held } } }';
  const usedOf = async (id: string) =>
    (await t.graphql<{ limit: { states: { used: string }[] } }>(query, { id })).limit.states.map(({ used }) =>
      Number(used),
    );
  expect(await usedOf(organization.id)).toEqual([a + b + c + d]);
  expect(await usedOf(plan.id)).toEqual([a + b + c]);
  expect(falsely).toEqual([]);
  expect(Math.max(...accepted)).toBeLessThanOrEqual(amounts.customer);
  expect(a + b + c).toBeLessThanOrEqual(amounts.plan);
  // The clients send more than every level accepts, so each level is full.
  expect(a + b + c + d).toBe(Math.min(amounts.organization, amounts.plan + amounts.customer));
  expect(rejections).toBeGreaterThan(100);
});
