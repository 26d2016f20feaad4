import { createContext } from 'react';

/** Heading level for card titles: 2 on a page, 3 in a section. */
export const HeadingLevel = createContext<2 | 3>(2);
