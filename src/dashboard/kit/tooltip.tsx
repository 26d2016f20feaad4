import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { KeyHint } from './key-hint.tsx';
import styles from './popover.module.css';
import type { Placement } from './popover-surface.tsx';

type TooltipProps = {
  readonly text: ReactNode;
  readonly keys?: string;
  readonly placement?: Placement;
  /** Focusable element of the kit, such as a button or link. */
  readonly children: ReactNode;
};

/** One line of text that appears when its button is focused or hovered. The same information must be available elsewhere. */
export const Tooltip = ({ text, keys, placement = 'top', children }: TooltipProps) => (
  <TooltipTrigger delay={400} closeDelay={80}>
    {children}
    <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
      {text}
      {keys !== undefined && <KeyHint keys={keys} />}
    </AriaTooltip>
  </TooltipTrigger>
);
