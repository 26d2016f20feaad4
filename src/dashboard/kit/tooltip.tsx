import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, Focusable, TooltipTrigger } from 'react-aria-components';
import { KeyHint } from './key-hint.tsx';
import styles from './popover.module.css';
import type { Placement } from './popover-surface.tsx';

type TooltipProps = {
  readonly text: ReactNode;
  readonly keys?: string;
  readonly placement?: Placement;
  /** Focusable element of the kit, such as a button or link. Wrap plain text in `TooltipText`. */
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

/** Text that can receive the focus, so that its tooltip opens with the keyboard. */
export const TooltipText = ({ children }: { readonly children: ReactNode }) => (
  <Focusable>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip is read by focus. */}
    <span tabIndex={0} role="note">
      {children}
    </span>
  </Focusable>
);
