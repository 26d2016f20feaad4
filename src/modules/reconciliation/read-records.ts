import pLimit from 'p-limit';
import type { Context } from '../../context.ts';
import type { AttemptRow } from '../../domain/attempt.ts';
import type { PaymentProvider } from '../../domain/enums.ts';
import type { Listed, Recorded, RemoteGateway, Window } from '../../providers/provider.ts';

/** What gateways have on record of attempts. */
export type Records = {
  /** What is on record of an attempt; null for nothing. */
  readonly of: (attemptId: string) => Recorded | null;
  /** Whether the gateway of an attempt could be asked about it. */
  readonly isRequested: (attemptId: string) => boolean;
  /** Whether it could, and has said how the attempt ended. */
  readonly isKnown: (attemptId: string) => boolean;
};

const providers = ['platform', 'stripe'] as const satisfies readonly PaymentProvider[];

function remoteOf(ctx: Context, provider: PaymentProvider): RemoteGateway | null {
  const gateway = ctx.app.gateways.gatewayOf(provider, ctx.livemode);
  return gateway.local ? null : gateway;
}

const trouble = 'A gateway could not be asked for what it has on record.';

/** What the gateways list of a window. Never throws for what a gateway says. */
export async function readLists(ctx: Context, window: Window): Promise<Listed> {
  const all = await Promise.all(
    providers.map((provider) => remoteOf(ctx, provider)?.list?.(ctx.environment.id, window)),
  );
  const failures = all.flatMap((listed) => listed?.failures ?? []);
  for (const error of failures) ctx.log.warn({ err: error }, trouble);
  return { records: all.flatMap((listed) => listed?.records ?? []), failures };
}

/** What is on record of an attempt; undefined when its gateway cannot be asked. */
async function find(ctx: Context, { id, request }: AttemptRow): Promise<Recorded | null | undefined> {
  try {
    return await remoteOf(ctx, request.provider)?.find(request, ctx.environment.id);
  } catch (error) {
    ctx.log.warn({ err: error, attempt: id }, trouble);
    return undefined;
  }
}

/**
 * What gateways have on record of attempts: what they list, and of those not on a list what they answer one by one, as many at a time as the
 * settings allow. Never throws for what a gateway says.
 */
export async function readRecords(
  ctx: Context,
  attempts: readonly AttemptRow[],
  listed: readonly Recorded[],
): Promise<Records> {
  const found = new Map<string, Recorded | null>();
  for (const record of listed) if (record.attempt !== null) found.set(record.attempt, record);
  const waiting = attempts.filter(({ id }) => !found.has(id));
  await pLimit(ctx.app.config.chargeConcurrency).map(waiting, async (attempt) => {
    const record = await find(ctx, attempt);
    if (record !== undefined) found.set(attempt.id, record);
  });
  return {
    of: (id) => found.get(id) ?? null,
    isRequested: (id) => found.has(id),
    isKnown: (id) => found.has(id) && found.get(id)?.result.status !== 'unknown',
  };
}
