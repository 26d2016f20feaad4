import type { Document } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { type ActionState, useAction } from '../../../data/hooks.ts';
import { type Draft, useDraft } from '../../../kit/use-draft.ts';
import type { Deletion } from './delete-button.tsx';

/** Mutations that create, update and delete a catalog object, and the values of its form. */
type CatalogForm<Values, Made, Changed, New, Changes> = {
  readonly create: Document<Made, { readonly input: New }>;
  readonly update: Document<Changed, { readonly input: Changes }>;
  readonly remove: Deletion<{ readonly id: string }>['document'];
  /** Values of the existing object, or the initial values of a new object. */
  readonly stored: Values;
  readonly isReady: (values: Values) => boolean;
  /** Converts the form values to the inputs of the create and update mutations. */
  readonly inputOf: (values: Values) => { readonly create: New; readonly update: Omit<Changes, 'id'> };
  /** Second mutation of an update, such as for a part with its own mutation. `send` returns `null` if that part is unchanged. */
  readonly part?: {
    readonly send: (id: string, values: Values) => Promise<unknown> | null;
    readonly saving: ActionState;
  };
  /** Called after the object was created, updated or deleted. */
  readonly onDone: () => void;
};

/** Form state of a catalog object, and the actions that save and delete the object. */
export type CatalogEdit<Values extends object> = {
  readonly draft: Draft<Values>;
  readonly isNew: boolean;
  readonly saving: ActionState;
  /** Deletes the object. `null` if the object is new. */
  readonly deletion: Deletion<{ readonly id: string }> | null;
};

const together = (
  first: ActionState,
  second: ActionState = { isRunning: false, error: null },
): ActionState => ({
  isRunning: first.isRunning || second.isRunning,
  error: first.error ?? second.error,
});

/** Creates an object if `id` is `null`. Otherwise, updates or deletes the object with that ID. */
export function useCatalogEdit<
  Values extends object,
  Made,
  Changed,
  New extends object,
  Changes extends { readonly id: string },
>(
  id: string | null,
  { stored, isReady, inputOf, part, onDone, ...mutations }: CatalogForm<Values, Made, Changed, New, Changes>,
): CatalogEdit<Values> {
  const [create, creating] = useAction(mutations.create);
  const [update, updating] = useAction(mutations.update);
  const draft = useDraft<Values, Made | Changed | ApiError>(stored, {
    isReady,
    needsChange: id !== null,
    send: async (values) => {
      const input = inputOf(values);
      if (id === null) return create({ input: input.create });
      // `input.update` and the ID together are a complete mutation input.
      const updated = await update({ input: { ...input.update, id } as Changes });
      const answer = updated instanceof Error ? null : await part?.send(id, values);
      return answer instanceof ApiError ? answer : updated;
    },
    onDone,
  });
  const remove = () => {
    draft.reset();
    onDone();
  };
  return {
    draft,
    isNew: id === null,
    saving: id === null ? creating : together(updating, part?.saving),
    deletion: id === null ? null : { document: mutations.remove, input: { id }, onDone: remove },
  };
}
