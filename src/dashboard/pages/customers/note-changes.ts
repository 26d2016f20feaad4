import { createStore } from '../../data/store.ts';

/** How often notes were changed on this page: they send no event, so the timeline is read again when this changes. */
export const noteChanges = createStore(0);

export const countNoteChange = (): void => noteChanges.set(noteChanges.get() + 1);
