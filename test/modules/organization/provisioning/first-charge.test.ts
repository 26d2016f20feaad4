import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueNamedClaimLink } from '../../../../src/modules/organization/provisioning/issue-claim-link.ts';
import { watchChanges } from '../../../support/changes.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { openStripe, type StripeServer } from '../../../support/stripe.ts';
import { StripeShop } from '../../../support/stripe-shop.ts';

// API keys can't create claim links for organizations with live charges (PLT-17).

let stripe: StripeServer;
let t: TestApp;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ env: { STRIPE_URL: stripe.url } });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

it('POST /claim-link is rejected after the first live charge, but the operator can still create a link (PLT-17)', async () => {
  const own = await StripeShop.open({ t, stripe, wall: { now: () => new Date() } }, 'live');
  expect((await own.shop.rest('POST', '/claim-link')).status).toBe(200);
  await own.active();
  const changes = await watchChanges(t.app.database.query);
  const { status, body } = await own.shop.rest<{ error: { code: string; message: string } }>(
    'POST',
    '/claim-link',
  );
  expect([status, body.error.code, body.error.message]).toEqual([
    403,
    'forbidden',
    "The organization has already charged a customer in the live environment, so API keys can't create claim links. Ask the operator of the service for a link.",
  ]);
  expect(await changes()).toEqual([]);
  const { organizationId } = await t.app.database.prisma.environment.findUniqueOrThrow({
    where: { id: own.shop.environmentId },
  });
  expect((await issueNamedClaimLink(t.app, organizationId))?.link.url).toMatch(/\/claim\//);
});
