import { useRef } from 'react';
import type { Document } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { type ActionState, useAction } from '../../../data/hooks.ts';
import { type Draft, useDraft } from '../../../kit/use-draft.ts';
import type { Deletion } from './delete-button.tsx';

/** Mutations that create, update and delete a catalog object, and the values of its form. */
type CatalogForm<Values, Made, Changed, New, Changes, Key extends string> = {
  /** Name of the input field that identifies the object. Defaults to `id`. */
  readonly key?: Key;
  readonly create: Document<Made, { readonly input: New }>;
  readonly update: Document<Changed, { readonly input: Changes }>;
  readonly remove: Deletion<Readonly<Record<Key, string>>>['document'];
  /** Values of the existing object, or the initial values of a new object. */
  readonly stored: Values;
  readonly isReady: (values: Values) => boolean;
  /** Converts the form values to the inputs of the create and update mutations. */
  readonly inputOf: (values: Values) => { readonly create: New; readonly update: Omit<Changes, Key> };
  /**
   * Second mutation after creation or an update, such as for a part with its own mutation. `send` returns `null` if that part is unchanged.
   * `idOf` returns the ID of the created object.
   */
  readonly part?: {
    readonly idOf: (made: Made) => string;
    readonly send: (id: string, values: Values) => Promise<unknown> | null;
    readonly saving: ActionState;
  };
  /** Called after the object was created, updated or deleted. */
  readonly onDone: () => void;
};

/** Form state of a catalog object, and the actions that save and delete the object. */
export type CatalogEdit<Values extends object, Key extends string = 'id'> = {
  readonly draft: Draft<Values>;
  readonly isNew: boolean;
  readonly saving: ActionState;
  /** Deletes the object. `null` if the object is new. */
  readonly deletion: Deletion<Readonly<Record<Key, string>>> | null;
};

const together = (
  first: ActionState,
  second: ActionState = { isRunning: false, error: null },
): ActionState => ({
  isRunning: first.isRunning || second.isRunning,
  error: first.error ?? second.error,
});

/** Creates an object if `id` is `null`. Otherwise, updates or deletes the object with that ID, or with that value of `key`. */
export function useCatalogEdit<
  Values extends object,
  Made,
  Changed,
  New extends object,
  Changes extends Readonly<Record<Key, string>>,
  Key extends string = 'id',
>(
  id: string | null,
  {
    // Forms without a key use IDs.
    key = 'id' as Key,
    stored,
    isReady,
    inputOf,
    part,
    onDone,
    ...mutations
  }: CatalogForm<Values, Made, Changed, New, Changes, Key>,
): CatalogEdit<Values, Key> {
  const keyOf = (value: string) => ({ [key]: value }) as Readonly<Record<Key, string>>;
  const [create, creating] = useAction(mutations.create);
  const [update, updating] = useAction(mutations.update);
  // If the second mutation is rejected after creation, saving again updates the created object.
  const created = useRef<string | null>(null);
  const draft = useDraft<Values, Made | Changed | ApiError>(stored, {
    isReady,
    needsChange: id !== null,
    send: async (values) => {
      const input = inputOf(values);
      const existing = id ?? created.current;
      const saved =
        existing === null
          ? await create({ input: input.create })
          : // `input.update` and the ID together are a complete mutation input.
            await update({ input: { ...input.update, ...keyOf(existing) } as unknown as Changes });
      if (saved instanceof ApiError || part === undefined) return saved;
      created.current = existing ?? part.idOf(saved as Made);
      const answer = await part.send(created.current, values);
      return answer instanceof ApiError ? answer : saved;
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
    saving: together(together(creating, updating), part?.saving),
    deletion: id === null ? null : { document: mutations.remove, input: keyOf(id), onDone: remove },
  };
}
