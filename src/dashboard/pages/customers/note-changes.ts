import { createStore } from '../../data/store.ts';

/** Number of notes changed on this page. Note changes don't send events, so the timeline reloads when this number changes. */
export const noteChanges = createStore(0);

export const countNoteChange = (): void => noteChanges.set(noteChanges.get() + 1);
