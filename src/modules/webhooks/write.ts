import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId, newSecret } from '../../infra/ids.ts';
import { cancelPendingDeliveries, moveCursorToEnd } from '../../infra/webhook-rows.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { checkUrl, refuseRepeated, requireLockedWebhook, type WebhookRow } from './service.ts';

/** How many endpoints an environment may have (PLT-40). */
const maxEndpoints = 20;

/** What a creating call says of an endpoint. */
export type NewWebhookInput = {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | null | undefined;
  /** The version of the request unless told. */
  readonly apiVersion?: string | null | undefined;
};

/** Changes to an endpoint; what is undefined stays, a null description takes it away. */
export type WebhookChanges = {
  readonly id: string;
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly apiVersion?: string | null | undefined;
};

/**
 * Registers an endpoint and answers it with its signing secret, this one time (PLT-40). It receives what is committed from now on.
 * Throws `validation_error` for an address that may not be called, a kind named twice, and the 21st endpoint.
 */
export async function createWebhook(context: Context, input: NewWebhookInput): Promise<WebhookRow & { readonly secretKey: string }> {
  refuseRepeated(input.events);
  await checkUrl(context, input.url);
  return inTransaction(context, async (inner) => {
    // The number comes first: it holds the environment's counter, so that rivals count one after another, and no event slips in between.
    const seq = await nextSeq(inner);
    const count = await inner.db.webhook.count({ where: { deletedAt: null } });
    if (count >= maxEndpoints) {
      throw validationError([{ field: 'url', message: `would be endpoint ${count + 1}; an environment has at most ${maxEndpoints}` }]);
    }
    const secretKey = newSecret('whsec_');
    const now = inner.clock.now();
    const webhook = await inner.db.webhook.create({
      data: {
        id: newId('whe'),
        seq,
        url: input.url,
        events: [...input.events],
        description: input.description ?? null,
        isActive: true,
        apiVersion: input.apiVersion ?? inner.version,
        sealedSecret: inner.app.secrets.encrypt(secretKey),
        failedInRow: 0,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      },
    });
    await inner.db.webhookCursor.create({ data: { id: webhook.id, position: 0n, leaseOwner: null, leaseUntil: null } });
    await moveCursorToEnd(inner.sql, webhook.id);
    return { ...webhook, secretKey };
  });
}

/** What follows from switching an endpoint: off, its undelivered events are given up; on, it begins with what is committed from then on (PLT-45). */
async function applySwitch(inner: Context, id: string, isActive: boolean): Promise<{ readonly failedInRow?: number }> {
  if (isActive) {
    await moveCursorToEnd(inner.sql, id);
    return { failedInRow: 0 };
  }
  await cancelPendingDeliveries(inner.sql, id, inner.wall.now());
  return {};
}

/** Changes an endpoint, only in what is given; nothing given is accepted and changes nothing (PLT-41). Throws `webhook_not_found` and what creating one throws for the same inputs. */
export async function updateWebhook(context: Context, input: WebhookChanges): Promise<WebhookRow> {
  if (input.events) refuseRepeated(input.events);
  if (input.url) await checkUrl(context, input.url);
  return inTransaction(context, async (inner) => {
    const webhook = await requireLockedWebhook(inner, input.id);
    const { url, events, description, isActive, apiVersion } = webhook;
    const next = {
      url: input.url ?? url,
      events: [...(input.events ?? events)],
      description: input.description === undefined ? description : input.description,
      isActive: input.isActive ?? isActive,
      apiVersion: input.apiVersion ?? apiVersion,
    };
    if (isDeepStrictEqual(next, { url, events, description, isActive, apiVersion })) return webhook;
    const switched = next.isActive === isActive ? {} : await applySwitch(inner, webhook.id, next.isActive);
    const changes = { ...next, ...switched, updatedAt: inner.clock.now() };
    await inner.db.webhook.update({ where: { id: webhook.id }, data: changes });
    return { ...webhook, ...changes };
  });
}

/** Deletes an endpoint for good, its secret with it; what has not been delivered is dropped (PLT-41). Throws `webhook_not_found`. */
export const deleteWebhook = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedWebhook(inner, id);
    const now = inner.clock.now();
    await inner.db.webhook.update({ where: { id }, data: { isActive: false, sealedSecret: '', updatedAt: now, deletedAt: now } });
    await cancelPendingDeliveries(inner.sql, id, inner.wall.now());
    return { id, object: 'webhook' };
  });
