import { namedHold } from '../../domain/holds/steps.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Context } from '../../request/context.ts';
import { sharedRead } from './share-reads.ts';

// Customers and features of holds. Requests name only the hold, and a batch must know the customers whose rows it locks.

/** Fields of a hold that never change. */
type HoldSubject = {
  readonly reference: string;
  readonly customerId: string;
  readonly featureCode: string;
  readonly budget: string | null;
  readonly heldPath: readonly string[] | null;
};

// The customer is named as in the request that opened the hold, so that cached rows of the customer are found.
const readSubjects = `SELECT named.id AS reference, f.code AS "featureCode", b.key AS budget, h.estimate->'path' AS "heldPath",
     CASE WHEN c."externalId" = h.estimate->>'customer' THEN c."externalId" ELSE c.id END AS "customerId"
   FROM unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
     SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND id = named.id
     UNION ALL SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND "holdId" = named.id LIMIT 1) h
   CROSS JOIN LATERAL (SELECT id, "externalId" FROM "Customer" WHERE "environmentId" = $1 AND id = h."customerId" OFFSET 0) c
   CROSS JOIN LATERAL (SELECT code FROM "Feature" WHERE "environmentId" = $1 AND id = h."featureId" OFFSET 0) f
   LEFT JOIN LATERAL (SELECT key FROM "Budget" WHERE "environmentId" = $1 AND id = h."budgetId" OFFSET 0) b ON true`;

type Question = { readonly context: Context; readonly names: readonly string[] };
async function read(ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, HoldSubject>> {
  const rows = await ctx.sql<HoldSubject>(readSubjects, [textArray([...new Set(names)])]);
  return new Map(rows.map((row) => [row.reference, row]));
}

const readTogether = sharedRead<Question, ReadonlyMap<string, HoldSubject>>((ctx, questions) =>
  read(
    ctx,
    questions.flatMap(({ names }) => names),
  ),
);

/** Returns the subjects of the holds that requests open, by the identifiers that the API client assigned. */
const openedIn = (requests: readonly UsageRequest[]): Map<string, HoldSubject> =>
  new Map(
    requests.flatMap(({ hold, customerId, featureCode, budget = null }) => {
      const name = hold?.kind === 'open' ? hold.holdId : null;
      return name === null
        ? []
        : [[name, { reference: name, customerId, featureCode, budget, heldPath: null }] as const];
    }),
  );

/**
 * Returns requests with the customer, the feature, and the budgets of the hold that each of them names. Requests whose hold doesn't exist
 * don't change. Reads nothing if no request names a stored hold.
 */
export async function resolveHolds(
  ctx: Context,
  requests: readonly UsageRequest[],
): Promise<readonly UsageRequest[]> {
  const names = requests.flatMap(({ hold }) =>
    hold === undefined || hold.kind === 'open' ? [] : (namedHold(hold) ?? []),
  );
  if (names.length === 0) return requests;
  const opened = openedIn(requests);
  const stored = await (ctx.transaction === null ? readTogether({ context: ctx, names }) : read(ctx, names));
  return requests.map((request) => {
    const name = request.hold === undefined || request.hold.kind === 'open' ? null : request.hold.hold;
    const subject = name === null ? undefined : (stored.get(name) ?? opened.get(name));
    if (subject === undefined) return request;
    return {
      ...request,
      customerId: request.customerId === '' ? subject.customerId : request.customerId,
      featureCode: request.featureCode === '' ? subject.featureCode : request.featureCode,
      budget: request.budget ?? subject.budget,
      ...(subject.heldPath === null ? {} : { heldPath: subject.heldPath }),
    };
  });
}
