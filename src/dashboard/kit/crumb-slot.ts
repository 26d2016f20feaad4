import { createContext } from 'react';

/** Element of the frame that shows the breadcrumbs of the page. `null` if the frame isn't rendered. */
export const CrumbSlot = createContext<HTMLElement | null>(null);
