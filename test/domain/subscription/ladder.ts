import { expect } from 'vitest';
import type { ChangeRequest } from '../../../src/domain/subscription/plan-change/change-target.ts';
import type { CreateSelection, MethodDetails } from '../../../src/domain/subscription/state/aggregate.ts';
import { catalog, type PlanSketch } from './catalog.ts';
import { card, World } from './world.ts';

// Plans of one group, and a subscription that changes between them.

const offer = (id: string, phases: readonly object[]) => ({
  id,
  seq: 1n,
  name: id,
  phases: phases as never,
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
});
const percent = (percentage: number, durationCycles: number | null = null) => ({
  type: 'percentage',
  percentage,
  durationCycles,
  durationInterval: null,
});
export const offers = [
  offer('off35', [percent(3_500)]),
  offer('half', [percent(5_000, 2)]),
  offer('trial', [{ type: 'free_trial', durationDays: 5 }]),
];

export const monthly = (id: string, amount: bigint) => ({ id, interval: 'monthly' as const, amount });
export const yearly = (id: string, amount: bigint) => ({ id, interval: 'yearly' as const, amount });

/** Plans from examples SUB-E1 to SUB-E4 in ascending rank, and a free plan with the highest rank. */
export const ladder: readonly PlanSketch[] = [
  { id: 'cove', prices: [monthly('cove_m', 3_400n), yearly('cove_y', 33_600n)] },
  { id: 'ridge', prices: [monthly('ridge_m', 11_800n), yearly('ridge_y', 118_000n)] },
  { id: 'atlas', prices: [yearly('atlas_y', 70_000n), monthly('atlas_m', 20_000n)] },
  { id: 'gratis', isFree: true },
];

/** Creates an active subscription. */
export function running(
  now: string,
  selection: CreateSelection,
  { plans = ladder, method = card }: { plans?: readonly PlanSketch[]; method?: MethodDetails } = {},
) {
  const world = new World(now, catalog(...plans), { offers });
  world.create(null, selection);
  if (world.subscription.status === 'pending_payment') world.pay(null, method);
  expect(world.subscription.status).toMatch(/active|trialing/);
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
}

export const change = (world: World, now: string | null, request: Partial<ChangeRequest>) =>
  world.do(now, {
    kind: 'subscription.change_plan',
    subscriptionId: world.subscription.id,
    request: { newPlanId: null, newBillingInterval: null, offerId: null, isPortal: false, ...request },
    successUrl: null,
  });

export const amounts = (world: World) =>
  world
    .linesOf(world.invoice)
    .map(({ lineType, chargeType, amount }) => `${lineType} ${chargeType} ${amount}`);
