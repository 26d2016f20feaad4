import type { EventProperties } from '../../domain/rates/derived.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import type { Context } from '../../request/context.ts';
import { bookWithoutDue } from './decide.ts';
import type { LoadedUsage } from './load.ts';
import { loadCurrentUsage } from './load-current.ts';
import { sharedRead } from './share-reads.ts';

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

const lookTogether = sharedRead<Requested, UsageLookupResult>(look);

/**
 * Reads the data that determines access to a feature, with a constant number of statements. Concurrent calls
 * share one read that starts after all of them have arrived, so each call sees all data committed before it.
 * In a transaction, each call reads separately.
 */
export const lookUpUsage = (ctx: Context, question: UsageLookup): Promise<UsageLookupResult> =>
  ctx.transaction === null ? lookTogether({ ...question, context: ctx }) : look(ctx, [question]);
