import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, Focusable, TooltipTrigger } from 'react-aria-components';
import { KeyHint } from './key-hint.tsx';
import styles from './popover.module.css';
import type { Placement } from './popover-surface.tsx';

type TooltipProps = {
  readonly text: ReactNode;
  readonly keys?: string;
  readonly placement?: Placement;
  /** A button or link of the kit. Plain text: wrap it in `TooltipText`. */
  readonly children: ReactNode;
};

/** A line of text beside a button that has the focus or the pointer. Never the only place of what it says. */
export const Tooltip = ({ text, keys, placement = 'top', children }: TooltipProps) => (
  <TooltipTrigger delay={400} closeDelay={80}>
    {children}
    <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
      {text}
      {keys !== undefined && <KeyHint keys={keys} />}
    </AriaTooltip>
  </TooltipTrigger>
);

/** Text that can take the focus, so that a tooltip can be read by keyboard. */
export const TooltipText = ({ children }: { readonly children: ReactNode }) => (
  <Focusable>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip is read by focus. */}
    <span tabIndex={0} role="note">
      {children}
    </span>
  </Focusable>
);
