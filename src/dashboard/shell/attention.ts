import type { PlainPageName } from '../address.ts';
import type { AttentionLineFragment } from '../data/attention.graphql';
import { createStore } from '../data/store.ts';

/** Items that need attention. The frame updates them live. `null` until loaded. */
export const attention = createStore<readonly AttentionLineFragment[] | null>(null);

/** Number of items that need attention, by page. */
export const attentionCounts = createStore<Readonly<Partial<Record<PlainPageName, number>>>>({});
