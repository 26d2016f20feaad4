import { type ReactNode, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components';
import { lazyPart } from './lazy-part.tsx';
import type { Placement } from './popover-surface.tsx';

const PopoverSurface = lazyPart(() =>
  import('./popover-surface.tsx').then((module) => module.PopoverSurface),
);

type PopoverProps = {
  /** What the popover is about, for readers. */
  readonly label: string;
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly placement?: Placement;
  /** The content; a function gets `close`. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
};

/** A small surface beside its button, for details and short forms. It is loaded when it is first opened. */
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
