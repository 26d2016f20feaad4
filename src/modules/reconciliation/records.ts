import type { Context } from '../../context.ts';
import type { AttemptRow } from '../../domain/attempt.ts';
import type { PaymentProvider } from '../../domain/words.ts';
import type { Recorded, RemoteGateway, Window } from '../../gateway/gateway.ts';

/** What gateways have on record. */
export type Records = {
  /** What is on record of an attempt; null for nothing. */
  readonly of: (attemptId: string) => Recorded | null;
  /** Whether the gateway of an attempt could be asked about it. */
  readonly isKnown: (attemptId: string) => boolean;
  /** What they list of the time asked for. */
  readonly listed: readonly Recorded[];
  /** False when one could not be asked, or had no answer yet. */
  readonly isComplete: boolean;
};

const providers = ['platform', 'stripe'] as const satisfies readonly PaymentProvider[];

function remoteOf(context: Context, provider: PaymentProvider): RemoteGateway | null {
  const gateway = context.app.gateways.gatewayOf(provider);
  return gateway.local ? null : gateway;
}

/** The lists of all gateways that keep one; null when one of them cannot be asked. */
async function readLists(context: Context, window: Window): Promise<Recorded[] | null> {
  const all: Recorded[] = [];
  for (const provider of providers) {
    try {
      all.push(...((await remoteOf(context, provider)?.list?.(context.environment.id, window)) ?? []));
    } catch (error) {
      context.log.warn({ err: error, provider }, 'A gateway could not be asked for what it has on record.');
      return null;
    }
  }
  return all;
}

/** What is on record of an attempt; undefined when its gateway cannot be asked. */
async function find(context: Context, { id, request }: AttemptRow): Promise<Recorded | null | undefined> {
  try {
    return await remoteOf(context, request.provider)?.find(request, context.environment.id);
  } catch (error) {
    context.log.warn({ err: error, attempt: id }, 'A gateway could not be asked for what it has on record.');
    return undefined;
  }
}

/**
 * Reads what gateways have on record of attempts and of a time: the lists first, then attempts that are not on them, so many at once as the
 * settings allow. Never throws for what a gateway says.
 */
export async function readRecords(context: Context, attempts: readonly AttemptRow[], window: Window): Promise<Records> {
  const listed = await readLists(context, window);
  const found = new Map<string, Recorded | null>();
  for (const record of listed ?? []) if (record.attempt !== null) found.set(record.attempt, record);
  const waiting = attempts.filter(({ id }) => !found.has(id));
  const ask = async (): Promise<void> => {
    for (let attempt = waiting.shift(); attempt !== undefined; attempt = waiting.shift()) {
      const record = await find(context, attempt);
      if (record !== undefined) found.set(attempt.id, record);
    }
  };
  await Promise.all(Array.from({ length: context.app.config.chargeConcurrency }, ask));
  const isKnown = (id: string): boolean => found.has(id) && found.get(id)?.result.status !== 'unknown';
  return {
    of: (id) => found.get(id) ?? null,
    isKnown,
    listed: listed ?? [],
    isComplete: listed !== null && attempts.every(({ id }) => isKnown(id)),
  };
}
