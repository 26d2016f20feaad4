import type { EventProperties } from '../../domain/rates/derived.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import { coalesced } from '../../platform/coalesce.ts';
import type { App, Context } from '../../request/context.ts';
import { bookWithoutDue } from './decide.ts';
import type { LoadedUsage } from './load.ts';
import { loadCurrentUsage } from './load-current.ts';

/** Customer and feature to look up, and the AI model that determines a price. */
export type UsageLookup = {
  readonly customerId: string;
  readonly featureCode: string;
  readonly model?: string | null;
  /** Properties of the event, which can contain a value that a meter counts. */
  readonly properties?: EventProperties;
  /** Key of the usage's budget. */
  readonly budget?: string | null;
};

/** Data for access checks, which neither lock nor reserve anything. */
export type UsageLookupResult = { readonly details: LoadedUsage; readonly book: UsageBook };

async function look(ctx: Context, questions: readonly UsageLookup[]): Promise<UsageLookupResult> {
  const needs = {
    customers: [...new Set(questions.map(({ customerId }) => customerId))],
    featureCodes: [...new Set(questions.map(({ featureCode }) => featureCode))],
    eventIds: [],
    models: [...new Set(questions.flatMap(({ model }) => (typeof model === 'string' ? [model] : [])))],
  };
  const requests = questions.map(({ properties = [], ...named }) => ({ ...named, properties }));
  const details = await loadCurrentUsage(ctx, needs, requests);
  return { details, book: bookWithoutDue(details) };
}

type Requested = UsageLookup & { readonly context: Context };
type Ask = (requested: Requested) => Promise<UsageLookupResult>;

/** Pending lookups of this process, by environment. */
const looks = new WeakMap<App, Map<string, Ask>>();

function askerOf({ app, environment }: Context): Ask {
  const ofApp = looks.get(app) ?? new Map<string, Ask>();
  looks.set(app, ofApp);
  const known = ofApp.get(environment.id);
  if (known !== undefined) return known;
  const made = coalesced<Requested, UsageLookupResult>(async (requested) => {
    // Use the context of the latest call, because a test clock can advance between two calls.
    const latest = requested.at(-1);
    if (latest === undefined) throw new Error('A lookup has no questions.');
    const seen = await look(latest.context, requested);
    return requested.map(() => seen);
  });
  ofApp.set(environment.id, made);
  return made;
}

/**
 * Reads the data that determines access to a feature, with a constant number of statements. Concurrent calls
 * share one read that starts after all of them have arrived, so each call sees all data committed before it.
 * In a transaction, each call reads separately.
 */
export const lookUpUsage = (ctx: Context, question: UsageLookup): Promise<UsageLookupResult> =>
  ctx.transaction === null ? askerOf(ctx)({ ...question, context: ctx }) : look(ctx, [question]);
