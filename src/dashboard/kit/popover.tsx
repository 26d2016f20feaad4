import { type ReactNode, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components/Button';
import { lazyPart } from './lazy-part.tsx';
import type { Placement } from './popover-surface.tsx';

const PopoverSurface = lazyPart(() =>
  import('./popover-surface.tsx').then((module) => module.PopoverSurface),
);

type PopoverProps = {
  readonly label: string;
  /** Content of the button that opens the popover. */
  readonly trigger: ReactNode;
  readonly placement?: Placement;
  /** Content of the popover. A function receives `close`, which closes the popover. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
};

/** Button that opens a popover, for details and short forms. The popover is loaded when it is first opened. */
export function Popover({ label, trigger, placement = 'bottom start', children }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  const close = () => setOpen(false);
  return (
    <>
      <ButtonContext
        value={{
          ref: button,
          'aria-haspopup': 'dialog',
          'aria-expanded': isOpen,
          onPress: open,
          onHoverStart: PopoverSurface.preload,
        }}
      >
        {trigger}
      </ButtonContext>
      {wasOpened && (
        <PopoverSurface label={label} placement={placement} trigger={button} isOpen={isOpen} onClose={close}>
          {typeof children === 'function' ? children(close) : children}
        </PopoverSurface>
      )}
    </>
  );
}
