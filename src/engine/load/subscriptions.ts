import type {
  DeadlineRow,
  OfferApplicationRow,
  SubscriptionRow,
} from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { LoadBatch } from './batch.ts';

/**
 * Loads the customers' subscriptions that aren't canceled, and subscriptions referenced by commands,
 * transactions, invoices, or open refunds.
 */
export const loadSubscriptions = ({ ctx, customerIds, named }: LoadBatch): Promise<SubscriptionRow[]> =>
  ctx.sql<SubscriptionRow>(
    `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND (t.status <> 'canceled' OR t.id = ANY($3)
       OR t.id IN (SELECT "subscriptionId" FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($4))
       OR t.id IN (SELECT x."subscriptionId" FROM "Refund" r JOIN "Transaction" x ON x."environmentId" = $1 AND x.id = r."transactionId"
         WHERE r."environmentId" = $1 AND r."customerId" = ANY($2) AND r.status IN ('pending', 'requires_action'))
       OR t.id IN (SELECT "subscriptionId" FROM "Invoice" WHERE "environmentId" = $1 AND id = ANY($5))) ORDER BY t.seq`,
    [customerIds, named.subscriptions, named.transactions, named.invoices],
  );

export const loadApplications = async (batch: LoadBatch): Promise<OfferApplicationRow[]> =>
  batch.ctx.sql<OfferApplicationRow>(
    `SELECT ${columnList('OfferApplication', 't')} FROM "OfferApplication" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) ORDER BY t.seq`,
    [await batch.ids('subscriptions')],
  );

/** Loads the deadlines of customers, with or without a subscription. */
export const loadDeadlines = async (batch: LoadBatch): Promise<DeadlineRow[]> =>
  batch.ctx.sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM "Deadline" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($3)
     UNION ALL
     SELECT ${columnList('Deadline', 't')} FROM "Deadline" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" IS NULL AND t."customerId" = ANY($2) ORDER BY "dueAt", rank, id`,
    [batch.customerIds, await batch.ids('subscriptions')],
  );
