import type { ResultOf } from '../../../ui/documents.ts';
import type { WelcomeProgressDocument } from './progress.graphql';

export type Progress = ResultOf<typeof WelcomeProgressDocument>;

/** Onboarding steps, in order. */
export const steps = ['organization', 'plan', 'sell', 'pay', 'year'] as const;

export type Step = (typeof steps)[number];

/** Returns the completed steps, based on the data of the sandbox. */
export const doneSteps = ({ organization, plans, subscriptions, paid, testClock }: Progress) =>
  ({
    organization: organization.country !== null,
    plan: plans.nodes.length > 0,
    sell: subscriptions.nodes.length > 0,
    pay: paid.nodes.length > 0,
    year: testClock.isActive,
  }) satisfies Readonly<Record<Step, boolean>>;

/** Returns the plan for the first subscription. Prefers a paid plan. */
export const planToSell = ({ plans }: Progress): Progress['plans']['nodes'][number] | null =>
  plans.nodes.find(({ isFree, prices }) => !isFree && prices.length > 0) ?? plans.nodes[0] ?? null;
