import { useRef, useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { CatalogFeatureCreateDocument, CatalogPlanCreateDocument } from '../commands.graphql';
import { codeOfName } from '../model/code-batch.ts';
import { addFeatureStep } from '../model/feature-changes.ts';
import { addPriceStep } from '../model/price-changes.ts';
import type { FirstPlanDraft } from '../model/templates.ts';
import { useCommands } from '../use-commands.ts';

/** ID and code of the created plan, and code of the created feature. */
export type MadePlan = { readonly planId: string; readonly planCode: string; readonly featureCode: string };

type FirstPlanMaker = {
  /** Creates the missing objects. Returns `null` if a step was rejected. */
  readonly make: (draft: FirstPlanDraft) => Promise<MadePlan | null>;
  readonly isRunning: boolean;
  /** Number of completed steps, from 0 to 4. */
  readonly done: number;
  readonly error: ApiError | null;
};

/** Creates a feature, a plan, its price and the feature's terms, in this order. A second call continues after the last completed step. */
export function useFirstPlan(): FirstPlanMaker {
  const [state, setState] = useState<{ isRunning: boolean; done: number; error: ApiError | null }>({
    isRunning: false,
    done: 0,
    error: null,
  });
  const ids = useRef(new Map<string, string>());
  const [createFeature] = useAction(CatalogFeatureCreateDocument);
  const [createPlan] = useAction(CatalogPlanCreateDocument);
  const run = useCommands();

  /** Creates the object for a step, unless it already exists. Throws the error if the service rejects the request. */
  const ensure = async (key: string, create: () => Promise<string | ApiError>): Promise<void> => {
    if (ids.current.has(key)) return;
    const result = await create();
    if (result instanceof ApiError) throw result;
    ids.current.set(key, result);
    setState((before) => ({ ...before, done: ids.current.size }));
  };

  const make = async ({ plan, code }: FirstPlanDraft): Promise<MadePlan | null> => {
    const [feature] = plan.features;
    const [price] = plan.prices;
    if (feature === undefined || price === undefined) return null;
    const planCode = codeOfName(plan.name, '-') || code;
    setState((before) => ({ ...before, isRunning: true, error: null }));
    try {
      await ensure(feature.featureId, async () => {
        const { code: featureCode, name, type, unitName } = feature;
        const result = await createFeature({ input: { code: featureCode, name, type, unitName } });
        return result instanceof ApiError ? result : result.featureCreate.id;
      });
      await ensure(plan.id, async () => {
        const { name, description, model } = plan;
        const result = await createPlan({
          input: {
            name,
            code: planCode,
            consumptionModel: model,
            ...(description !== '' && { description }),
          },
        });
        return result instanceof ApiError ? result : result.planCreate.id;
      });
      for (const [key, step] of [
        [price.id, addPriceStep(plan, price)],
        ['terms', addFeatureStep(plan, feature)],
      ] as const)
        await ensure(key, async () => {
          const { error } = await run([step], () => {}, ids.current);
          return error ?? ids.current.get(key) ?? key;
        });
      setState((before) => ({ ...before, isRunning: false }));
      return { planId: ids.current.get(plan.id) ?? '', planCode, featureCode: feature.code };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState((before) => ({ ...before, isRunning: false, error }));
      return null;
    }
  };
  return { make, ...state };
}
