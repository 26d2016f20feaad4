import type { App, Context } from '../../context.ts';
import { UsageBook } from '../../domain/consumption/book.ts';
import { gathered } from '../../infra/gather.ts';
import { type LoadedUsage, loadUsageFacts } from './load.ts';

/** Whose use of which feature is asked about. */
export type UsageQuestion = { readonly customerId: string; readonly featureCode: string };

/** What answers a question, or many: nothing of it is locked or reserved. */
export type UsageLook = { readonly facts: LoadedUsage; readonly book: UsageBook };

async function look(ctx: Context, questions: readonly UsageQuestion[]): Promise<UsageLook> {
  const needs = {
    customers: [...new Set(questions.map(({ customerId }) => customerId))],
    featureCodes: [...new Set(questions.map(({ featureCode }) => featureCode))],
    eventIds: [],
    models: [],
  };
  const facts = await loadUsageFacts(ctx, needs);
  return { facts, book: new UsageBook(facts) };
}

type Asked = UsageQuestion & { readonly context: Context };
type Ask = (asked: Asked) => Promise<UsageLook>;

/** Looks of each process, by environment. */
const looks = new WeakMap<App, Map<string, Ask>>();

function askerOf({ app, environment }: Context): Ask {
  const ofApp = looks.get(app) ?? new Map<string, Ask>();
  looks.set(app, ofApp);
  const known = ofApp.get(environment.id);
  if (known !== undefined) return known;
  const made = gathered<Asked, UsageLook>(async (asked) => {
    // The environment as it was found last: a test clock may have moved between two of them.
    const latest = asked.at(-1);
    if (latest === undefined) throw new Error('A look has questions.');
    const seen = await look(latest.context, asked);
    return asked.map(() => seen);
  });
  ofApp.set(environment.id, made);
  return made;
}

/**
 * Reads what decides about the use of a feature, in a handful of statements. Questions that come side by side are looked up together, each
 * after it came, so that an answer shows whatever was committed before the question. Inside a transaction it reads by itself.
 */
export const lookAtUsage = (ctx: Context, question: UsageQuestion): Promise<UsageLook> =>
  ctx.transaction === null ? askerOf(ctx)({ ...question, context: ctx }) : look(ctx, [question]);
