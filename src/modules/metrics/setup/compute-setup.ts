import { type SetupStep, setupOf } from '../../../domain/metrics/setup.ts';
import { type Context, systemContext } from '../../../request/context.ts';
import { findSandboxId, loadOrganization } from '../../organization/organizations/store.ts';
import { readFirstEvents, readSetup } from './store.ts';

/** Event types that show that a situation was tried in the sandbox, by the name of the test. */
const testKinds = {
  payment: 'payment.received',
  declined_payment: 'payment.failed',
  refund: 'payment.refunded',
  plan_change: 'subscription.plan_changed',
  cancellation: 'subscription.canceled',
} as const;

type SandboxTestKey = keyof typeof testKinds;

const sandboxTests = Object.keys(testKinds) as readonly SandboxTestKey[];

export type SandboxTest = { readonly key: SandboxTestKey; readonly at: Date | null };

/** Returns the setup steps of the environment with their states. */
export async function computeSteps(ctx: Context): Promise<SetupStep[]> {
  const [organization, setup] = await Promise.all([
    loadOrganization(ctx),
    readSetup(ctx.reads, ctx.wall.now()),
  ]);
  return setupOf({ ...setup, ...organization });
}

/** Returns the tests with the time of their first occurrence in the organization's sandbox. */
export async function computeTests(ctx: Context): Promise<SandboxTest[]> {
  const sandbox = await sandboxOf(ctx);
  const found = await readFirstEvents(sandbox.sql, Object.values(testKinds));
  const times = new Map(found.map(({ kind, at }) => [kind, at]));
  return sandboxTests.map((key) => ({ key, at: times.get(testKinds[key]) ?? null }));
}

/** Returns the context of the organization's sandbox, which is the caller's context in the sandbox itself. */
async function sandboxOf(ctx: Context): Promise<Context> {
  if (!ctx.livemode) return ctx;
  return systemContext(ctx.app, await findSandboxId(ctx), ctx.requestId);
}
