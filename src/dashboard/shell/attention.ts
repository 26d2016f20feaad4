import type { PlainPageName } from '../address.ts';
import type { AttentionLineFragment } from '../data/attention.graphql';
import { createStore } from '../data/store.ts';

/** What needs attention, kept up to date by the frame; null until that is known. */
export const attention = createStore<readonly AttentionLineFragment[] | null>(null);

/** How much needs attention on each page. */
export const attentionCounts = createStore<Readonly<Partial<Record<PlainPageName, number>>>>({});
