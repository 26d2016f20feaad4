import type { ResultOf } from '../../../ui/documents.ts';
import type { WelcomeProgressDocument } from './progress.graphql';

export type Progress = ResultOf<typeof WelcomeProgressDocument>;

/** The steps from nothing to a year of billing, in order. */
export const steps = ['organization', 'plan', 'sell', 'pay', 'year'] as const;

export type Step = (typeof steps)[number];

/** Which steps are done, as the data says. */
export const doneSteps = ({ organization, plans, subscriptions, paid, testClock }: Progress) =>
  ({
    organization: organization.country !== null,
    plan: plans.nodes.length > 0,
    sell: subscriptions.nodes.length > 0,
    pay: paid.nodes.length > 0,
    year: testClock.isActive,
  }) satisfies Readonly<Record<Step, boolean>>;

/** The plan to sell: one that costs something, where there is one. */
export const planToSell = ({ plans }: Progress): Progress['plans']['nodes'][number] | null =>
  plans.nodes.find(({ isFree, prices }) => !isFree && prices.length > 0) ?? plans.nodes[0] ?? null;
