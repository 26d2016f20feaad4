import type { ComponentProps } from 'react';
import { lazyPart } from '../kit/lazy-part.tsx';
import type { AskDialog as Content } from './ask-dialog-content.tsx';

/** Dialog for confirming and sending a mutation. Loaded when it's first opened. */
export const AskDialog = lazyPart<ComponentProps<typeof Content>>(() =>
  import('./ask-dialog-content.tsx').then((module) => module.AskDialog),
) as typeof Content;
