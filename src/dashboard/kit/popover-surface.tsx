import type { ComponentProps, ReactNode, RefObject } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import styles from './popover.module.css';

export type Placement = NonNullable<ComponentProps<typeof AriaPopover>['placement']>;

type PopoverSurfaceProps = {
  readonly label: string;
  readonly placement: Placement;
  /** Button that opens the popover. Receives the focus when the popover closes. */
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Surface of a popover, positioned next to its button. */
export const PopoverSurface = ({
  label,
  placement,
  trigger,
  isOpen,
  onClose,
  children,
}: PopoverSurfaceProps) => (
  <AriaPopover
    className={styles.popover ?? ''}
    placement={placement}
    offset={4}
    triggerRef={trigger}
    isOpen={isOpen}
    onOpenChange={(next) => {
      if (!next) onClose();
    }}
  >
    <Dialog className={styles.body ?? ''} aria-label={label}>
      {children}
    </Dialog>
  </AriaPopover>
);
