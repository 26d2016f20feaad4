import type { App, Context } from '../../context.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { coalesced } from '../../platform/coalesce.ts';
import { type LoadedUsage, loadUsageDetails } from './load.ts';

/** A customer and a feature whose use is looked up. */
export type UsageQuestion = { readonly customerId: string; readonly featureCode: string };

/** What answers a question, or many: nothing of it is locked or reserved. */
export type UsageLook = { readonly details: LoadedUsage; readonly book: UsageBook };

async function look(ctx: Context, questions: readonly UsageQuestion[]): Promise<UsageLook> {
  const needs = {
    customers: [...new Set(questions.map(({ customerId }) => customerId))],
    featureCodes: [...new Set(questions.map(({ featureCode }) => featureCode))],
    eventIds: [],
    models: [],
  };
  const details = await loadUsageDetails(ctx, needs);
  return { details, book: new UsageBook(details) };
}

type Requested = UsageQuestion & { readonly context: Context };
type Ask = (requested: Requested) => Promise<UsageLook>;

/** Looks of each process, by environment. */
const looks = new WeakMap<App, Map<string, Ask>>();

function askerOf({ app, environment }: Context): Ask {
  const ofApp = looks.get(app) ?? new Map<string, Ask>();
  looks.set(app, ofApp);
  const known = ofApp.get(environment.id);
  if (known !== undefined) return known;
  const made = coalesced<Requested, UsageLook>(async (requested) => {
    // The environment as it was found last: a test clock may have moved between two of them.
    const latest = requested.at(-1);
    if (latest === undefined) throw new Error('A look has questions.');
    const seen = await look(latest.context, requested);
    return requested.map(() => seen);
  });
  ofApp.set(environment.id, made);
  return made;
}

/**
 * Reads what decides about the use of a feature, in a handful of statements. Questions that come side by side are looked up together, each
 * after it came, so that an answer shows whatever was committed before the question. Inside a transaction it reads alone.
 */
export const lookAtUsage = (ctx: Context, question: UsageQuestion): Promise<UsageLook> =>
  ctx.transaction === null ? askerOf(ctx)({ ...question, context: ctx }) : look(ctx, [question]);
