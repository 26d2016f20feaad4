import { useArea } from '../data/current-page.ts';
import type { Areas } from '../words/areas.ts';

/** Strings that only the portal uses. */
export type PortalWords = Areas['portal'];

export const useOwn = (): PortalWords => useArea('portal');
