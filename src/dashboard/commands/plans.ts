import { useData } from '../data/hooks.ts';
import { ChoicePlansDocument, type ChoicePlansQuery } from './choices.graphql';

/** A plan as commands offer it. */
export type ChoicePlan = ChoicePlansQuery['plans']['nodes'][number];

const noPlans: readonly ChoicePlan[] = [];

/** All plans, hidden ones too. */
export const usePlans = (): readonly ChoicePlan[] =>
  useData(ChoicePlansDocument, {}).data?.plans.nodes ?? noPlans;
