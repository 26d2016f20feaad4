import { useCallback } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { type Run, useAction } from '../../data/hooks.ts';
import * as commands from './commands.graphql';
import type { Command, Step } from './model/step.ts';

type AnyRun = Run<unknown, Readonly<Record<string, unknown>>>;

/** Returns the ID of the object that a mutation created. `null` if it didn't create an object. */
function idIn(result: unknown): string | null {
  const [made] = Object.values(result as Record<string, unknown>);
  const id = typeof made === 'object' && made !== null ? Reflect.get(made, 'id') : null;
  return typeof id === 'string' ? id : null;
}

/** Number of completed commands, and the error if a command was rejected. */
export type Outcome = { readonly done: number; readonly error: ApiError | null };

/** Sends catalog commands in order, each once. Stops at the first rejection. Calls `onStep` with the number of completed commands. */
export function useCommands(): (
  steps: readonly Step[],
  onStep: (done: number) => void,
  ids?: Map<string, string>,
) => Promise<Outcome> {
  const [planUpdate] = useAction(commands.CatalogPlanUpdateDocument);
  const [groupAdd] = useAction(commands.CatalogGroupPlanAddDocument);
  const [groupRemove] = useAction(commands.CatalogGroupPlanRemoveDocument);
  const [featureAdd] = useAction(commands.CatalogPlanFeatureAddDocument);
  const [featureUpdate] = useAction(commands.CatalogPlanFeatureUpdateDocument);
  const [featureRateSet] = useAction(commands.CatalogPlanFeatureRateSetDocument);
  const [featureCostSet] = useAction(commands.CatalogPlanFeatureCostSetDocument);
  const [featureRemove] = useAction(commands.CatalogPlanFeatureRemoveDocument);
  const [priceAdd] = useAction(commands.CatalogPriceAddDocument);
  const [priceUpdate] = useAction(commands.CatalogPriceUpdateDocument);
  const [priceArchive] = useAction(commands.CatalogPriceArchiveDocument);
  const [priceDefault] = useAction(commands.CatalogPriceDefaultSetDocument);
  const [priceOffer] = useAction(commands.CatalogPriceOfferSetDocument);
  const [regionalUpsert] = useAction(commands.CatalogPriceRegionalUpsertDocument);
  const [regionalDelete] = useAction(commands.CatalogPriceRegionalDeleteDocument);
  const [currencySet] = useAction(commands.CatalogCurrencySetDocument);
  return useCallback(
    async (steps, onStep, ids = new Map()) => {
      // Inputs are built at run time, so the compiler can't match them with the types of the mutations.
      const runs = {
        planUpdate,
        groupAdd,
        groupRemove,
        featureAdd,
        featureUpdate,
        featureRateSet,
        featureCostSet,
        featureRemove,
        priceAdd,
        priceUpdate,
        priceArchive,
        priceDefault,
        priceOffer,
        regionalUpsert,
        regionalDelete,
        currencySet,
      } as unknown as Record<Command, AnyRun>;
      for (const [index, { command, input, makes }] of steps.entries()) {
        const result = await runs[command]({ input: input((id) => ids.get(id) ?? id) });
        if (result instanceof ApiError) return { done: index, error: result };
        const id = idIn(result);
        if (makes !== undefined && id !== null) ids.set(makes, id);
        onStep(index + 1);
      }
      return { done: steps.length, error: null };
    },
    [
      planUpdate,
      groupAdd,
      groupRemove,
      featureAdd,
      featureUpdate,
      featureRateSet,
      featureCostSet,
      featureRemove,
      priceAdd,
      priceUpdate,
      priceArchive,
      priceDefault,
      priceOffer,
      regionalUpsert,
      regionalDelete,
      currencySet,
    ],
  );
}
