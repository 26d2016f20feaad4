import { useData } from '../data/hooks.ts';
import { ChoicePlansDocument, type ChoicePlansQuery } from './choices.graphql';

/** Plan that a command can select. */
export type ChoicePlan = ChoicePlansQuery['plans']['nodes'][number];

const noPlans: readonly ChoicePlan[] = [];

/** Returns all plans, including hidden ones. */
export const usePlans = (): readonly ChoicePlan[] =>
  useData(ChoicePlansDocument, {}).data?.plans.nodes ?? noPlans;
