import pLimit from 'p-limit';
import type { PaymentProvider } from '../../../domain/rows/enums.ts';
import type { AttemptRow } from '../../../domain/subscription/payments/charge-attempt.ts';
import type { Listed, Recorded, RemoteGateway, Window } from '../../../providers/provider.ts';
import type { Context } from '../../../request/context.ts';

export type Records = {
  /** Returns the provider's record of an attempt. `null` if the provider has no record. */
  readonly of: (attemptId: string) => Recorded | null;
  /** True if the attempt's provider responded to the lookup. */
  readonly isRequested: (attemptId: string) => boolean;
  /** True if the provider responded to the lookup and knows the attempt's outcome. */
  readonly isKnown: (attemptId: string) => boolean;
};

const providers = ['platform', 'stripe'] as const satisfies readonly PaymentProvider[];

function remoteOf(ctx: Context, provider: PaymentProvider): RemoteGateway | null {
  const gateway = ctx.app.gateways.gatewayOf(provider, ctx.livemode);
  return gateway.local ? null : gateway;
}

const readFailed = 'Reading the records of a payment provider failed.';

/** Returns the records that providers list for a time window. Provider errors are returned, not thrown. */
export async function readLists(ctx: Context, window: Window): Promise<Listed> {
  const all = await Promise.all(
    providers.map((provider) => remoteOf(ctx, provider)?.list?.(ctx.environment.id, window)),
  );
  const failures = all.flatMap((listed) => listed?.failures ?? []);
  for (const error of failures) ctx.log.warn({ err: error }, readFailed);
  return { records: all.flatMap((listed) => listed?.records ?? []), failures };
}

/** Returns the provider's record of an attempt. `undefined` if the provider is unreachable. */
async function find(ctx: Context, { id, request }: AttemptRow): Promise<Recorded | null | undefined> {
  try {
    return await remoteOf(ctx, request.provider)?.find(request, ctx.environment.id);
  } catch (error) {
    ctx.log.warn({ err: error, attempt: id }, readFailed);
    return undefined;
  }
}

/**
 * Reads the providers' records of attempts: from the lists or, for attempts that aren't listed, individually with the configured
 * concurrency. Never throws provider errors.
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
